//! Maps each failure of the host to a status, a log line and an error page.
//!
//! Wrong requests and failures of the catalogue are not errors here: they are pages with a status,
//! drafted in `pages/`. These errors mean that no page could be made.

use askama::Template;
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse as _, Response};

use super::making::answer::RETRY_AFTER;
use crate::document::first_paint;
use crate::http::caching::Caching;
use crate::observe::ErrorChain;
use crate::profile::Profile;
use crate::texts::{Key, Texts};

/// A failure of the host itself.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AppError {
    /// 500: a page could not be serialised as JSON.
    #[error("a page could not be serialised")]
    PageJson(#[from] serde_json::Error),
    /// 500: the document's template failed.
    #[error("the document could not be put together")]
    Document(#[from] askama::Error),
    /// 500: a redirect's URL is not a valid header value.
    #[error("a location is not a header value")]
    Location(#[source] header::InvalidHeaderValue),
    /// 500: a handler panicked.
    #[error("a handler panicked: {0}")]
    Panic(String),
    /// 500: the task that made the page died, and so did a second one.
    #[error("making a page ended early, twice")]
    Died,
    /// 503: the page was not ready by the request's deadline.
    #[error("a page was not ready in time")]
    Deadline,
    /// The error page itself could not be rendered, which is already logged. With its message and status.
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

    /// The text for the shopper, without the cause.
    fn message<'a>(&'a self, texts: &'a Texts) -> &'a str {
        match self {
            Self::NoErrorPage(message, _) => message,
            _ => texts.text(Key::UnknownError),
        }
    }
}

/// The error page that is rendered without JavaScript.
#[derive(Template)]
#[template(path = "error.html", config = "host/askama.toml")]
struct ErrorPage<'a> {
    profile: &'a Profile,
    texts: &'a Texts,
    message: &'a str,
    styles: &'a str,
}

impl AppError {
    /// Logs the failure and returns it.
    pub(super) fn logged(self) -> Self {
        if !matches!(self, Self::NoErrorPage(..)) {
            tracing::error!(error = %ErrorChain(&self), "a request failed");
        }
        self
    }

    /// Status and HTML of the error page of a shop with this profile.
    pub(super) fn page(&self, profile: &Profile) -> (StatusCode, String) {
        let texts = &*profile.texts;
        let html =
            ErrorPage { profile, texts, message: self.message(texts), styles: first_paint::of_plain_pages() }
                .render()
                // If the template fails, the specification's sentence remains.
                .unwrap_or_else(|_| "Oops! Sorry, an unexpected error has occurred.".into());
        (self.status(), html)
    }

    /// Logs the failure, and answers with the error page of a shop with this profile.
    pub(crate) fn respond(self, profile: &Profile) -> Response {
        let (status, html) = self.logged().page(profile);
        let no_store = [(header::CACHE_CONTROL, Caching::Never.header())];
        let mut response = (status, no_store, Html(html)).into_response();
        if status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(header::RETRY_AFTER, RETRY_AFTER);
        }
        response
    }
}
