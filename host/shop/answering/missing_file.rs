//! Why a file for crawlers and browsers could not be made.

use std::error::Error;
use std::sync::Arc;

use axum::http::StatusCode;

use crate::catalogue::CatalogueError;
use crate::exports::WritingError;
use crate::observe::{ErrorChain, LogThrottle};
use crate::shop::making::answer::Made;

const PLAIN: &str = "text/plain; charset=utf-8";

/// Why a file could not be made, in the words that visitors get instead of it.
#[derive(Debug, thiserror::Error)]
pub(in crate::shop) enum Missing {
    #[error("The catalogue did not answer.")]
    Catalogue(#[from] CatalogueError),
    #[error("The file could not be put together.")]
    Template(#[from] askama::Error),
    #[error("The file could not be put together.")]
    Json(#[from] serde_json::Error),
    #[error("Too much is computed at the moment.")]
    Busy,
    /// The sitemap has no part with this number.
    #[error("There is no such part.")]
    Part,
    /// The limit of long exports that are sent at the same time is reached.
    #[error("Too many files of all products are sent at the moment.")]
    Crowded,
    #[error("This file is made from the whole catalogue, which has not been read yet.")]
    NoVersion,
    #[error("The products could not be read.")]
    Export(#[from] WritingError),
}

impl Missing {
    /// What visitors get instead of the file. Logs the failure.
    pub(in crate::shop) fn answer(&self, throttle: &LogThrottle) -> Arc<Made> {
        let broken = |error: &(dyn Error + 'static)| {
            tracing::error!(error = %ErrorChain(error), "a file could not be put together");
            StatusCode::INTERNAL_SERVER_ERROR
        };
        let status = match self {
            Self::Template(error) => broken(error),
            Self::Json(error) => broken(error),
            Self::Part => StatusCode::NOT_FOUND,
            Self::Catalogue(_) | Self::Export(_) | Self::Busy | Self::Crowded | Self::NoVersion => {
                StatusCode::SERVICE_UNAVAILABLE
            }
        };
        match self {
            Self::Catalogue(error) if throttle.allows("file") => {
                tracing::warn!(error = %ErrorChain(error), "the catalogue did not answer");
            }
            Self::Export(error) if throttle.allows("export") => {
                tracing::warn!(error = %ErrorChain(error), "an export could not be made");
            }
            _ => {}
        }
        Arc::new(Made::failure("file", status, PLAIN, self.to_string()))
    }
}
