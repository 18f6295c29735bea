//! The ages of saved answers. If answers were received again and have not changed, only their ages are written.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::clock::BootTime;
use super::snapshot::Snapshot;

/// The moment of a confirmation, and the ages in seconds that the answers had then, in the order of the file.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Ages {
    pub(super) at: u64,
    pub(super) boot: Option<BootTime>,
    pub(super) mirror: Option<u64>,
    pub(super) categories: Vec<u64>,
    pub(super) previews: Vec<u64>,
    pub(super) listings: Vec<u64>,
    pub(super) products: Vec<u64>,
    /// The version before saved the home page's sections instead.
    #[serde(default)]
    pub(super) windows: Vec<u64>,
    /// Those of the version before.
    #[serde(default, skip_serializing)]
    pub(super) sections: Vec<u64>,
}

impl Ages {
    /// The ages of a snapshot's answers.
    pub(super) fn of(snapshot: &Snapshot) -> Self {
        fn ages<Q, A>(entries: &[(Q, A, u64)]) -> Vec<u64> {
            entries.iter().map(|(.., age)| *age).collect()
        }
        Self {
            at: snapshot.at,
            boot: snapshot.boot.clone(),
            mirror: snapshot.mirror.as_ref().map(|(_, age)| *age),
            categories: ages(&snapshot.categories),
            previews: ages(&snapshot.previews),
            listings: ages(&snapshot.listings),
            products: ages(&snapshot.products),
            windows: ages(&snapshot.windows),
            sections: Vec::new(),
        }
    }

    /// Whether one of these ages is less by this much than what the `last` ones of the same answers are by now.
    pub(super) fn are_younger(&self, last: &Self, since: Duration, by: Duration) -> bool {
        let is_younger = |(age, last): (u64, u64)| {
            last.saturating_add(since.as_secs()) >= age.saturating_add(by.as_secs())
        };
        self.every().zip(last.every()).any(is_younger)
    }

    fn every(&self) -> impl Iterator<Item = u64> {
        let Self { at: _, boot: _, mirror, categories, previews, listings, products, windows, sections: _ } =
            self;
        let lists = [categories, previews, listings, products, windows];
        mirror.iter().chain(lists.into_iter().flatten()).copied()
    }
}
