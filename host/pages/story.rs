//! What a listing has, in one line that its head shows. It says what the count above the products does not.

use crate::catalogue::ProductSet;
use crate::contract::ListingSource;
use crate::profile::Profile;
use crate::texts::Key;

/// A line such as `5 brands, from $9.99`, for at least one product.
pub(super) fn story(profile: &Profile, source: &ListingSource, products: &ProductSet) -> String {
    let texts = &profile.texts;
    let counted = |count: usize, key| (count > 0).then(|| texts.count(key, count, &[]));
    let brands = counted(products.brands().len(), Key::NumberOfBrands);
    let categories = counted(products.categories().len(), Key::NumberOfCategories);
    let parts = match source {
        ListingSource::All => [categories, brands],
        ListingSource::Sale => {
            [categories.map(|categories| texts.with(Key::ReducedIn, &[&categories])), None]
        }
        ListingSource::Deals => [Some(texts.text(Key::DeepestDiscounts).into()), None],
        ListingSource::NewArrivals => [Some(texts.text(Key::NewestFirst).into()), brands],
        ListingSource::BestSellers => [Some(texts.text(Key::BestRatedFirst).into()), brands],
        ListingSource::Category { .. } => [brands, None],
        ListingSource::Search { .. } => {
            [categories.map(|categories| texts.with(Key::InCategories, &[&categories])), None]
        }
    };
    let price = profile.numbers.amount(products.lowest_price());
    let story = parts.into_iter().flatten().collect::<Vec<_>>().join(texts.text(Key::ListSeparator));
    match story.is_empty() {
        true => texts.with(Key::FromPrice, &[&price]),
        false => texts.with(Key::StoryFrom, &[&story, &price]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{Slug, Summary};
    use crate::profile::{Currency, Money};

    fn product(brand: Option<&str>, category: &str, cents: u64) -> Summary {
        Summary {
            brand: brand.map(Into::into),
            category: Slug::parse(category),
            price: Money::from_minor(cents),
            ..Summary::default()
        }
    }

    #[test]
    fn a_story_has_the_listing_s_own_figures() {
        let two = ProductSet::new(
            vec![product(Some("Halm"), "tops", 999), product(Some("Rue"), "tops", 100_000)],
            Currency::default(),
        );
        let none = ProductSet::new(vec![product(None, "tops", 500)], Currency::default());
        let category = ListingSource::Category { slug: "tops".into() };
        for (source, products, expected) in [
            (&ListingSource::All, &two, "1 category, 2 brands, from $9.99"),
            (&ListingSource::Sale, &two, "Reduced in 1 category, from $9.99"),
            (&ListingSource::Deals, &two, "The deepest discounts, from $9.99"),
            (&ListingSource::NewArrivals, &none, "Newest first, from $5.00"),
            (&ListingSource::BestSellers, &two, "Best rated first, 2 brands, from $9.99"),
            (&category, &two, "2 brands, from $9.99"),
            (&category, &none, "From $5.00"),
            (&ListingSource::Search { text: "a".into() }, &two, "In 1 category, from $9.99"),
        ] {
            assert_eq!(story(&Profile::default(), source, products), expected);
        }
    }
}
