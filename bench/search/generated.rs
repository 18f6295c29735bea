//! Products whose words are as unevenly frequent as those of languages.

use vitrine::catalogue::{Availability, Product, Slug, Summary};
use vitrine::profile::Currency;

const WORDS: usize = 20_000;
const BRANDS: usize = 500;
const CATEGORIES: u64 = 24;
const TITLE: usize = 4;
const DESCRIPTION: usize = 40;

/// The distinct words, the most frequent first.
pub(crate) struct Words(Vec<String>);

impl Words {
    pub(crate) fn new() -> Self {
        let mut random = fastrand::Rng::with_seed(3);
        let mut word = |length: usize| -> String { (0..length).map(|_| random.lowercase()).collect() };
        Self((0..WORDS).map(|number| word(3 + number % 8)).collect())
    }

    /// A word by Zipf's law: its frequency falls with its rank.
    pub(crate) fn any(&self, random: &mut fastrand::Rng) -> &str {
        let rank = (WORDS as f64).powf(random.f64()) as usize;
        &self.0[rank - 1]
    }

    fn text(&self, random: &mut fastrand::Rng, length: usize) -> String {
        let words: Vec<&str> = (0..length).map(|_| self.any(random)).collect();
        words.join(" ")
    }

    /// The product with this number.
    pub(crate) fn product(&self, id: u64) -> Product {
        let mut random = fastrand::Rng::with_seed(id);
        let (title, description) = (self.text(&mut random, TITLE), self.text(&mut random, DESCRIPTION));
        let brand = random.usize(..BRANDS);
        Product {
            summary: Summary {
                id: id.into(),
                title,
                description,
                brand: Some(format!("{} {brand}", self.0[WORDS - 1 - brand])),
                category: Slug::parse(&format!("category-{}", id % CATEGORIES)),
                price: Currency::default()
                    .nearest(f64::from(random.u32(100..50_000)) / 100.0)
                    .unwrap_or_default(),
                rating: Some(f64::from(random.u32(0..=500)) / 100.0),
                availability: Availability::of_stock(random.u32(..9)),
                ..Summary::default()
            },
            sku: format!("SKU-{id}"),
            ..Product::default()
        }
    }
}
