//! Cleans saved values, such as those of a state file, by the rules for values that the service sends.
//! A clean value does not change. Products are cleaned in `product.rs`, next to the same rules for the
//! service's answers.

use super::clean::{MAX_LABEL, address, some_text};
use crate::catalogue::model::{Category, CategoryPreview};

/// A saved category, cleaned; `None` if its name is blank.
pub(crate) fn clean_category(saved: Category) -> Option<Category> {
    Some(Category { name: some_text(&saved.name, MAX_LABEL)?, ..saved })
}

/// A saved preview, without its thumbnail if the address is not safe.
pub(crate) fn clean_preview(saved: CategoryPreview) -> CategoryPreview {
    CategoryPreview { thumbnail: saved.thumbnail.and_then(address), ..saved }
}

#[cfg(test)]
mod tests {
    use super::super::product::{MAX_ID, MAX_REVIEWS, MAX_TAGS, clean_product, example};
    use super::*;
    use crate::catalogue::model::{Dimensions, Product, Review, ReviewDate, Summary};
    use crate::catalogue::slug::Slug;
    use crate::profile::Money;

    #[test]
    fn a_clean_product_stays_as_it_is() {
        assert_eq!(clean_product(example()), Some(example()));
    }

    #[test]
    fn an_invalid_barcode_alone_is_left_out() {
        let mut saved = serde_json::to_value(example()).unwrap();
        saved["gtin"] = "1".into();
        saved["variants"][0]["gtin"] = "00000000".into();
        let product: Product = serde_json::from_value(saved).unwrap();
        assert_eq!(clean_product(product), Some(example()));
    }

    #[test]
    fn what_the_service_may_not_send_cannot_be_restored() {
        let long = || "\u{1}x".repeat(10_000);
        let date = ReviewDate::parse("2025-04-30T09:41:02Z").unwrap();
        let review = Review { reviewer_name: long(), rating: 200, date, comment: long() };
        let hostile = Product {
            summary: Summary {
                title: long(),
                description: long(),
                brand: Some("\u{0}".into()),
                discount_percentage: 100.0,
                rating: Some(f64::NAN),
                thumbnail: Some("javascript:alert(1)".into()),
                ..example().summary
            },
            tags: vec![long(); 1_000],
            sku: long(),
            mpn: Some(long()),
            link: Some("/product/1".into()),
            weight: Some(f64::INFINITY),
            dimensions: Some(Dimensions { width: -1.0, height: 1.0, depth: 1.0 }),
            minimum_order_quantity: 0,
            images: vec!["//evil.example/x".into(), "/a.svg".into()],
            reviews: Some(vec![review; 1_000]),
            changed: Some(i64::MAX),
            ..example()
        };
        let clean = clean_product(hostile.clone()).unwrap();
        super::super::fuzzing::check_product(&clean);
        let reviews = clean.reviews.map(|reviews| reviews.len());
        assert_eq!((clean.images.len(), clean.tags.len(), reviews), (1, MAX_TAGS, Some(MAX_REVIEWS)));
        assert_eq!((clean.weight, clean.dimensions), (None, None));
        for summary in [
            Summary { price: Money::from_minor(u64::MAX), ..example().summary },
            Summary { id: 0.into(), ..example().summary },
            Summary { id: (MAX_ID + 1).into(), ..example().summary },
            Summary { title: " \u{7f}".into(), ..example().summary },
        ] {
            assert_eq!(clean_product(Product { summary, ..hostile.clone() }), None);
        }
        let category = |name: &str| Category { slug: Slug::parse("a").unwrap(), name: name.into() };
        assert_eq!(clean_category(category("\u{2}")), None);
        assert_eq!(clean_category(category(" A\u{2}B ")), Some(category("A B")));
        let preview = CategoryPreview { thumbnail: Some("data:text/html,x".into()), count: Some(1) };
        assert_eq!(clean_preview(preview), CategoryPreview { thumbnail: None, count: Some(1) });
    }
}
