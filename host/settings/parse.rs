//! The parsers of values, whether they come from a flag, the environment or a file.

use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;
use tracing_subscriber::filter::{LevelFilter, Targets};
use url::Url;

use crate::catalogue::file::FeedAddress;
use crate::document::ImageSource;
use crate::profile::Currency;

/// Where products come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CatalogueChoice {
    /// The embedded sample.
    Sample,
    /// A catalogue service at this base address.
    Service(Url),
    /// The products in this file.
    File(PathBuf),
    /// The products in the file at this address.
    Feed(FeedAddress),
    /// The products that a shop on Shopify or WooCommerce shows at this address.
    Shop(FeedAddress),
}

impl CatalogueChoice {
    pub(crate) fn is_file_or_feed(&self) -> bool {
        matches!(self, Self::File(_) | Self::Feed(_) | Self::Shop(_))
    }
}

pub(super) fn parse_catalogue(text: &str) -> Result<CatalogueChoice, String> {
    if text == "sample" {
        return Ok(CatalogueChoice::Sample);
    }
    let (scheme, path) = text.split_once(':').unwrap_or_default();
    if scheme.eq_ignore_ascii_case("feed") {
        return FeedAddress::parse(path).map(CatalogueChoice::Feed).map_err(|error| error.to_string());
    }
    if scheme.eq_ignore_ascii_case("shop") {
        return FeedAddress::parse_shop(path).map(CatalogueChoice::Shop).map_err(|error| error.to_string());
    }
    if scheme.eq_ignore_ascii_case("file") {
        // `file://` is followed by an empty host, and then by the path.
        let path = path.strip_prefix("//").unwrap_or(path);
        return match path {
            "" => Err("expected `file:` and the path of a file".into()),
            path => Ok(CatalogueChoice::File(path.into())),
        };
    }
    if !text.contains("://") {
        return Err(
            "expected `sample`, an address such as https://shop.example, `file:` and the path of a file, `feed:` and its \
             address, or `shop:` and the address of a shop"
                .into(),
        );
    }
    let service = parse_http_url(text).map(CatalogueChoice::Service);
    service.map_err(|problem| {
        format!(
            "{problem}, `sample`, `file:` and the path of a file, `feed:` and its address, or `shop:` and that of a shop"
        )
    })
}

/// How the products of a file can be bought.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Buy {
    /// The shop does not say.
    None,
    /// Where the file has a link to.
    Link,
}

/// The pictures of which copies are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CopiedPictures {
    /// Those in a folder of the operator's.
    Own,
    /// Those, and the ones on other hosts that the catalogue names.
    All,
    Off,
}

/// Parses the code of a currency, such as `EUR`.
pub(super) fn parse_currency(text: &str) -> Result<Currency, String> {
    Currency::parse(text).ok_or_else(|| "expected the three letters of a currency, such as EUR".into())
}

/// Parses the address of a storefront to ask for its health. `/healthz` is added if it has no path.
pub(super) fn parse_health_url(text: &str) -> Result<Url, String> {
    let mut url = parse_http_url(text)?;
    if url.path() == "/" {
        url.set_path("/healthz");
    }
    Ok(url)
}

pub(super) fn parse_listen(text: &str) -> Result<SocketAddr, String> {
    let expected = "expected an IP address and a port, such as 127.0.0.1:3000, 0.0.0.0:80 or [::1]:3000";
    text.parse().map_err(|_| expected.to_owned())
}

/// Parses a switch of the command line, whose value is often left out.
pub(super) fn parse_switch(text: &str) -> Result<bool, String> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" | "1" => Ok(true),
        "false" | "no" | "off" | "0" | "" => Ok(false),
        _ => Err("expected `true` or `false`".into()),
    }
}

/// Parses a whole number in a range, both ends included.
pub(super) fn parse_number<T, const LOWEST: u64, const HIGHEST: u64>(text: &str) -> Result<T, String>
where
    T: TryFrom<u64>,
{
    let number = text.parse().ok().filter(|number| (LOWEST..=HIGHEST).contains(number));
    number
        .and_then(|number: u64| T::try_from(number).ok())
        .ok_or_else(|| format!("expected a whole number from {LOWEST} to {HIGHEST}"))
}

fn parse_http_url(text: &str) -> Result<Url, String> {
    let expected = "expected an address such as https://shop.example";
    // The parser of URLs corrects spaces, control characters and backslashes silently.
    let is_corrected =
        |character: char| character.is_whitespace() || character.is_control() || character == '\\';
    let host = text.split_once("://").and_then(|(_, rest)| rest.split('/').next()).unwrap_or_default();
    if text.contains(is_corrected) || host.contains('@') {
        return Err(format!("{expected}, without spaces, backslashes and user"));
    }
    let url = Url::parse(text).map_err(|error| format!("{error}; {expected}"))?;
    if url.query().is_some() || url.fragment().is_some() {
        return Err(format!("{expected}, without query or fragment"));
    }
    ImageSource::of(&url).map_err(|error| format!("{expected}; {error}"))?;
    Ok(url)
}

/// Parses an address without a path, because the shop's pages are at the root of their host.
pub(super) fn parse_origin(text: &str) -> Result<Url, String> {
    let url = parse_http_url(text)?;
    if url.path() == "/" { Ok(url) } else { Err("expected an address without a path".into()) }
}

/// What `--mirror` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MirrorChoice {
    /// Copies a catalogue if it fits in memory.
    Auto,
    /// Copies a catalogue of at most this many products.
    UpTo(u64),
}

pub(super) fn parse_mirror(text: &str) -> Result<MirrorChoice, String> {
    match text {
        "auto" => Ok(MirrorChoice::Auto),
        "off" => Err(
            "every shop sells from a copy of its catalogue, so `off` is no choice any more; a number is the \
             largest that is copied"
                .into(),
        ),
        number => match number.parse() {
            Ok(most @ 1..) => Ok(MirrorChoice::UpTo(most)),
            _ => Err("expected `auto` or a number of products".into()),
        },
    }
}

pub(super) fn parse_isolates(text: &str) -> Result<NonZeroUsize, String> {
    let number = text.parse().ok().filter(|number: &NonZeroUsize| number.get() <= 1_024);
    number.ok_or_else(|| "expected a number from 1 to 1024".into())
}

/// Longest time of a setting in seconds: a year.
const MAX_SECONDS: u64 = 31_536_000;

pub(super) fn parse_seconds(text: &str) -> Result<Duration, String> {
    match text.parse() {
        Ok(seconds @ 0..=MAX_SECONDS) => Ok(Duration::from_secs(seconds)),
        _ => Err(format!("expected seconds from 0 to {MAX_SECONDS}")),
    }
}

pub(super) fn parse_milliseconds(text: &str) -> Result<Duration, String> {
    match text.parse() {
        Ok(milliseconds @ 1..=60_000) => Ok(Duration::from_millis(milliseconds)),
        _ => Err("expected milliseconds from 1 to 60000".into()),
    }
}

pub(super) fn parse_log(text: &str) -> Result<Targets, String> {
    let expected = "expected a level or directives such as `warn,vitrine=debug`";
    if text.trim().is_empty() {
        return Err(format!("nothing would be logged; {expected}"));
    }
    // `Targets` would take a misspelled level for a module's name, and silence everything else.
    let lone_word = text.bytes().all(|byte| byte.is_ascii_alphabetic());
    if lone_word && text.parse::<LevelFilter>().is_err() {
        return Err(format!("unknown level; {expected}"));
    }
    let targets: Targets = text.parse().map_err(|error| format!("{error}; {expected}"))?;
    // Directives for some targets must not silence the errors of all others.
    Ok(match targets.default_level() {
        Some(_) => targets,
        None => targets.with_default(LevelFilter::ERROR),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_has_the_errors_of_what_its_directives_do_not_name() {
        for (text, default) in [
            ("info", LevelFilter::INFO),
            ("off", LevelFilter::OFF),
            ("warn,vitrine=debug", LevelFilter::WARN),
            ("vitrine=debug", LevelFilter::ERROR),
        ] {
            assert_eq!(parse_log(text).unwrap().default_level(), Some(default), "{text}");
        }
        assert!(
            parse_log("verbose").is_err() && parse_log(" ").is_err() && parse_log("vitrine=loud").is_err()
        );
    }

    #[test]
    fn a_catalogue_is_the_sample_or_an_address() {
        assert_eq!(parse_catalogue("sample"), Ok(CatalogueChoice::Sample));
        assert!(matches!(parse_catalogue("https://dummyjson.com"), Ok(CatalogueChoice::Service(_))));
        for (text, path) in [("file:a b.csv", "a b.csv"), ("file:///srv/products.csv", "/srv/products.csv")] {
            assert_eq!(parse_catalogue(text), Ok(CatalogueChoice::File(path.into())));
        }
        assert!(parse_catalogue("file:").is_err());
        assert_eq!(parse_catalogue("File:a.csv"), Ok(CatalogueChoice::File("a.csv".into())));
        assert!(parse_catalogue("products.csv").is_err_and(|problem| problem.contains("`file:`")));
        assert!(parse_catalogue("https://user:secret@shop.example").is_err());
    }

    #[test]
    fn health_is_asked_at_its_own_path_unless_another_is_named() {
        for (text, asked) in [
            ("https://shop.example", "https://shop.example/healthz"),
            ("http://127.0.0.1:3000/", "http://127.0.0.1:3000/healthz"),
            ("https://shop.example/status", "https://shop.example/status"),
        ] {
            assert_eq!(parse_health_url(text).unwrap().as_str(), asked, "{text}");
        }
    }
}
