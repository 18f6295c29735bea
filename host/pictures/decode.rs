//! From the bytes of a picture to pixels, in safe Rust.

use std::io::Cursor;

use super::header::{Header, Kind, LARGEST_PROFILE};
use super::pixels::Pixels;

/// Why a picture could not be decoded.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DecodeError {
    #[error("the JPEG cannot be decoded")]
    Jpeg(#[from] jpeg_decoder::Error),
    #[error("the PNG cannot be decoded")]
    Png(#[from] png::DecodingError),
    #[error("the WebP cannot be decoded")]
    WebP(#[from] image_webp::DecodingError),
    #[error("its content is not what its header says")]
    Other,
    #[error("its profile is larger than 4 KiB, or is none of RGB")]
    Profile,
}

/// A decoded picture, as it is in its file.
pub(super) struct Decoded {
    pub(super) pixels: Pixels,
    /// The profile of its colours; empty if they are sRGB's.
    pub(super) profile: Vec<u8>,
}

/// By how much a JPEG is made smaller while it is decoded (1, 2, 4 or 8), so that it stays at least `wanted` pixels wide as
/// it is in its file.
fn reduction(header: &Header, wanted: u32) -> u32 {
    let (width, _) = header.stored();
    let fits = |by: &u32| header.kind == Kind::Jpeg && width.div_ceil(*by) >= wanted;
    [8, 4, 2].into_iter().find(fits).unwrap_or(1)
}

/// Bytes of memory that decoding takes at most, for a picture that is `wanted` pixels wide in its file afterwards.
pub(super) fn memory(header: &Header, wanted: u32) -> u64 {
    let (width, height) = header.stored();
    let all = u64::from(width) * u64::from(height);
    let by = u64::from(reduction(header, wanted));
    let pixels = all.div_ceil(by * by) + 16 * u64::from(width);
    match header.kind {
        // Planes, and the picture that is made of them.
        Kind::Jpeg if header.is_progressive => all * u64::from(header.channels) * 2 + pixels * 6,
        Kind::Jpeg => pixels * 6,
        // The pixels as they are in the file, and in four channels; of a WebP also its planes.
        Kind::Png => pixels * 8,
        Kind::WebP | Kind::Gif | Kind::Avif => pixels * 10,
    }
}

/// Decodes a picture with this header, so that it is at least `wanted` pixels wide as it is in its file, unless it is
/// smaller.
///
/// # Errors
/// When the bytes are not what the header says.
pub(super) fn decode(bytes: &[u8], header: &Header, wanted: u32) -> Result<Decoded, DecodeError> {
    let decoded = match header.kind {
        Kind::Jpeg => jpeg(bytes, header, wanted)?,
        Kind::Png => png(bytes, header)?,
        Kind::WebP => webp(bytes, header)?,
        Kind::Gif | Kind::Avif => return Err(DecodeError::Other),
    };
    let Pixels { width, height, has_alpha, bytes } = &decoded.pixels;
    if bytes.len() != width * height * if *has_alpha { 4 } else { 3 } || bytes.is_empty() {
        return Err(DecodeError::Other);
    }
    let is_rgb = |profile: &[u8]| profile.get(16..20) == Some(b"RGB ");
    if !decoded.profile.is_empty() && (decoded.profile.len() > LARGEST_PROFILE || !is_rgb(&decoded.profile)) {
        return Err(DecodeError::Profile);
    }
    Ok(decoded)
}

/// Refuses another size than the header's, on which the estimate of memory depends.
fn is_size(header: &Header, width: u32, height: u32) -> Result<(), DecodeError> {
    if (width, height) == header.stored() { Ok(()) } else { Err(DecodeError::Other) }
}

fn jpeg(bytes: &[u8], header: &Header, wanted: u32) -> Result<Decoded, DecodeError> {
    let mut decoder = jpeg_decoder::Decoder::new(bytes);
    decoder.set_max_decoding_buffer_size(usize::try_from(memory(header, wanted)).unwrap_or(usize::MAX));
    decoder.read_info()?;
    let info = decoder.info().ok_or(DecodeError::Other)?;
    is_size(header, info.width.into(), info.height.into())?;
    let by = reduction(header, wanted);
    // One pixel less than the result chooses this reduction and not the one below.
    let side = |side: u16| u16::try_from(u32::from(side).div_ceil(by)).unwrap_or(side);
    let (width, height) = decoder.scale(side(info.width), side(info.height))?;
    let decoded = decoder.decode()?;
    let bytes = match info.pixel_format {
        jpeg_decoder::PixelFormat::RGB24 => decoded,
        jpeg_decoder::PixelFormat::L8 => decoded.into_iter().flat_map(|grey| [grey; 3]).collect(),
        _ => return Err(DecodeError::Other),
    };
    let pixels = Pixels { width: width.into(), height: height.into(), has_alpha: false, bytes };
    Ok(Decoded { pixels, profile: decoder.icc_profile().unwrap_or_default() })
}

fn png(bytes: &[u8], header: &Header) -> Result<Decoded, DecodeError> {
    let limits = png::Limits { bytes: usize::try_from(memory(header, 0)).unwrap_or(usize::MAX) };
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(bytes), limits);
    decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::STRIP_16);
    decoder.set_ignore_text_chunk(true);
    let mut reader = decoder.read_info()?;
    let info = reader.info();
    is_size(header, info.width, info.height)?;
    let profile = info.icc_profile.as_deref().unwrap_or_default().to_vec();
    let size = reader.output_buffer_size().ok_or(DecodeError::Other)?;
    let mut decoded = vec![0; size];
    let frame = reader.next_frame(&mut decoded)?;
    decoded.truncate(frame.buffer_size());
    let (has_alpha, bytes) = match frame.color_type {
        png::ColorType::Rgb => (false, decoded),
        png::ColorType::Rgba => (true, decoded),
        png::ColorType::Grayscale => (false, decoded.into_iter().flat_map(|grey| [grey; 3]).collect()),
        png::ColorType::GrayscaleAlpha => {
            let pixels = decoded.as_chunks().0.iter();
            (true, pixels.flat_map(|&[grey, alpha]| [grey, grey, grey, alpha]).collect())
        }
        png::ColorType::Indexed => return Err(DecodeError::Other),
    };
    let pixels = Pixels { width: frame.width as usize, height: frame.height as usize, has_alpha, bytes };
    Ok(Decoded { pixels, profile })
}

fn webp(bytes: &[u8], header: &Header) -> Result<Decoded, DecodeError> {
    let mut decoder = image_webp::WebPDecoder::new(Cursor::new(bytes))?;
    decoder.set_memory_limit(usize::try_from(memory(header, 0)).unwrap_or(usize::MAX));
    let (width, height) = decoder.dimensions();
    is_size(header, width, height)?;
    if decoder.is_animated() {
        return Err(DecodeError::Other);
    }
    let profile = decoder.icc_profile()?.unwrap_or_default();
    let mut bytes = vec![0; decoder.output_buffer_size().ok_or(DecodeError::Other)?];
    decoder.read_image(&mut bytes)?;
    let pixels =
        Pixels { width: width as usize, height: height as usize, has_alpha: decoder.has_alpha(), bytes };
    Ok(Decoded { pixels, profile })
}
