//! Dictionaries that browsers keep and pages are compressed with (RFC 9842): a page is then little more than what
//! distinguishes it from another one.

use std::io;

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use bytes::Bytes;
use sha2::{Digest as _, Sha256};

use super::compression::quality_among;

/// The content coding: a zstd frame that needs a dictionary.
pub(super) const DCZ: &str = "dcz";
/// Caches must keep the answers for each dictionary apart. Firefox uses no dictionary without it.
pub(super) const VARY: HeaderValue = HeaderValue::from_static("accept-encoding, available-dictionary");

/// Names the dictionary that a client has for the address that it asks for.
pub(super) const AVAILABLE: HeaderName = HeaderName::from_static("available-dictionary");
/// What a body in this coding begins with; the dictionary's hash follows (RFC 9842, section 5).
const MAGIC: [u8; 8] = [0x5e, 0x2a, 0x4d, 0x18, 0x20, 0, 0, 0];
/// Higher levels take several times as long for a tenth less.
const LEVEL: i32 = 12;
/// Longest body, in bytes, that is compressed with a dictionary: longer than any page.
const LONGEST: usize = 512 << 10;
/// How many bytes of the hash are in the address.
const NAMED: usize = 12;

/// Identifies a dictionary: its SHA-256.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DictionaryId([u8; 32]);

impl DictionaryId {
    /// The dictionary that a client has and wants to be used, if its headers name exactly one and it prefers no
    /// other coding.
    pub(super) fn available(headers: &HeaderMap) -> Option<Self> {
        let mut values = headers.get_all(AVAILABLE).iter();
        let (Some(value), None) = (values.next(), values.next()) else { return None };
        // A byte sequence of structured fields (RFC 9651, section 3.3.5).
        let text = value.as_bytes().strip_prefix(b":")?.strip_suffix(b":")?;
        let hash = STANDARD.decode(text).ok()?.try_into().ok()?;
        let (quality, best) = quality_among(headers, DCZ);
        (quality > 0.0 && quality >= best).then_some(Self(hash))
    }

    /// A short form for addresses and entity tags.
    pub(super) fn name(self) -> String {
        URL_SAFE_NO_PAD.encode(&self.0[..NAMED])
    }
}

/// A text that a client has, and bodies can be compressed with.
#[derive(Debug)]
pub(crate) struct Dictionary {
    id: DictionaryId,
    bytes: Vec<u8>,
}

impl Dictionary {
    pub(crate) fn new(bytes: Vec<u8>) -> Self {
        Self { id: DictionaryId(Sha256::digest(&bytes).into()), bytes }
    }

    pub(crate) fn id(&self) -> DictionaryId {
        self.id
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// A body in the coding `dcz`; `None` if it is too long for a page.
    ///
    /// # Errors
    /// Fails when the encoder does.
    pub(super) fn compress(&self, body: &[u8]) -> io::Result<Option<Bytes>> {
        if body.len() > LONGEST {
            return Ok(None);
        }
        let mut compressor = zstd::bulk::Compressor::with_dictionary(LEVEL, &self.bytes)?;
        compressor.include_contentsize(true)?;
        let frame = compressor.compress(body)?;
        Ok(Some([&MAGIC[..], &self.id.0, &frame].concat().into()))
    }
}

#[cfg(test)]
pub(in crate::http) mod tests {
    use axum::http::header;

    use super::*;

    /// The headers of a client with this dictionary.
    pub(in crate::http) fn having(id: DictionaryId, accepted: &str) -> HeaderMap {
        let available = format!(":{}:", STANDARD.encode(id.0));
        let headers = [(header::ACCEPT_ENCODING, accepted), (AVAILABLE, &available)];
        HeaderMap::from_iter(headers.map(|(name, value)| (name, HeaderValue::from_str(value).unwrap())))
    }

    /// The body that a client with the dictionary makes of these bytes.
    pub(in crate::http) fn decoded(dictionary: &Dictionary, coded: &[u8], length: usize) -> Vec<u8> {
        let frame = coded.strip_prefix(&MAGIC).unwrap().strip_prefix(&dictionary.id.0).unwrap();
        let mut decompressor = zstd::bulk::Decompressor::with_dictionary(&dictionary.bytes).unwrap();
        decompressor.decompress(frame, length).unwrap()
    }

    pub(in crate::http) fn dictionary(text: &str) -> Dictionary {
        Dictionary::new(text.repeat(100).into())
    }

    #[test]
    fn a_body_becomes_a_frame_that_names_its_dictionary() {
        let shelf = dictionary("A shelf of mugs, each with a price. ");
        let body = "A shelf of mugs, each with a price. And a lamp.".repeat(20);
        let coded = shelf.compress(body.as_bytes()).unwrap().unwrap();
        assert!(coded.len() < 100, "{}", coded.len());
        assert_eq!(coded[8..40], *Sha256::digest(&shelf.bytes));
        assert_eq!(decoded(&shelf, &coded, body.len()), body.as_bytes());
        assert_eq!(shelf.compress(&vec![b'x'; LONGEST + 1]).unwrap(), None);
    }

    #[test]
    fn a_client_has_a_dictionary_if_it_names_exactly_one_and_prefers_no_other_coding() {
        let id = dictionary("a").id;
        for (accepted, has) in [
            ("gzip, deflate, br, zstd, dcb, dcz", true),
            ("dcz", true),
            ("DCZ;q=0.5, br;q=0.5", true),
            ("gzip, br", false),
            ("dcz;q=0", false),
            ("dcz;q=0.5, br", false),
            ("", false),
        ] {
            let known = DictionaryId::available(&having(id, accepted));
            assert_eq!(known, has.then_some(id), "{accepted}");
        }
        let mut twice = having(id, "dcz");
        twice.append(AVAILABLE, twice[AVAILABLE].clone());
        assert_eq!(DictionaryId::available(&twice), None);
        for wrong in ["", ":", "::", "abc", ":YWJj:", ":!:", "\"abc\""] {
            let mut headers = having(id, "dcz");
            headers.insert(AVAILABLE, HeaderValue::from_static(wrong));
            assert_eq!(DictionaryId::available(&headers), None, "{wrong}");
        }
    }
}
