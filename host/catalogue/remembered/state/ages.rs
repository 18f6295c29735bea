//! The ages of saved answers. If answers are received again unchanged, only their ages are written.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::clock::BootTime;
use super::snapshot::Snapshot;

/// A moment, and the ages of the answers at that moment, in seconds and in the order of the file.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Ages {
    pub(super) at: u64,
    pub(super) boot: Option<BootTime>,
    pub(super) mirror: Option<u64>,
    /// The ages of all other answers.
    pub(super) answers: Vec<u64>,
}

impl Ages {
    /// The ages of a snapshot's answers.
    pub(super) fn of(snapshot: &Snapshot) -> Self {
        fn ages<Q, A>(entries: &[(Q, A, u64)]) -> impl Iterator<Item = u64> {
            entries.iter().map(|(.., age)| *age)
        }
        let Snapshot { at, boot, mirror, categories, previews, listings, products, windows, .. } = snapshot;
        let answers = ages(categories).chain(ages(previews)).chain(ages(listings));
        Self {
            at: *at,
            boot: boot.clone(),
            mirror: mirror.as_ref().map(|(_, age)| *age),
            answers: answers.chain(ages(products)).chain(ages(windows)).collect(),
        }
    }

    /// Whether any answer is younger, at least `by` this much, than the `last` ages say, which were noted `since` ago.
    pub(super) fn has_younger(&self, last: &Self, since: Duration, by: Duration) -> bool {
        let is_younger = |(age, last): (u64, u64)| {
            last.saturating_add(since.as_secs()) >= age.saturating_add(by.as_secs())
        };
        self.every().zip(last.every()).any(is_younger)
    }

    fn every(&self) -> impl Iterator<Item = u64> {
        self.mirror.iter().chain(&self.answers).copied()
    }
}
