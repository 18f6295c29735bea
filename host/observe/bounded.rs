//! Limits the length of what is logged.

use std::fmt::{self, Write as _};

/// Longest text in a field of a log line, in bytes.
pub(crate) const LONGEST_FIELD: usize = 200;

/// Displays the first [`LONGEST_FIELD`] bytes of a text, and an ellipsis if there is more. Requests and the
/// catalogue determine such texts. Control characters become spaces, because a line end would begin
/// another log line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounded<T>(pub(crate) T);

impl<T: fmt::Display> fmt::Display for Bounded<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut start = Start { writer: formatter, room: LONGEST_FIELD, is_cut: false };
        let written = write!(start, "{}", self.0);
        // Once the text is cut, the error only ended its formatting.
        if start.is_cut { formatter.write_char('…') } else { written }
    }
}

/// Passes on the start of what is written to it, and refuses the rest.
struct Start<'a, W> {
    writer: &'a mut W,
    /// Bytes that still fit.
    room: usize,
    is_cut: bool,
}

impl<W: fmt::Write> fmt::Write for Start<'_, W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for character in text.chars() {
            let character = if character.is_control() { ' ' } else { character };
            let Some(room) = self.room.checked_sub(character.len_utf8()) else {
                self.is_cut = true;
                return Err(fmt::Error);
            };
            self.room = room;
            self.writer.write_char(character)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_between_characters() {
        assert_eq!(Bounded("short").to_string(), "short");
        let fits = "a".repeat(LONGEST_FIELD);
        assert_eq!(Bounded(&fits).to_string(), fits);
        assert_eq!(Bounded(format!("{fits}b")).to_string(), format!("{fits}…"));
        let cut = Bounded("\u{1f6d2}x".repeat(1_000)).to_string();
        assert!((LONGEST_FIELD - 4..=LONGEST_FIELD).contains(&cut.trim_end_matches('…').len()), "{cut}");
    }

    #[test]
    fn no_text_begins_another_line() {
        assert_eq!(Bounded("a\nERROR b\r\u{1b}[31m\u{85}c").to_string(), "a ERROR b  [31m c");
    }
}
