//! The text of a file, whatever its encoding and compression.

use std::borrow::Cow;
use std::io::Read as _;
use std::path::Path;

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE, WINDOWS_1252};
use flate2::read::MultiGzDecoder;

use super::error::FileError;
use crate::bounded_file::read_regular;

/// Largest file, and largest text in a compressed one, in bytes.
const LARGEST: u64 = 1 << 30;
const GZIP: &[u8] = b"\x1f\x8b";
/// Workbooks are archives.
const ZIP: &[u8] = b"PK\x03\x04";

/// Reads a regular file of at most 1 GiB as text.
///
/// # Errors
/// When it cannot be read, is too large, or is no text.
pub(super) fn read(path: &Path) -> Result<String, FileError> {
    let bytes = read_regular(path, LARGEST)?;
    if !bytes.starts_with(GZIP) {
        return decode(bytes);
    }
    let mut unpacked = Vec::new();
    MultiGzDecoder::new(&*bytes).take(LARGEST + 1).read_to_end(&mut unpacked).map_err(FileError::Gzip)?;
    if unpacked.len() as u64 > LARGEST {
        return Err(FileError::TooLarge);
    }
    decode(unpacked)
}

/// UTF-8 and UTF-16 with their marks, and UTF-8 without. Other texts are read as Windows-1252, the encoding of most
/// spreadsheets in western Europe and America.
fn decode(bytes: Vec<u8>) -> Result<String, FileError> {
    if bytes.starts_with(ZIP) {
        return Err(FileError::Workbook);
    }
    match Encoding::for_bom(&bytes) {
        Some((encoding, length)) if [UTF_16LE, UTF_16BE].contains(&encoding) => {
            let (text, is_damaged) = encoding.decode_without_bom_handling(&bytes[length..]);
            return if is_damaged { Err(FileError::Utf16) } else { Ok(text.into_owned()) };
        }
        _ => {}
    }
    let error = match String::from_utf8(bytes) {
        // A mark may come again where files were joined.
        Ok(text) if text.contains('\u{feff}') => return Ok(text.replace('\u{feff}', "")),
        Ok(text) => return Ok(text),
        Err(error) => error,
    };
    let first = error.utf8_error().valid_up_to();
    let bytes = error.into_bytes();
    // In another encoding few characters look like UTF-8 by chance. With many of them the file has two encodings, which
    // cannot be told apart.
    let (mut valid, mut invalid) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        valid += chunk.valid().chars().filter(|character| !character.is_ascii()).count();
        invalid += usize::from(!chunk.invalid().is_empty());
    }
    if valid > invalid {
        let line = 1 + bytes[..first].iter().filter(|byte| **byte == b'\n').count() as u64;
        return Err(FileError::Encodings { line });
    }
    match WINDOWS_1252.decode_without_bom_handling(&bytes).0 {
        Cow::Owned(text) => Ok(text),
        Cow::Borrowed(text) => Ok(text.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

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
            assert_eq!(decode(bytes.clone()).ok().as_deref(), Some("Käse"), "{bytes:?}");
        }
        assert_eq!(decode("a\u{feff}b".into()).ok().as_deref(), Some("ab"));
        // Two of these letters look like one of UTF-8.
        let german = decode(b"St\xfchle\nSpa\xdf\x93".to_vec());
        assert_eq!(german.ok().as_deref(), Some("Stühle\nSpaß“"));
        let mixed = decode("Käse, Öl\n".bytes().chain(*b"K\xe4se").collect());
        assert!(matches!(mixed, Err(FileError::Encodings { line: 2 })), "{mixed:?}");
        assert!(matches!(decode(b"PK\x03\x04...".to_vec()), Err(FileError::Workbook)));
    }

    #[test]
    fn a_compressed_file_is_unpacked() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("products.csv");
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packed.write_all("id,title".as_bytes()).unwrap();
        let packed = packed.finish().unwrap();
        std::fs::write(&path, &packed).unwrap();
        assert_eq!(read(&path).ok().as_deref(), Some("id,title"));
        std::fs::write(&path, &packed[..packed.len() - 4]).unwrap();
        assert!(matches!(read(&path), Err(FileError::Gzip(_))));
    }
}
