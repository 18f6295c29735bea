//! Certificates that are made for a test, and clients that trust them.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use h2::client::SendRequest;
use rcgen::{CertificateParams, KeyPair};
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tempfile::TempDir;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use vitrine::http::tls::{Tls, TlsFiles};

use super::until::finishes;

/// The name in every certificate.
pub(crate) const NAME: &str = "shop.example";
pub(crate) const HTTP1: &[u8] = b"http/1.1";
pub(crate) const HTTP2: &[u8] = b"h2";

/// Files with a certificate and its key.
pub(crate) struct Identity {
    /// The folder of the files, deleted on drop.
    _folder: TempDir,
    pub(crate) files: TlsFiles,
    pub(crate) certificate: CertificateDer<'static>,
}

impl Identity {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let files =
            TlsFiles { certificate: folder.path().join("cert.pem"), key: folder.path().join("key.pem") };
        let certificate = write(&files, 90);
        Self { _folder: folder, files, certificate }
    }

    /// Replaces the certificate and the key in the files; the new certificate expires this many days from now.
    pub(crate) fn renew(&mut self, days: i64) -> CertificateDer<'static> {
        self.certificate = write(&self.files, days);
        self.certificate.clone()
    }

    pub(crate) fn open(&self) -> Tls {
        Tls::open(self.files.clone()).unwrap()
    }

    /// The flags that name the files.
    pub(crate) fn flags(&self) -> [&str; 4] {
        let TlsFiles { certificate, key } = &self.files;
        ["--tls-cert", certificate.to_str().unwrap(), "--tls-key", key.to_str().unwrap()]
    }
}

fn write(files: &TlsFiles, days: i64) -> CertificateDer<'static> {
    let day = Duration::from_secs(86_400);
    let (now, length) = (SystemTime::now(), day * u32::try_from(days.unsigned_abs()).unwrap());
    let key = KeyPair::generate().unwrap();
    let mut parameters = CertificateParams::new([NAME.to_owned()]).unwrap();
    parameters.not_before = (now - 90 * day).into();
    parameters.not_after = if days < 0 { now - length } else { now + length }.into();
    let certificate = parameters.self_signed(&key).unwrap();
    std::fs::write(&files.certificate, certificate.pem()).unwrap();
    std::fs::write(&files.key, key.serialize_pem()).unwrap();
    certificate.der().clone()
}

/// An encrypted connection of a client that offers these protocols, and accepts this certificate alone.
///
/// # Errors
/// Fails when the handshake does.
pub(crate) async fn try_connect(
    address: SocketAddr,
    certificate: &CertificateDer<'static>,
    protocols: &[&[u8]],
) -> std::io::Result<TlsStream<TcpStream>> {
    let mut roots = RootCertStore::empty();
    roots.add(certificate.clone()).unwrap();
    let mut config = ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols = protocols.iter().map(|name| name.to_vec()).collect();
    let stream = TcpStream::connect(address).await?;
    let name = ServerName::try_from(NAME).unwrap();
    finishes("a handshake", TlsConnector::from(Arc::new(config)).connect(name, stream)).await
}

pub(crate) async fn connect(
    address: SocketAddr,
    identity: &Identity,
    protocols: &[&[u8]],
) -> TlsStream<TcpStream> {
    try_connect(address, &identity.certificate, protocols).await.unwrap()
}

/// A client of HTTP/2, whose connection runs in a task of its own.
pub(crate) struct Http2 {
    pub(crate) requests: SendRequest<bytes::Bytes>,
    pub(crate) ended: tokio::task::JoinHandle<Result<(), h2::Error>>,
}

impl Http2 {
    pub(crate) async fn connect(address: SocketAddr, identity: &Identity) -> Self {
        let stream = connect(address, identity, &[HTTP2]).await;
        let (requests, connection) = h2::client::handshake(stream).await.unwrap();
        Self { requests, ended: tokio::spawn(connection) }
    }

    /// Sends a request without a body, and returns what its answer will be.
    pub(crate) async fn send(&mut self, request: axum::http::Request<()>) -> h2::client::ResponseFuture {
        self.requests = finishes("room for a stream", self.requests.clone().ready()).await.unwrap();
        self.requests.send_request(request, true).unwrap().0
    }

    pub(crate) async fn get(&mut self, path: &str) -> axum::http::Response<Vec<u8>> {
        let answer = self.send(get(path)).await;
        read(answer).await.unwrap()
    }
}

pub(crate) fn get(path: &str) -> axum::http::Request<()> {
    axum::http::Request::get(format!("https://{NAME}{path}")).body(()).unwrap()
}

/// The whole answer.
///
/// # Errors
/// Fails when the stream or the connection does.
pub(crate) async fn read(
    answer: h2::client::ResponseFuture,
) -> Result<axum::http::Response<Vec<u8>>, h2::Error> {
    finishes("an answer", async {
        let (head, mut body) = answer.await?.into_parts();
        let mut bytes = Vec::new();
        while let Some(part) = body.data().await {
            let part = part?;
            body.flow_control().release_capacity(part.len())?;
            bytes.extend(part);
        }
        Ok(axum::http::Response::from_parts(head, bytes))
    })
    .await
}
