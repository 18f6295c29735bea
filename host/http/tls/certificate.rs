//! A chain of certificates with the key of the first one.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use rustls::crypto::aws_lc_rs::default_provider;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::sign::CertifiedKey;
use rustls::{Error, InconsistentKeys};
use x509_cert::der::Decode as _;

use super::error::TlsError;
use super::files::TlsFiles;

/// A chain of certificates, the key of the first one, and when that one expires.
#[derive(Debug)]
pub(super) struct Certificate {
    key: Arc<CertifiedKey>,
    not_after: SystemTime,
}

impl Certificate {
    /// Puts a chain and a key together, which come from `files`.
    ///
    /// # Errors
    /// Fails when the key is not that of the first certificate, and when that one is not valid at `now`.
    pub(super) fn new(
        chain: Vec<CertificateDer<'static>>,
        key: PrivateKeyDer<'static>,
        files: &TlsFiles,
        now: SystemTime,
    ) -> Result<Self, TlsError> {
        let path = || files.certificate.clone();
        let first = chain.first().map(AsRef::as_ref).unwrap_or_default();
        let first = x509_cert::Certificate::from_der(first)
            .map_err(|source| TlsError::NotACertificate { path: path(), source })?;
        let validity = first.tbs_certificate().validity();
        let since_epoch = |time: x509_cert::time::Time| UNIX_EPOCH + time.to_unix_duration();
        let (not_before, not_after) = (since_epoch(validity.not_before), since_epoch(validity.not_after));
        if now > not_after {
            return Err(TlsError::Expired { path: path(), not_after });
        }
        if now < not_before {
            return Err(TlsError::NotYetValid { path: path(), not_before });
        }
        let key = CertifiedKey::from_der(chain, key, &default_provider()).map_err(|source| {
            let (certificate, key) = (path(), files.key.clone());
            match source {
                Error::InconsistentKeys(InconsistentKeys::KeyMismatch) => {
                    TlsError::Mismatch { certificate, key }
                }
                source => TlsError::NotUsable { certificate, key, source },
            }
        })?;
        Ok(Self { key: Arc::new(key), not_after })
    }

    pub(super) fn key(&self) -> Arc<CertifiedKey> {
        Arc::clone(&self.key)
    }

    pub(super) fn not_after(&self) -> SystemTime {
        self.not_after
    }
}
