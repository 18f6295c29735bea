//! Makes texts for addresses from the names that sources use.

use any_ascii::any_ascii_char;
use twox_hash::XxHash3_128;

/// Length of [`suffix`], in characters.
pub(super) const SUFFIX: usize = 6;
/// Length of [`long_suffix`], in characters.
pub(super) const LONG_SUFFIX: usize = 12;

/// `name` in Latin letters, with `-` in place of every character that is not `allowed`, cut to `limit` characters.
pub(super) fn in_letters(name: &str, limit: usize, allowed: impl Fn(char) -> bool) -> String {
    let letters = name.chars().flat_map(|character| any_ascii_char(character).chars());
    letters.map(|letter| if allowed(letter) { letter } else { '-' }).take(limit).collect()
}

/// 6 of the characters a to z and 2 to 7: 30 bits of a hash of `name`, the same in every version of the program.
pub(super) fn suffix(name: &str) -> String {
    code(name, SUFFIX)
}

/// 12 of these characters: 60 bits of the same hash.
pub(super) fn long_suffix(name: &str) -> String {
    code(name, LONG_SUFFIX)
}

fn code(name: &str, length: usize) -> String {
    const LETTERS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
    let hash = XxHash3_128::oneshot(name.as_bytes());
    (0..length).map(|place| char::from(LETTERS[(hash >> (5 * place)) as usize % LETTERS.len()])).collect()
}
