//! A catalogue of the products in one file, on this machine or at an address of the web. It is read as a whole, and
//! again when it changes. A file that cannot be used changes nothing: the last usable version stays on sale.

mod amounts;
mod budget;
mod catalogue;
mod dialects;
mod draft;
mod error;
mod feed;
mod findings;
mod follow;
mod form;
mod guard;
mod json;
mod meaning;
mod moments;
mod offer;
mod options;
mod origin;
mod picture;
mod pictures;
mod plain;
mod quotes;
mod reading;
mod rejected;
mod report;
mod row;
mod rows;
mod served_picture;
mod state;
mod table;
#[cfg(test)]
mod tests;
mod text;
mod titles;
mod xml;

pub(crate) use self::amounts::PricesIn;
pub use self::catalogue::FileCatalogue;
pub(crate) use self::catalogue::now;
pub use self::error::FileError;
pub(crate) use self::feed::{Feed, FeedAddress};
pub(crate) use self::findings::{Findings, Named};
pub(crate) use self::follow::{Received, follow};
pub(crate) use self::guard::guarded;
pub(crate) use self::origin::{Origin, Place};
pub use self::picture::PictureError;
pub(crate) use self::pictures::Pictures;
pub(crate) use self::plain::{has_markup, plain};
pub use self::reading::products_of;
pub(crate) use self::reading::{Reading, Wanted};
pub(crate) use self::report::Report;
pub use self::served_picture::ServedPicture;
pub(crate) use self::state::FileState;
