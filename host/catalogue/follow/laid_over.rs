//! Products that purges name are asked for one by one, and laid over the version that was read.

use std::collections::HashMap;
use std::mem;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{StreamExt as _, stream};

use super::past::Past;
use super::{Current, Followed};
use crate::catalogue::Source;
use crate::catalogue::error::CatalogueError;
use crate::catalogue::key::ProductKey;
use crate::catalogue::model::Product;
use crate::catalogue::query::ProductById;
use crate::catalogue::version::Version;
use crate::observe::{Bounded, ErrorChain};
use crate::process::compute::in_background;

/// How many products are asked for at the same time.
const ASKED_AT_ONCE: usize = 4;

impl<C: Source> Followed<C> {
    /// Asks for the products that are wanted one by one, and lays them over the version.
    pub(super) async fn ask_wanted(&self) {
        let wanted = mem::take(&mut self.sold.lock().products);
        let is_awaited = !wanted.is_empty();
        let asks = wanted.into_iter().map(async |key| {
            let asked = Past::new(Duration::ZERO);
            match self.source.ask(&ProductById(key.clone())).await {
                Ok(product) => self.sold.lock().newer.insert(key, (asked, product)),
                Err(CatalogueError::Implausible { .. }) => self.sold.lock().newer.insert(key, (asked, None)),
                Err(error) => {
                    tracing::warn!(product = %Bounded(&key), error = %ErrorChain(&error), "a purged product was not received");
                    // The next reading may be luckier.
                    self.due.notify_one();
                    None
                }
            };
        });
        stream::iter(asks).buffer_unordered(ASKED_AT_ONCE).collect::<()>().await;
        self.lay().await;
        if is_awaited {
            self.end_wait();
        }
    }

    /// Lays the products that were asked for over the version that was read.
    async fn lay(&self) {
        let Some(Current { read, version, .. }) = self.sold.lock().current.clone() else { return };
        // All of them: a version that was only confirmed since does not have them.
        let Some(laid) = self.laid_over(Some(&read), Past::new(Duration::MAX)).await else { return };
        let mut sold = self.sold.lock();
        // A version that was read or received meanwhile asks for this again.
        let is_same = |current: &&mut Current| {
            Arc::ptr_eq(&current.read, &read) && Arc::ptr_eq(&current.version, &version)
        };
        if let Some(current) = sold.current.as_mut().filter(is_same) {
            current.version = laid;
            drop(sold);
            self.versions.send_replace(());
        }
    }

    /// The version with the products that were asked for since `asked`; `None` if there are none.
    pub(super) async fn laid_over(&self, read: Option<&Arc<Version>>, asked: Past) -> Option<Arc<Version>> {
        let (read, newer) = (Arc::clone(read?), self.newer_since(asked));
        if newer.is_empty() {
            return None;
        }
        Some(Arc::new(in_background(move || read.with_newer(&newer)).await))
    }

    /// The products that were asked for since then.
    pub(super) fn newer_since(&self, asked: Past) -> HashMap<ProductKey, Option<Arc<Product>>> {
        let sold = self.sold.lock();
        let newer = sold.newer.iter().filter(|(_, (since, _))| !since.is_before(asked));
        newer.map(|(key, (_, product))| (key.clone(), product.clone())).collect()
    }
}
