//! The shop's public address, and where its images may come from.

use url::Url;

use super::image_source::ImageSource;
use crate::pictures::plain;

/// The shop's public identity.
#[derive(Clone, Debug)]
pub struct Site {
    /// Origin as visitors see it, without a trailing slash.
    origin: String,
    /// Image sources besides this host.
    image_sources: Vec<ImageSource>,
}

impl Site {
    /// `public_url` is the shop's public URL; its path is ignored.
    pub fn new(public_url: &Url, image_sources: Vec<ImageSource>) -> Self {
        Self { origin: public_url.origin().ascii_serialization(), image_sources }
    }

    /// The absolute URL of a site-relative path; an absolute URL is returned unchanged.
    pub fn absolute(&self, address: &str) -> String {
        if address.starts_with('/') { format!("{}{address}", self.origin) } else { address.to_owned() }
    }

    /// The absolute URL of a picture, without what pages know of it.
    pub(crate) fn picture(&self, address: &str) -> String {
        self.absolute(plain(address))
    }

    /// The origin, without a trailing slash.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    pub fn is_https(&self) -> bool {
        self.origin.starts_with("https:")
    }

    /// Image sources besides this host.
    pub fn image_sources(&self) -> &[ImageSource] {
        &self.image_sources
    }

    /// The origin of an image whose address the content security policy blocks; `None` if it is allowed.
    pub(crate) fn blocked_host(&self, image: &str) -> Option<String> {
        // A path is on this host.
        let url = Url::parse(image).ok()?;
        let origin = url.origin().ascii_serialization();
        let is_allowed = origin == self.origin || self.image_sources.iter().any(|source| source.allows(&url));
        (!is_allowed).then_some(origin)
    }
}
