//! An answer as the service or another replica sent it, understood or recognised.

use bytes::Bytes;

use super::calls::Call;
use super::transport::Received;
use super::wire::Parsed;
use crate::catalogue::error::CatalogueError;
use crate::catalogue::query::Result;
use crate::catalogue::version::{Change, Version};
use crate::process::compute::off_runtime;
use crate::profile::Currency;

/// What became of a call.
pub(super) enum Fetched<C: Call> {
    /// The answer is still that of the version that was asked with. The body is there if it was sent all the same.
    Unchanged {
        version: Version,
        body: Option<Bytes>,
    },
    /// A 404 that the API itself sent.
    Missing,
    New {
        version: Version,
        body: Bytes,
        parsed: Parsed<C::Answer>,
    },
}

impl<C: Call> Fetched<C> {
    /// Parses what was received, unless it is what the version `since` was.
    ///
    /// # Errors
    /// When it makes no sense.
    pub(super) async fn of(received: Received, since: Option<Version>, currency: Currency) -> Result<Self> {
        match (received, since) {
            (Received::NotModified, Some(version)) => Ok(Self::Unchanged { version, body: None }),
            (Received::NotModified, None) => Err(CatalogueError::Status(304)),
            (Received::Missing, _) => Ok(Self::Missing),
            (Received::Body(body, validator), since) => {
                off_runtime(move || {
                    let version = Version::new(blake3::hash(&body), validator);
                    if since.is_some_and(|since| since.digest() == version.digest()) {
                        return Ok(Self::Unchanged { version, body: Some(body) });
                    }
                    let parsed = C::parse(&body, currency)?;
                    Ok(Self::New { version, body, parsed })
                })
                .await
            }
        }
    }

    /// What it means for the call.
    ///
    /// # Errors
    /// When the service does not know what was asked for, and that is no answer to this call.
    pub(super) fn change(self, call: &C) -> Result<Change<C::Answer>> {
        match self {
            Self::Unchanged { version, .. } => Ok(Change::Unchanged(version)),
            Self::Missing => Ok(Change::New(call.not_found()?, None)),
            Self::New { version, parsed, .. } => Ok(Change::New(parsed.value, Some(version))),
        }
    }
}
