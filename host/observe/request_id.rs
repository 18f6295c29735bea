//! Request ids: one for each request, in its answer and its log line, so that an operator finds the line
//! that belongs to an answer. The id that a client or proxy has given is logged beside it, so that an operator
//! finds a proxy's line too. It is not sent: a shared cache would keep what one visitor chose for all others.

use std::cell::RefCell;

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use bytes::Bytes;

/// The header, in requests and answers.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Length of the longest given id that is logged, in bytes.
const LONGEST: usize = 64;
/// Length of an id that is made here: 64 random bits as hexadecimal digits.
const LENGTH: usize = 16;
/// How many ids are made at once, so that not every request allocates memory for its id.
const BATCH: usize = 128;

thread_local! {
    /// The text of the next ids.
    static NEXT: RefCell<Bytes> = const { RefCell::new(Bytes::new()) };
}

/// The id that the client or a proxy has given the request, if it is valid.
pub(crate) fn given_id(request: &HeaderMap) -> Option<&str> {
    let mut given = request.get_all(REQUEST_ID).iter();
    let (Some(id), None) = (given.next(), given.next()) else { return None };
    id.to_str().ok().filter(|id| is_valid(id.as_bytes()))
}

/// Whether a given id is logged.
fn is_valid(id: &[u8]) -> bool {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.:/+=".contains(byte);
    (1..=LONGEST).contains(&id.len()) && id.iter().all(is_plain)
}

/// The hexadecimal digit of a number below 16.
fn digit(number: u8) -> u8 {
    if number < 10 { b'0' + number } else { b'a' - 10 + number }
}

/// A new id.
pub(crate) fn request_id() -> HeaderValue {
    NEXT.with_borrow_mut(|next| {
        if next.is_empty() {
            let mut text = Vec::with_capacity(BATCH * LENGTH);
            for _ in 0..BATCH {
                // `format!` would cost several times as much.
                let digits = fastrand::u64(..).to_be_bytes().map(|byte| [digit(byte >> 4), digit(byte & 15)]);
                text.extend_from_slice(digits.as_flattened());
            }
            *next = text.into();
        }
        let id = next.split_to(LENGTH);
        // Digits and letters are always a valid value.
        HeaderValue::from_maybe_shared(id).unwrap_or(HeaderValue::from_static("-"))
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn given(values: &[&str]) -> Option<String> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(REQUEST_ID, HeaderValue::from_str(value).unwrap());
        }
        given_id(&headers).map(str::to_owned)
    }

    #[test]
    fn a_valid_id_of_a_client_is_logged_and_no_other() {
        let longest = "a".repeat(LONGEST);
        for id in ["a", "7f3a-42_x.y:z", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", &longest]
        {
            assert_eq!(given(&[id]).as_deref(), Some(id));
        }
        let long = "a".repeat(LONGEST + 1);
        let invalid: [&[&str]; 6] = [&[], &[""], &["a b"], &["a\"b"], &[&long], &["a", "b"]];
        for values in invalid {
            assert_eq!(given(values), None, "{values:?}");
        }
    }

    #[test]
    fn every_request_gets_an_id_of_its_own() {
        let made: HashSet<String> =
            (0..2 * BATCH).map(|_| request_id().to_str().unwrap().to_owned()).collect();
        assert_eq!(made.len(), 2 * BATCH);
        for id in made {
            assert!(id.len() == LENGTH && id.bytes().all(|byte| byte.is_ascii_hexdigit()), "{id}");
        }
    }
}
