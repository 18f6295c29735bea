//! The text of a file, whatever its encoding and compression. It is read twice: once to find the encoding, and once by a
//! reader of products, so that it is never in memory as a whole.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek as _};
use std::path::Path;

use bytes::Bytes;
use encoding_rs::{CoderResult, Encoding, UTF_8, WINDOWS_1252};
use encoding_rs_io::DecodeReaderBytesBuilder;
use flate2::read::MultiGzDecoder;
use memchr::memmem;

use super::error::FileError;
use crate::bounded_file::open_regular;

/// Largest file, and largest text in a compressed one, in bytes.
const LARGEST: u64 = 1 << 30;
/// How many bytes are read at once.
const CHUNK: usize = 64 << 10;
const GZIP: &[u8] = b"\x1f\x8b";
/// The first bytes of a ZIP archive, which a workbook is.
const ZIP: &[u8] = b"PK\x03\x04";
/// The byte order mark of UTF-8. Where files were joined, it also occurs inside.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// A text that can be read.
pub(super) struct Text {
    content: Content,
    is_packed: bool,
    encoding: &'static Encoding,
    has_marks: bool,
    /// The unpacked length, in bytes.
    length: u64,
}

/// Where the bytes of a text are.
enum Content {
    File(File),
    Memory(Bytes),
}

impl Text {
    /// A regular file of at most 1 GiB, in this encoding or else the one that is found.
    ///
    /// # Errors
    /// When it cannot be read, is too large, or is no text.
    pub(super) fn of_file(path: &Path, encoding: Option<&'static Encoding>) -> Result<Self, FileError> {
        Self::new(Content::File(open_regular(path, LARGEST)?), encoding)
    }

    /// A text that was downloaded.
    ///
    /// # Errors
    /// When it is too large, or is no text.
    pub(super) fn of_bytes(bytes: Bytes, encoding: Option<&'static Encoding>) -> Result<Self, FileError> {
        Self::new(Content::Memory(bytes), encoding)
    }

    fn new(mut content: Content, encoding: Option<&'static Encoding>) -> Result<Self, FileError> {
        let mut magic = Vec::new();
        content.bytes()?.take(4).read_to_end(&mut magic)?;
        if magic == ZIP {
            return Err(FileError::Workbook);
        }
        let is_packed = magic.starts_with(GZIP);
        let unpacked = content.unpacked(is_packed)?;
        let found = Survey::of(unpacked.take(LARGEST + 1), encoding);
        let found = found.map_err(|error| match error {
            FileError::Unreadable(crate::bounded_file::BoundedFileError::Io(error)) if is_packed => {
                FileError::Gzip(error)
            }
            error => error,
        })?;
        if found.length > LARGEST {
            return Err(FileError::TooLarge);
        }
        let encoding = found.encoding(encoding)?;
        Ok(Self { content, is_packed, encoding, has_marks: found.has_marks, length: found.length })
    }

    /// The text from its beginning, in UTF-8 and without marks.
    ///
    /// # Errors
    /// When it can no longer be read.
    pub(super) fn reader(&mut self) -> io::Result<Box<dyn BufRead + '_>> {
        // If a file has grown since the survey, only the surveyed part is read.
        let bytes = self.content.unpacked(self.is_packed)?.take(self.length);
        let decoded = DecodeReaderBytesBuilder::new()
            .encoding(Some(self.encoding))
            .utf8_passthru(true)
            .strip_bom(true)
            .bom_override(true)
            .build(bytes);
        Ok(match self.has_marks {
            true => Box::new(BufReader::with_capacity(CHUNK, WithoutMarks::new(decoded))),
            false => Box::new(BufReader::with_capacity(CHUNK, decoded)),
        })
    }
}

impl Content {
    /// All bytes from the beginning.
    fn bytes(&mut self) -> io::Result<Box<dyn Read + '_>> {
        Ok(match self {
            Self::File(file) => {
                file.rewind()?;
                Box::new(file)
            }
            Self::Memory(bytes) => Box::new(Cursor::new(bytes)),
        })
    }

    fn unpacked(&mut self, is_packed: bool) -> io::Result<Box<dyn Read + '_>> {
        let bytes = self.bytes()?;
        Ok(if is_packed { Box::new(MultiGzDecoder::new(bytes)) } else { bytes })
    }
}

/// What a whole text shows of its encoding.
#[derive(Default)]
struct Survey {
    length: u64,
    /// The encoding that a byte order mark, the operator or an XML declaration names.
    named: Option<&'static Encoding>,
    /// Whether it has the byte order mark of UTF-8 after its beginning.
    has_marks: bool,
    /// The numbers of characters beyond ASCII, and of sequences that are not valid UTF-8.
    valid: u64,
    invalid: u64,
    /// The line of the first invalid sequence.
    line: u64,
    /// Whether something is not valid in the encoding `named`, if that is not UTF-8.
    has_errors: bool,
}

impl Survey {
    /// Looks at a text once.
    fn of(mut bytes: impl Read, encoding: Option<&'static Encoding>) -> Result<Self, FileError> {
        let mut survey = Self { line: 1, ..Self::default() };
        let mut buffer = vec![0; CHUNK];
        // How many bytes of an incomplete character come before the next chunk.
        let mut kept = 0;
        let mut decoder = None;
        loop {
            let read = match bytes.read(&mut buffer[kept..]) {
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error.into()),
            };
            let chunk = &buffer[..kept + read];
            if survey.length == 0 {
                let mark = Encoding::for_bom(chunk).map(|(encoding, _)| encoding);
                survey.named = mark.or(encoding).or_else(|| declared(chunk));
                decoder = survey.named.filter(|named| *named != UTF_8).map(Encoding::new_decoder);
            }
            if let Some(decoder) = &mut decoder {
                survey.has_errors |= has_errors(decoder, &chunk[kept..], read == 0);
            }
            survey.has_marks |= memmem::find_iter(chunk, MARK).any(|at| survey.length > 0 || at > 0);
            survey.length += read as u64;
            let rest = survey.count(chunk, read == 0);
            let begin = kept + read - rest;
            if read == 0 {
                return Ok(survey);
            }
            buffer.copy_within(begin..kept + read, 0);
            kept = rest;
        }
    }

    /// Counts characters. Returns how many bytes at the end belong to a character that continues in the next chunk.
    fn count(&mut self, chunk: &[u8], is_last: bool) -> usize {
        if self.invalid == 0 && chunk.is_ascii() {
            self.line += memchr::memchr_iter(b'\n', chunk).count() as u64;
            return 0;
        }
        let mut chunks = chunk.utf8_chunks().peekable();
        while let Some(part) = chunks.next() {
            let valid = part.valid();
            if !valid.is_ascii() {
                self.valid += valid.chars().filter(|character| !character.is_ascii()).count() as u64;
            }
            if self.invalid == 0 {
                self.line += memchr::memchr_iter(b'\n', valid.as_bytes()).count() as u64;
            }
            let invalid = part.invalid();
            let goes_on = chunks.peek().is_none()
                && std::str::from_utf8(invalid).is_err_and(|error| error.error_len().is_none());
            if goes_on && !is_last {
                return invalid.len();
            }
            self.invalid += u64::from(!invalid.is_empty());
        }
        0
    }

    /// The encoding. If nothing names it, it is UTF-8 or, for a text that is not valid UTF-8, Windows-1252: the
    /// encoding of most spreadsheets in western Europe and America.
    fn encoding(&self, wanted: Option<&'static Encoding>) -> Result<&'static Encoding, FileError> {
        let undecodable = |encoding: &'static Encoding| FileError::Undecodable { encoding: encoding.name() };
        match self.named {
            Some(named) if named != UTF_8 && !self.has_errors => return Ok(named),
            Some(named) if named != UTF_8 => return Err(undecodable(named)),
            _ if self.invalid == 0 => return Ok(UTF_8),
            _ => {}
        }
        // In another encoding few characters look like UTF-8 by chance. A file with many of them has two
        // encodings, which cannot be told apart.
        match self.named {
            _ if wanted.is_none() && self.valid > self.invalid => {
                Err(FileError::MixedEncodings { line: self.line })
            }
            Some(named) => Err(undecodable(named)),
            None => Ok(WINDOWS_1252),
        }
    }
}

/// The encoding that XML declares, unless it is one, such as UTF-16, in which the declaration would not be ASCII.
fn declared(chunk: &[u8]) -> Option<&'static Encoding> {
    let end = memchr::memchr(b'>', chunk)?;
    let declaration = std::str::from_utf8(&chunk[..end]).ok()?.strip_prefix("<?xml")?;
    let (_, value) = declaration.split_once("encoding")?;
    let label = value.trim_start_matches(['=', ' ', '\'', '"']).split(['\'', '"']).next()?;
    Encoding::for_label(label.as_bytes()).filter(|encoding| encoding.is_ascii_compatible())
}

/// Whether some of these bytes are not valid in the decoder's encoding.
fn has_errors(decoder: &mut encoding_rs::Decoder, mut bytes: &[u8], is_last: bool) -> bool {
    let (mut scratch, mut has_errors) = ([0; 4096], false);
    loop {
        let (result, read, _, had_errors) = decoder.decode_to_utf8(bytes, &mut scratch, is_last);
        has_errors |= had_errors;
        bytes = &bytes[read..];
        if result == CoderResult::InputEmpty {
            return has_errors;
        }
    }
}

/// At most 8 KiB from the beginning of a text, enough for any name, label or address that is shown.
pub(super) fn cut(text: &str) -> &str {
    cut_to(text, 8 << 10)
}

/// At most `most` bytes from the beginning of a text.
pub(super) fn cut_to(text: &str, most: usize) -> &str {
    &text[..text.floor_char_boundary(most)]
}

/// A reader that leaves out the byte order marks of UTF-8.
struct WithoutMarks<R> {
    inner: R,
    /// Bytes that were read; those before `taken` have been handed out.
    buffer: Vec<u8>,
    taken: usize,
}

impl<R: Read> WithoutMarks<R> {
    fn new(inner: R) -> Self {
        Self { inner, buffer: Vec::new(), taken: 0 }
    }
}

impl<R: Read> Read for WithoutMarks<R> {
    fn read(&mut self, target: &mut [u8]) -> io::Result<usize> {
        loop {
            let ready = &self.buffer[self.taken..];
            // The last bytes may begin a mark, and wait for the bytes that follow.
            let at = memmem::find(ready, MARK).unwrap_or(ready.len().saturating_sub(MARK.len() - 1));
            if at > 0 {
                let count = (&ready[..at]).read(target)?;
                self.taken += count;
                return Ok(count);
            }
            if ready.starts_with(MARK) {
                self.taken += MARK.len();
                continue;
            }
            let mut chunk = vec![0; CHUNK];
            let count = self.inner.read(&mut chunk)?;
            if count == 0 {
                let count = (&self.buffer[self.taken..]).read(target)?;
                self.taken += count;
                return Ok(count);
            }
            self.buffer.drain(..self.taken);
            self.taken = 0;
            self.buffer.extend(&chunk[..count]);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use proptest::prelude::*;

    use super::*;

    fn decode(bytes: &[u8]) -> Result<String, FileError> {
        let mut text = Text::of_bytes(bytes.to_vec().into(), None)?;
        let mut decoded = String::new();
        text.reader()?.read_to_string(&mut decoded)?;
        Ok(decoded)
    }

    #[test]
    fn a_text_is_decoded_whatever_its_encoding() {
        let utf16 = |bytes: fn(u16) -> [u8; 2]| "\u{feff}Käse".encode_utf16().flat_map(bytes).collect();
        for bytes in [
            "Käse".as_bytes().to_vec(),
            "\u{feff}Käse".as_bytes().to_vec(),
            b"K\xe4se".to_vec(),
            utf16(u16::to_le_bytes),
            utf16(u16::to_be_bytes),
        ] {
            assert_eq!(decode(&bytes).ok().as_deref(), Some("Käse"), "{bytes:?}");
        }
        assert_eq!(decode("a\u{feff}b".as_bytes()).ok().as_deref(), Some("ab"));
        // Two of these letters look like one of UTF-8.
        assert_eq!(decode(b"St\xfchle\nSpa\xdf\x93").ok().as_deref(), Some("Stühle\nSpaß“"));
        let mixed: Vec<u8> = "Käse, Öl\n".bytes().chain(*b"K\xe4se").collect();
        assert!(matches!(decode(&mixed), Err(FileError::MixedEncodings { line: 2 })));
        assert!(matches!(decode(b"PK\x03\x04..."), Err(FileError::Workbook)));
        assert!(matches!(decode(b"\xff\xfea\0b"), Err(FileError::Undecodable { encoding: "UTF-16LE" })));
        assert!(matches!(decode(b"\xef\xbb\xbfK\xe4se"), Err(FileError::Undecodable { encoding: "UTF-8" })));
        let declared = b"<?xml version='1.0' encoding='windows-1250'?><a>\xe8</a>";
        assert!(decode(declared).is_ok_and(|text| text.contains('č')));
    }

    #[test]
    fn an_encoding_that_is_named_counts() {
        let czech = Encoding::for_label(b"windows-1250");
        let mut text = Text::of_bytes(Bytes::from_static(b"\xe8"), czech).ok().unwrap();
        let mut decoded = String::new();
        text.reader().unwrap().read_to_string(&mut decoded).unwrap();
        assert_eq!(decoded, "č");
        assert!(matches!(
            Text::of_bytes(Bytes::from_static(b"\xe8"), Some(UTF_8)),
            Err(FileError::Undecodable { encoding: "UTF-8" })
        ));
    }

    proptest! {
        #[test]
        fn characters_may_be_cut_anywhere(before in 0_usize..8, text in "[aé€😀]{0,9}") {
            let text = "x".repeat(CHUNK - before) + &text + "\u{feff}";
            prop_assert_eq!(decode(text.as_bytes()).ok(), Some(text.replace('\u{feff}', "")));
        }
    }

    #[test]
    fn a_compressed_file_is_unpacked() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("products.csv");
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packed.write_all("id,title".as_bytes()).unwrap();
        let packed = packed.finish().unwrap();
        std::fs::write(&path, &packed).unwrap();
        let mut decoded = String::new();
        Text::of_file(&path, None).ok().unwrap().reader().unwrap().read_to_string(&mut decoded).unwrap();
        assert_eq!(decoded, "id,title");
        std::fs::write(&path, &packed[..packed.len() - 4]).unwrap();
        assert!(matches!(Text::of_file(&path, None), Err(FileError::Gzip(_))));
    }
}
