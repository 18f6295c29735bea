//! A way to the server that may be cut.

use std::net::SocketAddr;
use std::path::PathBuf;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream, UnixStream};
use tokio::sync::watch;

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
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (way, watched) = watch::channel(Way::Open);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                if *watched.borrow() != Way::Closed {
                    tokio::spawn(carry(client, socket.clone(), watched.clone()));
                }
            }
        });
        Self { address, way }
    }

    pub(crate) fn set(&self, way: Way) {
        self.way.send_replace(way);
    }

    pub(crate) fn url(&self) -> String {
        format!("redis://{}", self.address)
    }
}

async fn carry(client: TcpStream, socket: PathBuf, way: watch::Receiver<Way>) {
    let mut closed = way.clone();
    let Ok(server) = UnixStream::connect(socket).await else { return };
    let (mut from_client, mut to_client) = client.into_split();
    let (mut from_server, mut to_server) = server.into_split();
    tokio::select! {
        () = copy(&mut from_client, &mut to_server, way.clone()) => {}
        () = copy(&mut from_server, &mut to_client, way) => {}
        _ = closed.wait_for(|way| *way == Way::Closed) => {}
    }
}

async fn copy(
    from: &mut (impl AsyncRead + Unpin),
    to: &mut (impl AsyncWrite + Unpin),
    mut way: watch::Receiver<Way>,
) {
    let mut buffer = vec![0; 64 << 10];
    while let Ok(length @ 1..) = from.read(&mut buffer).await {
        if way.wait_for(|way| *way == Way::Open).await.is_err()
            || to.write_all(&buffer[..length]).await.is_err()
        {
            return;
        }
    }
}
