//! One log line per request.

use std::time::{Duration, Instant};

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;

use crate::contract::Content;

/// What a page adds to its request's log line; handlers leave it in the response's extensions.
#[derive(Clone, Debug)]
pub struct PageLog {
    page: &'static str,
    catalogue: Duration,
    render: Option<Duration>,
    shell: bool,
}

impl PageLog {
    pub fn new(content: &Content, catalogue: Duration) -> Self {
        let page = match content {
            Content::Home(_) => "home",
            Content::Categories(_) => "categories",
            Content::Brands(_) => "brands",
            Content::Listing(_) => "listing",
            Content::Product(_) => "product",
            Content::Error(_) => "error",
        };
        Self { page, catalogue, render: None, shell: false }
    }

    /// The markup was made in this time.
    pub fn rendered(&mut self, took: Duration) {
        self.render = Some(took);
    }

    /// There was no markup.
    pub fn shell(&mut self) {
        self.shell = true;
    }

    pub fn is_shell(&self) -> bool {
        self.shell
    }
}

/// Logs each request when its answer is ready to be sent.
pub async fn log_requests(request: Request, next: Next) -> Response {
    let started = Instant::now();
    let method = request.method().clone();
    let path = request.uri().path().to_owned();
    let response = next.run(request).await;
    let page = response.extensions().get::<PageLog>();
    // Microseconds are as exact as a log line has to be.
    let milliseconds = |duration: Duration| duration.as_micros() as f64 / 1_000.0;
    tracing::info!(
        %method,
        path,
        status = response.status().as_u16(),
        ms = milliseconds(started.elapsed()),
        page = page.map(|log| log.page),
        catalogue_ms = page.map(|log| milliseconds(log.catalogue)),
        render_ms = page.and_then(|log| log.render).map(milliseconds),
        shell = page.map(|log| log.shell),
        "request"
    );
    response
}
