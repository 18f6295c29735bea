//! What a catalogue tells its operators.

use std::sync::Arc;
use std::time::Duration;

use super::{CatalogueCounters, PassProgress, Staleness};

/// What a catalogue tells its operators. The embedded sample has nothing to tell.
#[derive(Clone, Debug, Default)]
pub struct CatalogueStatus {
    /// The calls to the service.
    pub calls: Option<Arc<CatalogueCounters>>,
    /// The service's circuit breakers: what each is for, and whether it is open.
    pub breakers: Vec<(&'static str, bool)>,
    /// What has been left out of the service's answers: a line for each kind.
    pub left_out: Vec<String>,
    /// The age of what is served.
    pub staleness: Option<Staleness>,
    /// The limit on the size of an answer, in bytes, if the list of all products is larger.
    pub list_exceeds: Option<usize>,
    /// How far the list of all products is read, while it is read in pages.
    pub pass: Option<Arc<PassProgress>>,
    /// The number of products in the copy of the whole catalogue and its age, if there is a copy.
    pub copy: Option<(usize, Duration)>,
}
