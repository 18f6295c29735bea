//! A product, the group of its variants, or one of these.

use serde::Serialize;

use super::Thing;
use super::offer::{self, Offers};
use crate::catalogue::{self, OfferId, OptionKind, Product as CatalogueProduct, Variant, VariantOption};
use crate::document::site::Site;
use crate::pages::address;
use crate::profile::{Currency, plain_rating};

/// The range of ratings, in stars.
const BEST: u8 = 5;
const WORST: u8 = 1;
/// Most variants that are named one by one, and the most bytes that these take.
const MOST_VARIANTS: usize = 100;
const MOST_BYTES: usize = 24_000;

/// What products are described with.
pub(super) struct About<'a> {
    pub(super) site: &'a Site,
    pub(super) currency: Currency,
}

/// What a product and a group of variants have in common.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Described {
    name: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    description: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    image: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    brand: Option<Brand>,
    #[serde(skip_serializing_if = "Option::is_none")]
    aggregate_rating: Option<AggregateRating>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    review: Vec<Review>,
    #[serde(skip_serializing_if = "Option::is_none")]
    has_energy_consumption_details: Option<Energy>,
    #[serde(skip_serializing_if = "Option::is_none")]
    audience: Option<Audience>,
}

#[derive(Debug, Serialize)]
#[serde(tag = "@type", rename = "EnergyConsumptionDetails", rename_all = "camelCase")]
struct Energy {
    has_energy_efficiency_category: String,
    energy_efficiency_scale_min: String,
    energy_efficiency_scale_max: String,
}

#[derive(Debug, Serialize)]
#[serde(tag = "@type", rename = "PeopleAudience", rename_all = "camelCase")]
struct Audience {
    suggested_min_age: u8,
}

#[derive(Debug, Serialize)]
#[serde(tag = "@type", rename_all = "camelCase")]
pub(super) struct Product {
    #[serde(flatten)]
    described: Described,
    #[serde(skip_serializing_if = "String::is_empty")]
    sku: String,
    #[serde(flatten)]
    gtin: Option<Gtin>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mpn: Option<String>,
    #[serde(flatten)]
    values: Values,
    #[serde(skip_serializing_if = "Option::is_none")]
    is_variant_of: Option<Group>,
    offers: Offers,
}

/// A product whose variants are named one by one.
#[derive(Debug, Serialize)]
#[serde(tag = "@type", rename_all = "camelCase")]
pub(super) struct ProductGroup {
    #[serde(flatten)]
    described: Described,
    #[serde(flatten)]
    group: GroupFields,
    has_variant: Vec<Product>,
}

/// The group of a variant that has a page of its own.
#[derive(Debug, Serialize)]
#[serde(tag = "@type", rename = "ProductGroup")]
struct Group {
    name: String,
    #[serde(flatten)]
    fields: GroupFields,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct GroupFields {
    #[serde(rename = "productGroupID")]
    id: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    varies_by: Vec<&'static str>,
}

/// The values of the options that schema.org knows.
#[derive(Debug, Default, Serialize)]
struct Values {
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    color: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    material: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pattern: Option<String>,
}

/// A barcode, whose property depends on its length.
#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
enum Gtin {
    Gtin8(String),
    Gtin12(String),
    Gtin13(String),
    Gtin14(String),
}

#[derive(Debug, Serialize)]
#[serde(tag = "@type")]
struct Brand {
    name: String,
}

#[derive(Debug, Serialize)]
#[serde(tag = "@type", rename_all = "camelCase")]
struct AggregateRating {
    rating_value: String,
    best_rating: u8,
    worst_rating: u8,
    review_count: usize,
}

#[derive(Debug, Serialize)]
#[serde(tag = "@type", rename_all = "camelCase")]
struct Review {
    author: Person,
    date_published: String,
    review_body: String,
    review_rating: Rating,
}

#[derive(Debug, Serialize)]
#[serde(tag = "@type")]
struct Person {
    name: String,
}

#[derive(Debug, Serialize)]
#[serde(tag = "@type", rename_all = "camelCase")]
struct Rating {
    rating_value: u8,
    best_rating: u8,
    worst_rating: u8,
}

impl About<'_> {
    /// The product of a page or, if one is chosen, its variant. A product with variants is their group, unless there are
    /// too many to name them.
    pub(super) fn product(&self, product: &CatalogueProduct, chosen: Option<&Variant>) -> Thing {
        if let Some(variant) = chosen {
            return Thing::Product(Box::new(self.chosen(product, variant)));
        }
        if let Some(has_variant) = self.variants(product) {
            let (described, group) = (self.described(product), group_of(product));
            return Thing::Group(Box::new(ProductGroup { described, group, has_variant }));
        }
        let url = self.site.absolute(&address::product(&product.summary.id));
        Thing::Product(Box::new(Product {
            described: self.described(product),
            sku: product.sku.clone(),
            gtin: product.gtin.as_ref().map(gtin),
            mpn: product.mpn.clone(),
            values: Values::default(),
            is_variant_of: None,
            offers: offer::all(product, self.currency, url),
        }))
    }

    fn described(&self, product: &CatalogueProduct) -> Described {
        let summary = &product.summary;
        let reviews = product.reviews.as_deref().unwrap_or_default();
        Described {
            name: summary.title.clone(),
            description: summary.description.clone(),
            image: product.images.iter().map(|image| self.site.picture(image)).collect(),
            brand: summary.brand.clone().map(|name| Brand { name }),
            // Google requires reviews for an aggregate rating.
            aggregate_rating: summary
                .rating
                .filter(|rating| !reviews.is_empty() && *rating >= f64::from(WORST))
                .map(|rating| AggregateRating {
                    rating_value: plain_rating(rating),
                    best_rating: BEST,
                    worst_rating: WORST,
                    review_count: reviews.len(),
                }),
            review: reviews
                .iter()
                .map(|review| Review {
                    author: Person { name: review.reviewer_name.clone() },
                    date_published: review.date.as_str().chars().take(10).collect(),
                    review_body: review.comment.clone(),
                    review_rating: Rating {
                        rating_value: review.rating,
                        best_rating: BEST,
                        worst_rating: WORST,
                    },
                })
                .collect(),
            has_energy_consumption_details: product.energy.map(energy),
            audience: product.minimum_age.map(|suggested_min_age| Audience { suggested_min_age }),
        }
    }

    /// The variants of a product, if there are several and not too many.
    fn variants(&self, product: &CatalogueProduct) -> Option<Vec<Product>> {
        let variants = &product.variants;
        if !(2..=MOST_VARIANTS).contains(&variants.len()) {
            return None;
        }
        let all: Vec<Product> = variants.iter().map(|variant| self.variant(product, variant)).collect();
        let bytes = serde_json::to_vec(&all).ok()?;
        (bytes.len() <= MOST_BYTES).then_some(all)
    }

    /// A variant as one of its group, which has what all have in common.
    fn variant(&self, product: &CatalogueProduct, variant: &Variant) -> Product {
        let key = &product.summary.id;
        let values: Vec<&str> = variant.options.iter().map(|option| option.value.as_str()).collect();
        let url = address::variant(key, &OfferId::of(key, &variant.options));
        let offer = offer::one(
            &product.summary_of(variant),
            product.terms_of(Some(variant)),
            self.currency,
            self.site.absolute(&url),
        );
        Product {
            described: Described {
                name: format!("{}, {}", product.summary.title, values.join(" / ")),
                description: String::new(),
                image: variant.picture.iter().map(|image| self.site.picture(image)).collect(),
                brand: None,
                aggregate_rating: None,
                review: Vec::new(),
                has_energy_consumption_details: None,
                audience: None,
            },
            sku: variant.sku.clone(),
            gtin: variant.gtin.as_ref().map(gtin),
            mpn: None,
            values: values_of(variant),
            is_variant_of: None,
            offers: Offers::One(offer),
        }
    }

    /// A variant on its own page, which says all that is known.
    fn chosen(&self, product: &CatalogueProduct, variant: &Variant) -> Product {
        let own = self.variant(product, variant);
        let mut described = Described { name: own.described.name, ..self.described(product) };
        let picture = own.described.image;
        described.image.retain(|image| !picture.contains(image));
        described.image.splice(..0, picture);
        let group = Group { name: product.summary.title.clone(), fields: group_of(product) };
        Product { described, is_variant_of: (product.variants.len() > 1).then_some(group), ..own }
    }
}

fn energy(energy: catalogue::EnergyClass) -> Energy {
    // In schema.org A+++ is `A3Plus`.
    let name = |class: &str| match class.matches('+').count() {
        0 => format!("https://schema.org/EUEnergyEfficiencyCategory{class}"),
        plus => format!("https://schema.org/EUEnergyEfficiencyCategoryA{plus}Plus"),
    };
    let [class, best, worst] = energy.names().map(name);
    Energy {
        has_energy_efficiency_category: class,
        energy_efficiency_scale_min: worst,
        energy_efficiency_scale_max: best,
    }
}

fn group_of(product: &CatalogueProduct) -> GroupFields {
    let options = catalogue::variant::options(&product.variants);
    let differ = options.iter().filter(|(_, values)| values.len() > 1);
    let property = |kind| match kind {
        OptionKind::Size => "https://schema.org/size",
        OptionKind::Colour => "https://schema.org/color",
        OptionKind::Material => "https://schema.org/material",
        OptionKind::Pattern => "https://schema.org/pattern",
    };
    GroupFields {
        id: OfferId::of(&product.summary.id, &[]).into(),
        varies_by: differ.filter_map(|(name, _)| OptionKind::of(name)).map(property).collect(),
    }
}

fn values_of(variant: &Variant) -> Values {
    let mut values = Values::default();
    for VariantOption { name, value } in &variant.options {
        let place = match OptionKind::of(name) {
            Some(OptionKind::Size) => &mut values.size,
            Some(OptionKind::Colour) => &mut values.color,
            Some(OptionKind::Material) => &mut values.material,
            Some(OptionKind::Pattern) => &mut values.pattern,
            None => continue,
        };
        place.get_or_insert_with(|| value.clone());
    }
    values
}

fn gtin(gtin: &catalogue::Gtin) -> Gtin {
    let property = match gtin.as_str().len() {
        8 => Gtin::Gtin8,
        12 => Gtin::Gtin12,
        13 => Gtin::Gtin13,
        _ => Gtin::Gtin14,
    };
    property(gtin.as_str().into())
}
