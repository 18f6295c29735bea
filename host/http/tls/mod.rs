//! TLS of the visitors' listener.
//!
//! - `files`: reads the certificate and its key, and notices when they change.
//! - `certificate`: a chain of certificates with the key of the first one, known to be usable.
//! - `error`: why files cannot be used, and what an operator can do about it.

mod certificate;
mod error;
mod files;

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use parking_lot::{Mutex, RwLock};
use rustls::ServerConfig;
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::task::spawn_blocking;
use tokio::time::sleep;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use self::certificate::Certificate;
pub use self::error::TlsError;
use self::files::Stamps;
pub use self::files::TlsFiles;
use crate::observe::{ErrorChain, LogThrottle};

/// The protocols that are offered, by their names in TLS (ALPN). The first one that the client knows is spoken.
const PROTOCOLS: [&[u8]; 2] = [HTTP2, b"http/1.1"];
const HTTP2: &[u8] = b"h2";
/// Pause between two checks of the files.
const LOOK_AGAIN: Duration = Duration::from_secs(3);
/// How long before the expiry of a certificate warnings begin.
pub(crate) const EXPIRES_SOON: Duration = Duration::from_secs(14 * 24 * 60 * 60);
/// Pause between two warnings of the expiry.
const WARN_AGAIN: Duration = Duration::from_secs(24 * 60 * 60);

/// How connections are encrypted. Clones share the certificate.
#[derive(Clone)]
pub struct Tls {
    acceptor: TlsAcceptor,
    current: Arc<Current>,
}

/// The certificate that new connections get.
#[derive(Debug)]
struct Current {
    files: TlsFiles,
    /// The files' stamps when they were last read.
    seen: Mutex<Stamps>,
    /// Whether the files could not be used then.
    has_failed: AtomicBool,
    certificate: RwLock<Certificate>,
}

impl ResolvesServerCert for Current {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.certificate.read().key())
    }
}

impl std::fmt::Debug for Tls {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Tls").field("current", &self.current).finish_non_exhaustive()
    }
}

impl Tls {
    /// Encrypts with the certificate and the key of these files: TLS 1.2 and 1.3, without early data, because
    /// an attacker could replay requests in it.
    ///
    /// # Errors
    /// Fails when the files cannot be read, do not belong together, or hold a certificate that is not valid now.
    pub fn open(files: TlsFiles) -> Result<Self, TlsError> {
        // Taken before the files are read, so that a change meanwhile is noticed at the next check.
        let seen = Mutex::new(files.stamps());
        let certificate = RwLock::new(Certificate::read(&files, SystemTime::now())?);
        let current = Arc::new(Current { files, seen, has_failed: AtomicBool::new(false), certificate });
        let mut config = ServerConfig::builder()
            .with_no_client_auth()
            .with_cert_resolver(Arc::clone(&current) as Arc<dyn ResolvesServerCert>);
        config.alpn_protocols = PROTOCOLS.map(<[u8]>::to_vec).to_vec();
        Ok(Self { acceptor: TlsAcceptor::from(Arc::new(config)), current })
    }

    /// When the current certificate expires.
    pub fn not_after(&self) -> SystemTime {
        self.current.certificate.read().not_after()
    }

    /// Checks the files regularly, and uses a new certificate. One that cannot be used is only logged.
    pub(crate) async fn follow(self) {
        let warnings = LogThrottle::every(WARN_AGAIN);
        loop {
            if let Some(left) = self.current.expires_soon(SystemTime::now())
                && warnings.allows("expiry")
            {
                let hours = left.as_secs() / 3_600;
                tracing::warn!(hours, "the certificate expires soon");
            }
            sleep(LOOK_AGAIN).await;
            let current = Arc::clone(&self.current);
            // There is no error: the task is not cancelled, and does not panic.
            let _ = spawn_blocking(move || current.look(SystemTime::now())).await;
        }
    }

    /// Completes the handshake of a connection.
    ///
    /// # Errors
    /// Fails with the connection when the client sends something else, accepts nothing that is offered, or goes
    /// away.
    pub(super) async fn accept<S>(&self, stream: S) -> Result<TlsStream<S>, (io::Error, S)>
    where
        S: AsyncRead + AsyncWrite + Unpin,
    {
        self.acceptor.accept(stream).into_fallible().await
    }

    /// Whether the client chose HTTP/2.
    pub(super) fn has_agreed_on_http2<S>(stream: &TlsStream<S>) -> bool {
        stream.get_ref().1.alpn_protocol() == Some(HTTP2)
    }
}

/// A moment as certificates name it, which may be later than [`Timestamp`] can say.
pub(crate) fn date(moment: SystemTime) -> Timestamp {
    Timestamp::try_from(moment).unwrap_or(Timestamp::MAX)
}

impl Current {
    /// Reads the files if they have changed, or could not be used the last time: the certificate may not have been
    /// valid yet, or the process may have been out of file descriptors.
    fn look(&self, now: SystemTime) {
        let stamps = self.files.stamps();
        let has_changed = std::mem::replace(&mut *self.seen.lock(), stamps) != stamps;
        if !has_changed && !self.has_failed.load(Ordering::Relaxed) {
            return;
        }
        let read = Certificate::read(&self.files, now);
        self.has_failed.store(read.is_err(), Ordering::Relaxed);
        match read {
            Ok(certificate) => {
                let expires = date(certificate.not_after());
                tracing::info!(%expires, "new certificate");
                *self.certificate.write() = certificate;
            }
            Err(error) if has_changed => {
                tracing::warn!(error = %ErrorChain(&error), remedy = error.remedy(), "the new certificate is not used");
            }
            Err(_) => {}
        }
    }

    /// How long the certificate is still valid, if it expires within [`EXPIRES_SOON`].
    fn expires_soon(&self, now: SystemTime) -> Option<Duration> {
        let left = self.certificate.read().not_after().duration_since(now).unwrap_or_default();
        (left < EXPIRES_SOON).then_some(left)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// A key and a certificate that is valid for this many days from now on, in files of this folder.
    pub(super) fn write(folder: &Path, first_day: i64, last_day: i64) -> TlsFiles {
        let day = |day: i64| {
            let days = Duration::from_secs(day.unsigned_abs() * 86_400);
            let now = SystemTime::now();
            if day < 0 { now - days } else { now + days }.into()
        };
        let key = rcgen::KeyPair::generate().unwrap();
        let mut parameters = rcgen::CertificateParams::new(["shop.example".to_owned()]).unwrap();
        parameters.not_before = day(first_day);
        parameters.not_after = day(last_day);
        let certificate = parameters.self_signed(&key).unwrap();
        let files = TlsFiles { certificate: folder.join("cert.pem"), key: folder.join("key.pem") };
        std::fs::write(&files.certificate, certificate.pem()).unwrap();
        std::fs::write(&files.key, key.serialize_pem()).unwrap();
        files
    }

    fn days_left(tls: &Tls) -> u64 {
        (tls.not_after().duration_since(SystemTime::now()).unwrap().as_secs() + 60) / 86_400
    }

    #[test]
    fn a_renewal_is_taken_and_an_unusable_one_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let tls = Tls::open(write(folder.path(), -1, 30)).unwrap();
        assert_eq!(days_left(&tls), 30);
        write(folder.path(), -1, 60);
        tls.current.look(SystemTime::now());
        assert_eq!(days_left(&tls), 60);
        let files = write(folder.path(), -90, -1);
        tls.current.look(SystemTime::now());
        assert_eq!(days_left(&tls), 60, "expired");
        std::fs::remove_file(&files.key).unwrap();
        tls.current.look(SystemTime::now());
        assert_eq!(days_left(&tls), 60, "a file is missing");
        let key = rcgen::KeyPair::generate().unwrap();
        std::fs::write(&files.key, key.serialize_pem()).unwrap();
        tls.current.look(SystemTime::now());
        assert_eq!(days_left(&tls), 60, "the key is another one");
        write(folder.path(), -1, 90);
        tls.current.look(SystemTime::now());
        assert_eq!(days_left(&tls), 90);
    }

    #[test]
    fn a_renewal_that_is_not_valid_yet_is_taken_when_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let tls = Tls::open(write(folder.path(), -1, 30)).unwrap();
        write(folder.path(), 1, 60);
        tls.current.look(SystemTime::now());
        assert_eq!(days_left(&tls), 30);
        tls.current.look(SystemTime::now() + Duration::from_secs(2 * 86_400));
        assert_eq!(days_left(&tls), 60);
    }

    #[test]
    fn an_expiry_is_near_for_two_weeks() {
        let folder = tempfile::tempdir().unwrap();
        let near = |days| {
            let tls = Tls::open(write(folder.path(), -1, days)).unwrap();
            tls.current.expires_soon(SystemTime::now()).is_some()
        };
        assert!(near(13) && !near(15));
    }
}
