//! Texts in two encodings: most of it is UTF-8, and every sequence that is not is Windows-1252.

use std::io::{self, Read};

use encoding_rs::WINDOWS_1252;

use super::chunks::Chunks;
use super::survey::may_continue;

/// A reader of such a text, in UTF-8.
pub(super) struct Mixed<R> {
    /// Bytes that were read and not decoded: the beginning of a character.
    bytes: Chunks<R>,
    /// Text that was decoded; the bytes before `taken` have been handed out.
    text: String,
    taken: usize,
}

impl<R: Read> Mixed<R> {
    pub(super) fn new(inner: R) -> Self {
        Self { bytes: Chunks::new(inner), text: String::new(), taken: 0 }
    }

    /// Decodes the next bytes. Returns whether there were any.
    fn fill(&mut self) -> io::Result<bool> {
        (self.text, self.taken) = (String::new(), 0);
        self.bytes.fill()?;
        let (bytes, is_last) = (self.bytes.ready(), self.bytes.is_at_end());
        let mut done = bytes.len();
        let mut parts = bytes.utf8_chunks().peekable();
        while let Some(part) = parts.next() {
            self.text += part.valid();
            let invalid = part.invalid();
            if parts.peek().is_none() && !is_last && may_continue(invalid) {
                done -= invalid.len();
            } else {
                self.text += &WINDOWS_1252.decode_without_bom_handling(invalid).0;
            }
        }
        self.bytes.take(done);
        Ok(!is_last || !self.text.is_empty())
    }
}

impl<R: Read> Read for Mixed<R> {
    fn read(&mut self, target: &mut [u8]) -> io::Result<usize> {
        while self.taken == self.text.len() {
            if !self.fill()? {
                return Ok(0);
            }
        }
        let count = (&self.text.as_bytes()[self.taken..]).read(target)?;
        self.taken += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::super::chunks::CHUNK;
    use super::*;

    #[test]
    fn a_sequence_that_is_not_utf_8_is_decoded_by_itself() {
        for (bytes, text) in [
            (b"K\xc3\xa4se K\xe4se \xe2\x82\xac \x80".to_vec(), "Käse Käse € €"),
            // Two bytes of a character of three, in the middle and at the end.
            (b"\xe4\xb6x".to_vec(), "ä¶x"),
            (b"\xc3\xa4 \xe4\xb6".to_vec(), "ä ä¶"),
            (b"gr\xfc\xdfe \xf0\x9f\x98\x80".to_vec(), "grüße 😀"),
            (b"".to_vec(), ""),
        ] {
            for before in [0, CHUNK - 5, CHUNK - 2, CHUNK - 1] {
                let whole = ["x".repeat(before).into_bytes(), bytes.clone()].concat();
                let mut read = String::new();
                Mixed::new(&*whole).read_to_string(&mut read).unwrap();
                assert_eq!(read.strip_prefix(&*"x".repeat(before)), Some(text), "{before}");
            }
        }
    }
}
