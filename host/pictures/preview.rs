//! The picture of a link preview: whole, on white, as a JPEG, which every program that shows previews reads.

use jpeg_encoder::{Encoder, EncodingError, ImageBuffer, JpegColorType, rgb_to_ycbcr};

use super::header::Header;
use super::pixels::Pixels;
use super::resize::resize;

/// Its size, in pixels.
pub(crate) const WIDTH: u16 = 1200;
pub(crate) const HEIGHT: u16 = 630;
/// Most bytes that it has; programs for messages show no larger one.
const MOST_BYTES: usize = 300 << 10;
/// The qualities that are tried, until it is small enough.
const QUALITIES: [u8; 4] = [82, 70, 50, 25];

/// Why there is no preview.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PreviewError {
    #[error("the preview cannot be encoded")]
    Encode(#[from] EncodingError),
    #[error("the preview is larger than 300 KiB")]
    TooLarge,
}

/// The size of the picture in its preview, as it is shown.
#[expect(clippy::cast_possible_truncation, reason = "the sides are at most those of the preview")]
pub(super) fn target(header: &Header) -> (usize, usize) {
    let (width, height) = (u64::from(header.width.max(1)), u64::from(header.height.max(1)));
    let (most_width, most_height) = (u64::from(WIDTH).min(width), u64::from(HEIGHT).min(height));
    let (width, height) = if width * most_height > height * most_width {
        (most_width, height * most_width / width)
    } else {
        (width * most_height / height, most_height)
    };
    (width.max(1) as usize, height.max(1) as usize)
}

/// The preview of a decoded picture.
///
/// # Errors
/// When it cannot be encoded within its bound.
pub(super) fn make(pixels: &Pixels, header: &Header) -> Result<Vec<u8>, PreviewError> {
    let (width, height) = target(header);
    let (stored_width, stored_height) =
        if header.orientation.swaps_sides() { (height, width) } else { (width, height) };
    let picture = header.orientation.apply(resize(pixels, stored_width, stored_height));
    let canvas = Canvas { picture: &picture };
    for quality in QUALITIES {
        let mut bytes = Vec::new();
        Encoder::new(&mut bytes, quality).encode_image(canvas)?;
        if bytes.len() <= MOST_BYTES {
            return Ok(bytes);
        }
    }
    Err(PreviewError::TooLarge)
}

/// A picture in the middle of a white ground. The encoder's own buffers would add code for ten forms of pixels.
#[derive(Clone, Copy)]
struct Canvas<'a> {
    picture: &'a Pixels,
}

impl ImageBuffer for Canvas<'_> {
    fn get_jpeg_color_type(&self) -> JpegColorType {
        JpegColorType::Ycbcr
    }

    fn width(&self) -> u16 {
        WIDTH
    }

    fn height(&self) -> u16 {
        HEIGHT
    }

    fn fill_buffers(&self, y: u16, buffers: &mut [Vec<u8>; 4]) {
        let Pixels { width, height, .. } = *self.picture;
        let (left, top) = ((usize::from(WIDTH) - width) / 2, (usize::from(HEIGHT) - height) / 2);
        for x in 0..usize::from(WIDTH) {
            let at = x.checked_sub(left).zip(usize::from(y).checked_sub(top));
            let pixel = at.filter(|(x, y)| *x < width && *y < height).map(|(x, y)| self.picture.at(x, y));
            let [red, green, blue] = pixel.map_or([u8::MAX; 3], on_white);
            let (luma, blue, red) = rgb_to_ycbcr(red, green, blue);
            for (buffer, value) in buffers.iter_mut().zip([luma, blue, red]) {
                buffer.push(value);
            }
        }
    }
}

fn on_white(pixel: &[u8]) -> [u8; 3] {
    let alpha = u16::from(pixel.get(3).copied().unwrap_or(u8::MAX));
    let mixed = |value: u8| (u16::from(value) * alpha + 255 * (255 - alpha)) / 255;
    [0, 1, 2].map(|channel| u8::try_from(mixed(pixel[channel])).unwrap_or(u8::MAX))
}
