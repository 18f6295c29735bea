//! Leaves out the pictures that were pasted into a text: addresses that begin with `data:` and have a whole file in them.

use std::io::{self, Read};

use memchr::memmem;

use super::chunks::Chunks;

/// What stands before the content of a pasted file.
pub(super) const MARK: &[u8] = b";base64,";

/// A reader that leaves out the content of pasted files. What remains of an address is `data:image/png`.
pub(super) struct WithoutPasted<R> {
    bytes: Chunks<R>,
    /// Whether the next bytes belong to a pasted file.
    is_inside: bool,
}

/// Looks for pasted files in the chunks of a text.
#[derive(Default)]
pub(super) struct Search {
    /// The last bytes of the chunks so far, which may begin a mark.
    last: Vec<u8>,
}

impl Search {
    /// Whether a pasted file begins in the next chunk, or just before it.
    pub(super) fn finds(&mut self, chunk: &[u8]) -> bool {
        let longest = MARK.len() - 1;
        self.last.extend_from_slice(&chunk[..chunk.len().min(longest)]);
        let found = [&self.last, chunk].iter().any(|bytes| memmem::find(bytes, MARK).is_some());
        let last = if chunk.len() < longest { &self.last } else { chunk };
        self.last = last[last.len().saturating_sub(longest)..].to_vec();
        found
    }
}

impl<R: Read> WithoutPasted<R> {
    pub(super) fn new(inner: R) -> Self {
        Self { bytes: Chunks::new(inner), is_inside: false }
    }

    /// Skips what belongs to a pasted file. Returns whether its end was found.
    fn skip(&mut self) -> bool {
        loop {
            match self.bytes.ready() {
                // JSON may have a backslash before a slash.
                [b'\\', b'/', ..] => self.bytes.take(2),
                [b'\\'] if !self.bytes.is_at_end() => return false,
                [byte, ..] if byte.is_ascii_alphanumeric() || b"+/=_-%".contains(byte) => self.bytes.take(1),
                rest => return !rest.is_empty() || self.bytes.is_at_end(),
            }
        }
    }
}

impl<R: Read> Read for WithoutPasted<R> {
    fn read(&mut self, target: &mut [u8]) -> io::Result<usize> {
        loop {
            if self.is_inside && self.skip() {
                self.is_inside = false;
            }
            let ready = self.bytes.ready();
            if !self.is_inside {
                let mark = memmem::find(ready, MARK);
                // The last bytes may begin a mark, and wait for the bytes that follow.
                let waiting = if self.bytes.is_at_end() { 0 } else { MARK.len() - 1 };
                let at = mark.unwrap_or(ready.len().saturating_sub(waiting));
                if at > 0 {
                    return self.bytes.copy(at, target);
                }
                if mark.is_some() {
                    self.bytes.take(MARK.len());
                    self.is_inside = true;
                    continue;
                }
            }
            if self.bytes.is_at_end() {
                return Ok(0);
            }
            self.bytes.fill()?;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::tests::Slowly;
    use super::*;

    fn read(text: &str, pieces: usize) -> String {
        let mut left = String::new();
        WithoutPasted::new(Slowly(text.as_bytes(), pieces)).read_to_string(&mut left).unwrap();
        left
    }

    #[test]
    fn pasted_files_are_left_out_and_nothing_else() {
        for (text, left) in [
            (
                "1,<img src='data:image/png;base64,iVBOR/w0K+g=='> Cup,5\n",
                "1,<img src='data:image/png'> Cup,5\n",
            ),
            (r#"{"a":"data:image/gif;base64,R0l\/GOD\/","b":"c"}"#, r#"{"a":"data:image/gif","b":"c"}"#),
            (
                r#"{"a":"<img src=\"data:x;base64,AA\" alt=\"b\">"}"#,
                r#"{"a":"<img src=\"data:x\" alt=\"b\">"}"#,
            ),
            ("a;base64,b;base64,c", "a"),
            ("data:image/png;base64 , base64", "data:image/png;base64 , base64"),
        ] {
            for pieces in [1, 3, 7, 1_000] {
                assert_eq!(read(text, pieces), left, "{pieces}");
            }
        }
        let large = format!("a;base64,{}>b", "A".repeat(5 << 20));
        assert_eq!(read(&large, 1 << 20), "a>b");
    }

    #[test]
    fn a_pasted_file_is_found_wherever_chunks_end() {
        for (text, expected) in
            [("a;base64,A", true), ("a;base6;base64,", true), ("a;;base64;b", false), ("", false)]
        {
            for length in 1..=text.len().max(1) {
                let mut search = Search::default();
                let found = text.as_bytes().chunks(length).filter(|chunk| search.finds(chunk)).count() > 0;
                assert_eq!(found, expected, "{text} in chunks of {length}");
            }
        }
    }

    proptest! {
        #[test]
        fn a_text_without_them_stays(text in "[a-c;,=\n é]{0,80}", pieces in 1_usize..20) {
            prop_assert_eq!(read(&text, pieces), text);
        }
    }
}
