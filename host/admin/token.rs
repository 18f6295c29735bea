//! The secret that operators present to change something.

use std::fmt;

use axum::http::{HeaderMap, header};

/// The secret that operators present to change something.
#[derive(Clone)]
pub struct Token {
    /// The secret's hash: how long a comparison of hashes takes says nothing about the secret.
    hash: blake3::Hash,
}

impl fmt::Debug for Token {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Token")
    }
}

impl Token {
    /// The smallest number of characters of a token.
    pub(crate) const SHORTEST: usize = 16;

    /// A token of visible ASCII characters and spaces; `None` if it has others, or too few.
    pub fn new(text: &str) -> Option<Self> {
        let is_valid = text.len() >= Self::SHORTEST && text.bytes().all(|byte| (b' '..=b'~').contains(&byte));
        is_valid.then(|| Self { hash: blake3::hash(text.as_bytes()) })
    }

    /// Whether `text` is this token. Takes the same time whatever the text, except for its length.
    pub(crate) fn is(&self, text: &str) -> bool {
        // `Hash` compares in constant time.
        self.hash == blake3::hash(text.as_bytes())
    }

    /// Whether a request presents this token (RFC 6750, section 2.1).
    pub(super) fn is_presented(&self, request: &HeaderMap) -> bool {
        let mut values = request.get_all(header::AUTHORIZATION).iter();
        let (Some(value), None) = (values.next(), values.next()) else { return false };
        let Ok(value) = value.to_str() else { return false };
        let Some((scheme, token)) = value.split_once(' ') else { return false };
        scheme.eq_ignore_ascii_case("bearer") && self.is(token.trim())
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn a_request_presents_the_token_in_one_header() {
        let token = Token::new("0123456789abcdef").unwrap();
        let presents = |values: &[&str]| {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(header::AUTHORIZATION, HeaderValue::from_str(value).unwrap());
            }
            token.is_presented(&headers)
        };
        assert!(presents(&["Bearer 0123456789abcdef"]));
        assert!(presents(&["bearer  0123456789abcdef"]));
        for values in [
            &[][..],
            &["Bearer"],
            &["Bearer "],
            &["0123456789abcdef"],
            &["Basic 0123456789abcdef"],
            &["Bearer 0123456789abcdeF"],
            &["Bearer 0123456789abcdef0"],
            &["Bearer 0123456789abcdef", "Bearer 0123456789abcdef"],
        ] {
            assert!(!presents(values), "{values:?}");
        }
    }

    #[test]
    fn the_token_is_not_shown() {
        assert_eq!(format!("{:?}", Token::new("0123456789abcdef")), "Some(Token)");
    }
}
