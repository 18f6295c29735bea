//! The format of stored values: a head with the time for which the value was stored, and compressed bytes.
//!
//! The age of a value comes from the server alone: it is the part of this time that has passed. Clocks of
//! different machines are never compared.

use std::io::{self, Read as _};
use std::time::Duration;

/// Length of the head: a name, and the time in milliseconds.
pub(super) const HEAD: usize = 16;
const MAGIC: [u8; 8] = *b"vitrine1";
/// Longest time that a value is stored: a year and a week, the longest that settings allow.
pub(super) const LONGEST: Duration = Duration::from_secs(372 * 86_400);
/// A value whose age is below zero by no more than this was stored a moment ago: the server rounds.
const ROUNDED: i64 = 2;
const LEVEL: i32 = 1;
/// Most memory that unpacking takes beside the value, as a power of two.
const WINDOW: u32 = 24;

/// Why a stored value cannot be used.
#[derive(Debug, thiserror::Error)]
pub(super) enum StoredError {
    #[error("it is no value of this program")]
    Foreign,
    #[error("its age is impossible")]
    Age,
    #[error("it is larger than {0} bytes")]
    TooLarge(usize),
    #[error("it cannot be unpacked")]
    Damaged(#[from] io::Error),
}

/// Packs a value that is stored for this time.
///
/// # Errors
/// When it cannot be compressed.
pub(super) fn pack(value: &[u8], time: Duration) -> io::Result<Vec<u8>> {
    let value = zstd::bulk::compress(value, LEVEL)?;
    Ok([&head(time)[..], &value].concat())
}

/// The head of a value that is stored for this time.
pub(super) fn head(time: Duration) -> [u8; HEAD] {
    let mut head = [0; HEAD];
    let (magic, rest) = head.split_at_mut(MAGIC.len());
    magic.copy_from_slice(&MAGIC);
    rest.copy_from_slice(&milliseconds(time).to_be_bytes());
    head
}

/// The age of a value with this head that is stored for another `remaining` milliseconds.
///
/// # Errors
/// When it is no value of this program, or was stored for less time than remains.
pub(super) fn age(head: &[u8], remaining: i64) -> Result<Duration, StoredError> {
    let time = head.strip_prefix(&MAGIC).and_then(|rest| rest.first_chunk()).ok_or(StoredError::Foreign)?;
    let time = u64::from_be_bytes(*time);
    // The server replies -1 for a value that never expires, and -2 for one that has just expired.
    if remaining < 0 || time > milliseconds(LONGEST) {
        return Err(StoredError::Age);
    }
    let age = i64::try_from(time).map_err(|_| StoredError::Age)? - remaining;
    match age {
        0.. => Ok(Duration::from_millis(age.unsigned_abs())),
        _ if age >= -ROUNDED => Ok(Duration::ZERO),
        _ => Err(StoredError::Age),
    }
}

/// The value in `packed`, of at most `limit` bytes.
///
/// # Errors
/// When it is no value of this program, damaged, or larger.
pub(super) fn unpack(packed: &[u8], limit: usize) -> Result<Vec<u8>, StoredError> {
    let rest = packed.strip_prefix(&MAGIC).and_then(|rest| rest.get(HEAD - MAGIC.len()..));
    let mut decoder = zstd::stream::read::Decoder::new(rest.ok_or(StoredError::Foreign)?)?;
    decoder.window_log_max(WINDOW)?;
    let mut value = Vec::new();
    decoder.take(limit as u64 + 1).read_to_end(&mut value)?;
    if value.len() > limit { Err(StoredError::TooLarge(limit)) } else { Ok(value) }
}

/// A time in whole milliseconds.
pub(super) fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_value_is_read_as_it_was_stored_with_its_age() {
        let packed = pack(b"value", Duration::from_secs(60)).unwrap();
        assert_eq!(unpack(&packed, 5).unwrap(), b"value");
        assert_eq!(age(&packed, 59_000).unwrap(), Duration::from_secs(1));
        assert_eq!(age(&packed, 60_001).unwrap(), Duration::ZERO);
    }

    #[test]
    fn a_value_of_an_impossible_age_is_not_used() {
        let packed = pack(b"", Duration::from_secs(60)).unwrap();
        for remaining in [-1, -2, 60_003, i64::MAX, i64::MIN] {
            assert!(matches!(age(&packed, remaining), Err(StoredError::Age)), "{remaining}");
        }
        let for_ever = pack(b"", Duration::from_secs(86_400 * 400)).unwrap();
        assert!(matches!(age(&for_ever, 1), Err(StoredError::Age)));
        let longest = [&MAGIC[..], &[255; 8]].concat();
        assert!(matches!(age(&longest, 0), Err(StoredError::Age)));
    }

    #[test]
    fn a_value_that_unpacks_to_more_than_its_limit_is_not_used() {
        let bomb = pack(&vec![0; 100 << 20], Duration::from_secs(1)).unwrap();
        assert!(bomb.len() < 20_000, "{}", bomb.len());
        assert!(matches!(unpack(&bomb, 16 << 20), Err(StoredError::TooLarge(_))));
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes: Vec<u8>, remaining: i64) {
            let _ = age(&bytes, remaining);
            prop_assert!(unpack(&bytes, 100).is_err(), "not ours");
            let ours = [&MAGIC[..], &bytes].concat();
            let _ = age(&ours, remaining);
            prop_assert!(unpack(&ours, 100).map_or(true, |value| value.len() <= 100));
        }
    }
}
