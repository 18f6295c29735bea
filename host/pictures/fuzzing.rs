//! Invariants of the header of any bytes.

use std::io::{self, Cursor, Read, Seek, SeekFrom};

use super::header::{Header, Kind};
use super::size::{Size, Width};

/// Most bytes that are read of a header: 256 parts of 4 KiB, and what says how long they are.
const MOST_READ: u64 = 256 * (5 << 10);

/// Counts what is read.
struct Counted<R>(R, u64);

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.0.read(buffer)?;
        self.1 += read as u64;
        Ok(read)
    }
}

impl<R: Seek> Seek for Counted<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}

/// Reads the header of any bytes, as each kind of picture.
///
/// # Panics
/// When what it says is not within bounds.
pub fn check_header(bytes: &[u8]) {
    for kind in [Kind::Jpeg, Kind::Png, Kind::WebP, Kind::Gif, Kind::Avif] {
        let mut file = Counted(Cursor::new(bytes), 0);
        let Ok(header) = Header::read(kind, &mut file) else { continue };
        assert!(file.1 <= MOST_READ, "{} bytes were read", file.1);
        assert!(header.width <= 65_535 && header.height <= 65_535, "{header:?}");
        assert_eq!(header.width == 0, header.height == 0, "{header:?}");
        let pixels = u64::from(header.width) * u64::from(header.height);
        assert!(header.as_is.is_some() || (1..=50_000_000).contains(&pixels), "{header:?}");
        let copies = Width::EVERY.into_iter().filter(|width| Size::Width(*width).is_of(&header));
        assert!(copies.count() > 0 || header.as_is.is_some(), "{header:?}");
    }
}
