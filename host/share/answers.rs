//! The answers of the catalogue as replicas store them: a head, the digest of the body, and the body. An unchanged
//! answer is not sent again; only its expiry time is set anew.

use std::time::Duration;

use blake3::{Hash, OUT_LEN};
use bytes::Bytes;

use super::Share;
use super::counters::OperationResult;
use super::resp::Reply;
use super::server::{BUDGET, ShareError};
use super::stored::{self, HEAD, StoredError};

/// Time for an exchange that carries an answer.
const TRANSFER: Duration = Duration::from_millis(450);
/// The reply to `PTTL` for a key that does not exist.
const GONE: i64 = -2;
/// Most bytes of a stored answer, compressed.
const LARGEST: usize = 16 << 20;
/// Length of the head with the digest.
const WITH_DIGEST: usize = HEAD + OUT_LEN;

/// An answer that the next one is compared with is kept beyond its useful time, for this many times that time.
const KEPT_TIMES: u32 = 9;
/// The longest time that is added in this way.
const KEPT_FOR: Duration = Duration::from_secs(3_600);

/// An answer that is needed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Question<'a> {
    /// Path and query of the call.
    pub(crate) call: &'a str,
    /// An answer younger than this will do.
    pub(crate) within: Duration,
    /// Most bytes of the answer.
    pub(crate) limit: usize,
    /// Whether the next answer is likely to be the same, so that this one is stored for longer than it is used.
    pub(crate) is_kept: bool,
    /// The digest of the answer that the replica has already.
    pub(crate) known: Option<Hash>,
}

impl Question<'_> {
    /// For how long the answer is stored.
    pub(super) fn lasts(&self) -> Duration {
        let further =
            if self.is_kept { self.within.saturating_mul(KEPT_TIMES).min(KEPT_FOR) } else { Duration::ZERO };
        self.within.saturating_add(further)
    }
}

/// An answer that another replica has received.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct SharedAnswer {
    pub(crate) answer: SharedBody,
    /// Time since its call began.
    pub(crate) age: Duration,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum SharedBody {
    /// The body that this replica has already.
    Known,
    /// The body, as the catalogue sent it.
    Whole(Bytes),
}

/// What the holder of a lease has received.
#[derive(Debug)]
pub(crate) enum LeaseResult {
    /// A body with this digest.
    Body(Hash, Bytes),
    /// The body with this digest is still the same. It is there if the catalogue sent it nevertheless.
    Confirmed(Hash, Option<Bytes>),
}

impl Share {
    /// The stored answer, if it is young enough.
    ///
    /// # Errors
    /// When the server does not answer, or what it has cannot be used.
    pub(super) async fn answer(
        &self,
        name: &str,
        question: &Question<'_>,
    ) -> Result<Option<SharedAnswer>, ShareError> {
        let server = &self.inner.server;
        let key = self.answer_key(name);
        let end = (WITH_DIGEST - 1).to_string();
        let look: [&[&[u8]]; 2] = [&[b"GETRANGE", &key, b"0", end.as_bytes()], &[b"PTTL", &key]];
        let replies = server.exchange(&look, WITH_DIGEST, BUDGET).await?;
        let mut replies = replies.into_iter().map(|reply| server.accepted(reply));
        let (Some(Ok(Reply::Bytes(Some(head)))), Some(Ok(Reply::Number(remaining)))) =
            (replies.next(), replies.next())
        else {
            return Err(self.unusable(None));
        };
        // A value may expire between the two commands.
        if head.is_empty() || remaining == GONE {
            return Ok(None);
        }
        let age = stored::age(&head, remaining).map_err(|error| self.unusable(Some(&error)))?;
        if age >= question.within || !self.is_trusted(age) {
            return Ok(None);
        }
        let digest = digest(&head).map_err(|error| self.unusable(Some(&error)))?;
        if question.known == Some(digest) {
            return Ok(Some(SharedAnswer { answer: SharedBody::Known, age }));
        }
        let get: [&[&[u8]]; 1] = [&[b"GET", &key]];
        let reply = server.exchange(&get, LARGEST, TRANSFER).await?.into_iter().next();
        let packed = match reply.map(|reply| server.accepted(reply)).transpose()? {
            Some(Reply::Bytes(Some(packed))) => packed,
            // It has just expired.
            Some(Reply::Bytes(None)) => return Ok(None),
            _ => return Err(self.unusable(None)),
        };
        let limit = question.limit + 1;
        let unpacked =
            tokio::task::spawn_blocking(move || stored::unpack_behind(OUT_LEN, &packed, limit)).await;
        let value = unpacked.map_err(|_| ShareError::Unexpected)?;
        let value = value.map_err(|error| self.unusable(Some(&error)))?;
        let value = Bytes::from(value);
        match value.split_first() {
            Some((b'+', _)) => Ok(Some(SharedAnswer { answer: SharedBody::Whole(value.slice(1..)), age })),
            // Its body is no longer stored. A replica without it calls the catalogue.
            Some((b'=', [])) => Ok(None),
            _ => Err(self.unusable(None)),
        }
    }

    /// Stores what the catalogue has answered to a call that began `asked` ago, for `lasts` from then. A failure is
    /// counted and logged where it happens; other replicas then make the call themselves.
    pub(super) async fn store_answer(
        &self,
        name: &str,
        result: LeaseResult,
        lasts: Duration,
        asked: impl Fn() -> Duration,
    ) {
        let (digest, value) = match result {
            LeaseResult::Body(digest, body) => (digest, Value::Body(body)),
            LeaseResult::Confirmed(digest, _) if self.confirm_answer(name, digest, &asked).await => return,
            LeaseResult::Confirmed(digest, body) => (digest, body.map_or(Value::Confirmed, Value::Body)),
        };
        let pack = move || {
            let value = match &value {
                Value::Body(body) => [b"+", body.as_ref()].concat(),
                Value::Confirmed => b"=".to_vec(),
            };
            stored::pack_behind(digest.as_bytes(), &value, lasts)
        };
        let packed = tokio::task::spawn_blocking(pack).await;
        // Its age counts from the beginning of the call.
        let remaining = lasts.saturating_sub(asked());
        if let Ok(Ok(packed)) = packed
            && packed.len() <= LARGEST
            && !remaining.is_zero()
        {
            let server = &self.inner.server;
            let key = self.answer_key(name);
            let time = stored::milliseconds(remaining).max(1).to_string();
            let set: [&[&[u8]]; 1] = [&[b"SET", &key, &packed, b"PX", time.as_bytes()]];
            if let Ok(replies) = server.exchange(&set, HEAD, TRANSFER).await {
                replies.into_iter().for_each(|reply| drop(server.accepted(reply)));
            }
        }
    }

    /// Restarts the lifetime of the stored answer; false if that fails or another answer is stored.
    async fn confirm_answer(&self, name: &str, digest: Hash, asked: impl Fn() -> Duration) -> bool {
        let server = &self.inner.server;
        let key = self.answer_key(name);
        let end = (WITH_DIGEST - 1).to_string();
        let look: [&[&[u8]]; 1] = [&[b"GETRANGE", &key, b"0", end.as_bytes()]];
        let head =
            server.exchange(&look, WITH_DIGEST, BUDGET).await.map(|replies| replies.into_iter().next());
        let Ok(Some(Reply::Bytes(Some(head)))) = head else { return false };
        let Ok(lasts) = stored::time(&head) else { return false };
        if self::digest(&head).ok() != Some(digest) {
            return false;
        }
        let remaining = stored::milliseconds(lasts.saturating_sub(asked())).max(1).to_string();
        let expire: [&[u8]; 3] = [b"PEXPIRE", &key, remaining.as_bytes()];
        matches!(server.command(&expire).await, Ok(Reply::Number(1)))
    }

    /// Counts a value that cannot be used.
    pub(super) fn unusable(&self, error: Option<&StoredError>) -> ShareError {
        self.inner.server.count(OperationResult::Unusable);
        self.inner.server.warn_of_value(error);
        ShareError::Unexpected
    }

    fn answer_key(&self, name: &str) -> Vec<u8> {
        self.key(&format!("answer:{name}"))
    }
}

/// What is stored after the digest.
enum Value {
    Body(Bytes),
    Confirmed,
}

/// The digest after the head of a stored answer.
fn digest(head: &[u8]) -> Result<Hash, StoredError> {
    let digest = head.get(HEAD..WITH_DIGEST).ok_or(StoredError::Foreign)?;
    Hash::from_slice(digest).map_err(|_| StoredError::Foreign)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_list_is_stored_for_longer_than_it_is_of_use() {
        let lasts = |seconds, is_kept| {
            let within = Duration::from_secs(seconds);
            let question = Question { call: "/", within, limit: 1, is_kept, known: None };
            question.lasts().as_secs()
        };
        assert_eq!([lasts(60, false), lasts(60, true), lasts(86_400, true)], [60, 600, 90_000]);
    }

    proptest! {
        #[test]
        fn any_bytes_have_a_digest_or_none(bytes: Vec<u8>, value: Vec<u8>) {
            prop_assert_eq!(digest(&bytes).is_ok(), bytes.len() >= WITH_DIGEST);
            let own = blake3::hash(&value);
            let packed = stored::pack_behind(own.as_bytes(), &value, Duration::from_secs(1)).unwrap();
            prop_assert_eq!(digest(&packed).unwrap(), own);
            prop_assert_eq!(stored::unpack_behind(OUT_LEN, &packed, value.len()).unwrap(), value);
            let ours = [&packed[..WITH_DIGEST], &bytes].concat();
            prop_assert!(stored::unpack_behind(OUT_LEN, &ours, 100).map_or(true, |value| value.len() <= 100));
        }
    }
}
