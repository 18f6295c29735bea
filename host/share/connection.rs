//! One connection to the server.

use std::io;
use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;
use tokio_rustls::rustls::ClientConfig;

use super::address::ShareAddress;
use super::resp::{self, Reply, RespError};
use super::tls;
use crate::observe::Bounded;

/// Limit of the replies to what a connection begins with, in bytes.
const SHORT: usize = 256;
/// Error codes of a server that answers but cannot do its work now: it is a secondary, is loading its data, or has
/// lost its primary or a part of its cluster.
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
    /// The server's own message. The cause may be the password, the user, the database's number or something else.
    #[error("the server refuses: {0}")]
    Refused(String),
}

impl Connection {
    /// Connects, encrypted if `encryption` says how, logs in, and waits for an answer.
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
            // The server asks this user for no password.
            (Some(user), None) => commands.push(vec![b"AUTH", user.as_bytes(), b""]),
            (None, Some(password)) => commands.push(vec![b"AUTH", password.as_bytes()]),
            (None, None) => {}
        }
        if let Some(database) = &database {
            commands.push(vec![b"SELECT", database.as_bytes()]);
        }
        commands.push(vec![b"PING"]);
        let commands: Vec<&[&[u8]]> = commands.iter().map(Vec::as_slice).collect();
        // A server that has no room says so before it is asked, and closes the connection.
        let sent = connection.send(&commands).await;
        for _command in commands {
            if let Reply::Error(message) = resp::read(&mut connection.stream, SHORT).await? {
                return Err(ConnectError::Refused(refusal(address, &message)));
            }
        }
        sent?;
        Ok(connection)
    }

    /// Sends commands, and reads the reply to each, of at most `limit` bytes.
    ///
    /// # Errors
    /// When the connection breaks or a reply is not understood. After an error,
    /// or if this future is dropped, the connection is unusable.
    pub(super) async fn exchange(
        &mut self,
        commands: &[&[&[u8]]],
        limit: usize,
    ) -> Result<Vec<Reply>, RespError> {
        self.send(commands).await?;
        let mut replies = Vec::with_capacity(commands.len());
        for _command in commands {
            replies.push(resp::read(&mut self.stream, limit).await?);
        }
        Ok(replies)
    }

    async fn send(&mut self, commands: &[&[&[u8]]]) -> io::Result<()> {
        let mut text = Vec::new();
        commands.iter().for_each(|command| resp::encode(command, &mut text));
        let stream = self.stream.get_mut();
        stream.write_all(&text).await?;
        stream.flush().await
    }
}

/// The server's words, without the password if it repeats that.
pub(super) fn refusal(address: &ShareAddress, message: &str) -> String {
    let shown = match &address.password {
        Some(password) => message.replace(password.as_str(), "…"),
        None => message.to_owned(),
    };
    Bounded(shown).to_string()
}

/// Whether an error's message begins with one of the codes in [`UNFIT`].
pub(super) fn is_unfit(message: &str) -> bool {
    message.split(' ').next().is_some_and(|code| UNFIT.contains(&code))
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
    async fn a_refusal_is_in_the_server_s_words() {
        open_with("+PONG").await.map(drop).unwrap();
        for words in [
            "LOADING Redis is loading the dataset in memory",
            "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
            "NOAUTH Authentication required.",
            "ERR max number of clients reached",
        ] {
            let refused = open_with(&format!("-{words}")).await.map(drop).unwrap_err();
            assert_eq!(refused.to_string(), format!("the server refuses: {words}"));
        }
    }

    #[test]
    fn a_password_that_the_server_repeats_is_not_shown() {
        let address = "redis://me:s3cret@cache.example".parse().unwrap();
        assert_eq!(refusal(&address, "ERR s3cret is wrong"), "ERR … is wrong");
    }
}
