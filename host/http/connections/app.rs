//! What answers requests.

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::{Request, Response};
use hyper::body::Incoming;
use parking_lot::RwLock;
use tower::ServiceExt as _;

use crate::http::recent_answers::RecentAnswers;

/// What answers requests: a router, and perhaps its answers of the last second.
#[derive(Clone, Debug)]
pub struct App {
    router: Arc<RwLock<Router>>,
    recent: Option<Arc<RecentAnswers>>,
}

impl App {
    /// A router whose answers may be repeated.
    pub(crate) fn new(router: Router, recent: RecentAnswers) -> Self {
        Self { router: Arc::new(RwLock::new(router)), recent: Some(Arc::new(recent)) }
    }

    /// The router alone.
    pub fn router(&self) -> Router {
        self.router.read().clone()
    }

    /// Answers with another router from now on. Requests under way are answered by the former one.
    pub(crate) fn replace(&self, router: Router) {
        *self.router.write() = router;
        if let Some(recent) = self.recent() {
            recent.forget();
        }
    }

    /// The router's answers of the last second, if they are remembered.
    pub fn recent(&self) -> Option<&RecentAnswers> {
        self.recent.as_deref()
    }

    /// The answer to a request that was answered a moment ago.
    pub(super) fn repeated(&self, request: &Request<Incoming>) -> Option<Response<Bytes>> {
        self.recent()?.answer(request)
    }

    /// The router's answer, which is remembered if it may be repeated.
    pub(super) async fn answer(self, request: Request<Incoming>) -> Response<Body> {
        let asked = self.recent().and_then(|recent| recent.asked(&request));
        let Ok(response) = self.router().oneshot(request.map(Body::new)).await;
        if let (Some(recent), Some(asked)) = (self.recent(), asked) {
            recent.remember(asked, &response);
        }
        response
    }
}

impl From<Router> for App {
    fn from(router: Router) -> Self {
        Self { router: Arc::new(RwLock::new(router)), recent: None }
    }
}
