//! Tries everything that a shop asks of the server, for `vitrine check`.

use std::time::{Duration, Instant};

use tokio::time::timeout;

use super::Share;
use super::connection::{Connection, refusal};
use super::resp::Reply;
use super::server::{FAR, ShareError};

/// Time for a connection and for each command. It is more than a shop has, so that a slow server can be told from
/// one that does not answer.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long the server keeps what is written, in milliseconds.
const KEPT: &[u8] = b"2000";
/// Limit of a reply, in bytes.
const REPLY: usize = 2 << 20;

/// How far away a usable server is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Distance {
    /// The shortest time of a command.
    pub(crate) round_trip: Duration,
    /// Whether the round trip is too long.
    pub(crate) is_far: bool,
}

impl Share {
    /// Makes a connection, and sends every command that a shop sends. Commands that write use values that expire. The
    /// shop's own values are only read.
    ///
    /// # Errors
    /// When the server does not answer or refuses a command.
    pub(crate) async fn try_server(&self) -> Result<Distance, ShareError> {
        let mut connection = self.inner.server.probe(PATIENCE).await?;
        let (value, stream) = (self.key("check"), self.key("check-orders"));
        let (orders, version) = (self.key("orders"), self.key("version"));
        let commands: [&[&[u8]]; 15] = [
            &[b"SET", &value, b"1", b"NX", b"PX", KEPT],
            &[b"PEXPIRE", &value, KEPT],
            &[b"GETRANGE", &value, b"0", b"15"],
            &[b"PTTL", &value],
            &[b"GET", &value],
            &[b"DEL", &value],
            &[b"XADD", &stream, b"MAXLEN", b"1", b"*", b"order", b""],
            &[b"PEXPIRE", &stream, KEPT],
            &[b"XRANGE", &stream, b"0-1", b"0-1"],
            &[b"XREAD", b"COUNT", b"1", b"BLOCK", b"1", b"STREAMS", &stream, b"0-0"],
            &[b"DEL", &stream],
            &[b"TIME"],
            &[b"XLEN", &orders],
            &[b"GETRANGE", &version, b"0", b"15"],
            &[b"PTTL", &version],
        ];
        let mut round_trip = PATIENCE;
        for command in commands {
            let began = Instant::now();
            self.try_command(&mut connection, command).await?;
            round_trip = round_trip.min(began.elapsed());
        }
        Ok(Distance { round_trip, is_far: round_trip >= FAR })
    }

    async fn try_command(&self, connection: &mut Connection, command: &[&[u8]]) -> Result<(), ShareError> {
        let replies = timeout(PATIENCE, connection.exchange(&[command], REPLY)).await;
        let replies = replies.map_err(|_| ShareError::TimedOut(PATIENCE))?.map_err(ShareError::Exchange)?;
        match replies.into_iter().next() {
            Some(Reply::Error(message)) => Err(ShareError::Refused(refusal(self.address(), &message))),
            Some(_) => Ok(()),
            None => Err(ShareError::Unexpected),
        }
    }
}
