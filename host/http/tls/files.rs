//! The files of the certificate and its key.

use std::fs::{self, OpenOptions};
use std::io::{self, Read as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rustix::fs::OFlags;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

use super::certificate::Certificate;
use super::error::TlsError;

/// The flags that name the files.
pub(crate) const CERTIFICATE: &str = "--tls-cert";
pub(crate) const KEY: &str = "--tls-key";

/// Largest file, in bytes. Chains take a few thousand.
const LARGEST: u64 = 256 << 10;
/// Most certificates of a chain. Browsers follow fewer.
const LONGEST_CHAIN: usize = 16;

/// The paths of a certificate and its key, both in PEM.
#[derive(Clone, Debug)]
pub struct TlsFiles {
    /// The shop's certificate, followed by those that vouch for it.
    pub certificate: PathBuf,
    /// The key of the shop's certificate.
    pub key: PathBuf,
}

/// What distinguishes the states of both files; `None` for a file that cannot be looked at.
pub(super) type Stamps = [Option<Stamp>; 2];

/// What distinguishes the states of a file: its device and number, its size, and when its content and when its
/// entry last changed, in seconds and nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    file: (u64, u64),
    size: u64,
    content: (i64, i64),
    entry: (i64, i64),
}

impl TlsFiles {
    /// The files' present state. Reads none of their content.
    pub(super) fn stamps(&self) -> Stamps {
        [&self.certificate, &self.key].map(|path| {
            let file = fs::metadata(path).ok()?;
            Some(Stamp {
                file: (file.dev(), file.ino()),
                size: file.size(),
                content: (file.mtime(), file.mtime_nsec()),
                entry: (file.ctime(), file.ctime_nsec()),
            })
        })
    }

    /// Reads a certificate that is valid at `now`, and its key.
    ///
    /// # Errors
    /// Fails when a file cannot be read or holds something else, and when the key is another one's.
    pub(super) fn read(&self, now: SystemTime) -> Result<Certificate, TlsError> {
        let chain = read(CERTIFICATE, &self.certificate)?;
        let key = read(KEY, &self.key)?;
        // What is wrong with the text is not said, because the message would repeat a part of it.
        let chain = CertificateDer::pem_slice_iter(&chain).take(LONGEST_CHAIN).collect::<Result<Vec<_>, _>>();
        let chain = chain.ok().filter(|chain| !chain.is_empty());
        let empty = |setting, path: &Path, expected| TlsError::Empty { setting, path: path.into(), expected };
        let chain = chain.ok_or_else(|| empty(CERTIFICATE, &self.certificate, "certificate"))?;
        let key = PrivateKeyDer::from_pem_slice(&key).map_err(|_| empty(KEY, &self.key, "key"))?;
        Certificate::new(chain, key, self, now)
    }
}

/// Reads a file. Does not wait for a pipe, and reads at most [`LARGEST`] bytes.
fn read(setting: &'static str, path: &Path) -> Result<Vec<u8>, TlsError> {
    let not_read = |source| TlsError::NotRead { setting, path: path.into(), source };
    let refused = |why: &str| not_read(io::Error::new(io::ErrorKind::InvalidInput, why));
    let flags = (OFlags::NONBLOCK | OFlags::NOCTTY).bits().cast_signed();
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path).map_err(not_read)?;
    if !file.metadata().map_err(not_read)?.is_file() {
        return Err(refused("not a regular file"));
    }
    let mut bytes = Vec::new();
    file.take(LARGEST + 1).read_to_end(&mut bytes).map_err(not_read)?;
    if bytes.len() as u64 > LARGEST {
        return Err(refused("larger than any certificate"));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::super::tests::write;
    use super::*;

    fn refused(files: &TlsFiles) -> TlsError {
        files.read(SystemTime::now()).unwrap_err()
    }

    #[test]
    fn what_is_wrong_is_said_with_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let files = write(folder.path(), -1, 30);
        files.read(SystemTime::now()).unwrap();
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
