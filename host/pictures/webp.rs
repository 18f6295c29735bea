//! Encodes WebP. Only decoded pixels reach C here, and nothing else of this module's folder does.

use std::ptr;
use std::slice;

use super::pixels::Pixels;

/// The encoder's quality, from 0 to 100. Its method is the default, 4.
const QUALITY: f32 = 75.0;
/// Bits of the flags of an extended file.
const HAS_PROFILE: u8 = 0x20;
const HAS_ALPHA: u8 = 0x10;

/// The encoder had not enough memory.
#[derive(Debug, thiserror::Error)]
#[error("the WebP could not be encoded")]
pub(crate) struct EncodeError;

/// The bytes of a WebP with these pixels and, unless it is empty, this profile.
///
/// # Errors
/// When there is not enough memory, or a side is longer than 16,383 pixels.
pub(super) fn encode(pixels: &Pixels, profile: &[u8]) -> Result<Vec<u8>, EncodeError> {
    let bytes = encoded(pixels)?;
    if profile.is_empty() { Ok(bytes) } else { with_profile(&bytes, pixels, profile).ok_or(EncodeError) }
}

#[expect(unsafe_code, reason = "libwebp is a library in C")]
fn encoded(pixels: &Pixels) -> Result<Vec<u8>, EncodeError> {
    if pixels.bytes.len() != pixels.stride() * pixels.height {
        return Err(EncodeError);
    }
    let side = |side: usize| i32::try_from(side).map_err(|_| EncodeError);
    let (width, height, stride) = (side(pixels.width)?, side(pixels.height)?, side(pixels.stride())?);
    let encode = if pixels.has_alpha { libwebp_sys::WebPEncodeRGBA } else { libwebp_sys::WebPEncodeRGB };
    let mut output = ptr::null_mut();
    // SAFETY: there are `height` rows of `stride` bytes, which is `width` pixels of 3 or 4 bytes, as was just compared. The
    // encoder reads them and keeps no reference. `output` is valid for a write.
    let length = unsafe { encode(pixels.bytes.as_ptr(), width, height, stride, QUALITY, &raw mut output) };
    if length == 0 || output.is_null() {
        return Err(EncodeError);
    }
    // SAFETY: the encoder has allocated `length` bytes at `output` and written them.
    let bytes = unsafe { slice::from_raw_parts(output, length) }.to_vec();
    // SAFETY: `output` is from the encoder, and is not used any more.
    unsafe { libwebp_sys::WebPFree(output.cast()) };
    Ok(bytes)
}

/// The file with a profile: its parts behind a header of the extended form.
fn with_profile(file: &[u8], pixels: &Pixels, profile: &[u8]) -> Option<Vec<u8>> {
    let parts = file.get(12..)?;
    // The encoder writes this form by itself where there are pixels that are not opaque.
    let (alpha, parts) = match parts.strip_prefix(b"VP8X") {
        Some(rest) => (rest.get(4)? & HAS_ALPHA, rest.get(14..)?),
        None => (0, parts),
    };
    let mut extended = vec![HAS_PROFILE | alpha, 0, 0, 0];
    for side in [pixels.width, pixels.height] {
        let side = u32::try_from(side.checked_sub(1)?).ok()?;
        extended.extend_from_slice(&side.to_le_bytes()[..3]);
    }
    let mut whole = b"RIFF\0\0\0\0WEBP".to_vec();
    for (name, content) in [(b"VP8X", &extended[..]), (b"ICCP", profile)] {
        whole.extend_from_slice(name);
        whole.extend_from_slice(&u32::try_from(content.len()).ok()?.to_le_bytes());
        whole.extend_from_slice(content);
        whole.resize(whole.len().next_multiple_of(2), 0);
    }
    whole.extend_from_slice(parts);
    let length = u32::try_from(whole.len() - 8).ok()?;
    whole[4..8].copy_from_slice(&length.to_le_bytes());
    Some(whole)
}
