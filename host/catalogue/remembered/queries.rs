//! How the answers to each kind of query are cached.

use super::answers::Answers;
use super::staleness::Staleness;
use crate::cache::Ages;
use crate::catalogue::Outdated;
use crate::catalogue::columns::Column;
use crate::catalogue::mirror::MirrorQuery;
use crate::catalogue::model::{Category, Summary};
use crate::catalogue::query::{Categories, Listing, Preview, ProductById, Query};
use crate::catalogue::window::Window;

/// A query whose answers are cached.
pub(crate) trait Remember: MirrorQuery {
    /// Cache capacity for all answers together, in bytes.
    const CAPACITY: u64;

    /// Approximate size of an answer in memory, in bytes.
    fn weigh(answer: &Self::Answer) -> usize;

    /// How many entries an answer lists, if losing half of them would be suspicious.
    fn count(_: &Self::Answer) -> Option<usize> {
        None
    }

    /// Whether the answer says that the item does not exist. The item may exist soon, so such an answer is
    /// never served stale.
    fn is_absence(&self, _: &Self::Answer) -> bool {
        false
    }

    /// The answer that the item does not exist; `None` if there is no such answer.
    fn absence() -> Option<Self::Answer> {
        None
    }

    /// Whether a purge order concerns the query or, if it is known, the answer.
    fn is_concerned(&self, answer: Option<&Self::Answer>, outdated: &Outdated) -> bool;

    /// The answer without the entries that do not exist according to other answers.
    fn confirmed(answer: Self::Answer, _: &Stores) -> Self::Answer {
        answer
    }

    /// The cache of this query's answers.
    fn answers(stores: &Stores) -> &AnswersOf<Self>;
}

pub(super) type AnswersOf<Q> = Answers<Q, <Q as Query>::Answer>;

/// The cached answers of every kind of query.
pub(crate) struct Stores {
    pub(super) categories: AnswersOf<Categories>,
    pub(super) previews: AnswersOf<Preview>,
    pub(super) listings: AnswersOf<Listing>,
    pub(super) products: AnswersOf<ProductById>,
    pub(super) windows: AnswersOf<Window>,
}

impl Stores {
    pub(super) fn new(ages: Ages, staleness: &Staleness) -> Self {
        fn store<Q: Remember>(ages: Ages, staleness: &Staleness) -> AnswersOf<Q> {
            Answers::new(ages, Q::CAPACITY, staleness.clone(), Q::weigh, Q::count)
        }
        Self {
            categories: store(ages, staleness),
            previews: store(ages, staleness),
            listings: store(ages, staleness),
            products: store(ages, staleness),
            windows: store(ages, staleness),
        }
    }
}

/// Capacity for queries with few, short answers, in bytes.
const SMALL: u64 = 4 << 20;

impl Remember for Categories {
    const CAPACITY: u64 = SMALL;

    fn weigh(answer: &Self::Answer) -> usize {
        answer.len() * 100
    }

    fn count(answer: &Self::Answer) -> Option<usize> {
        Some(answer.len())
    }

    /// A new product may be the first of its category.
    fn is_concerned(&self, _: Option<&Self::Answer>, _: &Outdated) -> bool {
        true
    }

    /// A category without products has no page, so nothing may name it. In a copy of the
    /// catalogue there is no such category.
    fn confirmed(answer: Self::Answer, stores: &Stores) -> Self::Answer {
        let Some((all, _)) = stores.listings.stored(&Listing::All).filter(|(all, _)| !all.is_empty()) else {
            return answer;
        };
        // If no product has a category that can be in an address, products do not tell which ones exist.
        if all.store().names(Column::Category).is_empty() {
            return answer;
        }
        let has_products =
            |category: &&Category| all.store().number(Column::Category, category.slug.as_str()).is_some();
        if answer.iter().all(|category| has_products(&category)) {
            return answer;
        }
        answer.iter().filter(has_products).cloned().collect()
    }

    fn answers(stores: &Stores) -> &AnswersOf<Self> {
        &stores.categories
    }
}

impl Remember for Preview {
    const CAPACITY: u64 = SMALL;

    fn weigh(_: &Self::Answer) -> usize {
        300
    }

    /// The answer does not say which products the category has.
    fn is_concerned(&self, _: Option<&Self::Answer>, outdated: &Outdated) -> bool {
        match outdated {
            Outdated::Everything | Outdated::Product(_) => true,
            Outdated::Category(slug) => self.0 == *slug,
        }
    }

    fn answers(stores: &Stores) -> &AnswersOf<Self> {
        &stores.previews
    }
}

impl Remember for Listing {
    const CAPACITY: u64 = 48 << 20;

    fn weigh(answer: &Self::Answer) -> usize {
        answer.size()
    }

    fn count(answer: &Self::Answer) -> Option<usize> {
        Some(answer.len())
    }

    /// The service answers an unknown category with an empty list; no known category is empty.
    fn is_absence(&self, answer: &Self::Answer) -> bool {
        matches!(self, Self::Category(_)) && answer.is_empty()
    }

    fn is_concerned(&self, answer: Option<&Self::Answer>, outdated: &Outdated) -> bool {
        match (self, outdated) {
            // An empty list may get products, and a new product belongs in the list of all.
            (_, Outdated::Everything) | (Self::All, _) => true,
            (Self::Category(slug), Outdated::Category(outdated)) if slug == outdated => true,
            _ => answer.is_none_or(|answer| outdated.concerns_any(answer)),
        }
    }

    fn answers(stores: &Stores) -> &AnswersOf<Self> {
        &stores.listings
    }
}

impl Remember for ProductById {
    const CAPACITY: u64 = 16 << 20;

    fn weigh(answer: &Self::Answer) -> usize {
        // An absence is as large as its key, which is at most 100 bytes beside the entry.
        answer.as_ref().map_or(200, |product| product.size())
    }

    fn is_absence(&self, answer: &Self::Answer) -> bool {
        answer.is_none()
    }

    fn absence() -> Option<Self::Answer> {
        Some(None)
    }

    fn is_concerned(&self, answer: Option<&Self::Answer>, outdated: &Outdated) -> bool {
        match outdated {
            Outdated::Everything => true,
            Outdated::Product(id) => self.0 == *id,
            Outdated::Category(_) => match answer {
                Some(Some(product)) => outdated.concerns(&product.summary),
                // A product that did not exist may be in the category now.
                Some(None) | None => true,
            },
        }
    }

    fn answers(stores: &Stores) -> &AnswersOf<Self> {
        &stores.products
    }
}

impl Remember for Window {
    const CAPACITY: u64 = 16 << 20;

    fn weigh(answer: &Self::Answer) -> usize {
        // An entry takes about 500 bytes beside the products.
        500 + answer.products.iter().map(Summary::size).sum::<usize>()
    }

    fn count(answer: &Self::Answer) -> Option<usize> {
        answer.total.and_then(|total| usize::try_from(total).ok())
    }

    /// A product may come into any window.
    fn is_concerned(&self, _: Option<&Self::Answer>, _: &Outdated) -> bool {
        true
    }

    fn answers(stores: &Stores) -> &AnswersOf<Self> {
        &stores.windows
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn a_purge_of_everything_concerns_empty_answers() {
        let nothing = Arc::default();
        for listing in [Listing::All, Listing::Search("lamp".into())] {
            assert!(listing.is_concerned(Some(&nothing), &Outdated::Everything), "{listing:?}");
        }
        assert!(!Listing::Search("lamp".into()).is_concerned(Some(&nothing), &Outdated::Product(1.into())));
    }
}
