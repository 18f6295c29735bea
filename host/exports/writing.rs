//! Writes the products of one version of the catalogue in a form, part by part.

use std::io;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::format::Format;
use super::{lines, merchant, table};
use crate::catalogue::{DetailsError, Product, ProductSet};
use crate::document::Site;
use crate::http::build_date::build_date;
use crate::process::compute::OffRuntime;
use crate::profile::Profile;

/// A part is complete when it has this many bytes. It may be longer by a product.
const PART: usize = 256 << 10;
/// The length of a tag, in bytes before it is written as text.
const TAG: usize = 16;

/// Why a part could not be written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WritingError {
    #[error("a product's details could not be read")]
    Details(#[from] DetailsError),
    #[error("a product could not be written")]
    Written(#[from] io::Error),
}

/// What an export says beside its products.
#[derive(Clone, Debug)]
pub(crate) struct About {
    pub(crate) profile: Arc<Profile>,
    /// Makes addresses absolute.
    pub(crate) site: Site,
}

/// An export that is written in parts. They are the same for equal products, whatever else happens meanwhile. A clone goes
/// on by itself.
#[derive(Clone, Debug)]
pub(crate) struct Writing {
    format: Format,
    about: About,
    products: Arc<ProductSet>,
    /// How many products are written.
    written: usize,
    is_begun: bool,
    is_ended: bool,
}

impl Writing {
    /// An export of these products, which must be whole.
    pub(crate) fn new(format: Format, about: About, products: Arc<ProductSet>) -> Self {
        Self { format, about, products, written: 0, is_begun: false, is_ended: false }
    }

    /// Its form.
    pub(crate) fn format(&self) -> Format {
        self.format
    }

    /// The number of products that are to be written.
    pub(crate) fn products(&self) -> usize {
        self.products.len()
    }

    /// The next part; `None` after the last one.
    ///
    /// # Errors
    /// When a product cannot be read or written. There are no further parts then.
    pub(crate) fn next_part(&mut self, _: &OffRuntime) -> Result<Option<Vec<u8>>, WritingError> {
        if self.is_ended {
            return Ok(None);
        }
        // A part that fails is not tried again.
        self.is_ended = true;
        let mut part = Vec::with_capacity(PART + PART / 8);
        if !std::mem::replace(&mut self.is_begun, true) {
            self.begin(&mut part)?;
        }
        let mut written = self.written;
        for product in self.products.whole_behind(self.written) {
            self.write(&product?, &mut part)?;
            written += 1;
            if part.len() >= PART {
                break;
            }
        }
        self.written = written;
        self.is_ended = written == self.products.len();
        if self.is_ended {
            self.end(&mut part);
        }
        Ok(Some(part))
    }

    /// The tag of the whole export: a hash of everything that determines its bytes, which is the same in every replica.
    ///
    /// # Errors
    /// When details that lie in a file cannot be read.
    pub(crate) fn tag(&self, _: &OffRuntime) -> io::Result<String> {
        let mut hash = blake3::Hasher::new();
        let About { profile, site } = &self.about;
        // Another build may write the same products differently.
        let build = httpdate::fmt_http_date(build_date());
        let currency = self.products.currency();
        for text in [
            self.format.path(),
            site.origin(),
            &*profile.name,
            &*profile.description,
            currency.code(),
            &*build,
        ] {
            hash.update(&(text.len() as u64).to_le_bytes());
            hash.update(text.as_bytes());
        }
        hash.update(self.products.digest()?.as_bytes());
        Ok(URL_SAFE_NO_PAD.encode(&hash.finalize().as_bytes()[..TAG]))
    }

    fn begin(&self, part: &mut Vec<u8>) -> io::Result<()> {
        let About { profile, site } = &self.about;
        match self.format {
            Format::Merchant => merchant::begin(&profile.name, &profile.description, site, part),
            Format::Lines => {}
            Format::Table => table::begin(part)?,
        }
        Ok(())
    }

    fn write(&self, product: &Product, part: &mut Vec<u8>) -> io::Result<()> {
        let (site, currency) = (&self.about.site, self.products.currency());
        match self.format {
            Format::Merchant => merchant::write(product, currency, site, part),
            Format::Lines => lines::write(product, currency, site, part)?,
            Format::Table => table::write(product, currency, site, part)?,
        }
        Ok(())
    }

    fn end(&self, part: &mut Vec<u8>) {
        if self.format == Format::Merchant {
            merchant::end(part);
        }
    }
}
