//! One log line per request.

use std::time::{Duration, Instant};

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;

use crate::pages::Making;

/// What a page adds to its request's log line; handlers leave it in the response's extensions.
#[derive(Clone, Copy, Debug)]
pub struct PageLog {
    making: Making,
    age: Duration,
    stale: bool,
}

impl PageLog {
    /// A page that was made so, and has this age.
    pub fn new(making: Making, age: Duration, stale: bool) -> Self {
        Self { making, age, stale }
    }

    /// Where the page came from.
    fn memory(&self) -> &'static str {
        match (self.age.is_zero(), self.stale) {
            (true, _) => "made",
            (false, false) => "fresh",
            (false, true) => "stale",
        }
    }
}

/// Logs each request when its answer is ready to be sent.
pub async fn log_requests(request: Request, next: Next) -> Response {
    let started = Instant::now();
    let method = request.method().clone();
    let path = request.uri().path().to_owned();
    let response = next.run(request).await;
    let page = response.extensions().get::<PageLog>();
    let making = page.filter(|log| log.age.is_zero()).map(|log| log.making);
    // Microseconds are as exact as a log line has to be.
    let milliseconds = |duration: Duration| duration.as_micros() as f64 / 1_000.0;
    tracing::info!(
        %method,
        path,
        status = response.status().as_u16(),
        ms = milliseconds(started.elapsed()),
        page = page.map(|log| log.making.kind),
        memory = page.map(PageLog::memory),
        catalogue_ms = making.map(|making| milliseconds(making.catalogue)),
        render_ms = making.and_then(|making| making.render).map(milliseconds),
        shell = page.map(|log| log.making.shell),
        "request"
    );
    response
}
