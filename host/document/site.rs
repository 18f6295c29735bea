//! The shop's public address, and the origins of its images.

use url::Url;

/// The shop's public identity.
#[derive(Clone, Debug)]
pub struct Site {
    /// Origin as visitors see it, without a trailing slash.
    origin: String,
    /// Image sources besides this host, as source expressions of the content security policy.
    image_sources: Vec<String>,
}

impl Site {
    /// `public_url` is the shop's public URL; its path is ignored.
    pub fn new(public_url: &Url, image_sources: Vec<String>) -> Self {
        Self { origin: public_url.origin().ascii_serialization(), image_sources }
    }

    /// The absolute URL of a site-relative path; an absolute URL is returned unchanged.
    pub fn absolute(&self, address: &str) -> String {
        if address.starts_with('/') { format!("{}{address}", self.origin) } else { address.to_owned() }
    }

    /// The origin, without a trailing slash.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    pub fn is_https(&self) -> bool {
        self.origin.starts_with("https:")
    }

    /// Image sources besides this host, as source expressions of the content security policy.
    pub fn image_sources(&self) -> &[String] {
        &self.image_sources
    }
}
