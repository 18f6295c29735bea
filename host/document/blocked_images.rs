//! Logs the hosts of images that the content security policy blocks.

use std::collections::HashSet;

use parking_lot::Mutex;

use super::site::Site;
use crate::contract::Content;
use crate::observe::Bounded;

/// Most hosts that are named in the life of the process, because the catalogue decides how many there are.
const MOST_NAMED: usize = 16;

/// The hosts that were named already.
#[derive(Debug, Default)]
pub(crate) struct BlockedImages {
    named: Mutex<HashSet<String>>,
}

impl BlockedImages {
    /// Names the hosts of a page's images that are blocked, each when it is first seen.
    pub(crate) fn note_page(&self, content: &Content, site: &Site) {
        let (categories, products) = content.cards();
        if let Content::Product(page) = content {
            let own = page.product.iter().flat_map(|product| product.images.iter().chain(&product.thumbnail));
            self.note(own, site);
        }
        self.note(categories.iter().filter_map(|card| card.thumbnail.as_ref()), site);
        self.note(products.flat_map(|card| card.thumbnail.iter().chain(&card.second)), site);
    }

    /// Names the hosts of these images that are blocked, each when it is first seen.
    pub(crate) fn note(&self, images: impl IntoIterator<Item: AsRef<str>>, site: &Site) {
        // Most images of a page have the same host, which is parsed once.
        let mut last: Option<String> = None;
        for image in images {
            let image = image.as_ref();
            let host = host_part(image);
            if host.is_some() && host == last.as_deref() {
                continue;
            }
            last = host.map(str::to_owned);
            let Some(host) = site.blocked_host(image) else { continue };
            let mut named = self.named.lock();
            if named.len() >= MOST_NAMED || !named.insert(host.clone()) {
                continue;
            }
            let is_last = named.len() == MOST_NAMED;
            drop(named);
            tracing::warn!(
                host = %Bounded(&host),
                "browsers block the images of this host; --image-host allows it"
            );
            if is_last {
                tracing::warn!("images of too many hosts are blocked; no further one is named");
            }
        }
    }
}

/// The start of an absolute address, up to the slash after the host. Addresses with the same start name the same
/// host.
fn host_part(address: &str) -> Option<&str> {
    let host = address.find("://")? + "://".len();
    address[host..].find('/').map(|end| &address[..=host + end])
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::*;

    #[test]
    fn an_allowed_image_hides_no_blocked_one_after_it() {
        let url = |text: &str| Url::parse(text).unwrap();
        let site = Site::new(&url("https://shop.example"), vec!["https://cdn.example".parse().unwrap()]);
        let images = BlockedImages::default();
        images.note(
            [
                "https://cdn.example/a.webp",
                "https://cdn.example/b.webp",
                "https://cdn.example:8443/c.webp",
                "https://cdn.example.evil.example/d.webp",
                "https://cdn.example@evil.example/e.webp",
                "https://cdn.example",
                "/art/f.svg",
                "no address",
                "https://cdn.example/g.webp",
                "http://cdn.example/h.webp",
            ],
            &site,
        );
        let mut named: Vec<_> = images.named.into_inner().into_iter().collect();
        named.sort();
        assert_eq!(
            named,
            [
                "http://cdn.example",
                "https://cdn.example.evil.example",
                "https://cdn.example:8443",
                "https://evil.example",
            ]
        );
    }

    #[test]
    fn the_part_of_an_address_that_names_the_host_ends_with_a_slash() {
        assert_eq!(host_part("https://a.example/b/c"), Some("https://a.example/"));
        assert_eq!(host_part("https://a.example"), None);
        assert_eq!(host_part("/b"), None);
    }
}
