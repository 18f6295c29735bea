//! The rule for what the catalogue may have, whatever its source: values beyond it are cut or left out. What is clean does
//! not change.

use std::collections::HashSet;

use super::values::{MAX_LABEL, link, picture_address, prose, some_text, text};
use super::{Category, Dimensions, MAX_COLOURS, Product, Review, Summary, is_moment};
use crate::catalogue::key::ProductKey;
use crate::catalogue::variant::{MAX_OPTIONS, MAX_VARIANTS, Variant, VariantOption};
use crate::profile::Money;

/// Longest title, in characters. Longer texts are cut, because they would enlarge every page.
pub(in crate::catalogue) const MAX_TITLE: usize = 300;
/// Longest description or comment, in characters; longer ones are cut.
pub(in crate::catalogue) const MAX_TEXT: usize = 5_000;
/// Maximum number of entries of each list in a product; further ones are left out.
pub(in crate::catalogue) const MAX_IMAGES: usize = 24;
pub(in crate::catalogue) const MAX_TAGS: usize = 24;
pub(in crate::catalogue) const MAX_REVIEWS: usize = 200;
/// The highest id that is a number: above it, JavaScript cannot tell numbers apart.
pub(in crate::catalogue) const MAX_ID: u64 = 1 << 53;
/// Largest plausible quantity of an order.
pub(in crate::catalogue) const MAX_QUANTITY: u32 = 1_000_000;
/// Largest plausible weight in kilograms, and length in centimetres.
const MAX_MEASURE: f64 = 1e6;

/// Whether it may be a minimum age, in years.
pub(in crate::catalogue) fn is_age(years: &u8) -> bool {
    (1..=99).contains(years)
}

/// A percentage from 0 up to, but not including, 100.
pub(in crate::catalogue) fn discount(percentage: f64) -> Option<f64> {
    // -0 + 0 is 0.
    Some(percentage + 0.0).filter(|percentage| (0.0..100.0).contains(percentage))
}

/// A number of stars, from 0 to 5.
pub(in crate::catalogue) fn rating(stars: f64) -> Option<f64> {
    Some(stars + 0.0).filter(|stars| stars.is_finite()).map(|stars| stars.clamp(0.0, 5.0))
}

/// Whether a weight or length is plausible. Pages show two decimals, which would show a smaller one as 0.
pub(in crate::catalogue) fn is_plausible(measure: f64) -> bool {
    (0.005..=MAX_MEASURE).contains(&measure)
}

/// A tag, or another name; `None` for a blank one.
pub(crate) fn clean_tag(label: &str) -> Option<String> {
    some_text(label, MAX_LABEL)
}

/// A filter that rejects a variant with the same options as an earlier one, in whatever order.
pub(in crate::catalogue) fn first_of_its_options() -> impl FnMut(&Variant) -> bool {
    let mut seen = HashSet::new();
    move |variant| {
        let mut options = variant.options.clone();
        options.sort();
        seen.insert(options)
    }
}

impl Category {
    /// The category; `None` if its name is blank.
    pub(in crate::catalogue) fn cleaned(self) -> Option<Self> {
        Some(Self { name: some_text(self.name, MAX_LABEL)?, ..self })
    }
}

impl Summary {
    /// The summary, without the fields that only lists have; `None` if it has no plausible id, title or price.
    pub(in crate::catalogue) fn cleaned(self) -> Option<Self> {
        // Keys that are texts come from sources without numbers.
        let is_key = |id: &ProductKey| id.number().is_none_or(|number| (1..=MAX_ID).contains(&number));
        let clean = Self {
            id: Some(self.id).filter(is_key)?,
            title: some_text(self.title, MAX_TITLE)?,
            description: prose(self.description, MAX_TEXT),
            category: self.category,
            brand: self.brand.and_then(|brand| some_text(brand, MAX_LABEL)),
            price: Some(self.price).filter(|price| *price <= Money::MAX_PRICE)?,
            list_price: None,
            discount_percentage: discount(self.discount_percentage).unwrap_or_default(),
            rating: self.rating.and_then(rating),
            availability: self.availability,
            thumbnail: self.thumbnail.and_then(picture_address),
            second: None,
            is_from: false,
            colours: Vec::new(),
            content: None,
        };
        Some(clean.with_list_price(self.list_price))
    }

    /// The card: the summary with the fields that only lists have.
    pub(in crate::catalogue) fn cleaned_card(mut self) -> Option<Self> {
        let (second, is_from) = (self.second.take().and_then(picture_address), self.is_from);
        let mut colours = std::mem::take(&mut self.colours);
        colours.truncate(MAX_COLOURS);
        let content = self.content;
        Some(Self { second, is_from, colours, content, ..self.cleaned()? })
    }
}

impl Product {
    /// The product; `None` without a valid summary.
    pub(in crate::catalogue) fn cleaned(self) -> Option<Self> {
        let variants = self.variants.into_iter().filter_map(Variant::cleaned).filter(first_of_its_options());
        let link = self.link.and_then(link);
        let of_product = |own: &String| link.as_ref() == Some(own);
        let variants: Vec<_> = variants
            .take(MAX_VARIANTS)
            .map(|variant| Variant { link: variant.link.filter(|own| !of_product(own)), ..variant })
            .collect();
        let reviews = |reviews: Vec<Review>| {
            reviews.into_iter().filter_map(Review::cleaned).take(MAX_REVIEWS).collect()
        };
        let summary = self.summary.cleaned()?.priced(&variants);
        Some(Self {
            terms: self.terms.cleaned(summary.price),
            summary,
            variants,
            tags: self.tags.iter().filter_map(|tag| clean_tag(tag)).take(MAX_TAGS).collect(),
            sku: text(self.sku, MAX_LABEL),
            gtin: self.gtin,
            mpn: self.mpn.and_then(|mpn| some_text(mpn, MAX_LABEL)),
            weight: self.weight.filter(|weight| is_plausible(*weight)),
            dimensions: self.dimensions.and_then(Dimensions::cleaned),
            warranty: text(self.warranty, MAX_LABEL),
            shipping: text(self.shipping, MAX_LABEL),
            returns: text(self.returns, MAX_LABEL),
            minimum_order_quantity: self.minimum_order_quantity.clamp(1, MAX_QUANTITY),
            images: self.images.into_iter().filter_map(picture_address).take(MAX_IMAGES).collect(),
            link,
            energy: self.energy,
            minimum_age: self.minimum_age.filter(is_age),
            reviews: self.reviews.map(reviews),
            changed: self.changed.filter(|changed| is_moment(*changed)),
        })
    }
}

impl Dimensions {
    /// The dimensions, if all are plausible.
    pub(in crate::catalogue) fn cleaned(self) -> Option<Self> {
        [self.width, self.height, self.depth].into_iter().all(is_plausible).then_some(self)
    }
}

impl Review {
    /// The review; `None` without the name of who wrote it.
    pub(in crate::catalogue) fn cleaned(self) -> Option<Self> {
        Some(Self {
            reviewer_name: some_text(self.reviewer_name, MAX_LABEL)?,
            rating: self.rating.clamp(1, 5),
            date: self.date,
            comment: text(self.comment, MAX_TEXT),
        })
    }
}

impl Variant {
    /// The variant; `None` without valid options or with an implausible price.
    pub(in crate::catalogue) fn cleaned(self) -> Option<Self> {
        let price = self.price;
        let mut names = HashSet::new();
        let options = self.options.into_iter().map(|VariantOption { name, value }| {
            let name = some_text(name, MAX_LABEL).filter(|name| names.insert(name.clone()))?;
            Some(VariantOption { name, value: some_text(value, MAX_LABEL)? })
        });
        let options: Vec<_> = options.collect::<Option<_>>()?;
        if !(1..=MAX_OPTIONS).contains(&options.len()) || price > Money::MAX_PRICE {
            return None;
        }
        let is_above = |list_price: &Money| *list_price > price && *list_price <= Money::MAX_PRICE;
        Some(Self {
            options,
            price,
            list_price: self.list_price.filter(is_above),
            availability: self.availability,
            sku: text(self.sku, MAX_LABEL),
            gtin: self.gtin,
            picture: self.picture.and_then(picture_address),
            link: self.link.and_then(link),
            terms: self.terms.cleaned(price),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::example_product as example;
    use crate::catalogue::model::ReviewDate;
    use crate::catalogue::slug::Slug;
    use crate::profile::Money;

    #[test]
    fn a_clean_product_stays_as_it_is() {
        assert_eq!(example().cleaned(), Some(example()));
    }

    #[test]
    fn an_invalid_barcode_alone_is_left_out() {
        let mut saved = serde_json::to_value(example()).unwrap();
        saved["gtin"] = "1".into();
        saved["variants"][0]["gtin"] = "00000000".into();
        let product: Product = serde_json::from_value(saved).unwrap();
        assert_eq!(product.cleaned(), Some(example()));
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
        let clean = hostile.clone().cleaned().unwrap();
        crate::catalogue::check_product(&clean);
        let reviews = clean.reviews.map(|reviews| reviews.len());
        assert_eq!((clean.images.len(), clean.tags.len(), reviews), (1, MAX_TAGS, Some(MAX_REVIEWS)));
        assert_eq!((clean.weight, clean.dimensions), (None, None));
        for summary in [
            Summary { price: Money::from_minor(u64::MAX), ..example().summary },
            Summary { id: 0.into(), ..example().summary },
            Summary { id: (MAX_ID + 1).into(), ..example().summary },
            Summary { title: " \u{7f}".into(), ..example().summary },
        ] {
            assert_eq!(Product { summary, ..hostile.clone() }.cleaned(), None);
        }
        let category = |name: &str| Category { slug: Slug::parse("a").unwrap(), name: name.into() };
        assert_eq!(category("\u{2}").cleaned(), None);
        assert_eq!(category(" A\u{2}B ").cleaned(), Some(category("A B")));
    }
}
