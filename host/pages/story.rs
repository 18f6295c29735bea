//! What a listing has, in one line that its head shows. It says what the count above the products does not.

use crate::catalogue::ProductSet;
use crate::contract::ListingSource;
use crate::profile::NumberFormat;

/// A line such as `5 brands, from $9.99`, for at least one product.
pub(super) fn story(numbers: &NumberFormat, source: &ListingSource, products: &ProductSet) -> String {
    let brands = counted(products.brands().len(), "brand", "brands");
    let categories = counted(products.categories().len(), "category", "categories");
    let parts = match source {
        ListingSource::All => [categories, brands],
        ListingSource::Sale => [categories.map(|categories| format!("Reduced in {categories}")), None],
        ListingSource::Deals => [Some("The deepest discounts".into()), None],
        ListingSource::NewArrivals => [Some("Newest first".into()), brands],
        ListingSource::BestSellers => [Some("Best rated first".into()), brands],
        ListingSource::Category { .. } => [brands, None],
        ListingSource::Search { .. } => [categories.map(|categories| format!("In {categories}")), None],
    };
    let price = numbers.amount(products.lowest_price());
    let mut story = parts.into_iter().flatten().collect::<Vec<_>>().join(", ");
    story.push_str(if story.is_empty() { "From " } else { ", from " });
    story.push_str(&price);
    story
}

/// The number with its noun; `None` if it is zero.
fn counted(count: usize, one: &str, more: &str) -> Option<String> {
    (count > 0).then(|| format!("{count} {}", if count == 1 { one } else { more }))
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
            assert_eq!(story(&NumberFormat::default(), source, products), expected);
        }
    }
}
