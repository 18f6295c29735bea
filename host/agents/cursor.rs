//! Where the next page of results begins.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use blake3::Hash;

/// Bytes of the hashes in a cursor.
const SHORT: usize = 8;
const LENGTH: usize = 4 + SHORT + SHORT;

/// A place in the results of a request, as a text that only this shop reads. It is bound to the request and to the version
/// of the catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cursor {
    /// How many products come before.
    pub(super) skipped: u32,
    version: [u8; SHORT],
}

impl Cursor {
    pub(super) fn new(skipped: u32, version: &Hash) -> Self {
        Self { skipped, version: short(version) }
    }

    /// Whether the results are those of this version.
    pub(super) fn is_of(&self, version: &Hash) -> bool {
        self.version == short(version)
    }

    /// The text for a request with this hash.
    pub(super) fn write(&self, request: &Hash) -> String {
        let mut bytes = Vec::with_capacity(LENGTH);
        bytes.extend(self.skipped.to_le_bytes());
        bytes.extend(self.version);
        bytes.extend(self.check(request));
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Reads the text of a cursor; `None` if it is damaged, or of another request.
    pub(super) fn read(text: &str, request: &Hash) -> Option<Self> {
        if text.len() > 2 * LENGTH {
            return None;
        }
        let bytes: [u8; LENGTH] = URL_SAFE_NO_PAD.decode(text).ok()?.try_into().ok()?;
        let (skipped, rest) = bytes.split_first_chunk::<4>()?;
        let (version, check) = rest.split_first_chunk::<SHORT>()?;
        let cursor = Self { skipped: u32::from_le_bytes(*skipped), version: *version };
        (cursor.check(request) == *check).then_some(cursor)
    }

    fn check(&self, request: &Hash) -> [u8; SHORT] {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.skipped.to_le_bytes()).update(&self.version).update(request.as_bytes());
        short(&hasher.finalize())
    }
}

fn short(hash: &Hash) -> [u8; SHORT] {
    let mut short = [0; SHORT];
    short.copy_from_slice(&hash.as_bytes()[..SHORT]);
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_read_only_whole_and_for_its_request() {
        let hash = |text: &str| blake3::hash(text.as_bytes());
        let cursor = Cursor::new(70, &hash("version"));
        let text = cursor.write(&hash("request"));
        assert_eq!(Cursor::read(&text, &hash("request")), Some(cursor));
        assert!(cursor.is_of(&hash("version")) && !cursor.is_of(&hash("next")));
        assert_eq!(Cursor::read(&text, &hash("other")), None);
        for at in 0..text.len() {
            let mut damaged = text.clone().into_bytes();
            damaged[at] = if damaged[at] == b'A' { b'B' } else { b'A' };
            let read = Cursor::read(str::from_utf8(&damaged).unwrap(), &hash("request"));
            assert_eq!(read, None, "{at}");
        }
        for wrong in ["", "A", "!", &text[1..], &"A".repeat(9_000)] {
            assert_eq!(Cursor::read(wrong, &hash("request")), None);
        }
    }
}
