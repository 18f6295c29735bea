//! Encrypted connections, trusted by the same rules as those of the catalogue's client.

use std::io;
use std::sync::Arc;

use rustls_platform_verifier::BuilderVerifierExt as _;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::ClientConfig;
use tokio_rustls::rustls::pki_types::ServerName;

/// How connections are encrypted. Reads the certificates that this machine trusts, which takes longer than a
/// connection may.
///
/// # Errors
/// When this machine has no certificates to trust.
pub(super) async fn config() -> io::Result<Arc<ClientConfig>> {
    tokio::task::spawn_blocking(|| {
        let config =
            ClientConfig::builder().with_platform_verifier().map_err(io::Error::other)?.with_no_client_auth();
        Ok(Arc::new(config))
    })
    .await?
}

/// Encrypts a connection to `host`.
///
/// # Errors
/// When the server has no certificate that is trusted.
pub(super) async fn encrypt(
    config: &Arc<ClientConfig>,
    host: &str,
    tcp: TcpStream,
) -> io::Result<TlsStream<TcpStream>> {
    let name = ServerName::try_from(host.to_owned()).map_err(io::Error::other)?;
    TlsConnector::from(Arc::clone(config)).connect(name, tcp).await
}
