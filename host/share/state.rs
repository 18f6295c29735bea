//! The last good catalogue, from which a new replica starts while the catalogue does not answer.

use std::time::Duration;

use tokio::time::timeout;

use super::Share;
use super::resp::Reply;
use super::server::ShareError;
use super::stored::{self, HEAD};

/// Time for a connection, and for reading or writing the catalogue. Nobody waits for it but the start.
const TRANSFER: Duration = Duration::from_secs(2);
/// Most bytes of a saved catalogue, compressed and unpacked.
const LARGEST: usize = 32 << 20;
const LARGEST_UNPACKED: usize = 128 << 20;
/// How long no other replica saves.
const SAVER: Duration = Duration::from_secs(20);
/// Limit of replies that are short.
const SHORT: usize = 64;

/// The catalogue that a replica has saved.
#[derive(Debug)]
pub(crate) struct SavedState {
    pub(crate) text: Vec<u8>,
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
        let key = self.key("state");
        let commands: [&[&[u8]]; 2] = [&[b"PTTL", &key], &[b"GET", &key]];
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
        let unpacked = tokio::task::spawn_blocking(move || stored::unpack(&packed, LARGEST_UNPACKED)).await;
        let text = unpacked.map_err(|_| ShareError::Unexpected)?;
        let text = text.map_err(|error| self.unusable(Some(&error)))?;
        Ok(Some(SavedState { text, age }))
    }

    /// Whether it is this replica's turn to save the catalogue, and how many products the saved one has. For
    /// an unknown number it is the greatest.
    ///
    /// # Errors
    /// When the server does not answer or refuses.
    pub(crate) async fn turn_to_save(&self) -> Result<Option<usize>, ShareError> {
        let (server, time) = (&self.inner.server, stored::milliseconds(SAVER).to_string());
        let (saver, state, products) = (self.key("saver"), self.key("state"), self.key("products"));
        let taken = server.command(&[b"SET", &saver, b"1", b"NX", b"PX", time.as_bytes()]).await?;
        if taken == Reply::Bytes(None) {
            return Ok(None);
        }
        if server.command(&[b"EXISTS", &state]).await? == Reply::Number(0) {
            return Ok(Some(0));
        }
        let number = match server.command(&[b"GET", &products]).await? {
            Reply::Bytes(Some(text)) => String::from_utf8(text).ok().and_then(|text| text.parse().ok()),
            _ => None,
        };
        Ok(Some(number.unwrap_or(usize::MAX)))
    }

    /// Saves a catalogue with this many products for the time that it may be served.
    ///
    /// # Errors
    /// When the server does not answer or refuses, and when it is too large.
    pub(crate) async fn save_state(
        &self,
        text: String,
        products: usize,
        lasts: Duration,
    ) -> Result<(), ShareError> {
        let packed = tokio::task::spawn_blocking(move || stored::pack(text.as_bytes(), lasts)).await;
        let Ok(Ok(packed)) = packed else { return Err(ShareError::Unexpected) };
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
}
