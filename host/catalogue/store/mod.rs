//! All products of one version of a catalogue, whatever their source. A store never changes: another version is built
//! aside, product by product, and replaces it as a whole.
//!
//! A product is known by its position in the catalogue's order. Columns have what filters, facets and sorts read,
//! rows of bytes what cards show and what is searched, and compressed blocks the details.

mod article_numbers;
mod blocks;
mod builder;
mod bytes;
mod card;
mod cleaning;
pub(super) mod details;
mod for_sale;
mod kept;
mod labels;
mod lookup;
mod names;
mod numbers;
mod orders;
mod record;
mod rows;
mod saved;
mod tags;
#[cfg(test)]
mod tests;
mod word_index;

use std::sync::OnceLock;

pub(crate) use self::article_numbers::squeezed;
use self::blocks::Blocks;
pub use self::blocks::DetailsError;
pub(crate) use self::builder::Builder;
pub(crate) use self::bytes::Bytes;
pub(crate) use self::cleaning::Cleaning;
pub(crate) use self::for_sale::{Combination, FILTERED, ForSale, SetCounts};
pub(crate) use self::kept::chosen;
pub(crate) use self::labels::Labels;
use self::lookup::{Lookup, hash};
pub(crate) use self::names::NONE;
use self::names::Names;
pub use self::orders::ProductOrder;
pub(crate) use self::orders::{Part, ProductOrders};
use self::record::Record as _;
pub use self::record::RecordError;
use self::rows::Rows;
use self::saved::Index;
pub(crate) use self::saved::SavedError;
use self::tags::TagIndex;
pub(crate) use self::word_index::{Entry, WordIndex};
use super::columns::{Column, Flag};
use super::key::ProductKey;
use super::model::{Product, Summary};
use super::search::merit;
use super::slug::Slug;
use crate::process::compute::assert_off_runtime;
use crate::profile::{Currency, Money, card_discount};

/// Lower than every rating: a product of unknown rating comes last, and no "and up" filter finds it.
const UNRATED: f64 = -1.0;

/// Earlier than every date: a product without one is older than all others.
const UNDATED: i64 = 0;

/// Begins the line of an option. Folded texts never have it.
const OPTION: char = '\t';

/// The first line of a text, and all others.
fn split_line(text: &[u8]) -> (&[u8], &[u8]) {
    memchr::memchr(b'\n', text).map_or((text, &[]), |end| (&text[..end], &text[end + 1..]))
}

/// Products in the catalogue's order. Every other list of products holds positions in this order.
#[derive(Debug, Default)]
pub(crate) struct Store {
    /// The currency of all prices.
    currency: Currency,
    prices: Vec<Money>,
    /// The ratings; [`UNRATED`] where a rating is not known.
    ratings: Vec<f64>,
    /// When each product was added or changed, in seconds since 1970, or [`UNDATED`]. Empty if no product has a date, or if
    /// dates do not decide which products are the newest.
    dates: Vec<i64>,
    /// The discounts that cards show, in whole percent; 0 where they show none.
    discounts: Vec<u8>,
    /// A bit for each [`Flag`].
    flags: Vec<u8>,
    /// For each [`Column`] the number of each product's name, or [`NONE`].
    name_of: [Box<[u32]>; Column::EVERY.len()],
    /// The names of each [`Column`].
    names: [Names; Column::EVERY.len()],
    /// The categories, by the numbers of their names.
    categories: Vec<Slug>,
    tags: TagIndex,
    for_sale: ForSale,
    /// Everything else that cards show.
    cards: Rows,
    /// The folded titles, descriptions, article numbers and options.
    texts: Rows,
    /// In each row of `texts`, the length of the title and the description together, in bytes.
    text_lengths: Vec<u32>,
    /// Everything else that is known of the products.
    details: Blocks,
    /// The seed of all hashes in the store.
    seed: u64,
    by_key: Lookup,
    by_title: Lookup,
    labels: OnceLock<Labels>,
    word_index: OnceLock<WordIndex>,
    has_ratings: bool,
    is_numbered: bool,
    /// The rules that the details of a saved store must pass when they are read.
    rules: Option<Cleaning>,
    /// The index of the store's bytes, once it is known.
    index: OnceLock<Index>,
}

impl Store {
    /// A store without products.
    fn empty(currency: Currency) -> Self {
        Self { currency, seed: fastrand::u64(..), is_numbered: true, ..Self::default() }
    }

    /// Adds what follows from the card of the next product, such as its discount and its flags.
    fn derive(&mut self, card: &Summary) {
        let Summary { price, discount_percentage, list_price, .. } = card;
        self.discounts.push(card_discount(*price, *discount_percentage, *list_price, self.currency));
        self.flags.push(Flag::all_of(card));
        self.has_ratings |= card.rating.is_some();
        self.is_numbered &= card.id.number().is_some();
    }

    fn lookup_by_key(&self) -> Lookup {
        Lookup::new((0..).take(self.len()).map(|at| self.hash_of(&self.key(at))), |at| at)
    }

    fn lookup_by_title(&self) -> Lookup {
        // The oldest of the products with equal titles comes first.
        let titles = (0..).take(self.len()).map(|at| hash(self.seed, self.title_of(at).as_bytes()));
        Lookup::new(titles, |at| (self.is_numbered.then(|| self.key(at)), at))
    }

    /// Whether any two products have the same key.
    fn has_twins(&self) -> bool {
        self.by_key.has_neighbours(|one, other| self.key(one) == self.key(other))
    }

    pub(crate) fn len(&self) -> usize {
        self.prices.len()
    }

    /// The currency of all prices.
    pub(crate) fn currency(&self) -> Currency {
        self.currency
    }

    /// Whether a product has a rating.
    pub(crate) fn has_ratings(&self) -> bool {
        self.has_ratings
    }

    #[inline]
    pub(crate) fn price(&self, position: u32) -> Money {
        self.prices[position as usize]
    }

    /// The rating; [`UNRATED`] if it is not known.
    #[inline]
    pub(crate) fn rating(&self, position: u32) -> f64 {
        self.ratings[position as usize]
    }

    /// Whether dates decide which products are the newest.
    pub(crate) fn has_dates(&self) -> bool {
        !self.dates.is_empty()
    }

    /// The product's date, see [`Self::dates`].
    fn date(&self, position: u32) -> i64 {
        self.dates.get(position as usize).copied().unwrap_or(UNDATED)
    }

    /// The discount that a card shows, in whole percent; 0 if it shows none.
    #[inline]
    pub(crate) fn discount(&self, position: u32) -> u8 {
        self.discounts[position as usize]
    }

    /// The exact discount, in percent.
    fn discount_percentage(&self, position: u32) -> f64 {
        card::discount(self.cards.get(position)).unwrap_or_default()
    }

    #[inline]
    pub(crate) fn has(&self, flag: Flag, position: u32) -> bool {
        self.flags[position as usize] & flag.bit() != 0
    }

    /// The number of a product's name in a column; [`NONE`] if it has none.
    #[inline]
    pub(crate) fn name(&self, column: Column, position: u32) -> u32 {
        self.name_of[column as usize][position as usize]
    }

    /// The folded title and description of a product, separated by a newline, which folded texts never contain.
    pub(crate) fn text(&self, position: u32) -> &[u8] {
        &self.texts.get(position)[..self.text_lengths[position as usize] as usize]
    }

    /// The folded title of a product.
    #[inline]
    pub(crate) fn folded_title(&self, position: u32) -> &[u8] {
        split_line(self.text(position)).0
    }

    /// The two parts of [`Self::text`].
    pub(crate) fn title_and_description(&self, position: u32) -> (&str, &str) {
        let (title, description) = split_line(self.text(position));
        // Texts are written as UTF-8; saved ones may be anything.
        let text = |bytes| std::str::from_utf8(bytes).unwrap_or_default();
        (text(title), text(description))
    }

    /// The folded article numbers of a product and its variants.
    pub(crate) fn numbers(&self, position: u32) -> impl Iterator<Item = &str> {
        self.further_lines(position).filter(|line| !line.starts_with(OPTION))
    }

    /// The folded values of the options of a product's variants.
    pub(crate) fn options(&self, position: u32) -> impl Iterator<Item = &str> {
        self.further_lines(position).filter_map(|line| line.strip_prefix(OPTION))
    }

    /// The lines behind a product's text.
    fn further_lines(&self, position: u32) -> impl Iterator<Item = &str> {
        let lines = split_line(&self.texts.get(position)[self.text_lengths[position as usize] as usize..]).1;
        std::str::from_utf8(lines).unwrap_or_default().split('\n').filter(|line| !line.is_empty())
    }

    /// The length of a product's [`Self::text`], measured in its row.
    fn text_length(&self, position: u32) -> u32 {
        let row = self.texts.get(position);
        // What follows begins on the third line.
        memchr::memchr_iter(b'\n', row).nth(1).unwrap_or(row.len()) as u32
    }

    /// The product as lists show it: without its description.
    pub(crate) fn summary(&self, position: u32) -> Summary {
        // The card can be read: the builder wrote it, or it was read before.
        self.card(position).unwrap_or_default()
    }

    fn card(&self, position: u32) -> Result<Summary, RecordError> {
        let name = |column| self.names(column).get(self.name(column, position) as usize);
        Ok(Summary {
            price: self.price(position),
            rating: Some(self.rating(position)).filter(|rating| *rating != UNRATED),
            category: self.categories.get(self.name(Column::Category, position) as usize).cloned(),
            brand: name(Column::Brand).cloned(),
            ..card::read(self.cards.get(position))?
        })
    }

    pub(crate) fn key(&self, position: u32) -> ProductKey {
        card::names(self.cards.get(position)).map(|(_, key)| key).unwrap_or_default()
    }

    fn title_of(&self, position: u32) -> &str {
        card::names(self.cards.get(position)).map(|(title, _)| title).unwrap_or_default()
    }

    /// The product with everything that its page shows.
    ///
    /// # Errors
    /// When its details could not be read.
    pub(crate) fn product(&self, position: u32) -> Result<Product, DetailsError> {
        self.details.read(position, |position, from| self.read_product(position, from))
    }

    fn read_product(&self, position: u32, from: &mut &[u8]) -> Result<Product, RecordError> {
        let product = details::read(self.summary(position), from)?;
        let Some(rules) = self.rules else { return Ok(product) };
        (rules.product)(product).ok_or(RecordError::Invalid("product"))
    }

    /// Whether it was saved before.
    pub(crate) fn is_saved(&self) -> bool {
        self.rules.is_some()
    }

    /// Whether [`Self::product`] may wait for a disk.
    pub(crate) fn reads_file(&self) -> bool {
        self.details.are_in_file()
    }

    /// Every product, in the catalogue's order.
    pub(crate) fn products(&self) -> impl Iterator<Item = Result<Product, DetailsError>> {
        self.products_at((0..).take(self.len()))
    }

    /// The products at these positions. Consecutive positions are read faster.
    pub(crate) fn products_at(
        &self,
        positions: impl Iterator<Item = u32>,
    ) -> impl Iterator<Item = Result<Product, DetailsError>> {
        self.details.read_all(positions, |position, from| self.read_product(position, from))
    }

    /// The position of the product with this key.
    pub(crate) fn position(&self, key: &ProductKey) -> Option<u32> {
        let mut found = self.by_key.find(self.hash_of(key), |position| self.hash_of(&self.key(position)));
        found.find(|&position| self.key(position) == *key)
    }

    /// Whether an older product has this title: one with a lower number or, if any product is named by a text, one
    /// that comes earlier.
    pub(crate) fn has_earlier_namesake(&self, title: &str, key: &ProductKey) -> bool {
        let hash_at = |position| hash(self.seed, self.title_of(position).as_bytes());
        let namesakes = self.by_title.find(hash(self.seed, title.as_bytes()), hash_at);
        // The oldest namesake comes first.
        let oldest = namesakes.into_iter().find(|&position| self.title_of(position) == title);
        oldest.is_some_and(|oldest| {
            if self.is_numbered {
                return self.key(oldest) < *key;
            }
            self.position(key).is_some_and(|own| oldest < own)
        })
    }

    fn hash_of(&self, key: &ProductKey) -> u64 {
        let mut bytes = Vec::new();
        key.write(&mut bytes);
        hash(self.seed, &bytes)
    }

    /// The distinct names of a column in alphabetical order, regardless of case and accents.
    pub(crate) fn names(&self, column: Column) -> &[String] {
        self.names[column as usize].names()
    }

    /// The number of a name, if it occurs.
    pub(crate) fn number(&self, column: Column, name: &str) -> Option<u32> {
        self.names[column as usize].number(name)
    }

    /// The text that is shown for a name.
    pub(crate) fn title(&self, column: Column, number: u32) -> String {
        match column {
            Column::Category => self.category(number).title(),
            Column::Brand => self.names(column)[number as usize].clone(),
        }
    }

    /// The category with this number.
    pub(crate) fn category(&self, number: u32) -> &Slug {
        &self.categories[number as usize]
    }

    /// The tags of the products; empty if they are not known.
    pub(crate) fn tags(&self) -> &TagIndex {
        &self.tags
    }

    /// The sizes and colours that the products are for sale with.
    pub(crate) fn for_sale(&self) -> &ForSale {
        &self.for_sale
    }

    /// The folded names that searches look at. They are collected at the first call.
    pub(crate) fn labels(&self) -> &Labels {
        self.labels.get_or_init(|| {
            assert_off_runtime();
            let column = |column| {
                let names =
                    (0..).take(self.names(column).len()).map(move |number| self.title(column, number));
                (names, &*self.name_of[column as usize])
            };
            Labels::new(Column::EVERY.map(column), self.tags.spellings())
        })
    }

    /// Orders products that fit a search equally well, the lowest first, see [`merit`].
    pub(crate) fn merit(&self, position: u32) -> u32 {
        merit(self.rating(position), !self.has(Flag::InStock, position))
    }

    /// The index of words. It is made at the first call.
    pub(crate) fn word_index(&self) -> &WordIndex {
        self.word_index.get_or_init(|| {
            assert_off_runtime();
            WordIndex::new(self)
        })
    }

    /// Whether the index of words is made.
    pub(crate) fn has_word_index(&self) -> bool {
        self.word_index.get().is_some()
    }

    /// The size of the index of words in memory, in bytes; `None` until it is made.
    pub(crate) fn word_index_size(&self) -> Option<usize> {
        self.word_index.get().map(WordIndex::size)
    }

    /// Whether every product is named by a number. If not, the order of the products says which ones are older.
    fn is_numbered(&self) -> bool {
        self.is_numbered
    }

    /// The largest number of bytes that filtering, counting and searching the products go through.
    pub(crate) fn bytes_read(&self) -> usize {
        self.texts.length() + self.columns_size() + self.for_sale.size() + self.labels_size()
    }

    fn labels_size(&self) -> usize {
        let columns = Column::EVERY.into_iter().map(|column| self.names(column).len());
        columns.chain([self.tags.spellings().len()]).map(Labels::allowance).sum()
    }

    fn columns_size(&self) -> usize {
        let columns = size_of::<Money>() + size_of::<f64>() + 2 * size_of::<u8>() + size_of::<u32>();
        self.len() * (columns + Column::EVERY.len() * size_of::<u32>()) + size_of_val(&*self.dates)
    }

    /// Approximate size in memory, in bytes, with allowances for the labels and for an index of words that is not made
    /// yet: as much as the texts take. An entry has four bytes, and most words with the space after them have more.
    pub(crate) fn size(&self) -> usize {
        let texts = self.cards.size() + self.texts.size() + self.tags.size() + self.for_sale.size();
        let lookups = self.by_key.size() + self.by_title.size();
        let index = self.word_index_size().unwrap_or_else(|| self.texts.length());
        self.columns_size() + texts + lookups + self.labels_size() + index + self.details.size()
    }
}
