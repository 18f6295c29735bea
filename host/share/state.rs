//! The last good catalogue, from which a new replica starts while the catalogue does not answer.

use std::time::Duration;

use blake3::{Hash, OUT_LEN};
use tokio::time::timeout;

use super::Share;
use super::resp::Reply;
use super::server::{BUDGET, ShareError};
use super::stored::{self, HEAD, StoredError};

/// Time for a connection, and for reading or writing the catalogue. Only the start waits for it.
const TRANSFER: Duration = Duration::from_secs(2);
/// Most bytes of a saved catalogue, compressed and unpacked.
const LARGEST: usize = 32 << 20;
const LARGEST_UNPACKED: usize = 128 << 20;
/// How long no other replica saves.
const SAVER: Duration = Duration::from_secs(20);
/// Limit of replies that are short.
const SHORT: usize = 64;
/// Length of the note in a saved catalogue: the hashes of its text and of its copy of the whole catalogue.
const CONTENT: usize = 2 * OUT_LEN;

/// The catalogue that a replica has saved.
#[derive(Debug)]
pub(crate) struct SavedState {
    pub(crate) bytes: Vec<u8>,
    pub(crate) age: Duration,
    /// Time since its copy of the whole catalogue was asked for, if that was confirmed after it was saved.
    pub(crate) confirmed: Option<Duration>,
}

/// What is known of the saved catalogue before it is replaced.
#[derive(Debug)]
pub(crate) struct Saved {
    /// How many products it has; the greatest number if that is unknown.
    pub(crate) products: usize,
    /// Its content, if it has a copy of the whole catalogue.
    pub(crate) content: Option<Content>,
}

/// The content of a saved catalogue.
#[derive(Debug)]
pub(crate) struct Content {
    /// The hash of its text.
    text: Hash,
    /// The hash of its copy of the whole catalogue.
    pub(crate) copy: Hash,
    /// Time since it was saved.
    pub(crate) age: Duration,
}

impl Share {
    /// The saved catalogue, if there is one. Asks the server whether it is in trouble or not, and does not
    /// end the trouble: answers are not to be trusted before the orders are known.
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
        // It may be about a catalogue that has been replaced since.
        let confirmed = confirmed.filter(|(of, _)| *of == digest).map(|(_, age)| age);
        Ok(Some(SavedState { bytes, age, confirmed }))
    }

    /// What is saved, if it is this replica's turn to save the catalogue.
    ///
    /// # Errors
    /// When the server does not answer or refuses.
    pub(crate) async fn turn_to_save(&self) -> Result<Option<Saved>, ShareError> {
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
            return Ok(Some(Saved { products: 0, content: None }));
        }
        let number = match replies.next().transpose()? {
            Some(Reply::Bytes(Some(text))) => String::from_utf8(text).ok().and_then(|text| text.parse().ok()),
            _ => None,
        };
        Ok(Some(Saved { products: number.unwrap_or(usize::MAX), content: Content::of(&start, remaining) }))
    }

    /// Saves a catalogue with this many products, and with a copy of this hash, for the time that it may be served.
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
        // The number of products first: a larger one than is saved only delays the next save.
        let commands: [&[&[u8]]; 2] = [
            &[b"SET", &key, number.as_bytes(), b"PX", time.as_bytes()],
            &[b"SET", &state, &packed, b"PX", time.as_bytes()],
        ];
        for reply in server.exchange(&commands, SHORT, TRANSFER).await? {
            server.accepted(reply)?;
        }
        Ok(())
    }

    /// Notes that the copy in the saved catalogue is still the same. The copy was asked for `ago` before now.
    ///
    /// # Errors
    /// When the server does not answer or refuses.
    pub(crate) async fn confirm_state(
        &self,
        saved: &Content,
        ago: Duration,
        lasts: Duration,
    ) -> Result<(), ShareError> {
        let remaining = stored::milliseconds(lasts.saturating_sub(ago)).max(1).to_string();
        let packed = stored::pack(saved.text.as_bytes(), lasts).map_err(|_| ShareError::Unexpected)?;
        let key = self.key("confirmed");
        self.inner.server.command(&[b"SET", &key, &packed, b"PX", remaining.as_bytes()]).await.map(drop)
    }
}

impl Content {
    /// What the start of a saved catalogue says. Former versions of this program say nothing.
    fn of(start: &[u8], remaining: i64) -> Option<Self> {
        let note: &[u8; CONTENT] = stored::note(start)?;
        let (text, copy) = note.split_at(OUT_LEN);
        let age = stored::age(start, remaining).ok()?;
        Some(Self { text: Hash::from_slice(text).ok()?, copy: Hash::from_slice(copy).ok()?, age })
    }
}

/// The hash of the text that a stored confirmation is about, and the confirmation's age.
fn confirmation(packed: &[u8], remaining: i64) -> Result<(Hash, Duration), StoredError> {
    let age = stored::age(packed, remaining)?;
    let text = stored::unpack(packed, OUT_LEN)?;
    Ok((Hash::from_slice(&text).map_err(|_| StoredError::Foreign)?, age))
}
