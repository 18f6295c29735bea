//! Prepares a table for the reader of rows, on the way of its bytes. It finds quotes that are left open, of which that reader
//! says nothing; cuts rows that are too long; and writes the quotes of two other ways of writing tables as that reader expects:
//!
//! - PHP puts a backslash before some quotes in a quoted cell (`"a \"good\" cup"`) instead of a second quote.
//! - Programs that put tabs between cells often quote no cell at all, so that `"Best" cup` is only text.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, Read};

use super::budget::MOST;
use super::chunks::Chunks;
use super::error::FileError;

/// Within how many bytes a quoted cell has to end where this decides what a quote is.
const LONGEST_QUOTED: usize = 1 << 20;

/// What is known of the rows so far.
pub(super) struct RowStarts {
    state: RefCell<State>,
}

/// Where a row begins.
#[derive(Clone, Copy)]
pub(super) struct Start {
    /// The line, from 1.
    pub(super) line: u64,
    /// Whether the row has more than [`MOST`] bytes. Its rest is left out.
    pub(super) is_too_long: bool,
}

struct State {
    delimiter: u8,
    /// The line that is being read, from 1.
    line: u64,
    last: u8,
    /// The beginnings of the rows that have not been asked for.
    starts: VecDeque<Start>,
    /// Bytes of the row that is being read.
    length: u64,
    at: At,
    /// After the row was cut: whether that was within quotes.
    cut: Option<bool>,
    /// Whether a backslash before a quote was found that can only be PHP's.
    is_php: bool,
    /// Whether such quotes have opened a word in the cell, and not closed it.
    in_word: bool,
    /// How many bytes of a cell that begins with a quote, in a table with tabs, were searched for its end.
    searched: usize,
    failure: Option<FileError>,
}

/// Where in a row the next byte is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    /// Before a row. Blank lines are no rows.
    Start,
    Cell,
    /// In a cell without quotes, or after the last quote of a cell.
    InCell,
    /// In quotes that were opened on this line.
    Quoted(u64),
}

/// What a quote in a quoted cell is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quote {
    /// The first of two, which stand for one in the text.
    Double,
    /// A quote in the text, with a backslash before it.
    Escaped,
    /// The end of the cell.
    Closing,
    /// Neither: the cell goes on after it.
    Stray,
}

impl RowStarts {
    pub(super) fn new(delimiter: u8) -> Self {
        let state = State {
            delimiter,
            line: 1,
            last: 0,
            starts: VecDeque::new(),
            length: 0,
            at: At::Start,
            cut: None,
            is_php: false,
            in_word: false,
            searched: 0,
            failure: None,
        };
        Self { state: RefCell::new(state) }
    }

    /// Where the next row begins.
    pub(super) fn next_start(&self) -> Start {
        let mut state = self.state.borrow_mut();
        let line = state.line;
        state.starts.pop_front().unwrap_or(Start { line, is_too_long: false })
    }

    /// Why no more was read.
    pub(super) fn failure(&self) -> Option<FileError> {
        self.state.borrow_mut().failure.take()
    }

    /// Whether the last line has an end.
    pub(super) fn is_complete(&self) -> bool {
        self.state.borrow().at == At::Start
    }
}

/// Hands the bytes of a table on, unless a quote is not closed where its cell ends.
pub(super) struct Quotes<'a, R> {
    /// Bytes that were read and not understood yet.
    input: Chunks<R>,
    rows: &'a RowStarts,
    /// Bytes for the reader of rows; those before `taken` have been handed out.
    output: Vec<u8>,
    taken: usize,
}

impl<'a, R: Read> Quotes<'a, R> {
    pub(super) fn new(inner: R, rows: &'a RowStarts) -> Self {
        Self { input: Chunks::new(inner), rows, output: Vec::new(), taken: 0 }
    }

    fn fill(&mut self) -> Result<(), FileError> {
        self.output.clear();
        self.taken = 0;
        self.input.fill()?;
        let mut state = self.rows.state.borrow_mut();
        let done = state.take(self.input.ready(), self.input.is_at_end(), &mut self.output)?;
        self.input.take(done);
        Ok(())
    }
}

impl<R: Read> Read for Quotes<'_, R> {
    fn read(&mut self, target: &mut [u8]) -> io::Result<usize> {
        while self.taken == self.output.len() && !self.input.is_at_end() {
            if let Err(failure) = self.fill() {
                self.rows.state.borrow_mut().failure = Some(failure);
                return Err(io::Error::other("the table is broken"));
            }
        }
        let count = (&self.output[self.taken..]).read(target)?;
        self.taken += count;
        Ok(count)
    }
}

/// What is done with the next bytes.
struct Step {
    /// How many bytes these are.
    length: usize,
    /// What the reader of rows gets instead of them.
    instead: Option<&'static [u8]>,
}

impl State {
    /// Writes what the reader of rows gets of these bytes to `output`. Returns how many are done; what the others are, the
    /// bytes after them show.
    fn take(&mut self, bytes: &[u8], is_last: bool, output: &mut Vec<u8>) -> Result<usize, FileError> {
        // `done` bytes are understood, of which `written` are in the output.
        let (mut done, mut written) = (0, 0);
        while done < bytes.len() {
            let rest = &bytes[done..];
            let same = self.same(rest, is_last);
            if let Some(more) = self.cut_after(&rest[..same]) {
                output.extend_from_slice(&bytes[written..done + more]);
            }
            self.pass(&rest[..same]);
            done += same;
            let Some(Step { length, instead }) = self.step(&bytes[done..], is_last)? else { break };
            if self.at == At::Start
                && let Some(is_in_quotes) = self.cut.take()
            {
                output.extend_from_slice(if is_in_quotes { b"\"" } else { b"" });
                written = done;
            }
            if let Some(instead) = instead.filter(|_| self.cut.is_none()) {
                output.extend_from_slice(&bytes[written..done]);
                output.extend_from_slice(instead);
                written = done + length;
            }
            self.pass(&bytes[done..done + length]);
            done += length;
        }
        if self.cut.is_none() {
            output.extend_from_slice(&bytes[written..done]);
        }
        match self.at {
            At::Quoted(line) if is_last => Err(FileError::OpenQuote { line }),
            _ if is_last && self.cut == Some(true) => {
                output.push(b'"');
                Ok(done)
            }
            _ => Ok(done),
        }
    }

    /// How many of the next bytes cannot change the state. The last one may be a backslash that belongs to a quote.
    fn same(&self, rest: &[u8], is_last: bool) -> usize {
        match self.at {
            At::Quoted(_) => match memchr::memchr(b'"', rest) {
                Some(at) => at - usize::from(rest[..at].ends_with(b"\\")),
                None => rest.len() - usize::from(!is_last && rest.ends_with(b"\\")),
            },
            At::InCell => memchr::memchr3(self.delimiter, b'\r', b'\n', rest).unwrap_or(rest.len()),
            At::Start | At::Cell => 0,
        }
    }

    /// Begins to leave out the rest of the row, if it is too long with these bytes. Returns how many of them end a character
    /// and are still written.
    fn cut_after(&mut self, bytes: &[u8]) -> Option<usize> {
        if self.at == At::Start || self.cut.is_some() || self.length + bytes.len() as u64 <= MOST {
            return None;
        }
        let more = bytes.iter().take(3).take_while(|byte| **byte & 0xc0 == 0x80).count();
        // The character may go on in the next bytes.
        if more > 0 && more == bytes.len() {
            return None;
        }
        self.cut = Some(matches!(self.at, At::Quoted(_)));
        self.starts.back_mut()?.is_too_long = true;
        Some(more)
    }

    /// Takes the next byte, or a quote with what belongs to it. `None` if more bytes have to show what it is.
    ///
    /// # Errors
    /// When a quote is not closed where its cell ends.
    fn step(&mut self, rest: &[u8], is_last: bool) -> Result<Option<Step>, FileError> {
        let Some(&byte) = rest.first() else { return Ok(None) };
        let is_end = matches!(byte, b'\r' | b'\n');
        if self.at == At::Start && !is_end {
            self.starts.push_back(Start { line: self.line, is_too_long: false });
            self.length = 0;
            self.at = At::Cell;
        }
        let (at, length, instead): (_, _, Option<&[u8]>) = match self.at {
            At::Quoted(opened) => {
                let escape = usize::from(byte == b'\\');
                match self.quote(&rest[escape..], escape > 0, is_last) {
                    None => return Ok(None),
                    Some(Quote::Double) => (self.at, escape + 2, None),
                    Some(Quote::Escaped) => (self.at, escape + 1, Some(b"\"\"")),
                    Some(Quote::Closing) => (At::InCell, escape + 1, None),
                    Some(Quote::Stray) => return Err(FileError::OpenQuote { line: opened }),
                }
            }
            At::Cell if byte == b'"' => match self.is_quoted(rest, is_last) {
                None => return Ok(None),
                Some(true) => (At::Quoted(self.line), 1, None),
                // After a space, which no cell keeps, a quote is text.
                Some(false) => (At::InCell, 1, Some(b" \"")),
            },
            _ if is_end => (At::Start, 1, None),
            _ if byte == self.delimiter => (At::Cell, 1, None),
            _ => (At::InCell, 1, None),
        };
        self.at = at;
        Ok(Some(Step { length, instead }))
    }

    /// What the quote is with which `rest` begins, in a quoted cell. `None` if more bytes have to show it.
    ///
    /// A quote is what the standard (RFC 4180) says if that makes sense. After a backslash it is text if it can be nothing else,
    /// if it ends a word that such a quote has begun, or if PHP wrote the file and the cell ends after a second quote. That PHP
    /// wrote it, the next quote may show.
    fn quote(&mut self, rest: &[u8], is_escaped: bool, is_last: bool) -> Option<Quote> {
        let delimiter = self.delimiter;
        let is_end = |at: usize| match rest.get(at) {
            Some(byte) => Some(*byte == delimiter || matches!(byte, b'\r' | b'\n')),
            None => is_last.then_some(true),
        };
        let quote = match rest.get(1) {
            None if is_last => Quote::Closing,
            None => return None,
            Some(b'"')
                if is_escaped
                    && is_end(2)?
                    && (self.in_word || self.is_php || self.is_open_after(&rest[2..], is_last)?) =>
            {
                self.is_php = true;
                Quote::Escaped
            }
            Some(b'"') => Quote::Double,
            Some(_) if is_end(1)? => {
                if is_escaped && self.in_word {
                    Quote::Escaped
                } else {
                    Quote::Closing
                }
            }
            Some(_) if is_escaped => {
                self.is_php = true;
                Quote::Escaped
            }
            Some(_) => Quote::Stray,
        };
        self.in_word ^= quote == Quote::Escaped;
        Some(quote)
    }

    /// Whether a quoted cell that goes on with `rest` would have a stray quote next, or would not end within sensible bounds.
    /// `None` if more bytes have to show it.
    fn is_open_after(&self, rest: &[u8], is_last: bool) -> Option<bool> {
        let Some(at) = memchr::memchr(b'"', rest) else {
            return (is_last || rest.len() > LONGEST_QUOTED).then_some(true);
        };
        match rest.get(at + 1) {
            Some(byte) => Some(*byte != self.delimiter && !matches!(byte, b'"' | b'\r' | b'\n')),
            None => is_last.then_some(false),
        }
    }

    /// Whether the cell with which `rest` begins, with a quote, is a quoted one. `None` if more bytes have to show it. It
    /// always is, except in tables with tabs: there the quote is text unless the one that closes it ends the cell.
    fn is_quoted(&mut self, rest: &[u8], is_last: bool) -> Option<bool> {
        if self.searched == 0 {
            (self.searched, self.in_word) = (1, false);
        }
        let is_quoted = loop {
            if self.delimiter != b'\t' {
                break true;
            }
            if self.searched > LONGEST_QUOTED {
                break false;
            }
            let Some(at) = memchr::memchr(b'"', &rest[self.searched..]) else {
                self.searched = rest.len();
                if is_last {
                    break false;
                }
                return None;
            };
            self.searched += at;
            let is_escaped = rest[..self.searched].ends_with(b"\\");
            match self.quote(&rest[self.searched..], is_escaped, is_last)? {
                Quote::Double => self.searched += 2,
                Quote::Escaped => self.searched += 1,
                quote => break quote == Quote::Closing,
            }
        };
        (self.searched, self.in_word) = (0, false);
        Some(is_quoted)
    }

    /// Counts bytes, and the lines that end in them: with CR, LF, or both as one end.
    fn pass(&mut self, bytes: &[u8]) {
        for at in memchr::memchr2_iter(b'\r', b'\n', bytes) {
            let before = at.checked_sub(1).map_or(self.last, |before| bytes[before]);
            self.line += u64::from(bytes[at] == b'\r' || before != b'\r');
        }
        self.last = bytes.last().copied().unwrap_or(self.last);
        self.length += bytes.len() as u64;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::chunks::CHUNK;
    use super::super::tests::Slowly;
    use super::*;

    /// The cells of a table without the spaces around them, with `|` between cells, and the line on which each row begins; or
    /// the line of a quote that is left open.
    fn read(text: &str, delimiter: u8, pieces: usize) -> Result<Vec<(u64, String)>, u64> {
        let rows = RowStarts::new(delimiter);
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(delimiter)
            .flexible(true)
            .has_headers(false)
            .from_reader(Quotes::new(Slowly(text.as_bytes(), pieces), &rows));
        let mut read = Vec::new();
        for row in reader.records() {
            let Ok(row) = row else {
                let Some(FileError::OpenQuote { line }) = rows.failure() else { panic!("{text}") };
                return Err(line);
            };
            let cells: Vec<&str> = row.iter().map(str::trim).collect();
            read.push((rows.next_start().line, cells.join("|")));
        }
        Ok(read)
    }

    /// A table, and what [`read`] gives for it.
    type Expected<'a> = (&'a str, Result<Vec<(u64, &'a str)>, u64>);

    fn check(delimiter: u8, tables: &[Expected]) {
        for (text, expected) in tables {
            let expected = expected
                .clone()
                .map(|rows| rows.into_iter().map(|(line, row)| (line, row.to_owned())).collect::<Vec<_>>());
            for pieces in [1, 2, 3, 1_000] {
                assert_eq!(read(text, delimiter, pieces), expected, "{text} in pieces of {pieces}");
            }
        }
    }

    #[test]
    fn a_backslash_before_a_quote_is_phps_if_nothing_else_makes_sense() {
        check(
            b',',
            &[
                (r#""a \"quoted\" word",next"#, Ok(vec![(1, r#"a "quoted" word|next"#)])),
                (r#""\"Best\" cup",5"#, Ok(vec![(1, r#""Best" cup|5"#)])),
                (r#""27\" monitor",5"#, Ok(vec![(1, r#"27" monitor|5"#)])),
                ("\"the \\\"best\\\"\",5\n2,b", Ok(vec![(1, "the \"best\"|5"), (2, "2|b")])),
                (r#""{\"a\":\"b\",\"c\":1}",5"#, Ok(vec![(1, r#"{"a":"b","c":1}|5"#)])),
                (
                    "\"<p class=\\\"a\\\">\nA \"\"cup\"\"</p>\",5",
                    Ok(vec![(1, "<p class=\"a\">\nA \"cup\"</p>|5")]),
                ),
                // Once the file has shown it, a cell may end with it.
                (
                    "\"a \\\"b\\\" c\",1\n\"27\\\"\",2\n\"d\",3",
                    Ok(vec![(1, "a \"b\" c|1"), (2, "27\"|2"), (3, "d|3")]),
                ),
                // Or the quotes after it show it.
                (
                    "1,\"27\\\"\",5\n2,\"Cup\",6\n3,\"24\\\"\",7",
                    Ok(vec![(1, "1|27\"|5"), (2, "2|Cup|6"), (3, "3|24\"|7")]),
                ),
                ("1,\"27\\\"\",5\n2,Cup,6", Ok(vec![(1, "1|27\"|5"), (2, "2|Cup|6")])),
                // What the standard allows stays.
                (r#""C:\",5"#, Ok(vec![(1, r"C:\|5")])),
                ("5,\"C:\\\"\r\n6,\"D:\\\"", Ok(vec![(1, r"5|C:\"), (2, r"6|D:\")])),
                (r#""3\","x""#, Ok(vec![(1, r"3\|x")])),
                (r#""a\"",b",5"#, Ok(vec![(1, r#"a\",b|5"#)])),
                (r#""a\\",5"#, Ok(vec![(1, r"a\\|5")])),
                (r#"a\"b,"c\d""#, Ok(vec![(1, r#"a\"b|c\d"#)])),
                // Without a backslash it is a mistake.
                ("1,\"a\"\n2,\"a \"b\" c\"", Err(2)),
                ("1\n\n2,\"a \\\"b\\\" c,5\n", Err(3)),
            ],
        );
    }

    #[test]
    fn a_quote_in_a_table_with_tabs_may_be_text() {
        check(
            b'\t',
            &[
                ("\"Best\" lamp\t5\n2\tb", Ok(vec![(1, "\"Best\" lamp|5"), (2, "2|b")])),
                (
                    "1\t\"Best\" lamp\n2\t\"\"Good\"\" cup",
                    Ok(vec![(1, "1|\"Best\" lamp"), (2, "2|\"\"Good\"\" cup")]),
                ),
                ("\"Best lamp\t5\n2\tb\n", Ok(vec![(1, "\"Best lamp|5"), (2, "2|b")])),
                ("\"a\t5\n\"b\" c\t\"d\"\n", Ok(vec![(1, "\"a|5"), (2, "\"b\" c|d")])),
                ("27\" monitor\t5\" cup", Ok(vec![(1, "27\" monitor|5\" cup")])),
                ("\"", Ok(vec![(1, "\"")])),
                ("\"\"\t5", Ok(vec![(1, "|5")])),
                // Quoted cells stay.
                ("\"a\tb\nc\"\t5\n\"d\"\"e\"\t6", Ok(vec![(1, "a\tb\nc|5"), (3, "d\"e|6")])),
                ("\"a \"\"b\"\"\"\r\n\"c\"", Ok(vec![(1, "a \"b\""), (2, "c")])),
                ("\"a \\\"b\\\" c\"\t5", Ok(vec![(1, "a \"b\" c|5")])),
                ("\"C:\\\"\t5", Ok(vec![(1, "C:\\|5")])),
            ],
        );
    }

    #[test]
    fn a_quote_in_a_table_with_tabs_is_not_searched_for_its_end_for_ever() {
        let rows = "2\tb\n".repeat(1 << 19);
        let found = read(&format!("\"a\t1\n{rows}"), b'\t', CHUNK).unwrap();
        assert_eq!((found.len(), &*found[0].1, &*found[1].1), (1 + (1 << 19), "\"a|1", "2|b"));
        let long = "a\n".repeat(LONGEST_QUOTED / 4);
        let found = read(&format!("\"{long}\"\t1\n"), b'\t', CHUNK).unwrap();
        assert_eq!(found.len(), 1);
    }

    proptest! {
        #[test]
        fn pieces_make_no_difference(text in "[a\",\t\n\\\\]{0,40}", pieces in 1_usize..9, has_tabs in any::<bool>()) {
            let delimiter = if has_tabs { b'\t' } else { b',' };
            prop_assert_eq!(read(&text, delimiter, pieces), read(&text, delimiter, 1_000));
        }

        #[test]
        fn what_a_program_writes_by_the_standard_is_read_back(
            rows in prop::collection::vec(prop::collection::vec("[a,\t\"\n]{0,6}", 2), 1..6),
            has_tabs in any::<bool>(),
        ) {
            let delimiter = if has_tabs { b'\t' } else { b',' };
            let mut writer = csv::WriterBuilder::new().delimiter(delimiter).from_writer(Vec::new());
            rows.iter().for_each(|row| writer.write_record(row).unwrap());
            let text = String::from_utf8(writer.into_inner().unwrap()).unwrap();
            let found: Vec<String> = read(&text, delimiter, 7).unwrap().into_iter().map(|(_, row)| row).collect();
            let written = rows.iter().map(|row| row.iter().map(|cell| cell.trim()).collect::<Vec<_>>().join("|"));
            prop_assert_eq!(found, written.collect::<Vec<_>>());
        }
    }
}
