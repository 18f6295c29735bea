//! The saved catalogue on the shared server. A new replica starts from it while the catalogue service does not answer.

use std::io;
use std::time::Duration;

use blake3::{Hash, OUT_LEN};
use tokio::time::timeout;

use super::Share;
use super::resp::Reply;
use super::server::{BUDGET, ShareError};
use super::stored::{self, HEAD, StoredError};

/// Time limit for connecting, and for reading or writing the catalogue. The start may wait for it, no visitor does.
const TRANSFER: Duration = Duration::from_secs(2);
/// Most bytes of a saved catalogue, compressed and unpacked.
const LARGEST: usize = 32 << 20;
const LARGEST_UNPACKED: usize = 128 << 20;
/// How long the turn to save lasts: meanwhile no other replica saves.
const SAVER: Duration = Duration::from_secs(20);
/// Size limit of replies that carry no catalogue, in bytes.
const SHORT: usize = 64;
/// Length of the summary between the head and the compressed catalogue: the hash of its bytes, and the hash of the
/// mirror in it.
const SUMMARY: usize = 2 * OUT_LEN;
/// Length of the head with the summary.
const WITH_SUMMARY: usize = HEAD + SUMMARY;
/// The name of the saved catalogue. Another layout takes another name.
const SAVED: &str = "copy";

/// The catalogue that a replica has saved.
#[derive(Debug)]
pub(crate) struct SavedState {
    pub(crate) bytes: Vec<u8>,
    pub(crate) age: Duration,
    /// Time since the catalogue service last confirmed the mirror in it, if it did after the catalogue was saved.
    pub(crate) confirmed: Option<Duration>,
}

/// Whose turn it is to save.
#[derive(Debug)]
pub(crate) enum TurnToSave {
    /// This replica's. The saved catalogue has these hashes, if there is one.
    Ours(Option<SavedHashes>),
    Theirs,
}

/// The hashes and the age of a saved catalogue.
#[derive(Debug)]
pub(crate) struct SavedHashes {
    /// The hash of the saved bytes before compression.
    text: Hash,
    /// The hash of the mirror (`catalogue/mirror.rs`) in it.
    pub(crate) copy: Hash,
    /// Time since it was saved.
    pub(crate) age: Duration,
}

impl Share {
    /// The saved catalogue, if there is one. Asks the server even while it counts as failed, and does not mark it as
    /// working again: its answers must not be used before the orders to purge have been read.
    ///
    /// # Errors
    /// When the server does not answer, or what it has cannot be used.
    pub(crate) async fn load_state(&self) -> Result<Option<SavedState>, ShareError> {
        let mut connection = self.inner.server.probe(TRANSFER).await?;
        let (key, confirmed) = (self.key(SAVED), self.key("confirmed"));
        let commands: [&[&[u8]]; 4] =
            [&[b"PTTL", &key], &[b"GET", &key], &[b"PTTL", &confirmed], &[b"GET", &confirmed]];
        let replies = timeout(TRANSFER, connection.exchange(&commands, LARGEST)).await;
        let replies = replies.map_err(|_| ShareError::TimedOut(TRANSFER))?.map_err(ShareError::Exchange)?;
        let mut replies = replies.into_iter().map(|reply| self.inner.server.accepted(reply));
        let (Some(Reply::Number(remaining)), Some(Reply::Bytes(packed))) =
            (replies.next().transpose()?, replies.next().transpose()?)
        else {
            return Err(self.unusable(None));
        };
        let Some(packed) = packed else { return Ok(None) };
        let head = packed.get(..HEAD).unwrap_or_default();
        let age = stored::age(head, remaining).map_err(|error| self.unusable(Some(&error)))?;
        let confirmed = match (replies.next(), replies.next()) {
            (Some(Ok(Reply::Number(remaining))), Some(Ok(Reply::Bytes(Some(packed))))) => {
                confirmation(&packed, remaining).map_err(|error| self.unusable(Some(&error))).ok()
            }
            _ => None,
        };
        let unpacked = tokio::task::spawn_blocking(move || {
            let bytes = stored::unpack_behind(SUMMARY, &packed, LARGEST_UNPACKED)?;
            let digest = blake3::hash(&bytes);
            Ok((bytes, digest))
        });
        let unpacked = unpacked.await.map_err(|_| ShareError::Unexpected)?;
        let (bytes, digest) = unpacked.map_err(|error| self.unusable(Some(&error)))?;
        // The confirmation may concern a catalogue that has been replaced since.
        let confirmed = confirmed.filter(|(of, _)| *of == digest).map(|(_, age)| age);
        Ok(Some(SavedState { bytes, age, confirmed }))
    }

    /// Takes the turn to save.
    ///
    /// # Errors
    /// When the server does not answer or refuses.
    pub(crate) async fn turn_to_save(&self) -> Result<TurnToSave, ShareError> {
        let (server, time) = (&self.inner.server, stored::milliseconds(SAVER).to_string());
        let (saver, saved) = (self.key("saver"), self.key(SAVED));
        let taken = server.command(&[b"SET", &saver, b"1", b"NX", b"PX", time.as_bytes()]).await?;
        if taken == Reply::Bytes(None) {
            return Ok(TurnToSave::Theirs);
        }
        let end = (WITH_SUMMARY - 1).to_string();
        let look: [&[&[u8]]; 2] = [&[b"GETRANGE", &saved, b"0", end.as_bytes()], &[b"PTTL", &saved]];
        let replies = server.exchange(&look, WITH_SUMMARY, BUDGET).await?;
        let mut replies = replies.into_iter().map(|reply| server.accepted(reply));
        let (Some(Reply::Bytes(Some(start))), Some(Reply::Number(remaining))) =
            (replies.next().transpose()?, replies.next().transpose()?)
        else {
            return Err(self.unusable(None));
        };
        Ok(TurnToSave::Ours(SavedHashes::of(&start, remaining)))
    }

    /// Saves a catalogue whose mirror has this hash. It expires after `lasts`.
    ///
    /// # Errors
    /// When the server does not answer or refuses, and when it is too large.
    pub(crate) async fn save_state(
        &self,
        bytes: Vec<u8>,
        copy: Hash,
        lasts: Duration,
    ) -> Result<(), ShareError> {
        let packed = tokio::task::spawn_blocking(move || pack(&bytes, copy, lasts));
        let Ok(Ok(packed)) = packed.await else { return Err(ShareError::Unexpected) };
        if packed.len() > LARGEST {
            return Err(ShareError::TooLarge(LARGEST));
        }
        let (server, time) = (&self.inner.server, stored::milliseconds(lasts).max(1).to_string());
        let key = self.key(SAVED);
        let set: [&[&[u8]]; 1] = [&[b"SET", &key, &packed, b"PX", time.as_bytes()]];
        for reply in server.exchange(&set, SHORT, TRANSFER).await? {
            server.accepted(reply)?;
        }
        Ok(())
    }

    /// Notes that the mirror in the saved catalogue was still up to date `ago` before now.
    ///
    /// # Errors
    /// When the server does not answer or refuses.
    pub(crate) async fn confirm_state(
        &self,
        saved: &SavedHashes,
        ago: Duration,
        lasts: Duration,
    ) -> Result<(), ShareError> {
        let remaining = stored::milliseconds(lasts.saturating_sub(ago)).max(1).to_string();
        let packed = stored::pack(saved.text.as_bytes(), lasts).map_err(|_| ShareError::Unexpected)?;
        let key = self.key("confirmed");
        self.inner.server.command(&[b"SET", &key, &packed, b"PX", remaining.as_bytes()]).await.map(drop)
    }
}

impl SavedHashes {
    /// The hashes in the start of a saved catalogue that is stored for another `remaining` milliseconds; `None` if it is
    /// no such catalogue.
    fn of(start: &[u8], remaining: i64) -> Option<Self> {
        let age = stored::age(start, remaining).ok()?;
        let (text, copy) = start.get(HEAD..WITH_SUMMARY)?.split_at(OUT_LEN);
        Some(Self { text: Hash::from_slice(text).ok()?, copy: Hash::from_slice(copy).ok()?, age })
    }
}

/// A saved catalogue as it is stored: with the summary that [`SavedHashes::of`] reads.
fn pack(bytes: &[u8], copy: Hash, lasts: Duration) -> io::Result<Vec<u8>> {
    let summary = [blake3::hash(bytes).as_bytes().as_slice(), copy.as_bytes()].concat();
    stored::pack_behind(&summary, bytes, lasts)
}

/// The hash of the saved bytes that a stored confirmation concerns, and the confirmation's age.
fn confirmation(packed: &[u8], remaining: i64) -> Result<(Hash, Duration), StoredError> {
    let age = stored::age(packed, remaining)?;
    let text = stored::unpack(packed, OUT_LEN)?;
    Ok((Hash::from_slice(&text).map_err(|_| StoredError::Foreign)?, age))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn packed() -> Vec<u8> {
        pack(b"catalogue", blake3::hash(b"copy"), Duration::from_secs(60)).unwrap()
    }

    #[test]
    fn a_summary_is_read_without_the_catalogue_and_the_catalogue_without_the_summary() {
        let packed = packed();
        let SavedHashes { text, copy, age } = SavedHashes::of(&packed[..WITH_SUMMARY], 59_000).unwrap();
        let expected = (blake3::hash(b"catalogue"), blake3::hash(b"copy"), Duration::from_secs(1));
        assert_eq!((text, copy, age), expected);
        assert!(SavedHashes::of(&packed[..WITH_SUMMARY - 1], 59_000).is_none(), "cut short");
        assert!(SavedHashes::of(&packed, 60_003).is_none(), "an age that is not possible");
        assert_eq!(stored::unpack_behind(SUMMARY, &packed, 9).unwrap(), b"catalogue");
    }

    proptest! {
        #[test]
        fn any_bytes_have_a_summary_or_none(bytes: Vec<u8>, remaining: i64) {
            prop_assert!(SavedHashes::of(&bytes, remaining).is_none(), "not ours");
            let ours = [&packed()[..HEAD], &bytes].concat();
            prop_assert_eq!(SavedHashes::of(&ours, 1_000).is_some(), bytes.len() >= SUMMARY);
        }
    }
}
