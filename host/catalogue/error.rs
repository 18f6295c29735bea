//! Why the catalogue did not answer.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::key::ProductKey;
use super::store::DetailsError;

/// Why a query failed. Cheap to clone, because all waiters of one call get the same error.
///
/// "There is no such product" is an answer, not an error.
#[derive(Clone, Debug, thiserror::Error)]
pub enum CatalogueError {
    /// The connection failed or broke.
    #[error("the catalogue service could not be reached")]
    Transport(#[source] Arc<reqwest::Error>),
    /// No service can be trusted, so no call is made over https.
    #[error(
        "this machine has no CA certificates, so that no service is called over https: install the package \
         ca-certificates, or name a file of certificates in SSL_CERT_FILE"
    )]
    NoCertificates(#[source] Arc<rustls::Error>),
    /// The call failed, and it went through a proxy. `proxy` is the proxy's address without credentials.
    #[error("asked through the proxy {proxy} that HTTP_PROXY, HTTPS_PROXY or ALL_PROXY names")]
    ThroughProxy { proxy: Arc<str>, source: Arc<Self> },
    /// A time budget ran out.
    #[error("the catalogue service was too slow {0}")]
    TimedOut(Phase),
    /// A status that the API does not use for this call.
    #[error("the catalogue service answered with status {0}")]
    Status(u16),
    /// The service answered 429, to this call or an earlier one: no call is made for `retry_after`.
    #[error("the catalogue service asks for no calls for {retry_after:?}")]
    RateLimited { retry_after: Duration },
    /// The body, after decompression, is larger than `limit` bytes.
    #[error("the catalogue service's answer is larger than the {} that are read", Size(*limit))]
    TooLarge { limit: usize },
    /// The catalogue has more products than are wanted.
    #[error("the catalogue has more than {most} products")]
    TooMany { most: u64 },
    /// All products together are larger than the `limit`, in bytes.
    #[error(
        "all products of the catalogue are more than {} together; a copy may have 2 KiB for each product that --mirror \
         allows",
        Size(usize::try_from(*limit).unwrap_or(usize::MAX))
    )]
    TooMuch { limit: u64 },
    /// The list of all products could not be read in pages.
    #[error(
        "the catalogue could not be read as a whole in {attempts} attempts: its list changes all the time, or the \
         service gives other parts of it than those asked for"
    )]
    Unsettled { attempts: u32 },
    /// No entry of the list of all products is a valid product.
    #[error("the catalogue's list has no valid product")]
    Senseless,
    /// Reading the list of all products took longer than `longest`.
    #[error("the catalogue could not be read as a whole in {longest:?}")]
    TooLong { longest: Duration },
    /// The details of a product could not be read from memory or from the file that they are saved in.
    #[error("a product's details could not be read")]
    Details(#[source] Arc<DetailsError>),
    /// The task that made the call died before the answer arrived.
    #[error("a call to the catalogue service ended early")]
    Died,
    /// The body does not match the API's schema.
    #[error("the catalogue service's answer is not understood")]
    Malformed(#[source] Arc<serde_json::Error>),
    /// The body is a product in the API's schema, but a required field is invalid or implausible.
    #[error("the catalogue service's product {product} has no valid {field}")]
    Implausible { product: ProductKey, field: &'static str },
    /// The circuit breaker is open. No call is made for `retry_after`; zero means until the probe under way has ended.
    #[error("the catalogue service failed too often, no call for {retry_after:?}")]
    CircuitOpen { retry_after: Duration },
    /// The token bucket is empty: the call would exceed the service's rate limit.
    #[error("too many calls of the catalogue service")]
    Throttled,
}

/// A number of bytes. It is shown in MiB if it is a whole number of MiB.
#[derive(Clone, Copy, Debug)]
pub struct Size(pub usize);

impl fmt::Display for Size {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            bytes if bytes > 0 && bytes.is_multiple_of(1 << 20) => write!(formatter, "{} MiB", bytes >> 20),
            bytes => write!(formatter, "{bytes} bytes"),
        }
    }
}

/// The phase of a call in which a time budget ran out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    Connect,
    /// The status and headers.
    FirstByte,
    /// The next chunk of the body.
    Read,
    /// The whole answer.
    Total,
}

impl fmt::Display for Phase {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Connect => "to connect",
            Self::FirstByte => "to begin its answer",
            Self::Read => "to go on with its answer",
            Self::Total => "to finish its answer",
        })
    }
}

impl CatalogueError {
    /// How long no call is made, if that is known.
    pub(super) fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::RateLimited { retry_after } | Self::CircuitOpen { retry_after } => Some(*retry_after),
            _ => None,
        }
    }

    /// Whether the only failure is that details were not read in time.
    pub(super) fn is_late(&self) -> bool {
        matches!(self, Self::Details(error) if matches!(**error, DetailsError::Late(_)))
    }

    /// Why the call failed, whether or not it went through a proxy.
    pub(super) fn cause(&self) -> &Self {
        match self {
            Self::ThroughProxy { source, .. } => source.cause(),
            own => own,
        }
    }

    /// Whether the answer had more than one may have.
    pub(crate) fn is_too_large(&self) -> bool {
        matches!(self.cause(), Self::TooLarge { .. })
    }

    /// Adds the proxy that the call went through to this error if the proxy may be what failed.
    pub(super) fn through(self, proxy: &Arc<str>) -> Self {
        match self {
            Self::Transport(_) | Self::TimedOut(_) | Self::Status(_) => {
                Self::ThroughProxy { proxy: Arc::clone(proxy), source: Arc::new(self) }
            }
            other => other,
        }
    }

    /// Whether a retry may succeed.
    pub(super) fn is_transient(&self) -> bool {
        matches!(self.cause(), Self::Transport(_) | Self::TimedOut(_) | Self::Status(500 | 502 | 503 | 504))
    }

    /// Whether the circuit breaker counts this as a failure. A client error (4xx) is not counted: the
    /// service works and refuses this call. Neither is an invalid product: requests for it would
    /// otherwise open the breaker for all products.
    pub(super) fn is_failure_of_the_service(&self) -> bool {
        match self.cause() {
            Self::Transport(_) | Self::TimedOut(_) | Self::TooLarge { .. } | Self::Malformed(_) => true,
            Self::Status(status) => !(400..500).contains(status),
            // `cause` never returns this variant.
            Self::ThroughProxy { .. }
            | Self::RateLimited { .. }
            | Self::NoCertificates(_)
            | Self::Implausible { .. }
            | Self::CircuitOpen { .. }
            | Self::Throttled
            | Self::TooMany { .. }
            | Self::TooMuch { .. }
            | Self::Unsettled { .. }
            | Self::Senseless
            | Self::TooLong { .. }
            | Self::Details(_)
            | Self::Died => false,
        }
    }
}

impl From<reqwest::Error> for CatalogueError {
    fn from(error: reqwest::Error) -> Self {
        if error.is_timeout() && error.is_connect() {
            return Self::TimedOut(Phase::Connect);
        }
        // The URL contains the shopper's search text, which must not be logged.
        Self::Transport(Arc::new(error.without_url()))
    }
}

impl From<serde_json::Error> for CatalogueError {
    fn from(error: serde_json::Error) -> Self {
        Self::Malformed(Arc::new(error))
    }
}
