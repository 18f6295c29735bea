//! The files of the certificate and its key.

use std::fs;
use std::path::{Path, PathBuf};

use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

use super::error::TlsError;
use crate::bounded_file::{FileStamp, read_regular};

/// The flags that name the files.
pub(super) const CERTIFICATE: &str = "--tls-cert";
pub(super) const KEY: &str = "--tls-key";

/// Largest file, in bytes. Chains take a few thousand bytes.
pub(super) const LARGEST: u64 = 256 << 10;
/// The largest number of certificates that are read of a chain. Browsers follow fewer.
const LONGEST_CHAIN: usize = 16;

/// The paths of a certificate and its key, both in PEM.
#[derive(Clone, Debug)]
pub struct TlsFiles {
    /// The shop's certificate, followed by those that vouch for it.
    pub certificate: PathBuf,
    /// The key of the shop's certificate.
    pub key: PathBuf,
}

/// A chain of certificates, and a key.
pub(super) type Pair = (Vec<CertificateDer<'static>>, PrivateKeyDer<'static>);

/// The stamps of both files; `None` for a file whose metadata cannot be read.
pub(super) type Stamps = [Option<FileStamp>; 2];

impl TlsFiles {
    /// The files' current stamps. Reads none of their content.
    pub(super) fn stamps(&self) -> Stamps {
        [&self.certificate, &self.key].map(|path| fs::metadata(path).ok().as_ref().map(FileStamp::of))
    }

    /// Reads the chain of certificates and the key.
    ///
    /// # Errors
    /// Fails when a file cannot be read or holds something else.
    pub(super) fn read(&self) -> Result<Pair, TlsError> {
        let chain = read(CERTIFICATE, &self.certificate)?;
        let key = read(KEY, &self.key)?;
        // The parser's error is left out, because its message would repeat a part of the text.
        let chain = CertificateDer::pem_slice_iter(&chain).take(LONGEST_CHAIN).collect::<Result<Vec<_>, _>>();
        let chain = chain.ok().filter(|chain| !chain.is_empty());
        let empty = |setting, path: &Path, expected| TlsError::Empty { setting, path: path.into(), expected };
        let chain = chain.ok_or_else(|| empty(CERTIFICATE, &self.certificate, "certificate"))?;
        let key = PrivateKeyDer::from_pem_slice(&key).map_err(|_| empty(KEY, &self.key, "key"))?;
        Ok((chain, key))
    }
}

fn read(setting: &'static str, path: &Path) -> Result<Vec<u8>, TlsError> {
    read_regular(path, LARGEST).map_err(|source| TlsError::NotRead { setting, path: path.into(), source })
}

#[cfg(test)]
mod tests {
    use super::super::tests::write;
    use super::*;

    #[test]
    fn every_change_of_a_file_changes_its_stamp() {
        let folder = tempfile::tempdir().unwrap();
        let files = write(folder.path(), -1, 30);
        let first = files.stamps();
        assert_eq!(first, files.stamps());
        // Another file in its place, which has the same content and times.
        let copy = folder.path().join("copy");
        fs::copy(&files.certificate, &copy).unwrap();
        fs::rename(&copy, &files.certificate).unwrap();
        let second = files.stamps();
        assert!(first[0] != second[0] && first[1] == second[1]);
        fs::remove_file(&files.key).unwrap();
        assert_eq!(files.stamps()[1], None);
    }
}
