//! Where images may come from, as the content security policy names it.

use std::fmt;
use std::str::FromStr;

use url::{Host, Url};

/// A scheme, host name and port that images may come from, or every host by https. Nothing else of an address is taken
/// into the policy, where a `;` or a space would begin another directive or source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageSource {
    scheme: String,
    /// Empty for every host.
    host: String,
    /// `None` for the scheme's own port.
    port: Option<u16>,
    /// Whether the subdomains of the host are meant, instead of the host.
    subdomains: bool,
}

/// Why an address names no image source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImageSourceError {
    #[error(
        "expected an address such as https://cdn.example: `http` or `https`, a host name and maybe a port"
    )]
    NoAddress,
    #[error("expected an address of a scheme, a host name and maybe a port, without anything else")]
    MoreThanAnOrigin,
    #[error(
        "expected an address whose host name has only letters, digits, `-`, `_` and `.`, and no wildcard"
    )]
    HostName,
}

impl ImageSource {
    /// How many bytes all image sources may take in the policy. Each answer carries them, and proxies refuse answers
    /// whose headers are larger than 8 KiB.
    pub const MOST_BYTES: usize = 1_500;

    /// How many bytes these sources take in the policy.
    pub fn bytes_of(sources: &[Self]) -> usize {
        sources.iter().map(|source| source.to_string().len() + 1).sum()
    }

    /// The source of an image at `url`, of which only scheme, host and port are taken.
    ///
    /// # Errors
    /// When its scheme is not `http` or `https`, or its host name has other characters than letters,
    /// digits, `-`, `_` and `.`.
    pub fn of(url: &Url) -> Result<Self, ImageSourceError> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(ImageSourceError::NoAddress);
        }
        let host = url.host().ok_or(ImageSourceError::NoAddress)?;
        // The URL standard allows more, such as `;` and `*`.
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        if matches!(host, Host::Domain(domain) if !domain.bytes().all(is_plain)) {
            return Err(ImageSourceError::HostName);
        }
        Ok(Self { scheme: url.scheme().into(), host: host.to_string(), port: url.port(), subdomains: false })
    }

    /// Every host, by https.
    pub fn every_https() -> Self {
        Self { scheme: "https".into(), host: String::new(), port: None, subdomains: false }
    }

    /// The subdomains of the same host, at the scheme's own port; `None` if the host is an IP address.
    pub fn subdomains(url: &Url) -> Option<Self> {
        let source = Self::of(url).ok()?;
        matches!(url.host(), Some(Host::Domain(_))).then_some(Self { port: None, subdomains: true, ..source })
    }

    /// Whether browsers load an image from `url` under this source (CSP 3, section 6.7.2.6): `http` also
    /// allows `https`.
    pub fn allows(&self, url: &Url) -> bool {
        if self.host.is_empty() {
            return url.scheme() == self.scheme;
        }
        let is_upgraded = self.scheme == "http" && url.scheme() == "https";
        let host = url.host_str().unwrap_or_default();
        let is_host = if self.subdomains {
            host.strip_suffix(self.host.as_str()).is_some_and(|rest| rest.ends_with('.'))
        } else {
            host == self.host
        };
        is_host && (self.scheme == url.scheme() || is_upgraded) && self.port == url.port()
    }
}

/// Parses an address of nothing but scheme, host and port.
impl FromStr for ImageSource {
    type Err = ImageSourceError;

    fn from_str(text: &str) -> Result<Self, ImageSourceError> {
        // The parser of URLs corrects these silently.
        let is_corrected = |character: char| {
            character.is_whitespace() || character.is_control() || matches!(character, '\\' | '@')
        };
        if text.contains(is_corrected) || !text.contains("://") {
            return Err(ImageSourceError::NoAddress);
        }
        let url = Url::parse(text).map_err(|_| ImageSourceError::NoAddress)?;
        let source = Self::of(&url)?;
        if url.path() != "/" || url.query().is_some() || url.fragment().is_some() {
            return Err(ImageSourceError::MoreThanAnOrigin);
        }
        Ok(source)
    }
}

/// The source expression of the content security policy.
impl fmt::Display for ImageSource {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { scheme, host, port, subdomains } = self;
        if host.is_empty() {
            return write!(formatter, "{scheme}:");
        }
        write!(formatter, "{scheme}://{}{host}", if *subdomains { "*." } else { "" })?;
        port.map_or(Ok(()), |port| write!(formatter, ":{port}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        text.parse().unwrap()
    }

    #[test]
    fn only_scheme_host_and_port_are_taken() {
        for (text, source) in [
            ("https://cdn.example", "https://cdn.example"),
            ("https://CDN.example/", "https://cdn.example"),
            ("https://cdn.example:443", "https://cdn.example"),
            ("http://127.0.0.1:3001", "http://127.0.0.1:3001"),
            ("http://[::1]:3001", "http://[::1]:3001"),
            ("https://b\u{fc}cher.example", "https://xn--bcher-kva.example"),
        ] {
            assert_eq!(text.parse::<ImageSource>().unwrap().to_string(), source, "{text}");
        }
        for text in [
            "https://x;sandbox",
            "https://x;script-src%20*",
            "https://x y",
            "https://x 'unsafe-inline'",
            " https://x",
            "https://x\n",
            "https://x\t.example",
            "https://*.cdn.example",
            "https://*",
            "*",
            "https://user@cdn.example",
            "https://@cdn.example",
            "https://user:secret@cdn.example",
            "https://cdn.example/images",
            "https://cdn.example/?",
            "https://cdn.example#",
            "https:cdn.example",
            "https:\\\\cdn.example",
            "https://'self'",
            "https://x\"",
            "https://a=b",
            "https://",
            "ftp://cdn.example",
            "data:image/png,x",
            "cdn.example",
            "",
        ] {
            assert!(text.parse::<ImageSource>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_source_allows_what_browsers_load() {
        let cdn: ImageSource = "http://cdn.example".parse().unwrap();
        for allowed in ["http://cdn.example/a.png", "https://cdn.example/a.png", "http://cdn.example:80/a"] {
            assert!(cdn.allows(&url(allowed)), "{allowed}");
        }
        for blocked in ["http://img.cdn.example/a", "http://cdn.example:8080/a", "http://other.example/a"] {
            assert!(!cdn.allows(&url(blocked)), "{blocked}");
        }
        assert!(!"https://cdn.example".parse::<ImageSource>().unwrap().allows(&url("http://cdn.example/")));
        let every = ImageSource::every_https();
        assert_eq!(every.to_string(), "https:");
        assert!(
            every.allows(&url("https://other.example:8443/a")) && !every.allows(&url("http://cdn.example/a"))
        );
        let subdomains = ImageSource::subdomains(&url("https://api.example/v1")).unwrap();
        assert_eq!(subdomains.to_string(), "https://*.api.example");
        assert!(subdomains.allows(&url("https://img.api.example/a")));
        assert!(!subdomains.allows(&url("https://api.example/a")));
        assert!(!subdomains.allows(&url("https://evilapi.example/a")));
        assert_eq!(ImageSource::subdomains(&url("http://127.0.0.1:3001")), None);
    }
}
