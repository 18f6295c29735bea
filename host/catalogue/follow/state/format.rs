//! The format of a kept copy, in a file and on the server that replicas share. The first line has the version, the
//! checksum of the JSON, and the lengths of the JSON and of the products, in bytes. The JSON follows, and then the
//! bytes of a store ([`Store::write`]) with the products. The JSON has the digest of that
//! store. So damage is detected everywhere, and so is another version.
//!
//! A last line may follow, with the age of a copy that was received again unchanged. It has its own checksum, the
//! checksum of the JSON to which it belongs, and the age as JSON. It is written in place. If writing it breaks off,
//! its checksum does not match, and the age in the JSON above counts, which is greater.

use std::io::Write;

use sha2::{Digest as _, Sha256};

use super::error::StateError;
use crate::catalogue::store::details::FORM;
use crate::catalogue::store::{Bytes, Store};

/// The start of a kept copy; the version follows.
const MAGIC: &str = "vitrine-catalogue-";
/// The first line ends within this many bytes.
const HEAD: u64 = 128;
/// The largest JSON that is read or written, in bytes.
const LARGEST_JSON: u64 = 256 << 20;

/// Saved answers whose JSON has the right checksum.
#[derive(Debug)]
pub(super) struct Saved {
    pub(super) json: String,
    /// The JSON of the last line, which has the ages, if there is a valid one.
    pub(super) ages: Option<String>,
    /// The bytes after the JSON.
    pub(super) products: Bytes,
    /// Where the last line belongs.
    pub(super) written: Written,
}

/// What must be known of a written file to append a last line to it.
#[derive(Debug)]
pub(super) struct Written {
    /// The first line.
    pub(super) head: String,
    /// The length without the last line, in bytes.
    pub(super) length: u64,
}

/// Writes JSON, and after it the products of a copy if there is one.
///
/// # Errors
/// When the JSON is too large, or there are more than `most` bytes, or the bytes cannot be written.
pub(super) fn write(
    json: &str,
    copy: Option<&Store>,
    most: u64,
    to: &mut dyn Write,
) -> Result<Written, StateError> {
    let products = copy.map_or(Ok(0), Store::saved_length)?;
    let head = first_line(json, json.len() as u64, products);
    let length = ((head.len() + json.len()) as u64).saturating_add(products);
    if json.len() as u64 > LARGEST_JSON || length > most {
        return Err(StateError::TooLarge);
    }
    to.write_all(head.as_bytes())?;
    to.write_all(json.as_bytes())?;
    if let Some(copy) = copy {
        copy.write(to)?;
    }
    Ok(Written { length, head })
}

fn first_line(json: &str, length: u64, products: u64) -> String {
    format!("{MAGIC}{FORM} {} {length} {products}\n", checksum(json))
}

/// Reads saved answers. Other bytes are read only at their beginning, and the products are not read.
///
/// # Errors
/// When they cannot be read, are damaged or too large, or were written by another version.
pub(super) fn read(bytes: &Bytes) -> Result<Saved, StateError> {
    let start = bytes.split_at(HEAD.min(bytes.length())).map(|(start, _)| start.to_vec()).transpose()?;
    let start = start.unwrap_or_default();
    check_version(&start)?;
    let end = start.iter().position(|byte| *byte == b'\n').ok_or(StateError::Damaged)?;
    let head = str::from_utf8(&start[..end]).map_err(|_| StateError::Damaged)?;
    let (_, rest) = bytes.split_at(end as u64 + 1).ok_or(StateError::Damaged)?;
    let mut fields = head.split(' ').skip(1);
    let sum = fields.next().ok_or(StateError::Damaged)?;
    let mut length = || fields.next().and_then(|length| length.parse().ok()).ok_or(StateError::Damaged);
    let (json, products) = (length()?, length()?);
    let (json, rest) = rest.split_at(json).ok_or(StateError::Damaged)?;
    let (products, rest) = rest.split_at(products).ok_or(StateError::Damaged)?;
    let written = Written { head: format!("{head}\n"), length: bytes.length() - rest.length() };
    // Another process may be writing this line.
    let line = text(&rest).or_else(|error| match error {
        StateError::Io(_) => Ok(String::new()),
        error => Err(error),
    })?;
    let line = if line.is_empty() { "" } else { line.strip_prefix('\n').ok_or(StateError::Damaged)? };
    let json = text(&json)?;
    if fields.next().is_some() || sum != checksum(&json) {
        return Err(StateError::Damaged);
    }
    let ages = ages(line, sum).map(str::to_owned);
    Ok(Saved { json, ages, products, written })
}

/// The bytes as text.
fn text(bytes: &Bytes) -> Result<String, StateError> {
    if bytes.length() > LARGEST_JSON {
        return Err(StateError::TooLarge);
    }
    String::from_utf8(bytes.to_vec()?).map_err(|_| StateError::Damaged)
}

/// Refuses saved answers with this beginning if they are of another version.
fn check_version(start: &[u8]) -> Result<(), StateError> {
    let rest = start.strip_prefix(MAGIC.as_bytes()).ok_or(StateError::Damaged)?;
    let length = rest.iter().position(|byte| *byte == b' ').ok_or(StateError::Damaged)?;
    match str::from_utf8(&rest[..length]) {
        Ok(FORM) => Ok(()),
        Ok(version) if !version.is_empty() && version.bytes().all(|byte| byte.is_ascii_digit()) => {
            Err(StateError::OtherVersion)
        }
        _ => Err(StateError::Damaged),
    }
}

/// The last line, after the answers above it were confirmed. `head` is the first line.
pub(super) fn encode_ages(head: &str, ages: &str) -> String {
    let sum = head.split_ascii_whitespace().nth(1).unwrap_or_default();
    let line = format!("{sum} {ages}");
    format!("\n{} {line}", checksum(&line))
}

/// The ages' JSON in a last line, if the line is intact and belongs to the JSON with the checksum `of`.
fn ages<'a>(line: &'a str, of: &str) -> Option<&'a str> {
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

    fn written(json: &str) -> (String, Written) {
        let mut bytes = Vec::new();
        let written = write(json, None, u64::MAX, &mut bytes).unwrap();
        assert_eq!(written.length, bytes.len() as u64);
        (String::from_utf8(bytes).unwrap(), written)
    }

    /// The JSON, and the JSON of the ages.
    fn decoded(text: &str) -> Result<(String, Option<String>), StateError> {
        read(&Bytes::in_memory(text.into())).map(|saved| (saved.json, saved.ages))
    }

    #[test]
    fn only_whole_files_of_this_version_are_decoded() {
        let (text, Written { head, .. }) = written("{}");
        assert_eq!(decoded(&text).ok(), Some(("{}".into(), None)));
        let of_version = |number: u32| text.replacen("-6 ", &format!("-{number} "), 1);
        for other in [of_version(5), of_version(7), "vitrine-catalogue-10 anything".into()] {
            assert!(matches!(decoded(&other), Err(StateError::OtherVersion)), "{other}");
        }
        let confirmed = text.clone() + &encode_ages(&head, "[5]");
        assert_eq!(decoded(&confirmed).ok(), Some(("{}".into(), Some("[5]".into()))));
        let ages_of_another = text.clone() + &encode_ages(&written("[]").1.head, "[5]");
        let cut = &confirmed[..confirmed.len() - 1];
        for broken in [cut, &confirmed.replace("[5]", "[6]"), &ages_of_another] {
            assert_eq!(decoded(broken).ok(), Some(("{}".into(), None)), "{broken}");
        }
        for damaged in [
            "",
            "vitrine-catalogue-",
            "vitrine-catalogue-6",
            "vitrine-catalogue- x",
            "vitrine-catalogue-6 \n",
            "{}",
            &(text.clone() + " "),
            &text[..86],
            &text[..text.len() - 1],
            &text.replace(" 0\n", "\n"),
            &text.replace(" 0\n", " 0 0\n"),
            &text.replace(" 0\n", " 1\n"),
            &text.replace(" 2 0\n", " 18446744073709551615 18446744073709551615\n"),
        ] {
            assert!(matches!(decoded(damaged), Err(StateError::Damaged)), "{damaged}");
        }
    }

    #[test]
    fn the_longest_first_line_is_short_enough() {
        assert!(first_line("", u64::MAX, u64::MAX).len() as u64 <= HEAD);
    }
}
