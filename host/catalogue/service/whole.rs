//! All products of the service: in one answer where they fit in one, and in pages otherwise.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;

use super::Service;
use super::calls::{Everything, Names, ProductCount};
use super::pages::is_too_large;
use crate::catalogue::error::CatalogueError;
use crate::catalogue::model::Category;
use crate::catalogue::product_set::ProductSet;
use crate::catalogue::query::{Aged, Ask as _, Result};
use crate::catalogue::revision::Change;
use crate::catalogue::source::{Source, Wanted};
use crate::catalogue::{CataloguePurge, CatalogueStatus, Outdated};
use crate::profile::Currency;

/// Maximum number of products that are asked for in one answer. At 2 kB for each, that is 10 MB.
const ONE_ANSWER: u64 = 5_000;

/// So few products are not read in pages because one answer takes long.
const FEW: u64 = 1_000;

#[async_trait]
impl Source for Service {
    async fn changes(&self, wanted: Wanted<'_>) -> Result<Aged<Change<ProductSet>>> {
        let Wanted { since, count, most } = wanted;
        // The number may come from a copy that was saved at a time with more memory.
        let count = match count.filter(|count| *count <= most) {
            Some(count) => count,
            None => self.ask(&ProductCount).await?,
        };
        if count > most {
            return Err(CatalogueError::TooMany { most });
        }
        if count <= ONE_ANSWER {
            match self.ask_since(&Everything, since).await {
                // A short list is not slow because it is long.
                Err(CatalogueError::TooLarge { .. }) => {}
                Err(error) if count > FEW && is_too_large(&error) => {}
                Ok(Change::New(products, _)) if products.len() as u64 > most => {
                    return Err(CatalogueError::TooMany { most });
                }
                outcome => {
                    self.passes.note_needless().await;
                    return outcome.map(Aged::new);
                }
            }
        }
        let (products, dropped) = self.passes.read(self, wanted).await?;
        self.left_out.note(&dropped);
        self.counters.dropped_entries.add(dropped.count());
        Ok(products)
    }

    async fn names(&self) -> Result<Arc<[Category]>> {
        self.ask(&Names).await
    }

    fn reading_time(&self) -> Duration {
        self.passes.took()
    }

    fn currency(&self) -> Currency {
        self.currency
    }

    fn status(&self) -> CatalogueStatus {
        CatalogueStatus {
            calls: Some(Arc::clone(&self.counters)),
            breakers: self.guard.breakers(),
            left_out: self.left_out.lines(),
            pass: self.passes.progress().is_under_way().then(|| Arc::clone(self.passes.progress())),
            ..CatalogueStatus::default()
        }
    }

    fn purge(&self, purges: &[CataloguePurge]) {
        // The latest order declares the most answers out of date.
        if let Some(ago) = purges.iter().map(|purge| purge.ago).min() {
            self.passes.forget(ago);
        }
        // An operator may have made the catalogue smaller. The change of one product does not.
        if purges.iter().any(|purge| purge.outdated == Outdated::Everything) {
            self.oversized.invalidate_all();
        }
    }
}
