//! The catalogue as one page asks it.

use std::collections::HashSet;
use std::time::Instant;

use parking_lot::Mutex;

use crate::catalogue::{self, Catalogue, CatalogueError, Phase};
use crate::causes::Causes;
use crate::seldom::Seldom;

/// The questions of one page. This is where a failure of the catalogue is handled: it is logged,
/// and remembered so that nobody keeps a page that lacks something.
pub struct Queries<'a> {
    pub catalogue: &'a dyn Catalogue,
    deadline: Instant,
    seldom: &'a Seldom,
    failed: Mutex<HashSet<&'static str>>,
}

impl<'a> Queries<'a> {
    /// What is not answered by `deadline` is left out of the page.
    pub fn new(catalogue: &'a dyn Catalogue, deadline: Instant, seldom: &'a Seldom) -> Self {
        Self { catalogue, deadline, seldom, failed: Mutex::default() }
    }

    /// The answer, or nothing when there is none.
    pub async fn ask<T>(
        &self,
        query: &'static str,
        answer: impl Future<Output = catalogue::Result<T>>,
    ) -> Option<T> {
        let answer = tokio::time::timeout_at(self.deadline.into(), answer).await;
        match answer.unwrap_or(Err(CatalogueError::TimedOut(Phase::Total))) {
            Ok(answer) => Some(answer),
            Err(error) => {
                self.failed.lock().insert(query);
                // Twenty cards and a thousand visitors that fail for one reason are one line.
                if self.seldom.is_time_for(query) {
                    tracing::warn!(query, error = %Causes(&error), "the catalogue did not answer");
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
