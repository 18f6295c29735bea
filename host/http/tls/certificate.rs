//! A chain of certificates with the key of the first one.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use rustls::crypto::ring::default_provider;
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
    /// Reads a certificate that is valid at `now`, and its key.
    ///
    /// # Errors
    /// Fails when a file cannot be read or holds something else, and when the key belongs to another certificate.
    pub(super) fn read(files: &TlsFiles, now: SystemTime) -> Result<Self, TlsError> {
        let (chain, key) = files.read()?;
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

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::super::files::{CERTIFICATE, KEY, LARGEST};
    use super::super::tests::write;
    use super::*;

    fn refused(files: &TlsFiles) -> TlsError {
        Certificate::read(files, SystemTime::now()).unwrap_err()
    }

    #[test]
    fn what_is_wrong_is_said_with_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let files = write(folder.path(), -1, 30);
        Certificate::read(&files, SystemTime::now()).unwrap();
        let other = tempfile::tempdir().unwrap();
        let key = write(other.path(), -1, 30).key;
        assert!(matches!(refused(&TlsFiles { key, ..files.clone() }), TlsError::Mismatch { .. }));
        let swapped = TlsFiles { certificate: files.key.clone(), key: files.certificate.clone() };
        assert!(matches!(refused(&swapped), TlsError::Empty { setting: CERTIFICATE, .. }));
        let twice = TlsFiles { key: files.certificate.clone(), ..files.clone() };
        assert!(matches!(refused(&twice), TlsError::Empty { setting: KEY, .. }));
        fs::remove_file(&files.key).unwrap();
        assert!(matches!(refused(&files), TlsError::NotRead { setting: KEY, .. }));
        assert!(matches!(refused(&write(folder.path(), -30, -1)), TlsError::Expired { .. }));
        assert!(matches!(refused(&write(folder.path(), 1, 30)), TlsError::NotYetValid { .. }));
    }

    #[test]
    fn only_a_regular_file_of_a_sensible_size_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let files = write(folder.path(), -1, 30);
        for path in [Path::new("/dev/zero"), folder.path()] {
            let files = TlsFiles { certificate: path.into(), ..files.clone() };
            assert!(matches!(refused(&files), TlsError::NotRead { .. }), "{}", path.display());
        }
        fs::write(&files.key, vec![b'-'; LARGEST as usize + 1]).unwrap();
        assert!(matches!(refused(&files), TlsError::NotRead { setting: KEY, .. }));
    }

    #[test]
    fn a_message_does_not_repeat_a_key() {
        let folder = tempfile::tempdir().unwrap();
        let files = write(folder.path(), -1, 30);
        let text = fs::read_to_string(&files.key).unwrap();
        let secret = text.lines().nth(1).unwrap();
        for broken in
            [text.replace("-----END", "-----"), text.replace("KEY-----\n", "KEY"), text.replace('A', "*")]
        {
            fs::write(&files.key, broken).unwrap();
            let error = refused(&files);
            let message = format!("{} {:?}", crate::observe::ErrorChain(&error), error);
            assert!(!message.contains(&secret[..16]), "{message}");
        }
    }
}
