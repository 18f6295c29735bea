//! A catalogue of the products in one file, on this machine or at an address of the web. It is read as a whole, and
//! again when it changes. A file that cannot be used changes nothing: the last usable version stays on sale.

mod amounts;
mod body;
mod budget;
mod catalogue;
mod categories;
mod cells;
mod chunks;
mod dialects;
mod discount;
mod draft;
mod error;
mod feed;
mod findings;
mod follow;
mod for_sale;
mod form;
mod guard;
mod items;
mod json;
mod json_names;
mod json_variants;
mod meaning;
mod mixed;
mod moments;
mod named_currency;
mod names;
mod offer;
mod options;
mod origin;
mod pasted;
mod picture;
mod pictures;
mod plain;
mod proposal;
mod quotes;
mod reading;
mod rejected;
mod report;
mod row;
mod rows;
mod rules;
mod served_picture;
mod shared;
mod split;
mod state;
mod survey;
mod table;
#[cfg(test)]
mod tests;
mod text;
mod titles;
mod xml;

pub(crate) use self::amounts::PricesIn;
pub(crate) use self::body::{MOST_IN_MEMORY, Room};
pub use self::catalogue::FileCatalogue;
pub(crate) use self::catalogue::now;
pub use self::error::FileError;
pub(crate) use self::feed::{Feed, FeedAddress};
pub(crate) use self::findings::{Findings, Named};
pub(crate) use self::follow::{Received, follow};
pub(crate) use self::guard::guarded;
#[cfg(test)]
pub(crate) use self::meaning::is_of_a_program;
#[cfg(test)]
pub(crate) use self::names::is_nothing;
pub(crate) use self::origin::{Origin, Place};
pub use self::picture::PictureError;
pub(crate) use self::pictures::Pictures;
pub(crate) use self::plain::{decoded, has_markup, plain};
pub(crate) use self::proposal::{Proposed, propose};
pub use self::reading::products_of;
pub(crate) use self::reading::{Reading, Wanted};
pub(crate) use self::report::Report;
pub use self::served_picture::ServedPicture;
pub(crate) use self::state::FileState;
