//! A way to the server that may be cut.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tempfile::NamedTempFile;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream, UnixStream};
use tokio::sync::watch;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

/// What the relay does with what it is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    Open,
    /// Connections are closed at once.
    Closed,
    /// Nothing arrives, and nothing says so.
    Hole,
}

pub(crate) struct Relay {
    pub(crate) address: SocketAddr,
    way: watch::Sender<Way>,
}

impl Relay {
    pub(crate) async fn to(socket: PathBuf) -> Self {
        Self::open(socket, None).await
    }

    /// A relay whose clients encrypt what they send, and the file of the certificate that they are to trust.
    pub(crate) async fn encrypted(socket: PathBuf) -> (Self, NamedTempFile) {
        let identity = rcgen::generate_simple_self_signed(["localhost".into()]).unwrap();
        let trusted = NamedTempFile::new().unwrap();
        std::fs::write(trusted.path(), identity.cert.pem()).unwrap();
        let key = PrivateKeyDer::try_from(identity.signing_key.serialize_der()).unwrap();
        let config = ServerConfig::builder()
            .with_no_client_auth()
            .with_single_cert(vec![identity.cert.der().clone()], key)
            .unwrap();
        (Self::open(socket, Some(TlsAcceptor::from(Arc::new(config)))).await, trusted)
    }

    async fn open(socket: PathBuf, tls: Option<TlsAcceptor>) -> Self {
        let (way, watched) = watch::channel(Way::Open);
        let carry_on = move |client: TcpStream| {
            let (socket, way, tls) = (socket.clone(), watched.clone(), tls.clone());
            async move {
                let Ok(server) = UnixStream::connect(socket).await else { return };
                let Some(tls) = tls else { return carry(client, server, way, Duration::ZERO).await };
                // An error is a client that does not trust the certificate.
                let Ok(client) = tls.accept(client).await else { return };
                carry(client, server, way, Duration::ZERO).await;
            }
        };
        Self { address: listen(carry_on).await, way }
    }

    pub(crate) fn set(&self, way: Way) {
        self.way.send_replace(way);
    }

    pub(crate) fn url(&self) -> String {
        format!("redis://{}", self.address)
    }
}

/// A way to a port that takes this long in each direction.
pub(crate) async fn long_way(to: SocketAddr, delay: Duration) -> SocketAddr {
    listen(move |client| async move {
        let Ok(server) = TcpStream::connect(to).await else { return };
        let (_open, way) = watch::channel(Way::Open);
        carry(client, server, way, delay).await;
    })
    .await
}

/// Serves every connection to a free port.
pub(crate) async fn listen<F>(serve: impl Fn(TcpStream) -> F + Send + 'static) -> SocketAddr
where
    F: Future<Output = ()> + Send + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            tokio::spawn(serve(client));
        }
    });
    address
}

async fn carry(
    client: impl AsyncRead + AsyncWrite,
    server: impl AsyncRead + AsyncWrite,
    way: watch::Receiver<Way>,
    delay: Duration,
) {
    let mut closed = way.clone();
    let (from_client, to_client) = tokio::io::split(client);
    let (from_server, to_server) = tokio::io::split(server);
    tokio::select! {
        // First, because a way that is closed carries nothing.
        biased;
        _ = closed.wait_for(|way| *way == Way::Closed) => {}
        () = copy(from_client, to_server, way.clone(), delay) => {}
        () = copy(from_server, to_client, way, delay) => {}
    }
}

async fn copy(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    mut way: watch::Receiver<Way>,
    delay: Duration,
) {
    let mut buffer = vec![0; 64 << 10];
    while let Ok(length @ 1..) = from.read(&mut buffer).await {
        tokio::time::sleep(delay).await;
        if way.wait_for(|way| *way == Way::Open).await.is_err() {
            return;
        }
        // A receiver that is gone may have said why before. The other direction brings that, and ends with it.
        let _ = to.write_all(&buffer[..length]).await;
    }
}
