//! Invariants of the parsers for any body.

use super::{
    is_message, parse_categories, parse_everything, parse_ids, parse_list, parse_page, parse_preview,
    parse_product, parse_total,
};
use crate::catalogue::model::{
    MAX_ID, MAX_IMAGES, MAX_LABEL, MAX_REVIEWS, MAX_TAGS, MAX_TEXT, MAX_TITLE, Product, Summary, is_moment,
};
use crate::catalogue::variant::{MAX_OPTIONS, MAX_VARIANTS, Variant};
use crate::profile::{Currency, Money, NumberFormat, OriginalPrice, Reduction};

/// Parses a body as each of the service's answers, and checks the results.
///
/// # Panics
/// When an invariant is violated.
pub fn check_parsers(body: &[u8]) {
    let _ = (is_message(body), parse_total(body));
    if let Ok(parsed) = parse_list(body, Currency::default()) {
        parsed.value.iter().for_each(check_summary);
    }
    if let Ok(parsed) = parse_everything(body, Currency::default()) {
        parsed.value.iter().for_each(check_product);
    }
    if let Ok(page) = parse_page(body, Currency::default()) {
        page.rows.iter().filter_map(|row| row.product.as_ref()).for_each(check_product);
        let ids = parse_ids(body).map(|ids| ids.ids).unwrap_or_default();
        assert!(page.rows.iter().map(|row| &row.key).eq(&ids));
    }
    if let Ok(parsed) = parse_product(body, Currency::default()) {
        check_product(&parsed.value);
    }
    if let Ok(parsed) = parse_categories(body) {
        for category in &parsed.value {
            check_text(&category.name, MAX_LABEL);
            assert!(!category.name.trim().is_empty());
        }
    }
    if let Ok(parsed) = parse_preview(body) {
        check_address(parsed.value.thumbnail.as_deref());
    }
}

/// Checks a summary that was parsed or restored.
///
/// # Panics
/// When an invariant is violated.
pub fn check_summary(summary: &Summary) {
    assert!(summary.id.number().is_some_and(|id| (1..=MAX_ID).contains(&id)), "{}", summary.id);
    check_text(&summary.title, MAX_TITLE);
    assert!(!summary.title.trim().is_empty(), "a blank title");
    // A description has several lines.
    check_text(&summary.description.replace('\n', " "), MAX_TEXT);
    if let Some(brand) = &summary.brand {
        check_text(brand, MAX_LABEL);
        assert!(!brand.trim().is_empty(), "a blank brand");
    }
    assert!(summary.price <= Money::MAX_PRICE, "{:?}", summary.price);
    let list_price = summary.list_price.unwrap_or(Money::MAX_PRICE);
    assert!((summary.price..=Money::MAX_PRICE).contains(&list_price), "{list_price:?}");
    let numbers = [Some(summary.discount_percentage), summary.rating];
    assert!(numbers.into_iter().flatten().all(f64::is_sign_positive), "{numbers:?}");
    assert!((0.0..100.0).contains(&summary.discount_percentage), "{}", summary.discount_percentage);
    assert!(summary.rating.is_none_or(|rating| (0.0..=5.0).contains(&rating)), "{:?}", summary.rating);
    check_address(summary.thumbnail.as_deref());
    for original in [OriginalPrice::Exact, OriginalPrice::Rounded] {
        let before = Reduction::new(
            summary.price,
            summary.discount_percentage,
            summary.list_price,
            Currency::default(),
            original,
        );
        let amounts = [Some(summary.price), before.map(|before| before.from)];
        let mut texts = amounts.into_iter().flatten().map(|amount| NumberFormat::default().amount(amount));
        assert!(texts.all(|text| text.len() < 40));
    }
}

/// Like [`check_summary`], for a whole product.
///
/// # Panics
/// When an invariant is violated.
pub fn check_product(product: &Product) {
    check_summary(&product.summary);
    assert!(product.changed.is_none_or(is_moment));
    for (texts, most) in [(&product.tags, MAX_TAGS), (&product.images, MAX_IMAGES)] {
        assert!(texts.len() <= most);
    }
    product.tags.iter().for_each(|tag| check_text(tag, MAX_LABEL));
    product.images.iter().for_each(|image| check_address(Some(image)));
    for label in [&product.sku, &product.warranty, &product.shipping, &product.returns] {
        check_text(label, MAX_LABEL);
    }
    assert!(product.link.as_deref().is_none_or(|link| link.starts_with("http")));
    check_address(product.link.as_deref());
    product.mpn.iter().for_each(|mpn| check_text(mpn, MAX_LABEL));
    assert!(product.minimum_order_quantity >= 1);
    if let Some(weight) = product.weight {
        assert!(NumberFormat::default().weight(weight).len() <= MAX_LABEL, "{weight}");
    }
    if let Some(sizes) = product.dimensions {
        assert!(
            NumberFormat::default().dimensions(sizes.width, sizes.height, sizes.depth).len() <= MAX_LABEL
        );
    }
    assert!(product.variants.len() <= MAX_VARIANTS);
    for Variant { options, price, list_price, sku, picture, link, .. } in &product.variants {
        assert!((1..=MAX_OPTIONS).contains(&options.len()));
        options.iter().flat_map(|option| [&option.name, &option.value]).for_each(|text| {
            check_text(text, MAX_LABEL);
            assert!(!text.trim().is_empty(), "a blank option");
        });
        assert!(*price <= Money::MAX_PRICE, "{price:?}");
        assert!(list_price.is_none_or(|list_price| list_price > *price && list_price <= Money::MAX_PRICE));
        check_text(sku, MAX_LABEL);
        check_address(picture.as_deref());
        check_address(link.as_deref());
    }
    let reviews = product.reviews.as_deref().unwrap_or_default();
    assert!(reviews.len() <= MAX_REVIEWS);
    for review in reviews {
        check_text(&review.reviewer_name, MAX_LABEL);
        check_text(&review.comment, MAX_TEXT);
        assert!((1..=5).contains(&review.rating));
    }
}

fn check_text(text: &str, most: usize) {
    assert!(text.chars().count() <= most, "{text}");
    assert!(!text.contains(|character: char| character.is_control()), "{text:?}");
}

fn check_address(address: Option<&str>) {
    let Some(address) = address else { return };
    let is_absolute = address.starts_with("https://") || address.starts_with("http://");
    let is_path = address.starts_with('/') && !address.starts_with("//");
    assert!((is_absolute || is_path) && address.bytes().all(|byte| byte.is_ascii_graphic()), "{address}");
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::check_parsers;

    /// Values of every JSON type, most of them invalid in most fields.
    const VALUES: [&str; 18] = [
        "null",
        "true",
        "-1",
        "0",
        "5",
        "1e308",
        "[]",
        "{}",
        r#""""#,
        r#""text""#,
        r#""a\u0000b""#,
        r#""\ud800""#,
        "[null]",
        "-0",
        r#"" 12.50 ""#,
        r#""1e9""#,
        r#""\u200b\u00ad""#,
        "9007199254740993",
    ];

    fn value() -> impl Strategy<Value = &'static str> {
        prop::sample::select(VALUES.as_slice())
    }

    proptest! {
        #[test]
        fn any_bytes_are_parsed_or_rejected(body in any::<Vec<u8>>()) {
            check_parsers(&body);
        }

        #[test]
        fn any_product_is_parsed_or_dropped(values in prop::collection::vec(value(), 14)) {
            let fields = [
                "title", "price", "description", "category", "brand", "rating", "stock", "thumbnail", "tags",
                "images", "reviews", "weight", "discountPercentage",
            ];
            let fields: Vec<String> =
                fields.iter().zip(&values).map(|(field, value)| format!("\"{field}\":{value}")).collect();
            for id in ["1", values[13]] {
                let product = format!("{{\"id\":{id},{}}}", fields.join(","));
                check_parsers(product.as_bytes());
                check_parsers(format!("{{\"total\":1,\"products\":[{product}]}}").as_bytes());
            }
        }
    }
}
