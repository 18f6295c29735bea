//! An answer of the service, parsed or recognised as known.

use bytes::Bytes;

use super::calls::Call;
use super::transport::Received;
use super::wire::Parsed;
use crate::catalogue::error::CatalogueError;
use crate::catalogue::query::Result;
use crate::catalogue::revision::{Change, Revision};
use crate::process::compute::off_runtime;
use crate::profile::Currency;

/// The outcome of a call.
pub(super) enum Fetched<C: Call> {
    /// The answer has not changed since the revision that was asked with.
    Unchanged {
        revision: Revision,
    },
    /// A 404 that the API itself sent.
    Missing,
    New {
        revision: Revision,
        body: Bytes,
        parsed: Parsed<C::Answer>,
    },
}

impl<C: Call> Fetched<C> {
    /// Parses what was received, unless it is the same as the revision `since`.
    ///
    /// # Errors
    /// When it makes no sense.
    pub(super) async fn of(received: Received, since: Option<Revision>, currency: Currency) -> Result<Self> {
        match (received, since) {
            (Received::NotModified, Some(revision)) => Ok(Self::Unchanged { revision }),
            (Received::NotModified, None) => Err(CatalogueError::Status(304)),
            (Received::Missing, _) => Ok(Self::Missing),
            (Received::Body(body, validator), since) => {
                off_runtime(move || {
                    let revision = Revision::new(blake3::hash(&body), validator);
                    if since.is_some_and(|since| since.digest() == revision.digest()) {
                        return Ok(Self::Unchanged { revision });
                    }
                    let parsed = C::parse(&body, currency)?;
                    Ok(Self::New { revision, body, parsed })
                })
                .await
            }
        }
    }

    /// The answer to the call, or that it has not changed.
    ///
    /// # Errors
    /// When the answer is a 404 that is not a valid answer to this call.
    pub(super) fn change(self, call: &C) -> Result<Change<C::Answer>> {
        match self {
            Self::Unchanged { revision } => Ok(Change::Unchanged(revision)),
            Self::Missing => Ok(Change::New(call.not_found()?, None)),
            Self::New { revision, parsed, .. } => Ok(Change::New(parsed.value, Some(revision))),
        }
    }
}
