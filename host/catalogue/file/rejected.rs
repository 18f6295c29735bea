//! A table of the rows of a file that are left out, with the reasons. The file is read once more for it, so that rows
//! are not kept in memory.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, BufRead, Read as _, Write as _};
use std::path::Path;

use csv::{StringRecord, WriterBuilder};

use super::dialects::GOOGLE;
use super::error::FileError;
use super::form::Form;
use super::formula::looks_like_formula;
use super::options::FileOptions;
use super::report::Reason;
use super::row::{Field, Position, Row};
use super::table::{Header, TakeRows};
use super::{json, table, xml};

/// How each table begins. Without a byte order mark spreadsheets assume another encoding.
const MARK: &[u8] = b"\xef\xbb\xbf";
const FIRST: &str = "reason";

/// Writes the rows of a text that are left out to the file at `path`. `left_out` has their numbers, with the reasons.
/// Returns how many rows these are.
///
/// # Errors
/// When the file cannot be written or is no such table, or the text cannot be read again.
pub(super) fn write(
    text: impl BufRead,
    options: &FileOptions,
    left_out: &[(u32, Reason)],
    path: &Path,
) -> Result<usize, FileError> {
    let mut reasons = HashMap::<u32, Vec<Reason>>::new();
    for (number, reason) in left_out {
        reasons.entry(*number).or_default().push(*reason);
    }
    let count = reasons.len();
    let mut rejected = Rejected { reasons, path, out: None };
    let (form, text) = Form::of(text)?;
    match form {
        Form::Table => table::read(text, options.of_table(), &mut rejected)?,
        Form::Xml => {
            let columns: Vec<(&str, Field)> = GOOGLE.fields().collect();
            rejected.open(b',', columns.iter().map(|(name, _)| name.replace(' ', "_")))?;
            xml::read(text, |row| {
                rejected.add(row.position, columns.iter().map(|(_, field)| row.get(*field)))
            })?;
        }
        Form::Json => {
            rejected.open(b',', ["product".into()].into_iter())?;
            json::each(text, &mut |position, text| {
                rejected.add(position, [&*String::from_utf8_lossy(text.trim_ascii())].into_iter())
            })?;
        }
    }
    rejected.finish().map(|()| count)
}

/// The table of the rows that are left out.
struct Rejected<'a> {
    reasons: HashMap<u32, Vec<Reason>>,
    path: &'a Path,
    /// It is opened when the columns are known.
    out: Option<csv::Writer<File>>,
}

impl Rejected<'_> {
    /// Begins the table with columns of these names after its own.
    fn open(&mut self, delimiter: u8, names: impl Iterator<Item = String>) -> Result<(), FileError> {
        if !may_be_replaced(self.path).map_err(|error| self.error(error))? {
            return Err(FileError::OtherFile { path: self.path.to_owned() });
        }
        let mut file = File::create(self.path).map_err(|error| self.error(error))?;
        file.write_all(MARK).map_err(|error| self.error(error))?;
        let mut out = WriterBuilder::new().delimiter(delimiter).flexible(true).from_writer(file);
        let names =
            [FIRST.into(), "line".into()].into_iter().chain(names.map(|name| escaped(&name).into_owned()));
        out.write_record(names.collect::<Vec<String>>()).map_err(|error| self.error(error))?;
        self.out = Some(out);
        Ok(())
    }

    /// Adds a row if it is left out.
    fn add<'b>(&mut self, position: Position, cells: impl Iterator<Item = &'b str>) -> Result<(), FileError> {
        let (Some(reasons), Some(out)) = (self.reasons.get(&position.number), &mut self.out) else {
            return Ok(());
        };
        let reasons: Vec<String> = reasons.iter().map(Reason::to_string).collect();
        let own = [reasons.join("; "), position.line.to_string()].into_iter().map(Cow::Owned);
        let row: Vec<Cow<str>> = own.chain(cells.map(escaped)).collect();
        let written = out.write_record(row.iter().map(|cell| cell.as_bytes()));
        written.map_err(|error| self.error(error))
    }

    fn finish(mut self) -> Result<(), FileError> {
        match self.out.as_mut().map_or(Ok(()), csv::Writer::flush) {
            Ok(()) => Ok(()),
            Err(error) => Err(self.error(error)),
        }
    }

    fn error(&self, error: impl Into<io::Error>) -> FileError {
        FileError::Rejected { path: self.path.to_owned(), source: error.into() }
    }
}

impl TakeRows for Rejected<'_> {
    fn begin(&mut self, header: &Header) -> Result<(), FileError> {
        self.open(header.delimiter, header.names.iter().map(str::to_owned))
    }

    fn row(&mut self, row: &Row, cells: &StringRecord) -> Result<(), FileError> {
        self.add(row.position, cells.iter())
    }

    fn too_long(&mut self, _: Reason, position: Position, cells: &StringRecord) -> Result<(), FileError> {
        self.add(position, cells.iter())
    }
}

/// Whether nothing is lost if a table is written there: there is no file, an empty one, an earlier table, or a pipe.
fn may_be_replaced(path: &Path) -> io::Result<bool> {
    let metadata = match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
        metadata => metadata?,
    };
    if !metadata.is_file() {
        return Ok(true);
    }
    let begin = [MARK, FIRST.as_bytes()].concat();
    let mut known = Vec::new();
    File::open(path)?.take(begin.len() as u64).read_to_end(&mut known)?;
    Ok(known.is_empty() || known == begin)
}

/// A cell that no spreadsheet takes for a formula.
fn escaped(cell: &str) -> Cow<'_, str> {
    if looks_like_formula(cell) && cell.parse::<f64>().is_err() {
        format!("'{cell}").into()
    } else {
        cell.into()
    }
}
