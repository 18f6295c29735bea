//! Which encoding a client gets, and how much time compressing a body is worth.

use std::io::{Result, Write as _};
use std::num::NonZeroUsize;
use std::sync::LazyLock;
use std::thread::available_parallelism;

use axum::http::{HeaderMap, header};
use bytes::Bytes;
use tokio::sync::Semaphore;

/// As much as a page has; a larger window only takes longer to set up.
const BROTLI_WINDOW: i32 = 18;

/// No more bodies are compressed at once than there are cores; a crowd for as many new pages would
/// otherwise leave none for those who answer.
static COMPRESSORS: LazyLock<Semaphore> =
    LazyLock::new(|| Semaphore::new(available_parallelism().map_or(1, NonZeroUsize::get)));

/// How much time compressing a body is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// It is sent often.
    Thorough,
    /// It is sent once or twice. A quarter of the time makes a sixth more bytes.
    Quick,
    /// It is sent once, and perhaps in a crowd that leaves no time.
    Least,
}

impl Effort {
    fn brotli_quality(self) -> i32 {
        match self {
            Self::Thorough => 5,
            Self::Quick | Self::Least => 3,
        }
    }

    fn gzip_level(self) -> flate2::Compression {
        match self {
            Self::Thorough => flate2::Compression::default(),
            Self::Quick => flate2::Compression::new(3),
            Self::Least => flate2::Compression::fast(),
        }
    }

    /// The encodings from best to worst.
    fn preference(self) -> [Encoding; 2] {
        match self {
            Self::Thorough | Self::Quick => [Encoding::Brotli, Encoding::Gzip],
            // At its fastest it takes a third of the time.
            Self::Least => [Encoding::Gzip, Encoding::Brotli],
        }
    }
}

/// How a body may be compressed on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Brotli,
    Gzip,
}

impl Encoding {
    /// Its name in `Accept-Encoding` and `Content-Encoding`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Brotli => "br",
            Self::Gzip => "gzip",
        }
    }

    /// The best one for this effort that the client accepts, if it accepts any.
    pub fn best(headers: &HeaderMap, effort: Effort) -> Option<Self> {
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

/// Whether one item of the list accepts `wanted`. A quality of zero is a refusal, and so is one that
/// is no number: whoever sends it gets what everybody can read.
fn accepts(item: &str, wanted: &str) -> bool {
    let mut parts = item.split(';').map(str::trim);
    let named = parts.next().is_some_and(|name| name.eq_ignore_ascii_case(wanted));
    let quality = parts.find_map(|parameter| {
        let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
        name.trim_end().eq_ignore_ascii_case("q").then(|| value.trim_start().parse::<f32>())
    });
    named && quality.is_none_or(|quality| quality.is_ok_and(|quality| quality > 0.0))
}

/// The compressed body.
///
/// # Errors
/// When the process has no thread left for it.
pub async fn compress(body: Bytes, encoding: Encoding, effort: Effort) -> Result<Vec<u8>> {
    // The way to another thread and back would take longer than the work.
    if effort == Effort::Least {
        return encoding.compress(&body, effort);
    }
    let permit = COMPRESSORS.acquire().await.map_err(std::io::Error::other)?;
    tokio::task::spawn_blocking(move || {
        // Work that has begun goes on when the client has gone, and counts until its end.
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
    fn the_smallest_accepted_variant_is_chosen() {
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

    /// One item of the list, and the coding that it accepts or refuses.
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
        fn only_what_is_accepted_is_chosen(items in prop::collection::vec(item(), 0..6)) {
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
