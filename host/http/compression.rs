//! Content encoding: negotiation through `Accept-Encoding`, and compression with zstd, brotli or gzip.

use std::io::{Read as _, Result, Write as _};
use std::num::NonZeroUsize;
use std::sync::LazyLock;
use std::thread::available_parallelism;

use axum::http::{HeaderMap, header};
use bytes::Bytes;
use tokio::sync::Semaphore;
use zstd::zstd_safe::CParameter;

/// Base-two logarithm of the brotli window, in bytes. 256 KiB hold a whole page; a larger window only
/// takes longer to set up.
const BROTLI_WINDOW: i32 = 18;

/// About how many bytes each block of zstd has. A browser decodes whole blocks: without this a page is one block, of which
/// nothing is seen until all of it is there. These are the smallest that zstd makes, about a packet. They cost 0.9 %.
const ZSTD_BLOCK: u32 = 1340;

/// Longest body, in bytes, that is compressed where it is asked for: longer than any page. A list of many
/// thousand addresses, such as the sitemap, would keep other requests of its thread waiting.
const LONGEST_IN_PLACE: usize = 512 << 10;

/// Limits the compressions and decompressions on blocking threads to one per core, so that many new pages at once leave
/// processor time to the threads that answer requests.
static COMPRESSION_PERMITS: LazyLock<Semaphore> =
    LazyLock::new(|| Semaphore::new(available_parallelism().map_or(1, NonZeroUsize::get)));

/// The size of a brotli decoder's input buffer, in bytes.
const DECODER_BUFFER: usize = 4096;

/// How much time compressing a body is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effort {
    /// For a body that is sent many times, in idle time: nobody waits for it.
    Idle,
    /// For a body for which somebody waits, and which may be sent again.
    Quick,
    /// For a body that is sent once, possibly under overload.
    Fastest,
}

impl Effort {
    fn brotli_quality(self) -> i32 {
        match self {
            Self::Idle => 10,
            Self::Quick | Self::Fastest => 3,
        }
    }

    pub(super) fn gzip_level(self) -> flate2::Compression {
        match self {
            Self::Idle => flate2::Compression::best(),
            Self::Quick => flate2::Compression::new(3),
            Self::Fastest => flate2::Compression::fast(),
        }
    }

    fn zstd_level(self) -> i32 {
        match self {
            Self::Idle => 15,
            Self::Quick => 3,
            Self::Fastest => 1,
        }
    }
}

/// A content coding that the host can produce.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Zstd,
    Brotli,
    Gzip,
}

impl Encoding {
    /// Every coding, the one that is made in the least time first.
    pub(crate) const BY_TIME: [Self; 3] = [Self::Zstd, Self::Gzip, Self::Brotli];

    /// Every coding, the one with the fewest bytes for a page first.
    pub(crate) const BY_SIZE: [Self; 3] = [Self::Brotli, Self::Zstd, Self::Gzip];

    /// The coding's token in `Accept-Encoding` and `Content-Encoding`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Zstd => "zstd",
            Self::Brotli => "br",
            Self::Gzip => "gzip",
        }
    }

    /// The body in this coding.
    ///
    /// # Errors
    /// Fails when the encoder does.
    pub(crate) fn compress(self, body: &[u8], effort: Effort) -> Result<Vec<u8>> {
        let mut compressed = Vec::with_capacity(body.len() / 6);
        match self {
            Self::Zstd => {
                let mut compressor = zstd::bulk::Compressor::new(effort.zstd_level())?;
                compressor.include_contentsize(true)?;
                compressor.set_parameter(CParameter::TargetCBlockSize(ZSTD_BLOCK))?;
                return compressor.compress(body);
            }
            Self::Brotli => {
                let parameters = brotli::enc::BrotliEncoderParams {
                    quality: effort.brotli_quality(),
                    lgwin: BROTLI_WINDOW,
                    size_hint: body.len(),
                    ..Default::default()
                };
                brotli::BrotliCompress(&mut &*body, &mut compressed, &parameters)?;
            }
            Self::Gzip => {
                let mut encoder = flate2::write::GzEncoder::new(&mut compressed, effort.gzip_level());
                encoder.write_all(body)?;
                encoder.finish()?;
            }
        }
        Ok(compressed)
    }

    /// The body of `length` bytes that [`Self::compress`] was given.
    ///
    /// # Errors
    /// Fails when these bytes are not such a body.
    pub(crate) fn decompress(self, compressed: &[u8], length: usize) -> Result<Vec<u8>> {
        let mut body = Vec::with_capacity(length);
        match self {
            Self::Zstd => return zstd::bulk::decompress(compressed, length),
            Self::Brotli => brotli::Decompressor::new(compressed, DECODER_BUFFER).read_to_end(&mut body)?,
            Self::Gzip => flate2::bufread::GzDecoder::new(compressed).read_to_end(&mut body)?,
        };
        Ok(body)
    }
}

/// The codings that a client prefers among those that the host can produce.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Accepted([bool; 3]);

impl Accepted {
    /// Every coding, as browsers accept them.
    pub(crate) const ALL: Self = Self([true; 3]);

    /// The codings with the highest quality that these headers name. Codings with a
    /// lower quality are left out, because the client prefers another one (RFC 9110, section 12.5.3).
    pub(crate) fn by(headers: &HeaderMap) -> Self {
        let mut qualities = [0.0_f32; 3];
        for item in items(headers) {
            for coding in Encoding::BY_TIME {
                let known = &mut qualities[coding as usize];
                *known = known.max(quality(item, coding.name()));
            }
        }
        let highest = qualities.iter().copied().fold(0.0, f32::max);
        Self(qualities.map(|quality| quality > 0.0 && quality >= highest))
    }

    pub(crate) fn has(self, coding: Encoding) -> bool {
        self.0[coding as usize]
    }

    /// The first of these codings that the client prefers.
    pub(crate) fn first(self, codings: impl IntoIterator<Item = Encoding>) -> Option<Encoding> {
        codings.into_iter().find(|coding| self.has(*coding))
    }
}

/// The quality of a coding in these headers, and the highest one of the codings that the host can produce. Without a
/// quality that is above zero the client does not accept it.
pub(super) fn quality_among(headers: &HeaderMap, wanted: &str) -> (f32, f32) {
    let highest = |names: &[&str]| {
        let items = items(headers).flat_map(|item| names.iter().map(move |name| quality(item, name)));
        items.fold(0.0, f32::max)
    };
    (highest(&[wanted]), highest(&Encoding::BY_TIME.map(Encoding::name)))
}

/// The items of the `Accept-Encoding` list.
fn items(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let lines = headers.get_all(header::ACCEPT_ENCODING);
    lines.iter().filter_map(|line| line.to_str().ok()).flat_map(|line| line.split(','))
}

/// The quality that one item of an `Accept-Encoding` list gives to the coding `wanted`, from 0 (refused; RFC
/// 9110, section 12.4.2) to 1. A quality that is not a number counts as zero, because the uncompressed body
/// is always readable.
fn quality(item: &str, wanted: &str) -> f32 {
    let mut parts = item.split(';').map(str::trim);
    if !parts.next().is_some_and(|name| name.eq_ignore_ascii_case(wanted)) {
        return 0.0;
    }
    let quality = parts.find_map(|parameter| {
        let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
        name.trim_end().eq_ignore_ascii_case("q").then(|| value.trim_start().parse::<f32>())
    });
    let quality = quality.map_or(1.0, |quality| quality.unwrap_or(0.0));
    if quality.is_nan() { 0.0 } else { quality.clamp(0.0, 1.0) }
}

/// Compresses `body`: where the caller runs if that is quick and the body short, else on a blocking thread.
///
/// # Errors
/// Fails when the encoder fails or the blocking task does not finish.
pub(crate) async fn compress(body: Bytes, encoding: Encoding, effort: Effort) -> Result<Vec<u8>> {
    if body.len() <= LONGEST_IN_PLACE && (effort == Effort::Fastest || encoding == Encoding::Zstd) {
        return encoding.compress(&body, effort);
    }
    on_blocking_thread(move || encoding.compress(&body, effort)).await
}

/// Decompresses a body of `length` bytes: where the caller runs if that is quick and the body short, else on a
/// blocking thread.
///
/// # Errors
/// Fails when these bytes are not such a body or the blocking task does not finish.
pub(crate) async fn decompress(compressed: Bytes, encoding: Encoding, length: usize) -> Result<Vec<u8>> {
    if length <= LONGEST_IN_PLACE && encoding == Encoding::Zstd {
        return encoding.decompress(&compressed, length);
    }
    on_blocking_thread(move || encoding.decompress(&compressed, length)).await
}

async fn on_blocking_thread(work: impl FnOnce() -> Result<Vec<u8>> + Send + 'static) -> Result<Vec<u8>> {
    let permit = COMPRESSION_PERMITS.acquire().await.map_err(std::io::Error::other)?;
    tokio::task::spawn_blocking(move || {
        // Work that has begun runs to its end even when the client disconnects, so it holds the permit
        // until then.
        let _permit = permit;
        work()
    })
    .await?
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use axum::http::HeaderValue;
    use proptest::prelude::*;

    use super::Encoding::{Brotli, Gzip, Zstd};
    use super::*;

    fn accepted(list: &str) -> Accepted {
        let headers = HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_str(list).unwrap())]);
        Accepted::by(&headers)
    }

    fn coding_set(codings: &[Encoding]) -> Accepted {
        let mut set = Accepted::default();
        codings.iter().for_each(|coding| set.0[*coding as usize] = true);
        set
    }

    #[test]
    fn the_codings_of_the_highest_quality_are_chosen() {
        let cases: [(&str, &[Encoding]); 14] = [
            ("gzip, deflate, br, zstd", &[Zstd, Brotli, Gzip]),
            ("gzip;q=0.8, br;q=0", &[Gzip]),
            ("gzip;q=0.8, br;q=0.9, zstd;q=0.9", &[Brotli, Zstd]),
            ("gzip, br;q=0.9", &[Gzip]),
            ("GZIP", &[Gzip]),
            ("ZStd;q=0.1", &[Zstd]),
            ("br;q=x", &[]),
            ("br;Q=0, gzip;q=0.001", &[Gzip]),
            ("br; q = 0", &[]),
            ("br;x=1;q=0", &[]),
            ("br;x=1", &[Brotli]),
            ("br;q", &[]),
            ("br;q=NaN", &[]),
            ("", &[]),
        ];
        for (list, chosen) in cases {
            assert_eq!(accepted(list), coding_set(chosen), "{list}");
        }
        assert_eq!(accepted("gzip, br, zstd").first(Encoding::BY_SIZE), Some(Brotli));
        assert_eq!(accepted("gzip, br, zstd").first(Encoding::BY_TIME), Some(Zstd));
        assert_eq!(accepted("gzip, br").first(Encoding::BY_TIME), Some(Gzip));
        assert_eq!(accepted("").first(Encoding::BY_TIME), None);
    }

    #[test]
    fn every_coding_of_every_effort_decompresses_to_the_same_body() {
        let body = "A shelf of mugs. ".repeat(1_000);
        for effort in [Effort::Idle, Effort::Quick, Effort::Fastest] {
            for coding in Encoding::BY_SIZE {
                let packed = coding.compress(body.as_bytes(), effort).unwrap();
                let mut unpacked = Vec::new();
                match coding {
                    Zstd => unpacked = zstd::decode_all(&*packed).unwrap(),
                    Brotli => {
                        brotli::Decompressor::new(&*packed, 4096).read_to_end(&mut unpacked).unwrap();
                    }
                    Gzip => {
                        flate2::read::GzDecoder::new(&*packed).read_to_end(&mut unpacked).unwrap();
                    }
                }
                assert!(unpacked == body.as_bytes(), "{coding:?}");
                assert!(coding.decompress(&packed, body.len()).unwrap() == body.as_bytes(), "{coding:?}");
                assert!(coding.decompress(&packed[..packed.len() / 2], body.len()).is_err(), "{coding:?}");
            }
        }
    }

    #[test]
    fn a_browser_reads_the_beginning_of_a_page_before_its_end_is_there() {
        let card = |number: u32| {
            let price = number.wrapping_mul(2_654_435_761) % 10_000;
            format!("<li><a href=\"/product/{number}\">Mug {price}</a><b>$ {price}</b></li>")
        };
        let body = (0..2_000).map(card).collect::<String>();
        for effort in [Effort::Idle, Effort::Quick, Effort::Fastest] {
            for coding in [Zstd, Brotli] {
                let packed = coding.compress(body.as_bytes(), effort).unwrap();
                let beginning = &packed[..packed.len() / 2];
                let mut read = Vec::new();
                // It fails at the end, where the rest is missing.
                match coding {
                    Brotli => brotli::Decompressor::new(beginning, 64).read_to_end(&mut read).unwrap_err(),
                    _ => zstd::Decoder::new(beginning).unwrap().read_to_end(&mut read).unwrap_err(),
                };
                assert!(
                    body.as_bytes().starts_with(&read) && read.len() > body.len() / 10,
                    "{coding:?}: {}",
                    read.len()
                );
            }
        }
    }

    /// One list item, the coding that it names, and its quality in thousandths.
    fn item() -> impl Strategy<Value = (String, &'static str, u32)> {
        let coding = prop::sample::select(vec!["br", "gzip", "zstd", "deflate", "identity"]);
        let quality = prop::sample::select(vec![
            ("", 1_000),
            (";q=1", 1_000),
            ("; q=0.001", 1),
            (" ;Q=0.5", 500),
            (";Q=0", 0),
            (";q=0.000", 0),
            (" ; q=NaN", 0),
        ]);
        (coding, quality, any::<bool>()).prop_map(|(coding, (quality, thousandths), upper)| {
            let spelled = if upper { coding.to_uppercase() } else { coding.into() };
            (format!("{spelled}{quality}"), coding, thousandths)
        })
    }

    proptest! {
        #[test]
        fn only_codings_of_the_highest_quality_are_chosen(items in prop::collection::vec(item(), 0..6)) {
            let list = items.iter().map(|(text, ..)| text.as_str()).collect::<Vec<_>>().join(", ");
            let quality = |wanted: &str| {
                let named = items.iter().filter(|(_, coding, _)| *coding == wanted);
                named.map(|(.., quality)| *quality).max().unwrap_or_default()
            };
            let highest = Encoding::BY_SIZE.map(|coding| quality(coding.name())).into_iter().max().unwrap();
            for coding in Encoding::BY_SIZE {
                let expected = highest > 0 && quality(coding.name()) == highest;
                prop_assert_eq!(accepted(&list).has(coding), expected, "{} {:?}", list, coding);
            }
        }
    }
}
