//! One connection to the server.

use std::io;
use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;
use tokio_rustls::rustls::ClientConfig;

use super::address::ShareAddress;
use super::resp::{self, Reply, RespError};
use super::tls;

/// Limit of the replies to what a connection begins with, in bytes.
const SHORT: usize = 256;
/// What a server answers that cannot do its work now, while it still answers: it is a secondary one, is loading
/// its data, or has lost its primary one or a part of its cluster.
const UNFIT: [&str; 4] = ["READONLY", "LOADING", "MASTERDOWN", "CLUSTERDOWN"];

/// A stream of bytes, encrypted or not.
pub(super) trait Stream: AsyncRead + AsyncWrite + Unpin + Send + Sync {}

impl<S: AsyncRead + AsyncWrite + Unpin + Send + Sync> Stream for S {}

/// A connection on which commands are answered in their order.
pub(super) struct Connection {
    stream: BufReader<Box<dyn Stream>>,
}

/// Why there is no connection.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConnectError {
    #[error("the server cannot be reached")]
    Io(#[from] io::Error),
    #[error("no encrypted connection can be made")]
    Tls(#[source] io::Error),
    #[error(transparent)]
    Resp(#[from] RespError),
    #[error("the server cannot work now, and says {0}")]
    Unfit(&'static str),
    /// It repeats nothing of the server's text, which may have the user's name.
    #[error("the server does not accept the password, the user or the number of the database")]
    Refused,
}

impl Connection {
    /// Connects, with encryption if it is said how, logs in, and waits for an answer.
    ///
    /// # Errors
    /// When the server cannot be reached or refuses.
    pub(super) async fn open(
        address: &ShareAddress,
        encryption: Option<&Arc<ClientConfig>>,
    ) -> Result<Self, ConnectError> {
        let tcp = TcpStream::connect((address.host.as_str(), address.port)).await?;
        tcp.set_nodelay(true)?;
        let stream: Box<dyn Stream> = if let Some(config) = encryption {
            Box::new(tls::encrypt(config, &address.host, tcp).await.map_err(ConnectError::Tls)?)
        } else {
            Box::new(tcp)
        };
        let mut connection = Self { stream: BufReader::new(stream) };
        let database = address.database.map(|number| number.to_string());
        let mut commands: Vec<Vec<&[u8]>> = Vec::new();
        match (&address.user, &address.password) {
            (Some(user), Some(password)) => {
                commands.push(vec![b"AUTH", user.as_bytes(), password.as_bytes()]);
            }
            (None, Some(password)) => commands.push(vec![b"AUTH", password.as_bytes()]),
            (_, None) => {}
        }
        if let Some(database) = &database {
            commands.push(vec![b"SELECT", database.as_bytes()]);
        }
        commands.push(vec![b"PING"]);
        let commands: Vec<&[&[u8]]> = commands.iter().map(Vec::as_slice).collect();
        let replies = connection.exchange(&commands, SHORT).await?;
        for reply in replies {
            if let Reply::Error(message) = reply {
                return Err(unfit_code(&message).map_or(ConnectError::Refused, ConnectError::Unfit));
            }
        }
        Ok(connection)
    }

    /// Sends commands, and reads the reply to each, of at most `limit` bytes.
    ///
    /// # Errors
    /// When the connection breaks or a reply is not understood. The connection cannot be used any more, nor
    /// can it when this is cancelled.
    pub(super) async fn exchange(
        &mut self,
        commands: &[&[&[u8]]],
        limit: usize,
    ) -> Result<Vec<Reply>, RespError> {
        let mut text = Vec::new();
        commands.iter().for_each(|command| resp::encode(command, &mut text));
        let stream = self.stream.get_mut();
        stream.write_all(&text).await?;
        stream.flush().await?;
        let mut replies = Vec::with_capacity(commands.len());
        for _command in commands {
            replies.push(resp::read(&mut self.stream, limit).await?);
        }
        Ok(replies)
    }
}

/// The code with which an error's message begins, if the server says by it that it cannot do its work now.
pub(super) fn unfit_code(message: &str) -> Option<&'static str> {
    let code = message.split(' ').next()?;
    UNFIT.into_iter().find(|unfit| *unfit == code)
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt as _;
    use tokio::net::TcpListener;

    use super::*;

    /// Connects to a server that answers the first command with this line.
    async fn open_with(answer: &str) -> Result<Connection, ConnectError> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = async {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut command = [0; 64];
            assert!(stream.read(&mut command).await.unwrap() > 0);
            stream.write_all(format!("{answer}\r\n").as_bytes()).await.unwrap();
        };
        let address = format!("redis://127.0.0.1:{port}").parse().unwrap();
        tokio::join!(server, Connection::open(&address, None)).1
    }

    #[tokio::test]
    async fn a_server_that_is_starting_is_not_taken_for_one_that_refuses_the_password() {
        open_with("+PONG").await.map(drop).unwrap();
        let starting = open_with("-LOADING Redis is loading the dataset in memory").await.map(drop);
        assert!(matches!(starting, Err(ConnectError::Unfit("LOADING"))), "{starting:?}");
        let cut_off = "-MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.";
        let cut_off = open_with(cut_off).await.map(drop);
        assert!(matches!(cut_off, Err(ConnectError::Unfit("MASTERDOWN"))), "{cut_off:?}");
        let refused = open_with("-NOAUTH Authentication required.").await.map(drop);
        assert!(matches!(refused, Err(ConnectError::Refused)), "{refused:?}");
    }
}
