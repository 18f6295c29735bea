//! How a picture has to be turned before it is shown, as cameras write it.

use super::pixels::Pixels;

/// The tag of the orientation in EXIF.
const TAG: u16 = 0x0112;
/// Most entries of EXIF's first directory that are looked at.
const MOST_ENTRIES: usize = 256;

/// A turn and a mirroring, numbered from 1 to 8 as in EXIF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Orientation(u8);

impl Default for Orientation {
    fn default() -> Self {
        Self(1)
    }
}

impl Orientation {
    /// What EXIF says, which begins with the order of its bytes. What cannot be read says nothing.
    pub(super) fn of_exif(exif: &[u8]) -> Self {
        read(exif).filter(|number| (1..=8).contains(number)).map(Self).unwrap_or_default()
    }

    /// Whether width and height change places.
    pub(super) fn swaps_sides(self) -> bool {
        self.0 >= 5
    }

    /// The picture as it is shown.
    pub(super) fn apply(self, pixels: Pixels) -> Pixels {
        if self.0 == 1 {
            return pixels;
        }
        let Pixels { width, height, has_alpha, .. } = pixels;
        let (to_width, to_height) = if self.swaps_sides() { (height, width) } else { (width, height) };
        let mut bytes = Vec::with_capacity(pixels.bytes.len());
        for y in 0..to_height {
            for x in 0..to_width {
                let (right, bottom) = (to_width - 1 - x, to_height - 1 - y);
                let (from_x, from_y) = match self.0 {
                    2 => (right, y),
                    3 => (right, bottom),
                    4 => (x, bottom),
                    5 => (y, x),
                    6 => (y, right),
                    7 => (bottom, right),
                    _ => (bottom, x),
                };
                bytes.extend_from_slice(pixels.at(from_x, from_y));
            }
        }
        Pixels { width: to_width, height: to_height, has_alpha, bytes }
    }
}

fn read(exif: &[u8]) -> Option<u8> {
    let is_big = match exif.get(..4)? {
        b"MM\0*" => true,
        b"II*\0" => false,
        _ => return None,
    };
    let short = |at: usize| {
        let bytes = exif.get(at..at.checked_add(2)?)?.try_into().ok()?;
        Some(if is_big { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) })
    };
    let offset = exif.get(4..8)?.try_into().ok()?;
    let offset = if is_big { u32::from_be_bytes(offset) } else { u32::from_le_bytes(offset) };
    let directory = usize::try_from(offset).ok()?;
    let entries = usize::from(short(directory)?).min(MOST_ENTRIES);
    let entry = (0..entries).map(|number| directory + 2 + 12 * number).find(|&at| short(at) == Some(TAG))?;
    u8::try_from(short(entry + 8)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// EXIF that says nothing but this number.
    pub(crate) fn exif(number: u8) -> Vec<u8> {
        [&b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0"[..], &[number], &[0; 6]].concat()
    }

    #[test]
    fn each_orientation_turns_the_picture_as_exif_says() {
        // Two columns and three rows; each pixel is its number.
        let bytes = (1..=6_u8).flat_map(|number| [number; 3]).collect();
        let pixels = Pixels { width: 2, height: 3, has_alpha: false, bytes };
        for (number, expected) in [
            (1, [1, 2, 3, 4, 5, 6]),
            (2, [2, 1, 4, 3, 6, 5]),
            (3, [6, 5, 4, 3, 2, 1]),
            (4, [5, 6, 3, 4, 1, 2]),
            (5, [1, 3, 5, 2, 4, 6]),
            (6, [5, 3, 1, 6, 4, 2]),
            (7, [6, 4, 2, 5, 3, 1]),
            (8, [2, 4, 6, 1, 3, 5]),
        ] {
            let orientation = Orientation::of_exif(&exif(number));
            assert_eq!(orientation, Orientation(number));
            let turned = orientation.apply(pixels.clone());
            let shown: Vec<u8> = turned.bytes.chunks(3).map(|pixel| pixel[0]).collect();
            assert_eq!(shown, expected, "{number}");
            assert_eq!((turned.width, turned.height), if number < 5 { (2, 3) } else { (3, 2) });
        }
    }

    #[test]
    fn what_cannot_be_read_turns_nothing() {
        for exif in [
            &exif(0)[..],
            &exif(9),
            &exif(6)[..18],
            b"",
            b"II*\0\xff\xff\xff\xff",
            b"MM\0*\0\0\0\x08\xff\xff",
        ] {
            assert_eq!(Orientation::of_exif(exif), Orientation::default(), "{exif:?}");
        }
    }
}
