//! Percent-encoding of path segments and query values.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// The characters that JavaScript's `encodeURIComponent` escapes, so that host and client build equal
/// URLs.
const COMPONENT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'!')
    .remove(b'~')
    .remove(b'*')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')');

/// Percent-encodes one path segment or query value.
pub(crate) fn encode(text: &str) -> impl std::fmt::Display {
    utf8_percent_encode(text, COMPONENT)
}
