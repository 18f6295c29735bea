//! The saved catalogue on the shared server. A new replica starts from it while the catalogue service does not answer.

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
/// Length of the note in a saved catalogue: the hash of its bytes, and the hash of the mirror in it.
const CONTENT: usize = 2 * OUT_LEN;

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
        let (key, confirmed) = (self.key("state"), self.key("confirmed"));
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
            let bytes = stored::unpack(&packed, LARGEST_UNPACKED)?;
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
        let (saver, state, products) = (self.key("saver"), self.key("state"), self.key("products"));
        let taken = server.command(&[b"SET", &saver, b"1", b"NX", b"PX", time.as_bytes()]).await?;
        if taken == Reply::Bytes(None) {
            return Ok(None);
        }
        let end = (stored::with_note(CONTENT) - 1).to_string();
        let look: [&[&[u8]]; 3] =
            [&[b"GETRANGE", &state, b"0", end.as_bytes()], &[b"PTTL", &state], &[b"GET", &products]];
        let replies = server.exchange(&look, stored::with_note(CONTENT), BUDGET).await?;
        let mut replies = replies.into_iter().map(|reply| server.accepted(reply));
        let (Some(Reply::Bytes(Some(start))), Some(Reply::Number(remaining))) =
            (replies.next().transpose()?, replies.next().transpose()?)
        else {
            return Err(self.unusable(None));
        };
        if start.is_empty() {
            return Ok(Some(SavedSummary { products: 0, content: None }));
        }
        let number = match replies.next().transpose()? {
            Some(Reply::Bytes(Some(text))) => String::from_utf8(text).ok().and_then(|text| text.parse().ok()),
            _ => None,
        };
        Ok(Some(SavedSummary {
            products: number.unwrap_or(usize::MAX),
            content: SavedHashes::of(&start, remaining),
        }))
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
        let packed = tokio::task::spawn_blocking(move || match copy {
            Some(copy) => {
                let content = [*blake3::hash(&bytes).as_bytes(), *copy.as_bytes()].concat();
                stored::pack_with_note(&content, &bytes, lasts)
            }
            None => stored::pack(&bytes, lasts),
        });
        let Ok(Ok(packed)) = packed.await else { return Err(ShareError::Unexpected) };
        if packed.len() > LARGEST {
            return Err(ShareError::TooLarge(LARGEST));
        }
        let (server, time) = (&self.inner.server, stored::milliseconds(lasts).max(1).to_string());
        let (state, key, number) = (self.key("state"), self.key("products"), products.to_string());
        // The number is written first: if writing the catalogue then fails, a number that is too large only delays the
        // next save.
        let commands: [&[&[u8]]; 2] = [
            &[b"SET", &key, number.as_bytes(), b"PX", time.as_bytes()],
            &[b"SET", &state, &packed, b"PX", time.as_bytes()],
        ];
        for reply in server.exchange(&commands, SHORT, TRANSFER).await? {
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
    /// Reads the note at the start of a saved catalogue. Former versions of this program wrote none.
    fn of(start: &[u8], remaining: i64) -> Option<Self> {
        let note: &[u8; CONTENT] = stored::note(start)?;
        let (text, copy) = note.split_at(OUT_LEN);
        let age = stored::age(start, remaining).ok()?;
        Some(Self { text: Hash::from_slice(text).ok()?, copy: Hash::from_slice(copy).ok()?, age })
    }
}

/// The hash of the saved bytes that a stored confirmation concerns, and the confirmation's age.
fn confirmation(packed: &[u8], remaining: i64) -> Result<(Hash, Duration), StoredError> {
    let age = stored::age(packed, remaining)?;
    let text = stored::unpack(packed, OUT_LEN)?;
    Ok((Hash::from_slice(&text).map_err(|_| StoredError::Foreign)?, age))
}
