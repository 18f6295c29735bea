//! What is the same for all rows of a file.

use super::options::FileOptions;
use super::pictures::Pictures;
use super::row::OPTIONS;

/// Maximum number of pictures of a product; further ones are ignored.
pub(super) const MOST_IMAGES: usize = 24;

/// What is the same for all rows of a file.
pub(super) struct RowContext<'a> {
    /// The names of options whose fields hold only values.
    pub(super) option_names: [&'static str; OPTIONS],
    /// Stands before pictures without a host, unless the options say another address.
    pub(super) image_base: &'static str,
    pub(super) options: &'a FileOptions,
    pub(super) pictures: &'a Pictures,
}

impl RowContext<'_> {
    /// The address of a picture as it is written in the file.
    pub(super) fn picture(&self, written: &str) -> String {
        let picture = self.options.picture(written);
        let is_address =
            ["/", "data:"].iter().any(|begin| picture.starts_with(begin)) || picture.contains("://");
        if is_address || picture.is_empty() { picture } else { format!("{}{picture}", self.image_base) }
    }
}
