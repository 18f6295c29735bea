//! The server's address.

use std::fmt;
use std::str::FromStr;

use url::Url;

/// The protocol's own port.
const PORT: u16 = 6_379;

/// Where the server is and how to log in. Displayed without the credentials.
#[derive(Clone, PartialEq, Eq)]
pub struct ShareAddress {
    /// Whether the connection is encrypted.
    pub(super) tls: bool,
    /// A name or address, without brackets.
    pub(super) host: String,
    pub(super) port: u16,
    pub(super) user: Option<String>,
    pub(super) password: Option<String>,
    /// The number of the database.
    pub(super) database: Option<u8>,
}

/// Why an address is not understood. The message does not repeat the address, which has a password.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected an address such as redis://:PASSWORD@cache.example:6379/0, or rediss:// with TLS")]
pub struct AddressError;

impl FromStr for ShareAddress {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        let is_corrected = |character: char| character.is_whitespace() || character.is_control();
        if text.contains(is_corrected) {
            return Err(AddressError);
        }
        let url = Url::parse(text).map_err(|_| AddressError)?;
        let tls = match url.scheme() {
            "redis" => false,
            "rediss" => true,
            _ => return Err(AddressError),
        };
        if url.query().is_some() || url.fragment().is_some() {
            return Err(AddressError);
        }
        let decode = |text: &str| {
            let decoded = percent_encoding::percent_decode_str(text).decode_utf8();
            decoded
                .map(|text| Some(text.into_owned()).filter(|text| !text.is_empty()))
                .map_err(|_| AddressError)
        };
        let database = match url.path().trim_start_matches('/') {
            "" => None,
            number => Some(number.parse().map_err(|_| AddressError)?),
        };
        let host = url.host_str().map(|host| host.trim_start_matches('[').trim_end_matches(']'));
        Ok(Self {
            tls,
            host: host.filter(|host| !host.is_empty()).ok_or(AddressError)?.to_owned(),
            port: url.port().unwrap_or(PORT),
            user: decode(url.username())?,
            password: url.password().map_or(Ok(None), decode)?,
            database,
        })
    }
}

impl fmt::Display for ShareAddress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.tls { "rediss" } else { "redis" };
        let (open, close) = if self.host.contains(':') { ("[", "]") } else { ("", "") };
        write!(formatter, "{scheme}://{open}{}{close}:{}", self.host, self.port)?;
        self.database.map_or(Ok(()), |database| write!(formatter, "/{database}"))
    }
}

/// Like the display, because settings are logged in this form.
impl fmt::Debug for ShareAddress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_shown_without_its_credentials() {
        for (text, shown) in [
            ("redis://cache.example", "redis://cache.example:6379"),
            ("redis://user:s3cret@cache.example:7000/3", "redis://cache.example:7000/3"),
            ("rediss://:s%40cret@[::1]/", "rediss://[::1]:6379"),
        ] {
            let address: ShareAddress = text.parse().unwrap();
            assert_eq!(address.to_string(), shown);
            assert_eq!(format!("{address:?}"), shown);
        }
        let address: ShareAddress = "rediss://me:s%40cret@127.0.0.1/".parse().unwrap();
        assert_eq!((address.user.as_deref(), address.password.as_deref()), (Some("me"), Some("s@cret")));
    }

    #[test]
    fn anything_else_is_refused_without_repeating_it() {
        for text in [
            "",
            "cache.example:6379",
            "http://:s3cret@cache.example",
            "redis://:s3cret@/0",
            "redis://:s3cret@cache.example/300",
            "redis://:s3cret@cache.example/x",
            "redis://:s3cret@cache.example?x=1",
            "redis://:s3cret@cache.example:99999",
            "redis://cache.example/0 ",
        ] {
            let error = text.parse::<ShareAddress>().unwrap_err().to_string();
            assert!(!error.contains("s3cret"), "{text}");
        }
    }
}
