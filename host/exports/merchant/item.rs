//! The fields of an item, by Google's rules for each.

use std::fmt;

use crate::catalogue::{Availability, EnergyClass, Gtin, OfferId, OptionKind, Product, Terms, VariantOption};
use crate::document::Site;
use crate::exports::offer::Offer;
use crate::profile::{Currency, Money};

/// The longest texts, in characters.
const LONGEST_TITLE: usize = 150;
const LONGEST_DESCRIPTION: usize = 5_000;
const LONGEST_BRAND: usize = 70;
const LONGEST_MPN: usize = 70;
const LONGEST_TYPE: usize = 750;
const LONGEST_ADDRESS: usize = 2_000;
/// How much of a title the values of a variant's options may take.
const LONGEST_VALUES: usize = 70;
/// Most pictures beside the first one.
const MORE_PICTURES: usize = 10;
/// The heaviest product, in kilograms.
const HEAVIEST: f64 = 2_000.0;

/// The options that Google knows: the element, and the longest value in characters.
const OPTIONS: [(&str, OptionKind, usize); 4] = [
    ("g:color", OptionKind::Colour, 100),
    ("g:size", OptionKind::Size, 100),
    ("g:material", OptionKind::Material, 200),
    ("g:pattern", OptionKind::Pattern, 100),
];

/// Why an offer is left out: something that Google requires is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum LeftOut {
    Availability,
    Price,
    Picture,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Availability => "without a known availability",
            Self::Price => "without a price above zero",
            Self::Picture => "without a picture",
        })
    }
}

/// Whether a product has an item.
///
/// # Errors
/// The reason why it has none. If it has variants, this is the reason of the first one.
pub(crate) fn is_in(product: &Product) -> Result<(), LeftOut> {
    let mut reasons = Offer::all_of(product).map(|offer| required(&offer));
    match reasons.next() {
        Some(Err(reason)) if !reasons.any(|other| other.is_ok()) => Err(reason),
        _ => Ok(()),
    }
}

/// The word for the availability, and the pictures, of which there is at least one.
fn required<'a>(offer: &Offer<'a>) -> Result<(&'static str, Vec<&'a str>), LeftOut> {
    let availability = Availability::word(offer.availability).ok_or(LeftOut::Availability)?;
    if offer.price == Money::default() {
        return Err(LeftOut::Price);
    }
    let mut pictures: Vec<&str> = Vec::new();
    for picture in offer.picture.into_iter().chain(offer.pictures()) {
        if !pictures.contains(&picture) {
            pictures.push(picture);
        }
    }
    if pictures.is_empty() { Err(LeftOut::Picture) } else { Ok((availability, pictures)) }
}

/// The elements of an item with their texts.
///
/// # Errors
/// When something that Google requires is not known.
pub(super) fn fields(
    offer: &Offer,
    currency: Currency,
    site: &Site,
) -> Result<Vec<(&'static str, String)>, LeftOut> {
    let (availability, pictures) = required(offer)?;
    let summary = &offer.product.summary;
    let absolute = pictures.into_iter().map(|picture| site.picture(picture).replace('|', "%7C"));
    let mut pictures = absolute.filter(|address| address.len() <= LONGEST_ADDRESS);
    let description = match &*summary.description {
        "" => &summary.title,
        description => description,
    };
    let mut fields = vec![
        ("g:id", offer.id().into()),
        ("g:title", title(offer)),
        ("g:description", cut(description, LONGEST_DESCRIPTION)),
        ("g:link", site.absolute(&offer.address())),
        ("g:image_link", pictures.next().ok_or(LeftOut::Picture)?),
    ];
    fields.extend(pictures.take(MORE_PICTURES).map(|picture| ("g:additional_image_link", picture)));
    fields.push(("g:availability", availability.into()));
    let amount = |price| format!("{} {}", currency.plain(price), currency.code());
    match offer.list_price.filter(|list_price| *list_price > offer.price) {
        Some(list_price) => {
            fields.push(("g:price", amount(list_price)));
            fields.push(("g:sale_price", amount(offer.price)));
        }
        None => fields.push(("g:price", amount(offer.price))),
    }
    add_terms(offer, &mut fields);
    add_names(offer, &mut fields);
    if offer.is_variant() {
        add_variant(offer, &mut fields);
    }
    Ok(fields)
}

/// Adds what stands beside the price.
fn add_terms(offer: &Offer, fields: &mut Vec<(&'static str, String)>) {
    let Terms { condition, content, .. } = offer.terms;
    fields.extend(condition.map(|condition| ("g:condition", condition.word().into())));
    if let Some(content) = content {
        fields.push(("g:unit_pricing_measure", content.measure().into()));
        fields.push(("g:unit_pricing_base_measure", content.base().into()));
    }
    if let Some([class, best, worst]) = offer.product.energy.map(EnergyClass::names) {
        fields.push(("g:energy_efficiency_class", class.into()));
        fields.push(("g:min_energy_efficiency_class", best.into()));
        fields.push(("g:max_energy_efficiency_class", worst.into()));
    }
}

/// Adds what identifies the product, and what else is known of it.
fn add_names(offer: &Offer, fields: &mut Vec<(&'static str, String)>) {
    let product = offer.product;
    if let Some(brand) = &product.summary.brand {
        fields.push(("g:brand", cut(brand, LONGEST_BRAND)));
    }
    // A product's MPN does not identify its variants, and a shortened MPN would be another number.
    let mpn = product.mpn.as_ref().filter(|mpn| !offer.is_variant() && mpn.chars().count() <= LONGEST_MPN);
    if let Some(gtin) = offer.gtin {
        fields.push(("g:gtin", Gtin::as_str(gtin).into()));
    }
    if let Some(mpn) = mpn {
        fields.push(("g:mpn", mpn.clone()));
    }
    if let Some(category) = &product.summary.category {
        let path = category.path().unwrap_or_else(|| category.title());
        fields.push(("g:product_type", cut(&path, LONGEST_TYPE)));
    }
    if let Some(weight) = product.weight.filter(|weight| *weight <= HEAVIEST) {
        fields.push(("g:product_weight", format!("{weight} kg")));
    }
}

/// Adds what a variant has in common with the others, and how it differs from them.
fn add_variant(offer: &Offer, fields: &mut Vec<(&'static str, String)>) {
    let summary = &offer.product.summary;
    fields.push(("g:item_group_id", OfferId::of(&summary.id, &[]).into()));
    fields.push(("g:item_group_title", cut(&summary.title, LONGEST_TITLE)));
    for (element, kind, longest) in OPTIONS {
        let is_of_kind = |option: &&VariantOption| OptionKind::of(&option.name) == Some(kind);
        if let Some(option) = offer.options.iter().find(is_of_kind) {
            fields.push((element, cut(&option.value, longest)));
        }
    }
}

/// The product's title, with the values of a variant's options.
fn title(offer: &Offer) -> String {
    let title = &offer.product.summary.title;
    if !offer.is_variant() {
        return cut(title, LONGEST_TITLE);
    }
    let values: Vec<&str> = offer.options.iter().map(|option| option.value.as_str()).collect();
    let values = cut(&values.join(", "), LONGEST_VALUES);
    let rest = LONGEST_TITLE - " - ".len() - values.chars().count();
    format!("{} - {values}", cut(title, rest))
}

/// The beginning of a text, of at most `longest` characters.
fn cut(text: &str, longest: usize) -> String {
    text.chars().take(longest).collect::<String>().trim_end().to_owned()
}
