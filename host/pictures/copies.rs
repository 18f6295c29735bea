//! The copies of one picture, from one decoding.

use super::decode::{self, DecodeError, Decoded};
use super::fit::Fit;
use super::header::Header;
use super::pixels::Pixels;
use super::preview::{self, PreviewError};
use super::resize::resize;
use super::size::{Size, Width};
use super::webp;

/// Why there are no copies of a picture.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CopyError {
    #[error(transparent)]
    Decode(#[from] DecodeError),
    #[error(transparent)]
    Encode(#[from] webp::EncodeError),
    #[error(transparent)]
    Preview(#[from] PreviewError),
    #[error("the decoder has failed")]
    Panic,
}

/// What was made of a picture.
pub(super) struct Made {
    /// The copies; a copy that is not smaller than the picture is `None`.
    pub(super) copies: Vec<(Size, Option<Vec<u8>>)>,
    pub(super) fit: Fit,
}

/// The size of the copy of this width, in pixels as it is shown. A picture is never made larger.
#[expect(clippy::cast_possible_truncation, reason = "a side has at most 65,535 pixels")]
fn target(header: &Header, width: Width) -> (usize, usize) {
    let to = u64::from(width.pixels().min(header.width));
    let (from, height) = (u64::from(header.width.max(1)), u64::from(header.height));
    (to as usize, ((height * to + from / 2) / from).max(1) as usize)
}

/// How wide the decoded picture has to be, as it is in its file, for a copy of this size.
fn wanted(header: &Header, size: Size) -> u32 {
    let (width, height) = match size {
        Size::Width(width) => target(header, width),
        Size::Preview => preview::target(header),
        Size::Fit | Size::Origin => (0, 0),
    };
    let side = if header.orientation.swaps_sides() { height } else { width };
    u32::try_from(side).unwrap_or(u32::MAX)
}

/// Bytes of memory that making a copy of this size takes at most, with the picture's own `length`.
pub(super) fn memory(header: &Header, size: Size, length: u64) -> u64 {
    let (width, height) = (u64::from(Width::LARGEST.pixels()), u64::from(header.height.max(1)));
    let copy = width.min(header.width.into()) * height.min(u64::from(Width::LARGEST.pixels()) * 2);
    // The pixels of a copy, its planes in the encoder, and the rows between.
    length + decode::memory(header, wanted(header, size)) + copy * 7
}

/// Makes the copy of this size from the bytes of a picture, and all that are less wide. What the picture is comes along.
///
/// # Errors
/// When the bytes cannot be decoded.
pub(super) fn make(bytes: &[u8], header: &Header, size: Size) -> Result<Made, CopyError> {
    let Decoded { pixels, profile } = decode::decode(bytes, header, wanted(header, size))?;
    let mut copies = Vec::new();
    if size == Size::Preview {
        copies.push((size, Some(preview::make(&pixels, header)?)));
    }
    let mut made = vec![pixels];
    for width in Width::of(header).into_iter().rev() {
        if matches!(size, Size::Width(largest) if width <= largest) {
            let smaller = scaled(&made, header, target(header, width));
            let encoded = webp::encode(&header.orientation.apply(smaller.clone()), &profile)?;
            copies.push((Size::Width(width), Some(encoded).filter(|encoded| encoded.len() < bytes.len())));
            made.push(smaller);
        }
    }
    let small = scaled(&made, header, target(header, Width::SMALLEST));
    Ok(Made { copies, fit: Fit::of(&small) })
}

/// The picture with this size as it is shown, not turned yet: from the smallest of those that are at least twice as large,
/// which looks the same as from the largest and takes less time.
fn scaled(made: &[Pixels], header: &Header, (width, height): (usize, usize)) -> Pixels {
    let (width, height) = if header.orientation.swaps_sides() { (height, width) } else { (width, height) };
    let is_large = |pixels: &&Pixels| pixels.width >= 2 * width && pixels.height >= 2 * height;
    let source = made.iter().rev().find(is_large).unwrap_or(&made[0]);
    if (source.width, source.height) == (width, height) {
        source.clone()
    } else {
        resize(source, width, height)
    }
}
