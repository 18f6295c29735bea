//! One call of the catalogue for all replicas: the first replica that needs an answer takes a lease and makes the
//! call. The others wait for the answer that it stores.

use std::time::{Duration, Instant};

use super::Share;
use super::answers::{LeaseResult, Question, SharedAnswer};
use super::counters::LeaseOutcome;
use super::resp::Reply;
use super::server::ShareError;
use super::stored;

/// How long a lease lasts if its holder dies. A call of the catalogue rarely takes that long.
const LEASE: Duration = Duration::from_secs(2);
/// How long a replica waits for another one's answer: until the lease of a holder that died has certainly ended.
const WAIT: Duration = Duration::from_millis(2_500);
/// Time between two checks whether the answer has been stored.
const LOOK: Duration = Duration::from_millis(20);
/// Version of stored answers. Answers of another version have other names.
const ANSWERS_VERSION: &str = "2 ";

/// Who calls the catalogue.
pub(crate) enum Turn {
    /// No replica: the call of another replica has given this answer.
    Answered(SharedAnswer),
    /// This replica, for all of them.
    Mine(Lease),
    /// This replica, for itself.
    Alone,
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
    /// Decides who makes a call.
    pub(crate) async fn turn(&self, question: Question<'_>) -> Turn {
        let hash = blake3::hash(format!("{ANSWERS_VERSION}{}", question.call).as_bytes()).to_hex();
        let turn = self.try_turn(&hash, &question).await.unwrap_or(Turn::Alone);
        let outcome = match turn {
            Turn::Answered(_) => LeaseOutcome::Shared,
            Turn::Mine(_) => LeaseOutcome::Taken,
            Turn::Alone => LeaseOutcome::Alone,
        };
        self.counters().leases(outcome).increment();
        turn
    }

    async fn try_turn(&self, name: &str, question: &Question<'_>) -> Result<Turn, ShareError> {
        let began = Instant::now();
        loop {
            if let Some(answer) = self.answer(name, question).await? {
                return Ok(Turn::Answered(answer));
            }
            if let Some(lease) = self.take(name, question.lasts()).await? {
                // Its former holder may have stored an answer since the first look.
                return Ok(match self.answer(name, question).await {
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
    /// Stores what the catalogue has answered, and ends.
    pub(crate) async fn end(self, result: LeaseResult) {
        // After the end of the lease another replica may have stored a newer answer.
        let is_late = matches!(result, LeaseResult::Confirmed(..)) && self.since.elapsed() >= LEASE;
        if !is_late {
            self.share.store_answer(&self.name, result, self.lasts, || self.since.elapsed()).await;
        }
        self.release().await;
    }

    /// Ends, so that another replica may call.
    pub(crate) async fn release(self) {
        // Later the lease may be another replica's.
        if self.since.elapsed() < LEASE / 2 {
            let key = self.share.key(&format!("lease:{}", self.name));
            // If this fails, the lease ends by itself.
            let _ = self.share.inner.server.command(&[b"DEL", &key]).await;
        }
    }
}
