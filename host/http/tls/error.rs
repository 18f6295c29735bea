//! Why TLS cannot be used.

use std::path::PathBuf;
use std::time::SystemTime;

use thiserror::Error;

use super::date;
use crate::bounded_file::BoundedFileError;

/// Why a certificate and its key cannot be used.
#[derive(Debug, Error)]
pub enum TlsError {
    /// Only one of the two settings was given.
    #[error("{given} is set, and {missing} is not")]
    Half { given: &'static str, missing: &'static str },
    /// A file cannot be read. `setting` is the flag that names it.
    #[error("cannot read {} ({setting})", path.display())]
    NotRead { setting: &'static str, path: PathBuf, source: BoundedFileError },
    /// A file does not hold what it should, in PEM.
    #[error("{} ({setting}) has no {expected}", path.display())]
    Empty { setting: &'static str, path: PathBuf, expected: &'static str },
    /// The first certificate cannot be parsed.
    #[error("the first certificate of {} cannot be read", path.display())]
    NotACertificate { path: PathBuf, source: x509_cert::der::Error },
    /// The key or the certificate is of a kind that is not supported.
    #[error("{} and {} cannot be used", certificate.display(), key.display())]
    NotUsable { certificate: PathBuf, key: PathBuf, source: rustls::Error },
    /// The key is not that of the first certificate.
    #[error("the key of {} is not that of the first certificate of {}", key.display(), certificate.display())]
    Mismatch { certificate: PathBuf, key: PathBuf },
    /// The certificate has expired.
    #[error("the certificate of {} expired at {}", path.display(), date(*not_after))]
    Expired { path: PathBuf, not_after: SystemTime },
    /// The certificate is not valid yet.
    #[error("the certificate of {} is valid from {} on", path.display(), date(*not_before))]
    NotYetValid { path: PathBuf, not_before: SystemTime },
}

impl TlsError {
    /// What an operator can do about it.
    pub fn remedy(&self) -> &'static str {
        match self {
            Self::Half { .. } => "encrypted connections need both files",
            Self::NotRead { .. } => "the storefront's user must be allowed to read both files",
            Self::Empty { .. } => {
                "expected PEM: a certificate followed by those that vouch for it, and a key without a passphrase"
            }
            Self::NotACertificate { .. } | Self::NotUsable { .. } => {
                "expected an RSA, ECDSA or Ed25519 key, and an X.509 certificate"
            }
            Self::Mismatch { .. } => {
                "name the files of one certificate, with the shop's own certificate first in its file"
            }
            Self::Expired { .. } => "renew it",
            Self::NotYetValid { .. } => "check this machine's clock",
        }
    }
}
