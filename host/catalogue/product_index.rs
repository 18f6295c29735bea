//! Products with what filtering, counting and searching need, derived once for each copy of the catalogue.

use std::sync::OnceLock;

use super::columns::{Column, Flag};
use super::key::ProductKey;
use super::model::Summary;
use super::names::{NONE, Names};
use super::search::fold;
use super::tag_index::TagIndex;
use super::vocabulary::Vocabulary;
use crate::process::compute::assert_off_runtime;
use crate::profile::{Currency, Money, card_discount};

/// Lower than every rating: a product of unknown rating comes last, and no filter "and up" finds it.
const UNRATED: f64 = -1.0;

/// Products in the catalogue's order. Every other list of them holds positions in this one.
#[derive(Debug, Default)]
pub(crate) struct ProductIndex {
    products: Vec<Summary>,
    /// That of all prices.
    currency: Currency,
    facts: Vec<Facts>,
    texts: Texts,
    /// The names of each [`Column`], by its number.
    names: [Names; Column::EVERY.len()],
    tags: TagIndex,
    /// The positions by title, and by id among products of the same title.
    by_title: Vec<u32>,
    vocabulary: OnceLock<Vocabulary>,
    has_ratings: bool,
    is_numbered: bool,
}

/// What filters compare of one product, kept together so that a pass over all products reads little
/// memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts {
    pub(crate) price: Money,
    /// [`UNRATED`] if it is not known.
    pub(crate) rating: f64,
    /// The discount that cards show, in whole percent; 0 if they show none.
    pub(crate) discount: u8,
    /// A bit for each [`Flag`].
    flags: u8,
    /// The number of its name in each [`Column`], or [`NONE`].
    names: [u32; Column::EVERY.len()],
}

impl Facts {
    /// Without the numbers of its names.
    fn new(product: &Summary, currency: Currency) -> Self {
        Self {
            price: product.price,
            rating: product.rating.unwrap_or(UNRATED),
            discount: card_discount(product.price, product.discount_percentage, product.list_price, currency),
            flags: Flag::all_of(product),
            names: [NONE; Column::EVERY.len()],
        }
    }

    /// The number of its name in a column; [`NONE`] if it has none.
    pub(crate) fn name(&self, column: Column) -> u32 {
        self.names[column as usize]
    }

    pub(crate) fn has(&self, flag: Flag) -> bool {
        self.flags & flag.bit() != 0
    }
}

/// One folded text for each product.
#[derive(Debug, Default)]
struct Texts {
    /// All texts, one after the other.
    joined: String,
    /// Where each text ends.
    ends: Vec<usize>,
}

impl ProductIndex {
    /// Indexes `products` with prices in `currency`, which keep their order, and their `tags`, if they are known.
    pub(super) fn new(products: Vec<Summary>, currency: Currency, tags: TagIndex) -> Self {
        let mut facts: Vec<Facts> = products.iter().map(|product| Facts::new(product, currency)).collect();
        let names = Column::EVERY.map(|column| {
            let (names, numbers) = Names::new(products.iter().map(|product| column.name_of(product)));
            for (facts, number) in facts.iter_mut().zip(numbers) {
                facts.names[column as usize] = number;
            }
            names
        });
        let mut by_title: Vec<u32> = (0..NONE).take(products.len()).collect();
        by_title.sort_by_key(|&position| {
            let product = &products[position as usize];
            (&product.title, &product.id)
        });
        Self {
            has_ratings: products.iter().any(|product| product.rating.is_some()),
            is_numbered: products.iter().all(|product| product.id.number().is_some()),
            facts,
            texts: Texts::new(&products),
            names,
            tags,
            by_title,
            vocabulary: OnceLock::new(),
            currency,
            products,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.products.len()
    }

    /// Whether a product has a rating.
    pub(crate) fn has_ratings(&self) -> bool {
        self.has_ratings
    }

    /// The product at `position`.
    pub(crate) fn product(&self, position: u32) -> &Summary {
        &self.products[position as usize]
    }

    /// The currency of all prices.
    pub(crate) fn currency(&self) -> Currency {
        self.currency
    }

    /// What filters compare of the product at `position`.
    pub(crate) fn facts(&self, position: u32) -> &Facts {
        &self.facts[position as usize]
    }

    /// The folded title and description of the product at `position`, separated by a newline, which folded texts
    /// never contain.
    pub(crate) fn text(&self, position: u32) -> &[u8] {
        self.texts.get(position as usize)
    }

    /// The distinct names of a column in alphabetical order, whatever their case and accents.
    pub(crate) fn names(&self, column: Column) -> &[String] {
        self.names[column as usize].names()
    }

    /// The number of a name, if it occurs.
    pub(crate) fn number(&self, column: Column, name: &str) -> Option<u32> {
        self.names[column as usize].number(name)
    }

    /// The first product that has a name.
    pub(super) fn first_of(&self, column: Column, number: u32) -> &Summary {
        self.product(self.names[column as usize].first(number))
    }

    /// What is shown for a name.
    pub(crate) fn title(&self, column: Column, number: u32) -> String {
        let title = column.title_of(self.first_of(column, number));
        title.unwrap_or_else(|| self.names(column)[number as usize].clone())
    }

    /// The tags of the products; empty if they are not known.
    pub(crate) fn tags(&self) -> &TagIndex {
        &self.tags
    }

    /// The words of titles and brands, which are collected when they are first used. That takes long, see
    /// `process/compute.rs`.
    pub(crate) fn vocabulary(&self) -> &Vocabulary {
        self.vocabulary.get_or_init(|| {
            assert_off_runtime();
            // The title is the first line of a text.
            let title = |position| self.texts.get(position).split(|&byte| byte == b'\n').next();
            let titles = (0..self.len()).filter_map(title);
            Vocabulary::new(
                titles.filter_map(|title| std::str::from_utf8(title).ok()),
                self.names(Column::Brand),
            )
        })
    }

    /// Whether every product is named by a number. If not, their order says which are older.
    pub(super) fn is_numbered(&self) -> bool {
        self.is_numbered
    }

    /// Whether an older product has this title.
    pub(super) fn has_earlier_namesake(&self, title: &str, id: &ProductKey) -> bool {
        let title_of = |position: u32| self.product(position).title.as_str();
        let first = self.by_title.partition_point(|&position| title_of(position) < title);
        let namesakes = self.by_title.iter().skip(first).copied();
        let mut namesakes = namesakes.take_while(|&position| title_of(position) == title);
        if self.is_numbered {
            return namesakes.next().is_some_and(|first| self.product(first).id < *id);
        }
        let own = self.position(title, id);
        own.is_some_and(|own| namesakes.any(|position| position < own))
    }

    /// The position of the product with this title and id.
    pub(super) fn position(&self, title: &str, id: &ProductKey) -> Option<u32> {
        let key = |&position: &u32| {
            let product = self.product(position);
            (product.title.as_str(), &product.id)
        };
        let at = self.by_title.binary_search_by(|position| key(position).cmp(&(title, id))).ok()?;
        self.by_title.get(at).copied()
    }

    /// How many bytes are gone through at most to filter, count and search the products.
    pub(super) fn bytes_read(&self) -> usize {
        self.texts.joined.len() + self.len() * size_of::<Summary>()
    }

    /// Approximate size in memory, in bytes, with an allowance for the vocabulary: one word for each product.
    pub(super) fn size(&self) -> usize {
        let products: usize = self.products.iter().map(Summary::size).sum();
        let others = size_of::<Facts>() + size_of::<usize>() + size_of::<u32>();
        let vocabulary = Vocabulary::allowance(self.len());
        products + self.texts.joined.len() + self.len() * others + self.tags.size() + vocabulary
    }
}

impl Texts {
    fn new(products: &[Summary]) -> Self {
        let mut texts = Self::default();
        for product in products {
            texts.joined += &fold(&product.title);
            texts.joined.push('\n');
            texts.joined += &fold(&product.description);
            texts.ends.push(texts.joined.len());
        }
        texts
    }

    fn get(&self, position: usize) -> &[u8] {
        let start = position.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.joined.as_bytes()[start..self.ends[position]]
    }
}
