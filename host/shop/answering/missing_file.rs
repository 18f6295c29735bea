//! Why a file for crawlers and browsers could not be made.

use std::error::Error;
use std::sync::Arc;

use axum::http::StatusCode;

use crate::catalogue::CatalogueError;
use crate::exports::WritingError;
use crate::observe::{ErrorChain, LogThrottle};
use crate::shop::making::answer::Made;

const PLAIN: &str = "text/plain; charset=utf-8";

/// Why a file could not be made.
pub(in crate::shop) enum Missing {
    Catalogue(CatalogueError),
    Template(askama::Error),
    Json(serde_json::Error),
    /// Too many computations wait already.
    Busy,
    /// The sitemap has no part with this number.
    Part,
    /// The limit of long exports that are sent at the same time is reached.
    Crowded,
    /// There is no version of the catalogue yet.
    NoVersion,
    /// The products could not be written.
    Export(WritingError),
}

impl From<CatalogueError> for Missing {
    fn from(error: CatalogueError) -> Self {
        Self::Catalogue(error)
    }
}

impl From<askama::Error> for Missing {
    fn from(error: askama::Error) -> Self {
        Self::Template(error)
    }
}

impl From<serde_json::Error> for Missing {
    fn from(error: serde_json::Error) -> Self {
        Self::Json(error)
    }
}

impl Missing {
    /// What visitors get instead of the file.
    pub(in crate::shop) fn answer(&self, throttle: &LogThrottle) -> Arc<Made> {
        let failure = |status, text: &str| Arc::new(Made::failure("file", status, PLAIN, text.into()));
        let broken = |error: &(dyn Error + 'static)| {
            tracing::error!(error = %ErrorChain(error), "a file could not be put together");
            failure(StatusCode::INTERNAL_SERVER_ERROR, "The file could not be put together.")
        };
        match self {
            Self::Part => failure(StatusCode::NOT_FOUND, "There is no such part."),
            Self::Busy => failure(StatusCode::SERVICE_UNAVAILABLE, "Too much is computed at the moment."),
            Self::Catalogue(error) => {
                if throttle.allows("file") {
                    tracing::warn!(error = %ErrorChain(error), "the catalogue did not answer");
                }
                failure(StatusCode::SERVICE_UNAVAILABLE, "The catalogue did not answer.")
            }
            Self::Crowded => failure(
                StatusCode::SERVICE_UNAVAILABLE,
                "Too many files of all products are sent at the moment.",
            ),
            Self::NoVersion => failure(
                StatusCode::SERVICE_UNAVAILABLE,
                "This file is made from the whole catalogue, which has not been read yet.",
            ),
            Self::Export(error) => {
                if throttle.allows("export") {
                    tracing::warn!(error = %ErrorChain(error), "an export could not be made");
                }
                failure(StatusCode::SERVICE_UNAVAILABLE, "The products could not be read.")
            }
            Self::Template(error) => broken(error),
            Self::Json(error) => broken(error),
        }
    }
}
