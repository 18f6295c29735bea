//! The catalogue as one page asks it.

use std::collections::HashSet;
use std::error::Error;

use parking_lot::Mutex;

use crate::catalogue::{self, Catalogue};

/// The questions of one page. This is where a failure of the catalogue is handled: it is logged,
/// and remembered so that nobody keeps a page that lacks something.
pub struct Queries<'a> {
    pub catalogue: &'a dyn Catalogue,
    failed: Mutex<HashSet<&'static str>>,
}

impl<'a> Queries<'a> {
    pub fn new(catalogue: &'a dyn Catalogue) -> Self {
        Self { catalogue, failed: Mutex::default() }
    }

    /// The answer, or nothing when there is none.
    pub async fn ask<T>(
        &self,
        query: &'static str,
        answer: impl Future<Output = catalogue::Result<T>>,
    ) -> Option<T> {
        match answer.await {
            Ok(answer) => Some(answer),
            Err(error) => {
                // Twenty cards that fail for one reason are one line.
                if self.failed.lock().insert(query) {
                    tracing::warn!(query, error = &error as &dyn Error, "the catalogue did not answer");
                }
                None
            }
        }
    }

    /// Whether everything was answered.
    pub fn is_complete(&self) -> bool {
        self.failed.lock().is_empty()
    }
}
