//! What is known of a picture on another host, as it is kept beside its copies.

use super::fit::Fit;
use super::header::Header;
use super::size::{Size, Width};

/// Seconds after which its host is asked whether it is still the same.
const ASKED_AFTER: u64 = 24 * 60 * 60;

/// A picture on another host, as it was when it was last received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Origin {
    /// The hash of its content.
    pub(super) content: u128,
    /// When its host last said that this is its content, in seconds since 1970.
    pub(super) checked: u64,
    /// As it is shown, in pixels; zero if no copies are made.
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) fit: Option<Fit>,
    pub(super) tag: Option<Box<str>>,
}

impl Origin {
    pub(super) fn new(
        content: u128,
        checked: u64,
        header: &Header,
        fit: Option<Fit>,
        tag: Option<Box<str>>,
    ) -> Self {
        let (width, height) = if header.as_is.is_none() { (header.width, header.height) } else { (0, 0) };
        Self { content, checked, width, height, fit, tag }
    }

    /// Whether its host is to be asked again. A moment in the future was written by another clock.
    pub(super) fn is_old(&self, now: u64) -> bool {
        !(self.checked..self.checked.saturating_add(ASKED_AFTER)).contains(&now)
    }

    /// The copy that stands for one of this size; `None` if there are no copies.
    pub(super) fn copy(&self, size: Size) -> Option<Size> {
        let Size::Width(width) = size else { return None };
        let widest = Width::up_to(self.width).last()?;
        Some(Size::Width(width.min(widest)))
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.content.to_be_bytes().to_vec();
        bytes.extend_from_slice(&self.checked.to_be_bytes());
        bytes.extend_from_slice(&self.width.to_be_bytes());
        bytes.extend_from_slice(&self.height.to_be_bytes());
        bytes.push(self.fit.map_or(0, Fit::to_byte));
        bytes.extend_from_slice(self.tag.as_deref().unwrap_or_default().as_bytes());
        bytes
    }

    /// What was kept; `None` for anything else.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (content, bytes) = bytes.split_first_chunk()?;
        let (checked, bytes) = bytes.split_first_chunk()?;
        let (width, bytes) = bytes.split_first_chunk()?;
        let (height, bytes) = bytes.split_first_chunk()?;
        let (fit, tag) = bytes.split_first()?;
        let tag = std::str::from_utf8(tag).ok()?;
        Some(Self {
            content: u128::from_be_bytes(*content),
            checked: u64::from_be_bytes(*checked),
            width: u32::from_be_bytes(*width),
            height: u32::from_be_bytes(*height),
            fit: Fit::from_byte(*fit),
            tag: (!tag.is_empty()).then(|| tag.into()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origin(width: u32) -> Origin {
        Origin {
            content: 7,
            checked: 1_000,
            width,
            height: 9,
            fit: Some(Fit::White),
            tag: Some("\"a\"".into()),
        }
    }

    #[test]
    fn what_is_kept_is_read_again_and_nothing_else() {
        for known in [origin(500), Origin { fit: None, tag: None, ..origin(0) }] {
            let bytes = known.to_bytes();
            assert_eq!(Origin::from_bytes(&bytes), Some(known));
            assert_eq!(Origin::from_bytes(&bytes[..30]), None);
        }
        assert_eq!(Origin::from_bytes(b""), None);
    }

    #[test]
    fn its_host_is_asked_after_a_day() {
        let is_old = |now| origin(500).is_old(now);
        assert_eq!([999, 1_000, 87_399, 87_400].map(is_old), [true, false, false, true]);
    }

    #[test]
    fn its_own_width_has_the_widest_copy() {
        let copy = |own, asked| origin(own).copy(Size::Width(asked));
        assert_eq!(copy(500, Width::W1600), Some(Size::Width(Width::W800)));
        assert_eq!(copy(500, Width::W320), Some(Size::Width(Width::W320)));
        assert_eq!(copy(0, Width::W320), None, "it is not copied");
        assert_eq!(origin(500).copy(Size::Preview), None);
    }
}
