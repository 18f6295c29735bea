//! Who reads the catalogue: one replica holds a lease, and reads for all of them.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::Share;
use super::resp::Reply;
use super::server::{BUDGET, SHORT, ShareError};
use super::stored::milliseconds;

/// How long the lease lasts if its holder dies. Its holder has it extended several times meanwhile.
const LEASE: Duration = Duration::from_secs(10);
const READER: &str = "reader";

impl Share {
    /// Takes the lease if it is free, or has it extended if this replica holds it. Returns whether this replica holds it.
    ///
    /// # Errors
    /// When the server does not answer or refuses.
    pub(crate) async fn hold_lease(&self) -> Result<bool, ShareError> {
        let held = self.take_or_extend().await;
        self.inner.is_reader.store(matches!(held, Ok(true)), Ordering::Relaxed);
        held
    }

    async fn take_or_extend(&self) -> Result<bool, ShareError> {
        if self.inner.rests_until.lock().is_some_and(|until| Instant::now() < until) {
            return Ok(false);
        }
        let server = &self.inner.server;
        let (key, id, time) = (self.key(READER), self.inner.id.as_bytes(), milliseconds(LEASE).to_string());
        let take: [&[&[u8]]; 2] = [&[b"SET", &key, id, b"NX", b"PX", time.as_bytes()], &[b"GET", &key]];
        let replies = server.exchange(&take, SHORT, BUDGET).await?;
        let mut replies = replies.into_iter().map(|reply| server.accepted(reply));
        match (replies.next().transpose()?, replies.next().transpose()?) {
            (Some(Reply::Status(_)), _) => Ok(true),
            // If it ends before the next command, another replica's lease lasts a little longer.
            (Some(Reply::Bytes(None)), Some(Reply::Bytes(Some(holder)))) if holder == id => {
                let extended = server.command(&[b"PEXPIRE", &key, time.as_bytes()]).await?;
                Ok(extended == Reply::Number(1))
            }
            (Some(Reply::Bytes(None)), Some(Reply::Bytes(_))) => Ok(false),
            _ => Err(self.unusable(None)),
        }
    }

    /// Ends the lease if this replica holds it, and leaves it to the others for this time.
    pub(crate) async fn release_lease(&self, rests: Duration) {
        self.inner.is_reader.store(false, Ordering::Relaxed);
        *self.inner.rests_until.lock() = Instant::now().checked_add(rests);
        let (server, key) = (&self.inner.server, self.key(READER));
        // If this fails, the lease ends by itself.
        if let Ok(Reply::Bytes(Some(holder))) = server.command(&[b"GET", &key]).await
            && holder == self.inner.id.as_bytes()
        {
            let _ = server.command(&[b"DEL", &key]).await;
        }
    }
}
