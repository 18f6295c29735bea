//! How texts are searched: the rule by which they are compared, what a search asks for, and the order of the results.

mod fragments;
mod language;
mod query;
mod rank;
mod rules;
mod text;

pub(crate) use self::fragments::{fragments, words_of};
pub(crate) use self::language::Language;
pub(crate) use self::query::Query;
pub(crate) use self::rank::{Fit, Hit, Place, Rank, Score, Spot, merit};
pub use self::rules::{Rules, SynonymError};
pub(crate) use self::text::{fold, is_mark};
