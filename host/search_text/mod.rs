//! The texts of searches: the rule by which texts are compared, the words that they are searched by, what is known of a
//! language, and the shop's own synonyms.
//!
//! It promises that a part of a text is folded to a part of the folded text, and that no text is too odd or too long for
//! it. `docs/decisions/0048-search.md` says why.

mod fragments;
mod language;
mod pieces;
mod rules;
mod text;

pub(crate) use self::fragments::{fragments, words_of};
pub(crate) use self::language::Language;
pub(crate) use self::pieces::pieces;
pub use self::rules::{Rules, SynonymError};
pub(crate) use self::text::{fold, is_mark};
