//! Leaves out the pictures that were pasted into a text: addresses that begin with `data:` and have a whole file in them.

use std::io::{self, Read};

use memchr::memmem;

/// What stands before the content of a pasted file.
pub(super) const MARK: &[u8] = b";base64,";
const CHUNK: usize = 64 << 10;

/// A reader that leaves out the content of pasted files. What remains of an address is `data:image/png`.
pub(super) struct WithoutPasted<R> {
    inner: R,
    /// Bytes that were read; those before `taken` have been handed out.
    buffer: Vec<u8>,
    taken: usize,
    /// Whether the next bytes belong to a pasted file.
    is_inside: bool,
    is_at_end: bool,
}

/// Whether a chunk of a text has a pasted file, or may have the beginning of one at its end.
pub(super) fn has_pasted(chunk: &[u8]) -> bool {
    memmem::find(chunk, MARK).is_some() || (1..MARK.len()).any(|length| chunk.ends_with(&MARK[..length]))
}

impl<R: Read> WithoutPasted<R> {
    pub(super) fn new(inner: R) -> Self {
        Self { inner, buffer: Vec::new(), taken: 0, is_inside: false, is_at_end: false }
    }

    /// Skips what belongs to a pasted file. Returns whether its end was found.
    fn skip(&mut self) -> bool {
        loop {
            match &self.buffer[self.taken..] {
                // JSON may have a backslash before a slash.
                [b'\\', b'/', ..] => self.taken += 2,
                [b'\\'] if !self.is_at_end => return false,
                [byte, ..] if byte.is_ascii_alphanumeric() || b"+/=_-%".contains(byte) => self.taken += 1,
                rest => return !rest.is_empty() || self.is_at_end,
            }
        }
    }

    fn fill(&mut self) -> io::Result<()> {
        self.buffer.drain(..self.taken);
        self.taken = 0;
        let known = self.buffer.len();
        self.buffer.resize(known + CHUNK, 0);
        let read = self.inner.read(&mut self.buffer[known..]);
        self.buffer.truncate(known + *read.as_ref().unwrap_or(&0));
        self.is_at_end = read? == 0;
        Ok(())
    }
}

impl<R: Read> Read for WithoutPasted<R> {
    fn read(&mut self, target: &mut [u8]) -> io::Result<usize> {
        loop {
            if self.is_inside && self.skip() {
                self.is_inside = false;
            }
            let ready = &self.buffer[self.taken..];
            if !self.is_inside {
                let mark = memmem::find(ready, MARK);
                // The last bytes may begin a mark, and wait for the bytes that follow.
                let waiting = if self.is_at_end { 0 } else { MARK.len() - 1 };
                let at = mark.unwrap_or(ready.len().saturating_sub(waiting));
                if at > 0 {
                    let count = (&ready[..at]).read(target)?;
                    self.taken += count;
                    return Ok(count);
                }
                if mark.is_some() {
                    self.taken += MARK.len();
                    self.is_inside = true;
                    continue;
                }
            }
            if self.is_at_end {
                return Ok(0);
            }
            self.fill()?;
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

    proptest! {
        #[test]
        fn a_text_without_them_stays(text in "[a-c;,=\n é]{0,80}", pieces in 1_usize..20) {
            prop_assert_eq!(read(&text, pieces), text);
        }
    }
}
