//! Content encoding: negotiation through `Accept-Encoding`, and compression with brotli or gzip.

use std::io::{Result, Write as _};
use std::num::NonZeroUsize;
use std::sync::LazyLock;
use std::thread::available_parallelism;

use axum::http::{HeaderMap, header};
use bytes::Bytes;
use tokio::sync::Semaphore;

/// Base-two logarithm of the brotli window, in bytes. 256 KiB hold a whole page; a larger window only
/// takes longer to set up.
const BROTLI_WINDOW: i32 = 18;

/// Limits concurrent compressions to the number of cores, so that many new pages at once do not take
/// every core from the threads that answer requests.
static COMPRESSION_PERMITS: LazyLock<Semaphore> =
    LazyLock::new(|| Semaphore::new(available_parallelism().map_or(1, NonZeroUsize::get)));

/// How much time compressing a body is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effort {
    /// For a body that is sent many times.
    Thorough,
    /// For a body that is sent once or twice. Takes a quarter of the time of [`Self::Thorough`] and
    /// gives a sixth more bytes.
    Quick,
    /// For a body that is sent once, possibly under overload.
    Fastest,
}

impl Effort {
    fn brotli_quality(self) -> i32 {
        match self {
            Self::Thorough => 5,
            Self::Quick | Self::Fastest => 3,
        }
    }

    fn gzip_level(self) -> flate2::Compression {
        match self {
            Self::Thorough => flate2::Compression::default(),
            Self::Quick => flate2::Compression::new(3),
            Self::Fastest => flate2::Compression::fast(),
        }
    }

    /// The encodings, most preferred first.
    fn preference(self) -> [Encoding; 2] {
        match self {
            Self::Thorough | Self::Quick => [Encoding::Brotli, Encoding::Gzip],
            // Fast gzip takes a third of the time of quick brotli.
            Self::Fastest => [Encoding::Gzip, Encoding::Brotli],
        }
    }
}

/// A content coding that the host can produce.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Brotli,
    Gzip,
}

impl Encoding {
    /// The coding's token in `Accept-Encoding` and `Content-Encoding`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Brotli => "br",
            Self::Gzip => "gzip",
        }
    }

    /// The preferred encoding for this effort among those that the client accepts, if any.
    pub(crate) fn best(headers: &HeaderMap, effort: Effort) -> Option<Self> {
        let lines = headers.get_all(header::ACCEPT_ENCODING);
        let items = || lines.iter().filter_map(|line| line.to_str().ok()).flat_map(|line| line.split(','));
        let accepted = |encoding: &Self| items().any(|item| accepts(item, encoding.name()));
        effort.preference().into_iter().find(accepted)
    }

    fn compress(self, body: &[u8], effort: Effort) -> Result<Vec<u8>> {
        let mut compressed = Vec::with_capacity(body.len() / 6);
        match self {
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
}

/// Whether one item of an `Accept-Encoding` list accepts the coding `wanted`. A quality of zero refuses
/// it (RFC 9110, section 12.4.2). A quality that is not a number counts as zero too, because the
/// uncompressed body is always readable.
fn accepts(item: &str, wanted: &str) -> bool {
    let mut parts = item.split(';').map(str::trim);
    let named = parts.next().is_some_and(|name| name.eq_ignore_ascii_case(wanted));
    let quality = parts.find_map(|parameter| {
        let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
        name.trim_end().eq_ignore_ascii_case("q").then(|| value.trim_start().parse::<f32>())
    });
    named && quality.is_none_or(|quality| quality.is_ok_and(|quality| quality > 0.0))
}

/// Compresses `body`, on a blocking thread unless `effort` is [`Effort::Fastest`].
///
/// # Errors
/// Fails when the encoder fails or the blocking task does not finish.
pub(crate) async fn compress(body: Bytes, encoding: Encoding, effort: Effort) -> Result<Vec<u8>> {
    // Handing the body to another thread would take longer than compressing it here.
    if effort == Effort::Fastest {
        return encoding.compress(&body, effort);
    }
    let permit = COMPRESSION_PERMITS.acquire().await.map_err(std::io::Error::other)?;
    tokio::task::spawn_blocking(move || {
        // Compression that has begun runs to its end even when the client disconnects, so it holds
        // the permit until then.
        let _permit = permit;
        encoding.compress(&body, effort)
    })
    .await?
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;
    use proptest::prelude::*;

    use super::*;

    fn accepting(list: &str) -> HeaderMap {
        HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_str(list).unwrap())])
    }

    #[test]
    fn the_preferred_accepted_encoding_is_chosen() {
        for (list, chosen) in [
            ("gzip, deflate, br, zstd", Some(Encoding::Brotli)),
            ("gzip;q=0.8, br;q=0", Some(Encoding::Gzip)),
            ("GZIP", Some(Encoding::Gzip)),
            ("br;q=x", None),
            ("br;Q=0, gzip;q=0.001", Some(Encoding::Gzip)),
            ("br; q = 0", None),
            ("br;x=1;q=0", None),
            ("br;x=1", Some(Encoding::Brotli)),
            ("br;q", None),
            ("", None),
        ] {
            assert_eq!(Encoding::best(&accepting(list), Effort::Thorough), chosen, "{list}");
        }
    }

    /// One list item, the coding that it names, and whether it accepts that coding.
    fn item() -> impl Strategy<Value = (String, &'static str, bool)> {
        let coding = prop::sample::select(vec!["br", "gzip", "deflate", "identity"]);
        let quality = prop::sample::select(vec![
            ("", true),
            (";q=1", true),
            ("; q=0.001", true),
            (";Q=0", false),
            (";q=0.000", false),
            (" ; q=NaN", false),
        ]);
        (coding, quality, any::<bool>()).prop_map(|(coding, (quality, accepted), upper)| {
            let spelled = if upper { coding.to_uppercase() } else { coding.into() };
            (format!("{spelled}{quality}"), coding, accepted)
        })
    }

    proptest! {
        #[test]
        fn only_an_accepted_encoding_is_chosen(items in prop::collection::vec(item(), 0..6)) {
            let list = items.iter().map(|(text, ..)| text.as_str()).collect::<Vec<_>>().join(", ");
            let accepted = |wanted| items.iter().any(|(_, coding, accepted)| *coding == wanted && *accepted);
            let expected = match (accepted("br"), accepted("gzip")) {
                (true, _) => Some(Encoding::Brotli),
                (false, true) => Some(Encoding::Gzip),
                (false, false) => None,
            };
            prop_assert_eq!(Encoding::best(&accepting(&list), Effort::Thorough), expected, "{}", list);
        }
    }
}
