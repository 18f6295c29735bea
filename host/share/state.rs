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
/// Length of the summary between the head and the compressed catalogue: the number of its products, the hash of its
/// bytes, and the hash of the mirror in it.
const SUMMARY: usize = size_of::<u64>() + 2 * OUT_LEN;
/// Length of the head with the summary.
const WITH_SUMMARY: usize = HEAD + SUMMARY;
/// Stands in the summary for the hash of the mirror if there is none.
const NO_MIRROR: Hash = Hash::from_bytes([0; OUT_LEN]);

/// The catalogue that a replica has saved.
#[derive(Debug)]
pub(crate) struct SavedState {
    pub(crate) bytes: Vec<u8>,
    pub(crate) age: Duration,
    /// Time since the catalogue service last confirmed the mirror in it, if it did after the catalogue was saved.
    pub(crate) confirmed: Option<Duration>,
}

/// A summary of the saved catalogue, by which a replica decides whether to replace it.
#[derive(Debug)]
pub(crate) struct SavedSummary {
    /// The number of its products; `usize::MAX` if it is not known, so that only a whole catalogue replaces it.
    pub(crate) products: usize,
    /// Its hashes and age, if it contains a mirror.
    pub(crate) content: Option<SavedHashes>,
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
        let (key, confirmed) = (self.key("saved"), self.key("confirmed"));
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

    /// Takes the turn to save. Returns a summary of the saved catalogue; `None` if another replica has the turn.
    ///
    /// # Errors
    /// When the server does not answer or refuses.
    pub(crate) async fn turn_to_save(&self) -> Result<Option<SavedSummary>, ShareError> {
        let (server, time) = (&self.inner.server, stored::milliseconds(SAVER).to_string());
        let (saver, saved) = (self.key("saver"), self.key("saved"));
        let taken = server.command(&[b"SET", &saver, b"1", b"NX", b"PX", time.as_bytes()]).await?;
        if taken == Reply::Bytes(None) {
            return Ok(None);
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
        if start.is_empty() {
            return Ok(Some(SavedSummary { products: 0, content: None }));
        }
        let unknown = SavedSummary { products: usize::MAX, content: None };
        Ok(Some(SavedSummary::of(&start, remaining).unwrap_or(unknown)))
    }

    /// Saves a catalogue with this many products and, if it has a mirror, that mirror's hash. It expires after `lasts`.
    ///
    /// # Errors
    /// When the server does not answer or refuses, and when it is too large.
    pub(crate) async fn save_state(
        &self,
        bytes: Vec<u8>,
        products: usize,
        copy: Option<Hash>,
        lasts: Duration,
    ) -> Result<(), ShareError> {
        let packed = tokio::task::spawn_blocking(move || pack(&bytes, products, copy, lasts));
        let Ok(Ok(packed)) = packed.await else { return Err(ShareError::Unexpected) };
        if packed.len() > LARGEST {
            return Err(ShareError::TooLarge(LARGEST));
        }
        let (server, time) = (&self.inner.server, stored::milliseconds(lasts).max(1).to_string());
        let key = self.key("saved");
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

impl SavedSummary {
    /// The summary in the start of a saved catalogue that is stored for another `remaining` milliseconds.
    fn of(start: &[u8], remaining: i64) -> Option<Self> {
        stored::time(start).ok()?;
        let (products, hashes) = start.get(HEAD..WITH_SUMMARY)?.split_first_chunk()?;
        let (text, copy) = hashes.split_at(OUT_LEN);
        let (text, copy) = (Hash::from_slice(text).ok()?, Hash::from_slice(copy).ok()?);
        let age = stored::age(start, remaining).ok().filter(|_| copy != NO_MIRROR);
        Some(Self {
            products: usize::try_from(u64::from_be_bytes(*products)).unwrap_or(usize::MAX),
            content: age.map(|age| SavedHashes { text, copy, age }),
        })
    }
}

/// A saved catalogue as it is stored: with the summary that [`SavedSummary::of`] reads.
fn pack(bytes: &[u8], products: usize, copy: Option<Hash>, lasts: Duration) -> io::Result<Vec<u8>> {
    let (products, text) = ((products as u64).to_be_bytes(), blake3::hash(bytes));
    let summary = [&products[..], text.as_bytes(), copy.unwrap_or(NO_MIRROR).as_bytes()].concat();
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

    fn packed(copy: Option<Hash>) -> Vec<u8> {
        pack(b"catalogue", 3, copy, Duration::from_secs(60)).unwrap()
    }

    #[test]
    fn a_summary_is_read_without_the_catalogue_and_the_catalogue_without_the_summary() {
        let copy = blake3::hash(b"copy");
        let packed = packed(Some(copy));
        let SavedSummary { products, content } = SavedSummary::of(&packed[..WITH_SUMMARY], 59_000).unwrap();
        let SavedHashes { text, copy: own, age } = content.unwrap();
        assert_eq!((products, text, own, age), (3, blake3::hash(b"catalogue"), copy, Duration::from_secs(1)));
        assert!(SavedSummary::of(&packed[..WITH_SUMMARY - 1], 59_000).is_none(), "cut short");
        assert_eq!(stored::unpack_behind(SUMMARY, &packed, 9).unwrap(), b"catalogue");
    }

    #[test]
    fn a_catalogue_without_a_mirror_or_a_possible_age_has_no_hashes_to_confirm() {
        for (packed, remaining) in [(packed(None), 59_000), (packed(Some(blake3::hash(b"copy"))), 60_003)] {
            let SavedSummary { products, content } = SavedSummary::of(&packed, remaining).unwrap();
            assert!(products == 3 && content.is_none(), "{products} {content:?}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_have_a_summary_or_none(bytes: Vec<u8>, remaining: i64) {
            prop_assert!(SavedSummary::of(&bytes, remaining).is_none(), "not ours");
            let ours = [&packed(None)[..HEAD], &bytes].concat();
            prop_assert_eq!(SavedSummary::of(&ours, remaining).is_some(), bytes.len() >= SUMMARY);
        }
    }
}
