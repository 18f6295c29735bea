//! The shop's own products as files for other programs: Google merchant data, JSON Lines, and a table of our own.
//! They take the products to other markets, to a spreadsheet or to another shop.
//!
//! It promises that equal products give equal files, that the shop's own readers get back whatever a format can
//! express, and that nothing unknown is claimed. `docs/decisions/0049-exports.md` says why.
//!
//! A [`Writing`] writes an export part by part, so that no more than a part of it is in memory. What a format can say of
//! a product is in `lines.rs`, `table.rs` and `merchant/`; the readers in `catalogue/file/` read each of them.

mod format;
mod lines;
mod merchant;
mod offer;
mod table;
#[cfg(test)]
mod tests;
mod writing;

use clap::ValueEnum;

pub(crate) use self::format::Format;
pub(crate) use self::merchant::{LeftOut, is_in};
pub(crate) use self::offer::Offer;
pub(crate) use self::writing::{About, Writing, WritingError};

/// Whether the shop offers its products as files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Exports {
    #[default]
    On,
    Off,
}
