//! What the shop says about itself to the outside: its address, and whose images it shows.

use url::Url;

/// The shop's public identity.
#[derive(Clone, Debug)]
pub struct Site {
    /// Origin as visitors see it, without a slash at the end.
    origin: String,
    /// Sources of images besides this host, as in a content security policy.
    image_sources: Vec<String>,
}

impl Site {
    /// `public_url` is the shop's address; a path in it is not part of the origin.
    pub fn new(public_url: &Url, image_sources: Vec<String>) -> Self {
        Self { origin: public_url.origin().ascii_serialization(), image_sources }
    }

    /// The absolute address of a site-relative path; an address that is absolute already stays.
    pub fn absolute(&self, address: &str) -> String {
        if address.starts_with('/') { format!("{}{address}", self.origin) } else { address.to_owned() }
    }

    pub fn origin(&self) -> &str {
        &self.origin
    }

    pub fn is_https(&self) -> bool {
        self.origin.starts_with("https:")
    }

    pub fn image_sources(&self) -> &[String] {
        &self.image_sources
    }
}
