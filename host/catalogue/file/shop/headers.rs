//! The file with headers that an operator sends with the calls of a shop: signatures or passwords, which nothing shows.

use std::path::Path;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

use crate::bounded_file::{BoundedFileError, read_regular};

/// Largest file, in bytes.
const LARGEST: u64 = 64 << 10;
/// What the client writes itself.
const OF_CLIENT: [&str; 6] =
    ["accept-encoding", "connection", "content-length", "host", "if-none-match", "transfer-encoding"];

/// Why the file is not used. It repeats nothing of what may be secret.
#[derive(Debug, thiserror::Error)]
pub(crate) enum HeadersError {
    #[error("the file cannot be read")]
    Unreadable(#[from] BoundedFileError),
    #[error("line {0} is not a name, `:` and a value")]
    Line(usize),
    #[error("line {line} has `{name}`, which the shop sends itself")]
    OfClient { line: usize, name: HeaderName },
}

/// Reads the file.
///
/// # Errors
/// When it cannot be read, or a line of it is no header.
pub(crate) fn read_headers(path: &Path) -> Result<HeaderMap, HeadersError> {
    parse(&read_regular(path, LARGEST)?)
}

fn parse(text: &[u8]) -> Result<HeaderMap, HeadersError> {
    let mut headers = HeaderMap::new();
    for (number, line) in text.split(|sign| *sign == b'\n').enumerate() {
        let (line, text) = (number + 1, line.trim_ascii());
        if text.is_empty() {
            continue;
        }
        let end = text.iter().position(|sign| *sign == b':').ok_or(HeadersError::Line(line))?;
        let name = HeaderName::from_bytes(&text[..end]).map_err(|_| HeadersError::Line(line))?;
        let value = HeaderValue::from_bytes(text[end + 1..].trim_ascii_start());
        let mut value = value.map_err(|_| HeadersError::Line(line))?;
        if OF_CLIENT.contains(&name.as_str()) {
            return Err(HeadersError::OfClient { line, name });
        }
        value.set_sensitive(true);
        headers.append(name, value);
    }
    Ok(headers)
}

/// When the first of the signatures ends, in seconds since 1970.
pub(crate) fn expiry(headers: &HeaderMap) -> Option<i64> {
    let inputs = headers.get_all("signature-input").iter().filter_map(|input| input.to_str().ok());
    let ends = inputs.flat_map(|input| input.split(';')).filter_map(|part| {
        let digits = part.trim().strip_prefix("expires=")?;
        // Another signature may follow.
        digits.split(|sign: char| !sign.is_ascii_digit()).next()?.parse().ok()
    });
    ends.min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_is_a_header() {
        let text = "Signature-Input: sig1=(\"@authority\");created=1;expires=1700000000, sig2=();expires=1800000000\r\n\n\
            Signature: sig1=:aGk=:\nX-Staging:secret: 1\n";
        let headers = parse(text.as_bytes()).unwrap();
        assert_eq!(headers["x-staging"], "secret: 1");
        assert_eq!((headers.len(), expiry(&headers)), (3, Some(1_700_000_000)));
        assert!(!format!("{headers:?}").contains("secret"));
        assert_eq!(expiry(&parse(b"X: expires=5").unwrap()), None);
    }

    #[test]
    fn a_line_that_is_no_header_is_named_without_its_text() {
        for (text, expected) in [
            ("a: 1\nsecret", "line 2 is not a name, `:` and a value"),
            ("secret name: 1", "line 1 is not a name, `:` and a value"),
            ("a: sec\u{7}ret", "line 1 is not a name, `:` and a value"),
            ("Host: secret", "line 1 has `host`, which the shop sends itself"),
        ] {
            assert_eq!(parse(text.as_bytes()).unwrap_err().to_string(), expected);
        }
    }
}
