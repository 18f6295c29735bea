//! The version of the catalogue that one replica has read, for all of them: a small head, and the version's bytes in parts
//! that are named by its digest.

use std::io;
use std::time::Duration;

use blake3::{Hash, OUT_LEN};

use super::Share;
use super::resp::Reply;
use super::server::{BUDGET, SHORT, ShareError};
use super::stored::{self, HEAD, StoredError, milliseconds};

/// Bytes of a part before it is packed; the last one may be shorter.
pub(crate) const PART: usize = 8 << 20;
/// Most parts of a version.
pub(crate) const MOST_PARTS: u32 = 32;
/// The largest packed part: what cannot be compressed takes a little more than its own length.
const LARGEST: usize = PART + PART / 64;
/// Time to carry a part.
const TRANSFER: Duration = Duration::from_secs(2);
/// How long parts are stored before a head names them: longer than it takes to carry all of them.
const UNNAMED: Duration = Duration::from_secs(120);
/// How long parts are stored after another version has replaced theirs, for replicas that are reading them.
const REPLACED: Duration = Duration::from_secs(10);
/// Longest time that a reading takes: its attempts have an hour each.
const LONGEST_READING: Duration = Duration::from_secs(3 * 3_600);
/// Length of a stored head: the head of every value, the digest, the number of parts, and two times in milliseconds.
const LENGTH: usize = HEAD + OUT_LEN + 4 + 8 + 8;
const NAME: &str = "version";

/// A version that a replica has read for the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SharedVersion {
    pub(crate) digest: Hash,
    /// The number of its parts; 0 if it is too large to be shared, so that each replica reads for itself.
    pub(crate) parts: u32,
    /// Time since it was asked for, or confirmed.
    pub(crate) asked: Duration,
    /// Time since it was asked for when it was last received as a whole.
    pub(crate) whole: Duration,
    /// How long reading it takes, if that takes several calls.
    pub(crate) reading_time: Duration,
}

impl Share {
    /// The version that was shared last, if there is one.
    ///
    /// # Errors
    /// When the server does not answer, or what it has cannot be used.
    pub(crate) async fn version(&self) -> Result<Option<SharedVersion>, ShareError> {
        let (server, key) = (&self.inner.server, self.key(NAME));
        let end = (LENGTH - 1).to_string();
        let look: [&[&[u8]]; 2] = [&[b"GETRANGE", &key, b"0", end.as_bytes()], &[b"PTTL", &key]];
        let replies = server.exchange(&look, SHORT, BUDGET).await?;
        let mut replies = replies.into_iter().map(|reply| server.accepted(reply));
        match (replies.next().transpose()?, replies.next().transpose()?) {
            (Some(Reply::Bytes(Some(head))), Some(Reply::Number(_))) if head.is_empty() => Ok(None),
            // It has expired between the two commands.
            (Some(Reply::Bytes(Some(_))), Some(Reply::Number(-2))) => Ok(None),
            (Some(Reply::Bytes(Some(head))), Some(Reply::Number(remaining))) => {
                let version = SharedVersion::of(&head, remaining);
                version.map(Some).map_err(|error| self.unusable(Some(&error)))
            }
            _ => Err(self.unusable(None)),
        }
    }

    /// Shares a version whose parts are stored, for `lasts` from when it was asked for. The parts of the version that it
    /// `replaces` are removed soon.
    ///
    /// # Errors
    /// When the server does not answer or refuses.
    pub(crate) async fn share_version(
        &self,
        version: &SharedVersion,
        replaces: Option<&SharedVersion>,
        lasts: Duration,
    ) -> Result<(), ShareError> {
        let lasts = lasts.min(stored::LONGEST);
        let remaining = milliseconds(lasts.saturating_sub(version.asked)).max(1).to_string();
        let (key, head) = (self.key(NAME), version.head(lasts));
        self.inner.server.command(&[b"SET", &key, &head, b"PX", remaining.as_bytes()]).await?;
        if let Some(replaced) = replaces.filter(|replaced| replaced.digest != version.digest) {
            self.keep_parts(&replaced.digest, replaced.parts, REPLACED).await?;
        }
        Ok(())
    }

    /// A part of the version with this digest; `None` if it is not there.
    ///
    /// # Errors
    /// When the server does not answer, or what it has cannot be used.
    pub(crate) async fn part(&self, digest: &Hash, number: u32) -> Result<Option<Vec<u8>>, ShareError> {
        let (server, key) = (&self.inner.server, self.part_key(digest, number));
        let get: [&[&[u8]]; 1] = [&[b"GET", &key]];
        let reply = server.exchange(&get, LARGEST, TRANSFER).await?.into_iter().next();
        match reply.map(|reply| server.accepted(reply)).transpose()? {
            Some(Reply::Bytes(None)) => Ok(None),
            Some(Reply::Bytes(Some(packed))) => {
                let unpacked = tokio::task::spawn_blocking(move || stored::unpack(&packed, PART));
                let unpacked = unpacked.await.map_err(|_| ShareError::Unexpected)?;
                unpacked.map(Some).map_err(|error| self.unusable(Some(&error)))
            }
            _ => Err(self.unusable(None)),
        }
    }

    /// Stores a part, which [`pack`] has made, for as long as it takes to store the others.
    ///
    /// # Errors
    /// When the server does not answer or refuses.
    pub(crate) async fn store_part(
        &self,
        digest: &Hash,
        number: u32,
        packed: &[u8],
    ) -> Result<(), ShareError> {
        let (server, key) = (&self.inner.server, self.part_key(digest, number));
        let time = milliseconds(UNNAMED).to_string();
        let set: [&[&[u8]]; 1] = [&[b"SET", &key, packed, b"PX", time.as_bytes()]];
        for reply in server.exchange(&set, SHORT, TRANSFER).await? {
            server.accepted(reply)?;
        }
        Ok(())
    }

    /// Has the parts of a version stored for this time from now on. Returns whether all of them are there.
    ///
    /// # Errors
    /// When the server does not answer or refuses.
    pub(crate) async fn keep_parts(
        &self,
        digest: &Hash,
        parts: u32,
        time: Duration,
    ) -> Result<bool, ShareError> {
        let (server, time) = (&self.inner.server, milliseconds(time).max(1).to_string());
        let keys: Vec<_> = (0..parts).map(|number| self.part_key(digest, number)).collect();
        let commands: Vec<[&[u8]; 3]> =
            keys.iter().map(|key| [&b"PEXPIRE"[..], key, time.as_bytes()]).collect();
        let commands: Vec<&[&[u8]]> = commands.iter().map(<[_; 3]>::as_slice).collect();
        let mut are_there = true;
        for reply in server.exchange(&commands, SHORT, BUDGET).await? {
            are_there &= server.accepted(reply)? == Reply::Number(1);
        }
        Ok(are_there)
    }

    fn part_key(&self, digest: &Hash, number: u32) -> Vec<u8> {
        self.key(&format!("part:{}:{number}", digest.to_hex()))
    }
}

/// A part as it is stored.
///
/// # Errors
/// When it cannot be compressed.
pub(crate) fn pack(part: &[u8]) -> io::Result<Vec<u8>> {
    stored::pack(part, UNNAMED)
}

impl SharedVersion {
    /// The head of a version that is stored for `lasts` from when it was asked for.
    fn head(&self, lasts: Duration) -> Vec<u8> {
        let since_whole = milliseconds(self.whole.saturating_sub(self.asked));
        let mut head = stored::head(lasts).to_vec();
        head.extend_from_slice(self.digest.as_bytes());
        head.extend_from_slice(&self.parts.to_be_bytes());
        head.extend_from_slice(&since_whole.to_be_bytes());
        head.extend_from_slice(&milliseconds(self.reading_time).to_be_bytes());
        head
    }

    /// The version with this head, which is stored for another `remaining` milliseconds.
    fn of(head: &[u8], remaining: i64) -> Result<Self, StoredError> {
        let asked = stored::age(head, remaining)?;
        let (digest, rest) = head[HEAD..].split_first_chunk::<OUT_LEN>().ok_or(StoredError::Foreign)?;
        let (parts, rest) = rest.split_first_chunk().ok_or(StoredError::Foreign)?;
        let (since_whole, rest) = rest.split_first_chunk().ok_or(StoredError::Foreign)?;
        let reading_time = rest.first_chunk().ok_or(StoredError::Foreign)?;
        let parts = u32::from_be_bytes(*parts);
        let [since_whole, reading_time] =
            [since_whole, reading_time].map(|time| Duration::from_millis(u64::from_be_bytes(*time)));
        if parts > MOST_PARTS || since_whole > stored::LONGEST || reading_time > LONGEST_READING {
            return Err(StoredError::Foreign);
        }
        let digest = Hash::from_bytes(*digest);
        Ok(Self { digest, parts, asked, whole: asked + since_whole, reading_time })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const LASTS: Duration = Duration::from_secs(60);

    fn version() -> SharedVersion {
        let digest = blake3::hash(b"version");
        let (asked, whole) = (Duration::from_secs(1), Duration::from_secs(5));
        SharedVersion { digest, parts: MOST_PARTS, asked, whole, reading_time: Duration::from_secs(2) }
    }

    #[test]
    fn a_head_is_read_as_it_was_stored_with_the_age_that_the_server_says() {
        let head = version().head(LASTS);
        assert_eq!(head.len(), LENGTH);
        assert_eq!(SharedVersion::of(&head, 59_000).unwrap(), version());
        let later = SharedVersion::of(&head, 58_000).unwrap();
        assert_eq!((later.asked.as_secs(), later.whole.as_secs()), (2, 6));
        assert!(SharedVersion::of(&head[..LENGTH - 1], 59_000).is_err(), "cut short");
        assert!(SharedVersion::of(&head, 60_003).is_err(), "an age that is not possible");
        let many = SharedVersion { parts: MOST_PARTS + 1, ..version() };
        assert!(SharedVersion::of(&many.head(LASTS), 59_000).is_err(), "more than are stored");
        let slow = SharedVersion { reading_time: 2 * LONGEST_READING, ..version() };
        assert!(SharedVersion::of(&slow.head(LASTS), 59_000).is_err(), "no reading takes as long");
    }

    #[test]
    fn a_part_that_cannot_be_compressed_is_read_again() {
        let mut part = vec![0; PART];
        fastrand::Rng::with_seed(1).fill(&mut part);
        let packed = pack(&part).unwrap();
        assert!((PART..=LARGEST).contains(&packed.len()), "{}", packed.len());
        assert!(stored::unpack(&packed, PART).unwrap() == part);
    }

    proptest! {
        #[test]
        fn any_bytes_are_a_head_or_not(bytes: Vec<u8>, remaining: i64) {
            prop_assert!(SharedVersion::of(&bytes, remaining).is_err(), "not ours");
            let ours = [&version().head(LASTS)[..HEAD], &bytes].concat();
            if let Ok(version) = SharedVersion::of(&ours, remaining) {
                prop_assert!(version.parts <= MOST_PARTS && version.asked <= version.whole);
            }
        }
    }
}
