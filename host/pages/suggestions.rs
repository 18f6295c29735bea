//! What a search without any product offers instead: similar searches, categories and popular products.

use std::cmp::Reverse;
use std::sync::Arc;

use super::cards::{self, category};
use super::named::named;
use super::questions::Questions;
use super::similar_searches::similar_searches;
use crate::catalogue::search::{fold, words_of};
use crate::catalogue::words::Word;
use crate::catalogue::{self, CategorySizes, ProductOrder, ProductSet};
use crate::contract::Suggestions;
use crate::process::compute::OffRuntime;
use crate::profile::Profile;

/// Most categories and products that are offered.
const CATEGORIES: usize = 6;
const POPULAR: usize = 6;
/// How many words of the search are looked at.
const ASKED_WORDS: usize = 4;

/// The suggestions for a search; `None` if it found something, or if the catalogue is not known as a whole, so
/// that they would cost calls of the service.
pub(super) async fn suggestions(
    questions: &Questions<'_>,
    text: &str,
    found: Arc<ProductSet>,
) -> Option<Suggestions> {
    let version = Arc::clone(questions.stock.version()?);
    let text = text.to_owned();
    let profile = Arc::clone(questions.profile);
    let suggest = move |off: &OffRuntime| {
        let (all, categories, sizes) = (version.products(), version.categories(), version.sizes());
        (found.is_empty() && !all.is_empty()).then(|| suggest(off, &profile, &text, all, categories, sizes))
    };
    questions.compute_optional(suggest).await?
}

fn suggest(
    off: &OffRuntime,
    profile: &Profile,
    text: &str,
    all: &ProductSet,
    categories: &[catalogue::Category],
    sizes: &CategorySizes,
) -> Suggestions {
    let rules = &*profile.searches;
    let (named, named_slugs) = named(text, all, rules, categories, sizes);
    let text = fold(text);
    let asked: Vec<Word<&str>> = words_of(&text).filter_map(Word::new).take(ASKED_WORDS).collect();
    let distance = |word: &str| {
        let word = Word::new(word)?;
        asked.iter().filter_map(|asked| asked.resembles(&word)).min()
    };
    let size = |category: &catalogue::Category| sizes.get(&category.slug).copied().unwrap_or_default();
    let mut ranked: Vec<_> = categories
        .iter()
        .filter(|category| size(category) > 0 && !named_slugs.contains(&category.slug))
        .map(|category| {
            let name = fold(&category.name);
            let nearest = words_of(&name).filter_map(distance).min();
            ((nearest.unwrap_or(usize::MAX), Reverse(size(category)), &category.slug), category)
        })
        .collect();
    ranked.sort_unstable_by_key(|&(rank, _)| rank);
    let popular = all.in_order(ProductOrder::BestRated);
    let popular = popular.products().filter(|product| !product.availability.is_sold_out()).take(POPULAR);
    Suggestions {
        named,
        words: similar_searches(off, &text, all, rules),
        categories: ranked.into_iter().take(CATEGORIES).map(|(_, entry)| category(entry)).collect(),
        popular: cards::product_cards(profile, popular),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{Availability, Category, Slug, Summary};

    fn product(id: u64, title: &str, stock: u32) -> Summary {
        let rating = Some((id % 6) as f64);
        let category = Slug::parse(if id.is_multiple_of(2) { "lamps" } else { "tea" });
        let brand = Some("Hallbryn".into());
        let (id, availability) = (id.into(), Availability::of_stock(stock));
        Summary { id, title: title.into(), category, brand, rating, availability, ..Summary::default() }
    }

    fn for_search(text: &str) -> Suggestions {
        let titles = ["Harbour Lamp", "Green Tea", "Tall Lamp, oak", "Teapot", "Kettle <b>", "Lantern"];
        let products = titles.iter().zip(1..).map(|(title, id)| product(id, title, u32::from(id != 5)));
        let all = ProductSet::new(products.collect(), crate::profile::Currency::default());
        let category = |slug, name: &str| Category { slug: Slug::parse(slug).unwrap(), name: name.into() };
        let categories =
            [category("lamps", "Lamps"), category("tea", "Tea & Pots"), category("void", "Void")];
        let sizes = [("lamps", 3), ("tea", 3)].map(|(slug, size)| (Slug::parse(slug).unwrap(), size));
        suggest(&OffRuntime::of_own_thread(), &Profile::default(), text, &all, &categories, &sizes.into())
    }

    #[test]
    fn words_that_resemble_those_of_the_search_find_something() {
        for (text, similar) in [
            ("harbuor", &["harbour"][..]),
            ("Lampe", &["lamps", "lamp"]),
            ("green lamp", &["lamp", "green", "lamps"]),
            ("tepot xyzzy", &["teapot"]),
            ("halbryn", &["hallbryn"]),
            ("xyzzy", &[]),
            ("", &[]),
            // Another first letter makes another word, unless a letter was left out, swapped or added there.
            ("mettle", &[]),
            ("ettle", &["kettle"]),
            ("ekttle", &["kettle"]),
            ("kkettle", &["kettle"]),
        ] {
            assert_eq!(for_search(text).words, similar, "{text}");
        }
    }

    #[test]
    fn categories_with_a_similar_name_are_first_and_empty_ones_are_left_out() {
        let slugs = |text| for_search(text).categories.into_iter().map(|category| category.slug);
        assert!(slugs("poots").eq(["tea", "lamps"]));
        assert!(slugs("void").eq(["lamps", "tea"]));
    }

    #[test]
    fn popular_products_are_the_best_rated_ones_in_stock() {
        let nothing = for_search("nothing");
        assert!(nothing.popular.iter().map(|card| card.id.as_str()).eq(["4", "3", "2", "1", "6"]));
    }

    #[test]
    fn hostile_texts_are_only_words() {
        let long = "w".repeat(10_000);
        let many = "lam ".repeat(5_000);
        for text in [
            "<script>lamp</script>",
            "' OR 1=1 --",
            "\u{202e}\u{0}\u{1f469}\u{200d}",
            "Z\u{335}\u{322}",
            &long,
            &many,
        ] {
            let Suggestions { named, words, categories, popular } = for_search(text);
            assert!(words.len() <= 5 && named.len() + categories.len() == 2 && popular.len() == 5, "{text}");
            assert!(
                words.iter().all(|word| word.chars().all(|letter| letter == ' ' || letter.is_alphanumeric())),
                "{text}: {words:?}"
            );
        }
    }
}
