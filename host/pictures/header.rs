//! What the header of a picture says. It is read when the catalogue is, so it takes a few bytes at known places, and nothing
//! that it says is used before it is within bounds.

use std::io::{self, Read, Seek, SeekFrom};

use super::orientation::Orientation;

/// Most parts of a file (segments, chunks) that are looked at.
const MOST_PARTS: usize = 256;
/// Most bytes of a part that are kept, which is enough for the first directory of EXIF.
const MOST_OF_A_PART: usize = 4 << 10;
/// Longest side of a picture whose size is believed.
const LONGEST_SIDE: u32 = 65_535;
/// Most pixels of a picture that is decoded.
const MOST_PIXELS: u64 = 50_000_000;
/// Largest profile that a copy carries, in bytes.
pub(super) const LARGEST_PROFILE: usize = 4 << 10;

/// The kinds of pictures that every browser shows, and that can have no script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Jpeg,
    Png,
    WebP,
    Gif,
    Avif,
}

impl Kind {
    /// The kind of a picture that begins with these bytes.
    pub(crate) fn of(head: &[u8]) -> Option<Self> {
        match head {
            [0xff, 0xd8, 0xff, ..] => Some(Self::Jpeg),
            [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some(Self::Png),
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some(Self::WebP),
            [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some(Self::Gif),
            [_, _, _, _, b'f', b't', b'y', b'p', b'a', b'v', b'i', b'f' | b's', ..] => Some(Self::Avif),
            _ => None,
        }
    }
}

/// Why no copy is made of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum AsIs {
    #[error("its header cannot be read")]
    Header,
    #[error("pictures of this kind are not copied")]
    Kind,
    #[error("it has several frames")]
    Frames,
    #[error("its colours are for print (CMYK)")]
    Cmyk,
    #[error("its profile is larger than 4 KiB, or is none of RGB")]
    Profile,
    #[error("it has more than 50 megapixels")]
    Pixels,
}

/// What is known of a picture without decoding it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) kind: Kind,
    /// As it is shown, in pixels; zero if that is not known.
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// How it has to be turned after it was decoded.
    pub(super) orientation: Orientation,
    /// Whether it may have pixels that are not opaque.
    pub(crate) has_alpha: bool,
    /// Whether it is a JPEG whose coefficients are all in memory while it is decoded.
    pub(super) is_progressive: bool,
    /// Bytes of a decoded pixel.
    pub(super) channels: u8,
    /// Why it is not copied, if it is not.
    pub(crate) as_is: Option<AsIs>,
}

impl Header {
    /// The header of a picture of this kind. A header that cannot be read is one without a size, which is not copied.
    ///
    /// # Errors
    /// When reading fails.
    pub(crate) fn read(kind: Kind, mut file: impl Read + Seek) -> io::Result<Self> {
        let mut found = Found::default();
        let read = match kind {
            Kind::Jpeg => jpeg(&mut file, &mut found),
            Kind::Png => png(&mut file, &mut found),
            Kind::WebP => webp(&mut file, &mut found),
            Kind::Gif => gif(&mut file, &mut found),
            Kind::Avif => Ok(()),
        };
        match read {
            // It ends where more was expected.
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {}
            read => read?,
        }
        Ok(found.header(kind))
    }

    /// A header of which nothing is known but the picture's kind.
    #[cfg(test)]
    pub(super) fn of_nothing(kind: Kind) -> Self {
        Self { as_is: None, ..Found::default().header(kind) }
    }

    /// Width and height as they are in the file, in pixels.
    pub(super) fn stored(&self) -> (u32, u32) {
        if self.orientation.swaps_sides() { (self.height, self.width) } else { (self.width, self.height) }
    }
}

/// What was found so far.
#[derive(Default)]
struct Found {
    width: u32,
    height: u32,
    exif: Option<Orientation>,
    has_alpha: bool,
    is_progressive: bool,
    channels: u8,
    profile: usize,
    is_other_profile: bool,
    as_is: Option<AsIs>,
}

impl Found {
    fn header(self, kind: Kind) -> Header {
        let orientation = self.exif.unwrap_or_default();
        let (mut width, mut height) = (self.width, self.height);
        let is_known = (1..=LONGEST_SIDE).contains(&width) && (1..=LONGEST_SIDE).contains(&height);
        if !is_known {
            (width, height) = (0, 0);
        } else if orientation.swaps_sides() {
            (width, height) = (height, width);
        }
        let as_is = match kind {
            Kind::Gif | Kind::Avif => Some(AsIs::Kind),
            _ if self.as_is.is_some() => self.as_is,
            _ if !is_known => Some(AsIs::Header),
            _ if u64::from(width) * u64::from(height) > MOST_PIXELS => Some(AsIs::Pixels),
            _ if self.profile > LARGEST_PROFILE || self.is_other_profile => Some(AsIs::Profile),
            _ => None,
        };
        let Self { has_alpha, is_progressive, channels, .. } = self;
        Header { kind, width, height, orientation, has_alpha, is_progressive, channels, as_is }
    }

    fn add_profile(&mut self, bytes: &[u8], length: usize) {
        if self.profile == 0 {
            self.is_other_profile = bytes.get(16..20) != Some(b"RGB ");
        }
        self.profile += length;
    }
}

/// Reads the next `length` bytes, of which at most [`MOST_OF_A_PART`] are kept.
fn part(file: &mut (impl Read + Seek), length: u64) -> io::Result<Vec<u8>> {
    let kept = length.min(MOST_OF_A_PART as u64);
    let mut bytes = vec![0; usize::try_from(kept).unwrap_or_default()];
    file.read_exact(&mut bytes)?;
    skip(file, length - kept)?;
    Ok(bytes)
}

fn skip(file: &mut impl Seek, bytes: u64) -> io::Result<()> {
    file.seek_relative(i64::try_from(bytes).unwrap_or(i64::MAX))
}

fn array<const N: usize>(file: &mut impl Read) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// Two bytes of a slice as a number, the higher one first; 0 where there are none.
fn big(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..at + 2).map_or(0, |two| u32::from(two[0]) << 8 | u32::from(two[1]))
}

fn jpeg(file: &mut (impl Read + Seek), found: &mut Found) -> io::Result<()> {
    file.seek(SeekFrom::Start(2))?;
    for _ in 0..MOST_PARTS {
        let [ff, mut marker] = array(file)?;
        if ff != 0xff {
            return Ok(());
        }
        // Any number of these bytes may stand before a marker.
        for _ in 0..MOST_PARTS {
            if marker == 0xff {
                [marker] = array(file)?;
            }
        }
        let length = u64::from(u16::from_be_bytes(array(file)?)).saturating_sub(2);
        match marker {
            // The scan, and the end: all segments that matter come before.
            0xda | 0xd9 => return Ok(()),
            0xc0..=0xcf if !matches!(marker, 0xc4 | 0xc8 | 0xcc) => {
                let frame = part(file, length)?;
                (found.height, found.width) = (big(&frame, 1), big(&frame, 3));
                found.channels = frame.get(5).copied().unwrap_or_default();
                found.is_progressive = marker == 0xc2;
                found.as_is = match (frame.first(), found.channels, marker) {
                    (Some(8), 1 | 3, 0xc0..=0xc2) => found.as_is,
                    (_, 4, _) => Some(AsIs::Cmyk),
                    _ => Some(AsIs::Kind),
                };
            }
            0xe1 => {
                let bytes = part(file, length)?;
                if let Some(exif) = bytes.strip_prefix(b"Exif\0\0") {
                    found.exif.get_or_insert_with(|| Orientation::of_exif(exif));
                }
            }
            0xe2 => {
                let bytes = part(file, length)?;
                if let Some(profile) = bytes.strip_prefix(b"ICC_PROFILE\0") {
                    let length = usize::try_from(length).unwrap_or_default().saturating_sub(14);
                    found.add_profile(profile.get(2..).unwrap_or_default(), length);
                }
            }
            _ => skip(file, length)?,
        }
    }
    Ok(())
}

fn png(file: &mut (impl Read + Seek), found: &mut Found) -> io::Result<()> {
    file.seek(SeekFrom::Start(8))?;
    for number in 0..MOST_PARTS {
        let length = u64::from(u32::from_be_bytes(array(file)?));
        match &array(file)? {
            b"IDAT" => return Ok(()),
            b"IHDR" => {
                let bytes = part(file, length)?;
                let side = |at: usize| {
                    bytes
                        .get(at..at + 4)
                        .map_or(0, |four| u32::from_be_bytes([four[0], four[1], four[2], four[3]]))
                };
                (found.width, found.height) = (side(0), side(4));
                found.has_alpha = bytes.get(9).is_some_and(|colour| colour & 4 != 0);
            }
            b"acTL" => found.as_is = Some(AsIs::Frames),
            b"tRNS" => {
                found.has_alpha = true;
                skip(file, length)?;
            }
            b"eXIf" => found.exif = Some(Orientation::of_exif(&part(file, length)?)),
            _ if number == 0 => return Ok(()),
            _ => skip(file, length)?,
        }
        if found.as_is.is_some() {
            return Ok(());
        }
        // The checksum.
        skip(file, 4)?;
    }
    Ok(())
}

fn webp(file: &mut (impl Read + Seek), found: &mut Found) -> io::Result<()> {
    file.seek(SeekFrom::Start(12))?;
    for _ in 0..MOST_PARTS {
        let kind: [u8; 4] = array(file)?;
        let length = u64::from(u32::from_le_bytes(array(file)?));
        let padded = length + length % 2;
        match &kind {
            b"VP8X" => {
                let bytes = part(file, padded)?;
                let side = |at: usize| {
                    bytes
                        .get(at..at + 3)
                        .map_or(0, |three| u32::from_le_bytes([three[0], three[1], three[2], 0]) + 1)
                };
                (found.width, found.height) = (side(4), side(7));
                let flags = bytes.first().copied().unwrap_or_default();
                found.has_alpha = flags & 0x10 != 0;
                if flags & 0x02 != 0 {
                    found.as_is = Some(AsIs::Frames);
                    return Ok(());
                }
            }
            b"ICCP" => {
                let bytes = part(file, padded)?;
                found.add_profile(&bytes, usize::try_from(length).unwrap_or(usize::MAX));
            }
            b"EXIF" => {
                let bytes = part(file, padded)?;
                let exif = bytes.strip_prefix(b"Exif\0\0").unwrap_or(&bytes);
                found.exif = Some(Orientation::of_exif(exif));
                return Ok(());
            }
            b"VP8 " if found.width == 0 => {
                let bytes = part(file, padded)?;
                let side = |at: usize| {
                    bytes
                        .get(at..at + 2)
                        .map_or(0, |two| u32::from(u16::from_le_bytes([two[0], two[1]]) & 0x3fff))
                };
                (found.width, found.height) = (side(6), side(8));
                return Ok(());
            }
            b"VP8L" if found.width == 0 => {
                let bytes = part(file, padded)?;
                let bits = bytes
                    .get(1..5)
                    .map_or(0, |four| u32::from_le_bytes([four[0], four[1], four[2], four[3]]));
                (found.width, found.height) = ((bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1);
                found.has_alpha = bits >> 28 & 1 == 1;
                return Ok(());
            }
            _ => skip(file, padded)?,
        }
    }
    Ok(())
}

fn gif(file: &mut (impl Read + Seek), found: &mut Found) -> io::Result<()> {
    file.seek(SeekFrom::Start(6))?;
    let side = |file: &mut _| array(file).map(|two| u32::from(u16::from_le_bytes(two)));
    (found.width, found.height) = (side(file)?, side(file)?);
    Ok(())
}
