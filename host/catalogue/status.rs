//! What a catalogue tells its operators.

use std::sync::Arc;
use std::time::Duration;

use super::{CatalogueCounters, PassProgress};

/// What a catalogue tells its operators. The embedded sample has nothing to tell.
#[derive(Clone, Debug, Default)]
pub struct CatalogueStatus {
    /// The calls to the service.
    pub calls: Option<Arc<CatalogueCounters>>,
    /// The service's circuit breakers: what each is for, and whether it is open.
    pub breakers: Vec<(&'static str, bool)>,
    /// What has been left out of the service's answers: a line for each kind.
    pub left_out: Vec<String>,
    /// Time since the source was asked for its last answer; `None` before the first one.
    pub silence: Option<Duration>,
    /// How many versions were not believed, if there is a rule for that.
    pub rejected: Option<u64>,
    /// Why the last reading of all products has failed.
    pub trouble: Option<String>,
    /// How far the list of all products is read, while it is read in pages.
    pub pass: Option<Arc<PassProgress>>,
    /// The number of products of the version on sale and its age, if there is one.
    pub copy: Option<(usize, Duration)>,
}
