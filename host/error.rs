//! The one table from a failure of the host to status, log line and error page.
//!
//! What a shopper can cause or a catalogue can fail at is a page with a status, made in `pages/`.
//! What ends up here is a page that could not be made at all.

use askama::Template;
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Response};

use crate::assets;
use crate::causes::Causes;
use crate::pages::RETRY_AFTER;
use crate::representation::Caching;

/// A failure of the host itself.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// 500: a page is not representable as JSON.
    #[error("a page could not be serialised")]
    PageJson(#[from] serde_json::Error),
    /// 500: the document's template failed.
    #[error("the document could not be put together")]
    Document(#[from] askama::Error),
    /// 500: an address of ours is no header value.
    #[error("a location is not a header value")]
    Location(#[source] header::InvalidHeaderValue),
    /// 500: a handler panicked.
    #[error("a handler panicked: {0}")]
    Panic(String),
    /// 500: whoever made the page died, and so did the next one.
    #[error("making a page ended early, twice")]
    Died,
    /// 503: the page's data or markup took longer than a request may.
    #[error("a page was not ready in time")]
    Deadline,
    /// The error page's own status: its React version did not render, which is logged already.
    #[error("the error page was not rendered")]
    NoErrorPage(String, u16),
}

impl AppError {
    fn status(&self) -> StatusCode {
        match self {
            Self::PageJson(_) | Self::Document(_) | Self::Location(_) | Self::Panic(_) | Self::Died => {
                StatusCode::INTERNAL_SERVER_ERROR
            }
            Self::Deadline => StatusCode::SERVICE_UNAVAILABLE,
            Self::NoErrorPage(_, status) => {
                StatusCode::from_u16(*status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
            }
        }
    }

    /// What the shopper reads; never the cause.
    fn message(&self) -> &str {
        match self {
            Self::NoErrorPage(message, _) => message,
            _ => "Unknown error",
        }
    }
}

/// The error page that needs no engine.
#[derive(Template)]
#[template(path = "error.html", config = "host/askama.toml")]
struct ErrorPage<'a> {
    message: &'a str,
    styles: &'a str,
}

impl AppError {
    /// Logs the failure, where it is handled.
    pub fn logged(self) -> Self {
        if !matches!(self, Self::NoErrorPage(..)) {
            tracing::error!(error = %Causes(&self), "a request failed");
        }
        self
    }

    /// Status and HTML of the answer.
    pub fn page(&self) -> (StatusCode, String) {
        let html = ErrorPage { message: self.message(), styles: assets::STYLES }
            .render()
            // Without a template there is still the specification's sentence.
            .unwrap_or_else(|_| "Oops! Sorry, an unexpected error has occurred.".into());
        (self.status(), html)
    }
}

impl IntoResponse for AppError {
    fn into_response(self) -> Response {
        let (status, html) = self.logged().page();
        let no_store = [(header::CACHE_CONTROL, Caching::Never.header())];
        let mut response = (status, no_store, Html(html)).into_response();
        if status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(header::RETRY_AFTER, RETRY_AFTER);
        }
        response
    }
}
