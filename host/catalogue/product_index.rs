//! Products with what filtering, counting and searching need, derived once for each copy of the catalogue.

use std::sync::OnceLock;

use super::key::ProductKey;
use super::model::Summary;
use super::names::{NONE, Names};
use super::search::fold;
use super::slug::Slug;
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
    brands: Names<String>,
    categories: Names<Slug>,
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
    /// The number of the brand in [`ProductIndex::brands`], or [`NONE`].
    pub(crate) brand: u32,
    /// The number of the category in [`ProductIndex::categories`], or [`NONE`].
    pub(crate) category: u32,
}

/// What filters choose names from. A product has at most one name of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Column {
    Category,
    Brand,
}

impl Column {
    pub(crate) const EVERY: [Self; 2] = [Self::Category, Self::Brand];

    /// The number of a product's name; [`NONE`] if it has no name.
    pub(crate) fn of(self, facts: &Facts) -> u32 {
        match self {
            Self::Category => facts.category,
            Self::Brand => facts.brand,
        }
    }

    /// How many names the products of an index have.
    pub(crate) fn len(self, index: &ProductIndex) -> usize {
        match self {
            Self::Category => index.categories().len(),
            Self::Brand => index.brands().len(),
        }
    }
}

/// What filters can ask of a product with yes or no.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flag {
    /// It is not known to be sold out.
    InStock,
}

impl Flag {
    const EVERY: [Self; 1] = [Self::InStock];

    fn is_true_of(self, product: &Summary) -> bool {
        match self {
            Self::InStock => !product.availability.is_sold_out(),
        }
    }

    fn all_of(product: &Summary) -> u8 {
        let flags = Self::EVERY.into_iter().filter(|flag| flag.is_true_of(product));
        flags.fold(0, |flags, flag| flags | flag.bit())
    }

    fn bit(self) -> u8 {
        1 << self as u8
    }
}

impl Facts {
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
        let of_brands = products.iter().map(|product| product.brand.as_ref());
        let (brands, brand_of) = Names::new(of_brands, |brand| fold(brand));
        let of_categories = products.iter().map(|product| product.category.as_ref());
        let (categories, category_of) = Names::new(of_categories, |_| ());
        let facts =
            products.iter().zip(brand_of).zip(category_of).map(|((product, brand), category)| Facts {
                price: product.price,
                rating: product.rating.unwrap_or(UNRATED),
                discount: card_discount(product.price, product.discount_percentage, currency),
                flags: Flag::all_of(product),
                brand,
                category,
            });
        let facts = facts.collect();
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
            brands,
            categories,
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

    /// The distinct brands in alphabetical order, whatever their case and accents.
    pub(crate) fn brands(&self) -> &[String] {
        &self.brands.names
    }

    /// The number of a brand, if it occurs.
    pub(crate) fn brand_number(&self, brand: &str) -> Option<u32> {
        self.brands.number(|name| name.as_str().cmp(brand))
    }

    /// The distinct categories in alphabetical order.
    pub(crate) fn categories(&self) -> &[Slug] {
        &self.categories.names
    }

    /// The number of a category, if it occurs.
    pub(crate) fn category_number(&self, slug: &str) -> Option<u32> {
        self.categories.number(|name| name.as_str().cmp(slug))
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
            Vocabulary::new(titles.filter_map(|title| std::str::from_utf8(title).ok()), self.brands())
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
