//! How products are searched: what a search asks for, and the order of the results. How texts are compared is in
//! `search_text/`.

mod query;
mod rank;

pub(crate) use self::query::Query;
pub(crate) use self::rank::{Fit, Hit, Likeness, Rank, Score, Spot, merit};
pub(crate) use crate::search_text::{Language, Rules, fold, fragments, pieces, words_of};
