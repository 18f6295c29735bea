//! One call of the catalogue for all replicas: whoever needs an answer first takes a lease and calls, the
//! others wait for what it stores.

use std::time::{Duration, Instant};

use super::Share;
use super::counters::{LeaseOutcome, OperationResult};
use super::resp::Reply;
use super::server::{BUDGET, ShareError};
use super::stored::{self, HEAD, StoredError};

/// How long a lease lasts if its holder dies. A call of the catalogue rarely takes as long.
const LEASE: Duration = Duration::from_secs(2);
/// How long one waits for another replica's answer: until a dead holder's lease has certainly ended.
const WAIT: Duration = Duration::from_millis(2_500);
/// Time between two looks.
const LOOK: Duration = Duration::from_millis(20);
/// Time for an exchange that carries an answer.
const TRANSFER: Duration = Duration::from_millis(450);
/// What is left of the time of a missing value.
const GONE: i64 = -2;
/// Most bytes of a stored answer, compressed.
const LARGEST: usize = 16 << 20;

/// Who calls the catalogue.
pub(crate) enum Turn {
    /// Nobody: another replica's call has given this answer.
    Answered(SharedAnswer),
    /// This replica, for all of them.
    Mine(Lease),
    /// This replica, for itself.
    Alone,
}

/// What another replica has received.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct SharedAnswer {
    /// As the catalogue sent it; `None` if what was asked for does not exist.
    pub(crate) body: Option<Vec<u8>>,
    /// Time since its call began.
    pub(crate) age: Duration,
}

/// The right to call the catalogue for all replicas. Ends by itself if it is dropped.
#[derive(Debug)]
pub(crate) struct Lease {
    share: Share,
    name: String,
    lasts: Duration,
    since: Instant,
}

impl Share {
    /// Decides who makes the call with this path and query. An answer of less than `within` will do, of at
    /// most `limit` bytes.
    pub(crate) async fn turn(&self, call: &str, within: Duration, limit: usize) -> Turn {
        let hash = blake3::hash(call.as_bytes()).to_hex();
        let turn = self.try_turn(&hash, within, limit).await.unwrap_or(Turn::Alone);
        let outcome = match turn {
            Turn::Answered(_) => LeaseOutcome::Shared,
            Turn::Mine(_) => LeaseOutcome::Taken,
            Turn::Alone => LeaseOutcome::Alone,
        };
        self.counters().leases(outcome).increment();
        turn
    }

    async fn try_turn(&self, name: &str, within: Duration, limit: usize) -> Result<Turn, ShareError> {
        let began = Instant::now();
        loop {
            if let Some(answer) = self.answer(name, within, limit).await? {
                return Ok(Turn::Answered(answer));
            }
            if let Some(lease) = self.take(name, within).await? {
                // Its former holder may have stored an answer since the first look.
                return Ok(match self.answer(name, within, limit).await {
                    Ok(Some(answer)) => {
                        lease.release().await;
                        Turn::Answered(answer)
                    }
                    _ => Turn::Mine(lease),
                });
            }
            if began.elapsed() > WAIT {
                return Ok(Turn::Alone);
            }
            tokio::time::sleep(LOOK).await;
        }
    }

    /// The stored answer, if it is young enough.
    async fn answer(
        &self,
        name: &str,
        within: Duration,
        limit: usize,
    ) -> Result<Option<SharedAnswer>, ShareError> {
        let server = &self.inner.server;
        let key = self.key(&format!("answer:{name}"));
        let end = (HEAD - 1).to_string();
        let look: [&[&[u8]]; 2] = [&[b"GETRANGE", &key, b"0", end.as_bytes()], &[b"PTTL", &key]];
        let replies = server.exchange(&look, HEAD, BUDGET).await?;
        let mut replies = replies.into_iter().map(|reply| server.accepted(reply));
        let (Some(Ok(Reply::Bytes(Some(head)))), Some(Ok(Reply::Number(remaining)))) =
            (replies.next(), replies.next())
        else {
            return Err(self.unusable(None));
        };
        // A value may end between the two commands.
        if head.is_empty() || remaining == GONE {
            return Ok(None);
        }
        let age = stored::age(&head, remaining).map_err(|error| self.unusable(Some(&error)))?;
        if age >= within || !self.is_trusted(age) {
            return Ok(None);
        }
        let get: [&[&[u8]]; 1] = [&[b"GET", &key]];
        let reply = server.exchange(&get, LARGEST, TRANSFER).await?.into_iter().next();
        let packed = match reply.map(|reply| server.accepted(reply)).transpose()? {
            Some(Reply::Bytes(Some(packed))) => packed,
            // It has just ended.
            Some(Reply::Bytes(None)) => return Ok(None),
            _ => return Err(self.unusable(None)),
        };
        let unpacked = tokio::task::spawn_blocking(move || stored::unpack(&packed, limit + 1)).await;
        let value = unpacked.map_err(|_| ShareError::Unexpected)?;
        let value = value.map_err(|error| self.unusable(Some(&error)))?;
        match value.split_first() {
            Some((b'+', body)) => Ok(Some(SharedAnswer { body: Some(body.to_vec()), age })),
            Some((b'-', [])) => Ok(Some(SharedAnswer { body: None, age })),
            _ => Err(self.unusable(None)),
        }
    }

    /// Counts a value that cannot be used.
    pub(super) fn unusable(&self, error: Option<&StoredError>) -> ShareError {
        self.inner.server.count(OperationResult::Unusable);
        self.inner.server.warn_of_value(error);
        ShareError::Unexpected
    }

    /// A lease, unless another replica has it.
    async fn take(&self, name: &str, lasts: Duration) -> Result<Option<Lease>, ShareError> {
        let key = self.key(&format!("lease:{name}"));
        let time = stored::milliseconds(LEASE).to_string();
        let since = Instant::now();
        match self.inner.server.command(&[b"SET", &key, b"1", b"NX", b"PX", time.as_bytes()]).await? {
            Reply::Status(_) => Ok(Some(Lease { share: self.clone(), name: name.to_owned(), lasts, since })),
            Reply::Bytes(None) => Ok(None),
            _ => Err(self.unusable(None)),
        }
    }
}

impl Lease {
    /// Stores what the catalogue has answered, for as long as it is fresh, and ends.
    pub(crate) async fn store(self, body: Option<impl AsRef<[u8]> + Send + 'static>) {
        let lasts = self.lasts;
        let pack = move || {
            let value = match &body {
                Some(body) => [b"+", body.as_ref()].concat(),
                None => b"-".to_vec(),
            };
            stored::pack(&value, lasts)
        };
        let packed = tokio::task::spawn_blocking(pack).await;
        // Its age counts from the beginning of the call.
        let remaining = self.lasts.saturating_sub(self.since.elapsed());
        if let Ok(Ok(packed)) = packed
            && packed.len() <= LARGEST
            && !remaining.is_zero()
        {
            let server = &self.share.inner.server;
            let key = self.share.key(&format!("answer:{}", self.name));
            let time = stored::milliseconds(remaining).max(1).to_string();
            let set: [&[&[u8]]; 1] = [&[b"SET", &key, &packed, b"PX", time.as_bytes()]];
            // A failure is counted and logged where it happens; others call for themselves.
            if let Ok(replies) = server.exchange(&set, HEAD, TRANSFER).await {
                replies.into_iter().for_each(|reply| drop(server.accepted(reply)));
            }
        }
        self.release().await;
    }

    /// Ends, so that another replica may call.
    pub(crate) async fn release(self) {
        // Afterwards it may be another replica's.
        if self.since.elapsed() < LEASE / 2 {
            let key = self.share.key(&format!("lease:{}", self.name));
            // It ends by itself.
            let _ = self.share.inner.server.command(&[b"DEL", &key]).await;
        }
    }
}
