//! The text of a file, whatever its encoding and compression. It is read twice: once to find the encoding (`survey.rs`), and
//! once by a reader of products, so that it is never in memory as a whole.

use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use encoding_rs::Encoding;
use encoding_rs_io::DecodeReaderBytesBuilder;
use flate2::read::MultiGzDecoder;
use memchr::memmem;

use super::chunks::{CHUNK, Chunks};
use super::error::FileError;
use super::mixed::Mixed;
use super::pasted::WithoutPasted;
use super::survey::{Decoding, MARK, Survey};
use crate::bounded_file::{BoundedFileError, open_regular};
use crate::catalogue::store::Bytes;

/// Largest file, and largest text in a compressed one, in bytes.
const LARGEST: u64 = 16 << 30;
const GZIP: &[u8] = b"\x1f\x8b";
/// What is in the first part of a ZIP archive that is a workbook: of Excel, or of LibreOffice.
const IN_WORKBOOKS: [&[u8]; 3] = [b"[Content_Types].xml", b"xl/work", b"opendocument.spreadsheet"];

/// A text that can be read.
pub(super) struct Text {
    content: Bytes,
    is_packed: bool,
    decoding: Decoding,
    has_marks: bool,
    /// Whether files may be pasted into it.
    has_pasted: bool,
    /// The unpacked length, in bytes.
    length: u64,
}

impl Text {
    /// A regular file of at most 16 GiB, in this encoding or else the one that is found.
    ///
    /// # Errors
    /// When it cannot be read, is too large, or is no text.
    pub(super) fn of_file(path: &Path, encoding: Option<&'static Encoding>) -> Result<Self, FileError> {
        let file = open_regular(path, LARGEST).map_err(|error| match error {
            BoundedFileError::TooLarge(_) => FileError::TooLarge,
            error => error.into(),
        })?;
        Self::of(Bytes::of_file(file)?, encoding)
    }

    /// The text of these bytes in memory.
    ///
    /// # Errors
    /// When it is too large, or is no text.
    pub(super) fn of_bytes(
        bytes: impl Into<Vec<u8>>,
        encoding: Option<&'static Encoding>,
    ) -> Result<Self, FileError> {
        Self::of(Bytes::in_memory(bytes.into()), encoding)
    }

    /// The text of these bytes.
    ///
    /// # Errors
    /// When it cannot be read, is too large, or is no text.
    pub(super) fn of(content: Bytes, encoding: Option<&'static Encoding>) -> Result<Self, FileError> {
        let mut head = Vec::new();
        content.reader().take(CHUNK as u64).read_to_end(&mut head)?;
        check_is_text(&head)?;
        let is_packed = head.starts_with(GZIP);
        let found = Survey::of(unpacked(&content, is_packed).take(LARGEST + 1), encoding);
        let found = found.map_err(|error| match error {
            FileError::Unreadable(BoundedFileError::Io(error)) if is_packed => FileError::Gzip(error),
            error => error,
        })?;
        if found.length > LARGEST {
            return Err(FileError::TooLarge);
        }
        let decoding = found.decoding(encoding)?;
        Ok(Self {
            content,
            is_packed,
            decoding,
            has_marks: found.has_marks,
            has_pasted: found.has_pasted,
            length: found.length,
        })
    }

    /// How it is decoded.
    pub(super) fn decoding(&self) -> Decoding {
        self.decoding
    }

    /// The text from its beginning, in UTF-8 and without marks.
    pub(super) fn reader(&self) -> Box<dyn BufRead> {
        // If a file has grown since the survey, only the surveyed part is read.
        let bytes = unpacked(&self.content, self.is_packed).take(self.length);
        let bytes: Box<dyn Read> =
            if self.decoding.mixed_from.is_some() { Box::new(Mixed::new(bytes)) } else { Box::new(bytes) };
        let decoded = DecodeReaderBytesBuilder::new()
            .encoding(Some(self.decoding.encoding))
            .utf8_passthru(true)
            .strip_bom(true)
            .bom_override(true)
            .build(bytes);
        let unmarked: Box<dyn Read> =
            if self.has_marks { Box::new(WithoutMarks::new(decoded)) } else { Box::new(decoded) };
        match self.has_pasted {
            true => Box::new(BufReader::with_capacity(CHUNK, WithoutPasted::new(unmarked))),
            false => Box::new(BufReader::with_capacity(CHUNK, unmarked)),
        }
    }
}

/// The bytes of a text from their beginning.
fn unpacked(content: &Bytes, is_packed: bool) -> Box<dyn Read> {
    let bytes = content.reader();
    if is_packed { Box::new(MultiGzDecoder::new(bytes)) } else { Box::new(bytes) }
}

/// Checks that the first bytes of a file are of none of the forms that have products, or look so, but are no text.
///
/// # Errors
/// When they are, with the name of the form.
fn check_is_text(head: &[u8]) -> Result<(), FileError> {
    let has = |part: &&[u8]| memmem::find(head, part).is_some();
    match head {
        [b'P', b'K', 3, 4, ..] if IN_WORKBOOKS.iter().any(has) => Err(FileError::Workbook),
        // Excel's form until 2003.
        [0xd0, 0xcf, 0x11, 0xe0, ..] => Err(FileError::Workbook),
        [b'P', b'K', 3 | 5, 4 | 6, ..] => Err(FileError::Zip),
        [b'%', b'P', b'D', b'F', b'-', ..] => Err(FileError::Pdf),
        _ => Ok(()),
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
    bytes: Chunks<R>,
}

impl<R: Read> WithoutMarks<R> {
    fn new(inner: R) -> Self {
        Self { bytes: Chunks::new(inner) }
    }
}

impl<R: Read> Read for WithoutMarks<R> {
    fn read(&mut self, target: &mut [u8]) -> io::Result<usize> {
        loop {
            let ready = self.bytes.ready();
            // The last bytes may begin a mark, and wait for the bytes that follow.
            let waiting = if self.bytes.is_at_end() { 0 } else { MARK.len() - 1 };
            let at = memmem::find(ready, MARK).unwrap_or(ready.len().saturating_sub(waiting));
            if at > 0 {
                return self.bytes.copy(at, target);
            }
            if ready.starts_with(MARK) {
                self.bytes.take(MARK.len());
            } else if self.bytes.is_at_end() {
                return Ok(0);
            } else {
                self.bytes.fill()?;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use proptest::prelude::*;

    use super::*;

    fn decode(bytes: &[u8]) -> Result<String, FileError> {
        let text = Text::of_bytes(bytes, None)?;
        let mut decoded = String::new();
        text.reader().read_to_string(&mut decoded)?;
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
        assert!(matches!(decode(b"\xff\xfea\0b"), Err(FileError::Undecodable { encoding: "UTF-16LE" })));
        assert!(matches!(decode(b"\xef\xbb\xbfK\xe4se"), Err(FileError::Undecodable { encoding: "UTF-8" })));
        let declared = b"<?xml version='1.0' encoding='windows-1250'?><a>\xe8</a>";
        assert!(decode(declared).is_ok_and(|text| text.contains('č')));
    }

    #[test]
    fn every_sequence_of_a_second_encoding_is_decoded() {
        for (bytes, text, mixed_from) in [
            (&b"K\xc3\xa4se, \xc3\x96l\nK\xe4se"[..], "Käse, Öl\nKäse", Some(2)),
            (b"\xef\xbb\xbfK\xc3\xa4se\n\n\xd6l \xe2\x82\xac5", "Käse\n\nÖl €5", Some(3)),
            (b"K\xe4se, \xd6l\nK\xc3\xa4se", "Käse, Öl\nKÃ¤se", None),
            (b"K\xc3\xa4se", "Käse", None),
        ] {
            let found = Text::of_bytes(bytes, None).unwrap();
            assert_eq!(
                (decode(bytes).unwrap(), found.decoding().mixed_from),
                (text.to_owned(), mixed_from),
                "{text}"
            );
        }
        let strict = Text::of_bytes(b"K\xc3\xa4se, \xc3\x96l, K\xe4se", Some(encoding_rs::UTF_8));
        assert!(matches!(strict, Err(FileError::Undecodable { encoding: "UTF-8" })));
    }

    #[test]
    fn what_is_no_text_is_called_by_its_name() {
        for (bytes, said) in [
            (&b"PK\x03\x04\x14\0\x06\0[Content_Types].xml"[..], "it is a workbook: save it as CSV UTF-8"),
            (
                b"PK\x03\x04\x14\0\0\0docProps/app.xml...PK\x03\x04xl/worksheets/sheet1.xml",
                "it is a workbook: save it as CSV UTF-8",
            ),
            (
                b"PK\x03\x04\0\0mimetypeapplication/vnd.oasis.opendocument.spreadsheet",
                "it is a workbook: save it as CSV UTF-8",
            ),
            (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "it is a workbook: save it as CSV UTF-8"),
            (b"PK\x03\x04\x14\0\0\0products.csv", "it is a ZIP archive: unpack it"),
            (b"PK\x05\x06", "it is a ZIP archive: unpack it"),
            (b"%PDF-1.7", "it is a PDF, and no file of products"),
        ] {
            assert_eq!(decode(bytes).unwrap_err().to_string(), said, "{bytes:?}");
        }
        assert_eq!(decode(b"PK,title,price").ok().as_deref(), Some("PK,title,price"));
    }

    #[test]
    fn an_encoding_that_is_named_counts() {
        let czech = Encoding::for_label(b"windows-1250");
        let text = Text::of_bytes(b"\xe8", czech).ok().unwrap();
        let mut decoded = String::new();
        text.reader().read_to_string(&mut decoded).unwrap();
        assert_eq!(decoded, "č");
        assert!(matches!(
            Text::of_bytes(b"\xe8", Some(encoding_rs::UTF_8)),
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
        Text::of_file(&path, None).ok().unwrap().reader().read_to_string(&mut decoded).unwrap();
        assert_eq!(decoded, "id,title");
        std::fs::write(&path, &packed[..packed.len() - 4]).unwrap();
        assert!(matches!(Text::of_file(&path, None), Err(FileError::Gzip(_))));
    }
}
