//! The ages of saved answers. If answers were received again and have not changed, only their ages are written.

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
        }
    }
}
