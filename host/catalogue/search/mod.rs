//! How texts are searched: the rule by which they are compared, and the order of the results.

mod rank;
mod text;

pub(crate) use self::rank::{
    Field, Fit, Hit, MOST_WORDS, Occurrence, Place, Rank, Score, Term, fragments, merit,
};
pub(crate) use self::text::{fold, is_mark};
