//! How pages show pictures on other hosts.

use url::Url;

use super::other_hosts::{OtherHosts, OtherPicture};
use super::shown::Shown;
use super::size::Size;

/// A host that makes copies itself, of the width that its parameter `width` says.
const RESIZES: &str = "cdn.shopify.com";
/// Digits of the hash in an address.
const CODE: usize = 16;

/// What is done for pictures on other hosts.
#[derive(Clone, Debug, Default)]
pub(crate) enum Elsewhere {
    /// Nothing.
    #[default]
    Off,
    /// Hosts that make copies are asked for them.
    Asked,
    /// That, and copies of the others are made here.
    Copied(OtherHosts),
}

/// What the address of a copy says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OtherName<'a> {
    /// Which of the product's pictures it is, see [`Elsewhere::shown`].
    pub(crate) number: usize,
    code: &'a str,
    pub(crate) size: Size,
}

impl<'a> OtherName<'a> {
    /// Reads `{number}-{code}-{width}.webp`.
    pub(crate) fn parse(name: &'a str) -> Option<Self> {
        let (number, rest) = name.split_once('-')?;
        let (code, size) = rest.split_once('-')?;
        let size = Size::parse(size).filter(|size| matches!(size, Size::Width(_)))?;
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let is_number = number.len() <= 4 && (number == "0" || !number.starts_with(['0', '+']));
        (is_number && code.len() == CODE && code.bytes().all(is_digit))
            .then(|| number.parse().ok().map(|number| Self { number, code, size }))?
    }
}

impl Elsewhere {
    /// The copies that are made here.
    pub(crate) fn hosts(&self) -> Option<&OtherHosts> {
        match self {
            Self::Copied(hosts) => Some(hosts),
            Self::Off | Self::Asked => None,
        }
    }

    /// The address of a picture of the product with this key, with what the client needs for its copies behind a `#`; `None`
    /// if there are none. `number` is that of the picture among those of the product.
    pub(crate) fn shown(&self, address: &str, key: &str, number: usize) -> Option<String> {
        if !address.starts_with("http") || matches!(self, Self::Off) {
            return None;
        }
        if let Some(asked) = asked(address) {
            return Some(asked);
        }
        let hosts = self.hosts()?;
        let picture = hosts.picture(address)?;
        let base = format!("{}#/pictures/{key}/{number}-{}-", picture.address(), picture.code());
        match hosts.known(&picture) {
            None => Some(base),
            Some((0, ..)) => None,
            Some((width, height, fit)) => Some(format!("{base}{}", Shown::known(width, height, fit))),
        }
    }

    /// The picture at an address that a product has, if it has the hash of this name.
    pub(crate) fn find(&self, address: &str, name: OtherName<'_>) -> Option<OtherPicture> {
        self.hosts()?.picture(address).filter(|picture| picture.code() == name.code)
    }
}

/// The address of a picture on a host that makes copies, as the client adds a width to it.
fn asked(address: &str) -> Option<String> {
    if !address.contains(RESIZES) {
        return None;
    }
    let mut url = Url::parse(address).ok().filter(|url| url.host_str() == Some(RESIZES))?;
    let others: Vec<(String, String)> = url
        .query_pairs()
        .filter(|(name, _)| name != "width" && name != "height")
        .map(|(name, value)| (name.into(), value.into()))
        .collect();
    url.set_query(None);
    if !others.is_empty() {
        url.query_pairs_mut().extend_pairs(others);
    }
    let separator = if url.query().is_some() { '&' } else { '?' };
    url.set_fragment(Some(&format!("{separator}width=")));
    Some(url.into())
}

#[cfg(test)]
mod tests {
    use super::super::shown::plain;
    use super::super::size::Width;
    use super::super::{Copies, CopyMemory};
    use super::*;
    use crate::process::choose_cryptography;
    use crate::public_network::Reach;

    #[test]
    fn only_the_one_spelling_of_a_copy_is_understood() {
        let code = "0123456789abcdef";
        let parsed = OtherName::parse("12-0123456789abcdef-480.webp").unwrap();
        assert_eq!(parsed, OtherName { number: 12, code, size: Size::Width(Width::W480) });
        for other in [
            "",
            "1",
            "01-0123456789abcdef-480.webp",
            "+1-0123456789abcdef-480.webp",
            "-1-0123456789abcdef-480.webp",
            "99999-0123456789abcdef-480.webp",
            "-0123456789abcdef-480.webp",
            "1-0123456789abcde-480.webp",
            "1-0123456789ABCDEF-480.webp",
            "1-0123456789abcdef-481.webp",
            "1-0123456789abcdef-preview.jpg",
            "1-0123456789abcdef-480.webp.webp",
            "1-0123456789abcdef",
        ] {
            assert_eq!(OtherName::parse(other), None, "{other}");
        }
    }

    #[test]
    fn a_host_that_makes_copies_is_asked_for_them() {
        let shown = |address: &str| Elsewhere::Asked.shown(address, "1", 0);
        for (address, expected) in [
            ("https://cdn.shopify.com/s/a.jpg", Some("https://cdn.shopify.com/s/a.jpg#?width=")),
            ("https://cdn.shopify.com/s/a.jpg?v=1#b", Some("https://cdn.shopify.com/s/a.jpg?v=1#&width=")),
            (
                "https://cdn.shopify.com/s/a.jpg?width=9&v=1",
                Some("https://cdn.shopify.com/s/a.jpg?v=1#&width="),
            ),
            ("https://cdn.shopify.com.evil.example/a.jpg", None),
            ("https://pictures.example/cdn.shopify.com/a.jpg", None),
            ("/images/cdn.shopify.com-0.jpg", None),
        ] {
            assert_eq!(shown(address).as_deref(), expected, "{address}");
            assert_eq!(Elsewhere::Off.shown(address, "1", 0), None);
        }
    }

    #[test]
    fn other_programs_get_addresses_without_it() {
        for shown in ["https://a.example/b.jpg#/pictures/1/0-0-,9x9f", "https://a.example/b.jpg#&width="] {
            assert_eq!(plain(shown), "https://a.example/b.jpg");
        }
    }

    #[test]
    fn an_address_says_where_its_copies_are() {
        choose_cryptography();
        let reach = Reach::of_catalogue(&[]);
        let hosts = OtherHosts::new(Copies::new(None, CopyMemory::MOST), reach).unwrap();
        let elsewhere = Elsewhere::Copied(hosts);
        let address = "https://pictures.example/a.jpg?b=c#d";
        let shown = elsewhere.shown(address, "lamp-7", 2).unwrap();
        let (plain, base) = shown.split_once('#').unwrap();
        assert_eq!(plain, "https://pictures.example/a.jpg?b=c");
        let code = base.strip_prefix("/pictures/lamp-7/2-").unwrap();
        let name = format!("2-{code}480.webp");
        let name = OtherName::parse(&name).unwrap();
        assert!(elsewhere.find(address, name).is_some());
        assert!(elsewhere.find("https://pictures.example/b.jpg", name).is_none());
        for other in
            ["http://10.0.0.1/a.jpg", "https://pictures.example:22/a.jpg", "/a.jpg", "data:image/png,a"]
        {
            assert_eq!(elsewhere.shown(other, "lamp-7", 2), None, "{other}");
        }
        let resized = elsewhere.shown("https://cdn.shopify.com/s/a.jpg", "1", 0);
        assert_eq!(resized.as_deref(), Some("https://cdn.shopify.com/s/a.jpg#?width="));
    }
}
