//! Addresses of the listener for operators.

use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;

/// An address of the listener for operators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Address {
    Tcp(SocketAddr),
    /// The path of a Unix socket.
    Unix(PathBuf),
}

impl FromStr for Address {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.strip_prefix("unix:") {
            Some("") => Err("expected a path after `unix:`"),
            Some(path) => Ok(Self::Unix(path.into())),
            None => text
                .parse()
                .map(Self::Tcp)
                .map_err(|_| "expected an address and port such as 127.0.0.1:3100, or `unix:` and a path"),
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(address) => address.fmt(formatter),
            Self::Unix(path) => write!(formatter, "unix:{}", path.display()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_port_or_a_path() {
        let tcp = Address::Tcp("127.0.0.1:3100".parse().unwrap());
        let unix = Address::Unix("/run/vitrine/admin.sock".into());
        for address in [tcp, unix] {
            assert_eq!(address.to_string().parse(), Ok(address));
        }
        for text in ["", "unix:", "3100", "/run/admin.sock", "localhost"] {
            assert!(text.parse::<Address>().is_err(), "{text}");
        }
    }
}
