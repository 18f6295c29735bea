//! The format of a state file: a line with the version and a checksum, and a line of JSON below it. A damaged file
//! is detected, and so is one of another version.
//!
//! A third line may follow, with the ages of what was received again unchanged: its checksum, that of the JSON to which
//! it belongs, and JSON. It is written in place. If that breaks off, its checksum does not match, and the ages of the
//! second line count, which are greater.

use sha2::{Digest as _, Sha256};

use super::error::StateError;

/// Start of every state file; its version follows.
const MAGIC: &str = "vitrine-catalogue-";
/// The version that is written and read. Fields may be added without a new one.
const VERSION: &str = "1";
/// Largest number of bytes in which a file's first line ends.
pub(super) const HEAD: u64 = 128;

/// The file's text.
pub(super) fn encode(json: &str) -> String {
    format!("{MAGIC}{VERSION} {}\n{json}", checksum(json))
}

/// Checks the first [`HEAD`] bytes of a file, so that the rest of something else need not be read.
///
/// # Errors
/// [`StateError::OtherVersion`] or [`StateError::Damaged`].
pub(super) fn check_start(bytes: &[u8]) -> Result<(), StateError> {
    let rest = bytes.strip_prefix(MAGIC.as_bytes()).ok_or(StateError::Damaged)?;
    let length = rest.iter().position(|byte| *byte == b' ').ok_or(StateError::Damaged)?;
    let version = rest.get(..length).unwrap_or_default();
    let is_number = !version.is_empty() && version.iter().all(u8::is_ascii_digit);
    match version {
        version if version == VERSION.as_bytes() => Ok(()),
        _ if is_number => Err(StateError::OtherVersion),
        _ => Err(StateError::Damaged),
    }
}

/// What follows a file's text with this first line when everything in it is confirmed.
pub(super) fn encode_ages(head: &str, ages: &str) -> String {
    let sum = head.trim_end().split_once(' ').map_or("", |(_, sum)| sum);
    let line = format!("{sum} {ages}");
    format!("\n{} {line}", checksum(&line))
}

/// The JSON in a file's text, and that of the ages if they were confirmed.
///
/// # Errors
/// Like [`check_start`], and when the checksum does not match.
pub(super) fn decode(text: &str) -> Result<(&str, Option<&str>), StateError> {
    check_start(text.as_bytes())?;
    let (head, rest) = text.split_once('\n').ok_or(StateError::Damaged)?;
    let (_, sum) = head.split_once(' ').ok_or(StateError::Damaged)?;
    let (json, line) = rest.split_once('\n').map_or((rest, None), |(json, line)| (json, Some(line)));
    if sum != checksum(json) {
        return Err(StateError::Damaged);
    }
    Ok((json, line.and_then(|line| decode_ages(line, sum))))
}

fn decode_ages<'a>(line: &'a str, of: &str) -> Option<&'a str> {
    let (sum, rest) = line.split_once(' ')?;
    let (json_sum, ages) = rest.split_once(' ')?;
    (json_sum == of && sum == checksum(rest)).then_some(ages)
}

fn checksum(text: &str) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_files_of_this_version_are_decoded() {
        let text = encode("{}");
        assert_eq!(decode(&text).ok(), Some(("{}", None)));
        assert!(text.find('\n').is_some_and(|end| (end as u64) < HEAD));
        for newer in [text.replacen("-1 ", "-2 ", 1), "vitrine-catalogue-10 anything".into()] {
            assert!(matches!(decode(&newer), Err(StateError::OtherVersion)), "{newer}");
        }
        let head = text.split_inclusive('\n').next().unwrap();
        let confirmed = text.clone() + &encode_ages(head, "[5]");
        assert_eq!(decode(&confirmed).ok(), Some(("{}", Some("[5]"))));
        let ages_of_another = text.clone() + &encode_ages(&encode("[]"), "[5]");
        for broken in [&confirmed[..confirmed.len() - 1], &confirmed.replace("[5]", "[6]"), &ages_of_another]
        {
            assert_eq!(decode(broken).ok(), Some(("{}", None)), "{broken}");
        }
        let damaged = [
            "",
            "vitrine-catalogue-",
            "vitrine-catalogue-1",
            "vitrine-catalogue- x",
            "vitrine-catalogue-1 \n",
            "{}",
        ];
        for damaged in damaged.map(str::to_owned).into_iter().chain([text.clone() + " ", text[..86].into()]) {
            assert!(matches!(decode(&damaged), Err(StateError::Damaged)), "{damaged}");
        }
    }
}
