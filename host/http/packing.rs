//! Compresses a body that is made in parts, of which no more than one is in memory.

use std::io::{self, Write as _};
use std::mem;

use brotli::CompressorWriter;
use bytes::Bytes;
use flate2::write::GzEncoder;
use zstd::stream::write::Encoder;

use super::compression::{BROTLI_WINDOW, Effort, Encoding};

/// Compressed bytes that the encoder for brotli collects before it hands them out.
const BROTLI_BUFFER: usize = 16 << 10;

/// A body in a coding, so far. The same parts give the same bytes.
pub(crate) enum Packing {
    Plain(Vec<u8>),
    Zstd(Encoder<'static, Vec<u8>>),
    Brotli(Box<CompressorWriter<Vec<u8>>>),
    Gzip(GzEncoder<Vec<u8>>),
}

impl Packing {
    /// Begins a body for which somebody waits.
    ///
    /// # Errors
    /// When there is no memory for an encoder.
    pub(crate) fn begin(coding: Option<Encoding>) -> io::Result<Self> {
        let effort = Effort::Quick;
        Ok(match coding {
            None => Self::Plain(Vec::new()),
            Some(Encoding::Zstd) => Self::Zstd(Encoder::new(Vec::new(), effort.zstd_level())?),
            Some(Encoding::Brotli) => {
                let (quality, window) = (effort.brotli_quality() as u32, BROTLI_WINDOW as u32);
                Self::Brotli(Box::new(CompressorWriter::new(Vec::new(), BROTLI_BUFFER, quality, window)))
            }
            Some(Encoding::Gzip) => Self::Gzip(GzEncoder::new(Vec::new(), effort.gzip_level())),
        })
    }

    /// Adds a part. Returns what can be sent: perhaps nothing, because encoders collect bytes.
    ///
    /// # Errors
    /// When the encoder fails.
    pub(crate) fn add(&mut self, part: &[u8]) -> io::Result<Bytes> {
        let packed = match self {
            Self::Plain(packed) => {
                packed.write_all(part)?;
                packed
            }
            Self::Zstd(encoder) => {
                encoder.write_all(part)?;
                encoder.get_mut()
            }
            Self::Brotli(encoder) => {
                encoder.write_all(part)?;
                encoder.get_mut()
            }
            Self::Gzip(encoder) => {
                encoder.write_all(part)?;
                encoder.get_mut()
            }
        };
        Ok(mem::take(packed).into())
    }

    /// Ends the body. Returns the rest of it.
    ///
    /// # Errors
    /// When the encoder fails.
    pub(crate) fn end(self) -> io::Result<Bytes> {
        Ok(match self {
            Self::Plain(packed) => packed,
            Self::Zstd(encoder) => encoder.finish()?,
            Self::Brotli(encoder) => encoder.into_inner(),
            Self::Gzip(encoder) => encoder.finish()?,
        }
        .into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_one_body_in_every_coding() {
        let parts: Vec<Vec<u8>> = (0_u32..40)
            .map(|part| (0..part * 997).flat_map(|number| number.wrapping_mul(part).to_le_bytes()).collect())
            .collect();
        let whole = parts.concat();
        for coding in Encoding::BY_TIME.map(Some).into_iter().chain([None]) {
            let packed = || {
                let mut packing = Packing::begin(coding).unwrap();
                let mut packed: Vec<Bytes> = parts.iter().map(|part| packing.add(part).unwrap()).collect();
                assert!(packed.iter().any(|packed| !packed.is_empty()), "{coding:?} holds everything back");
                packed.push(packing.end().unwrap());
                packed.concat()
            };
            let once = packed();
            let unpacked = coding.map_or(Ok(once.clone()), |coding| coding.decompress(&once, whole.len()));
            assert!(unpacked.unwrap() == whole, "{coding:?}");
            assert!(packed() == once, "{coding:?}");
        }
    }
}
