//! What answers requests.

use std::sync::Arc;

use axum::Router;

use crate::http::remembered::RecentAnswers;

/// What answers requests: a router, and perhaps its answers of the last second.
#[derive(Clone, Debug)]
pub struct App {
    pub(super) router: Router,
    pub(super) recent: Option<Arc<RecentAnswers>>,
}

impl App {
    /// A router whose answers may be repeated.
    pub(crate) fn new(router: Router, recent: RecentAnswers) -> Self {
        Self { router, recent: Some(Arc::new(recent)) }
    }

    /// The router alone.
    pub fn router(&self) -> &Router {
        &self.router
    }

    /// The router's answers of the last second, if they are remembered.
    pub fn recent(&self) -> Option<&RecentAnswers> {
        self.recent.as_deref()
    }
}

impl From<Router> for App {
    fn from(router: Router) -> Self {
        Self { router, recent: None }
    }
}
