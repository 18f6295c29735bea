//! A product that is put together from rows, which may come in any order.

use super::meaning::{is_hidden, is_rounded, kilograms, list, pictures};
use super::offer::{Offer, Prices, remove_shared, variants};
use super::options::FileOptions;
use super::pictures::Pictures;
use super::plain::plain;
use super::report::{Reason, Report};
use super::row::{Field, Kind, OPTION_NAMES, OPTION_VALUES, OPTIONS, Position, Row};
use super::text::{cut, cut_to};
use super::titles::Titles;
use crate::catalogue::key::ProductKey;
use crate::catalogue::model::{Product, Summary};
use crate::catalogue::service::wire;
use crate::catalogue::slug::Slug;
use crate::catalogue::variant::{MAX_VARIANTS, Variant};

/// Maximum number of pictures and of tags of a product; further ones are ignored.
const MOST_IMAGES: usize = 24;
const MOST_TAGS: usize = 24;
/// Maximum number of offers that are kept of a product. Far fewer are shown, so more would only take memory.
const MOST_OFFERS: usize = 4 * MAX_VARIANTS;
/// Longest description that is read, and longest text that is kept of it, in bytes.
const LONGEST_DESCRIPTION: usize = 256 << 10;
const LONGEST_TEXT: usize = 20 << 10;

/// What is the same for all rows of a file.
pub(super) struct Rules<'a> {
    /// The names of options whose fields hold only values.
    pub(super) option_names: [&'static str; OPTIONS],
    pub(super) options: &'a FileOptions,
    pub(super) pictures: &'a Pictures,
}

/// What is known of a product so far.
#[derive(Default)]
pub(super) struct Draft {
    /// The position of its first row.
    pub(super) position: Position,
    pub(super) name: String,
    titles: Titles,
    description: String,
    other_description: String,
    category: String,
    brand: String,
    tags: String,
    mpn: String,
    link: String,
    kilograms: Option<f64>,
    images: Vec<String>,
    /// The names of options, which Shopify writes only in the first row of a product.
    option_names: [String; OPTIONS],
    /// Whether the whole product or, in `hides_variants`, one of its variants is not for sale.
    is_hidden: bool,
    hides_variants: bool,
    is_collection: bool,
    /// The rows that are left out, with the reasons.
    left_out: Vec<(Reason, Position)>,
    /// The rows that are sold without a part, such as the sale or the barcode, with the reasons.
    notes: Vec<(Reason, Position)>,
    offers: Vec<Offer>,
}

impl Draft {
    /// A product whose first row is at `position`.
    pub(super) fn at(position: Position) -> Self {
        Self { position, ..Self::default() }
    }

    /// Adds a row of the product.
    pub(super) fn add(&mut self, row: &Row, kind: Kind, rules: &Rules) {
        if is_hidden(row) {
            // In Shopify's files the product's first row speaks for all of them.
            if kind == Kind::Parent || !row.has(Field::Key) {
                self.is_hidden = true;
            } else {
                self.hides_variants = true;
            }
            return;
        }
        self.is_collection |= kind == Kind::Collection;
        self.add_texts(row, kind);
        let has_picture = [Field::Images, Field::MoreImages].iter().any(|&field| !row.get(field).is_empty());
        let picture = self.add_pictures(row, kind, rules);
        let is_offer = [Field::Price, Field::SalePrice, Field::Sku, Field::Options]
            .iter()
            .chain(&OPTION_VALUES)
            .any(|&field| !row.get(field).is_empty());
        // A row without a key of its own, or with a picture, may be only a picture of the product.
        let is_picture = !is_offer && (has_picture || !row.has(Field::Key));
        if matches!(kind, Kind::Parent | Kind::Collection) || is_picture {
            return;
        }
        if self.offers.len() == MOST_OFFERS {
            self.left_out.push((Reason::TooMany, row.position));
            return;
        }
        let (offer, has_clear_dates) = Offer::read(row, picture);
        if !has_clear_dates {
            self.notes.push((Reason::UnclearDates, row.position));
        }
        if is_rounded(row.get(Field::Gtin)) {
            self.notes.push((Reason::RoundedBarcode, row.position));
        }
        if self.offers.is_empty() {
            // Most products have one offer. Without this the vector would reserve room for four.
            self.offers.reserve_exact(1);
        }
        self.offers.push(offer);
    }

    /// Adds the pictures of a row. Returns the picture of the row's variant.
    fn add_pictures(&mut self, row: &Row, kind: Kind, rules: &Rules) -> Option<String> {
        let address = |written| rules.options.picture(cut(written));
        let own = Some(row.get(Field::VariantImage)).filter(|picture| !picture.is_empty()).map(address);
        let mut pictures = [Field::Images, Field::MoreImages]
            .into_iter()
            .flat_map(|field| pictures(row.get(field)))
            .map(address);
        if kind == Kind::Variation {
            return own.or_else(|| pictures.next());
        }
        for picture in pictures.take(MOST_IMAGES) {
            if self.images.len() < MOST_IMAGES && !self.images.contains(&picture) {
                self.images.push(picture);
            }
        }
        own
    }

    /// Adds what all variants share, each value from the first row that has it.
    fn add_texts(&mut self, row: &Row, kind: Kind) {
        let set = |known: &mut String, field| {
            if known.is_empty() {
                cut(row.get(field)).clone_into(known);
            }
        };
        if kind != Kind::Variation {
            for (known, field) in [
                (&mut self.description, Field::Description),
                (&mut self.other_description, Field::OtherDescription),
            ] {
                if known.is_empty() {
                    // Some programs write a line end as the two characters `\n`.
                    let html = cut_to(row.get(field), LONGEST_DESCRIPTION).replace("\\n", "\n");
                    cut_to(&plain(&html), LONGEST_TEXT).clone_into(known);
                }
            }
        }
        set(&mut self.category, Field::Category);
        if self.category.is_empty() {
            self.category = list(cut(row.get(Field::Categories))).next().unwrap_or_default();
        }
        // Google's own categories may be numbers, which are no names.
        if self.category.is_empty() && row.get(Field::OtherCategory).parse::<u64>().is_err() {
            set(&mut self.category, Field::OtherCategory);
        }
        set(&mut self.brand, Field::Brand);
        set(&mut self.tags, Field::Tags);
        set(&mut self.mpn, Field::Mpn);
        set(&mut self.link, Field::Link);
        for (name, field) in self.option_names.iter_mut().zip(OPTION_NAMES) {
            set(name, field);
        }
        self.titles.add(cut(row.get(Field::Title)), cut(row.get(Field::GroupTitle)), kind);
        self.kilograms = self.kilograms.or_else(|| kilograms(row));
    }

    /// When its prices change next, in seconds since 1970.
    pub(super) fn next_change(&self, prices: Prices) -> Option<i64> {
        self.offers.iter().filter_map(|offer| offer.next_change(prices)).min()
    }

    /// The product, unless nothing of it can be sold. What is left out is reported.
    pub(super) fn finish(mut self, rules: &Rules, prices: Prices, report: &mut Report) -> Option<Product> {
        let names = std::array::from_fn::<_, OPTIONS, _>(|number| match &*self.option_names[number] {
            "" => rules.option_names[number],
            name => name,
        });
        let mut offered = Vec::new();
        for offer in std::mem::take(&mut self.offers) {
            let position = offer.position;
            match offer.variant(&names, prices, rules.pictures) {
                Ok(variant) => offered.push((position, variant)),
                Err(reason) => self.left_out.push((reason, position)),
            }
        }
        let first = offered.first().map(|(_, variant)| variant.clone()).filter(|_| !self.is_hidden);
        let Some(first) = first else {
            self.leave_out(report);
            return None;
        };
        self.left_out.iter().chain(&self.notes).for_each(|&(reason, row)| report.leave_out(reason, row));
        if rules.option_names != [""; OPTIONS] {
            remove_shared(&mut offered);
        }
        let mut variants = variants(offered, report);
        // A group of one is a plain product.
        let first = if variants.len() == 1 { variants.remove(0) } else { first };
        let position = self.position;
        let product = self.product(first, variants, rules);
        product.map_err(|reason| report.leave_out(reason, position)).ok()
    }

    /// Reports why nothing of it can be sold.
    fn leave_out(&self, report: &mut Report) {
        let all = match self {
            Self { is_collection: true, .. } => Some(Reason::Collection),
            Self { is_hidden: true, .. } => Some(Reason::NotForSale),
            Self { hides_variants: true, left_out, .. } if left_out.is_empty() => Some(Reason::NotForSale),
            Self { left_out, .. } if left_out.is_empty() => Some(Reason::NoPrice),
            _ => None,
        };
        match all {
            Some(reason) => report.leave_out(reason, self.position),
            None => self.left_out.iter().for_each(|&(reason, row)| report.leave_out(reason, row)),
        }
    }

    /// The product with these variants; without any it is sold as `first`.
    fn product(self, first: Variant, variants: Vec<Variant>, rules: &Rules) -> Result<Product, Reason> {
        let is_plain = variants.is_empty();
        let mut images: Vec<String> =
            self.images.iter().filter_map(|image| rules.pictures.address(image)).collect();
        if images.is_empty() {
            images.extend(first.picture.clone());
        }
        // The last name of a path is the narrowest.
        let category = self.category.rsplit('>').next().and_then(wire::clean_tag);
        let description = match &*self.description {
            "" => self.other_description,
            _ => self.description,
        };
        let product = Product {
            summary: Summary {
                id: ProductKey::of(&self.name),
                title: plain(&self.titles.title()),
                description,
                category: category.and_then(|name| Slug::of(&name)),
                brand: Some(self.brand).filter(|brand| !brand.is_empty()),
                price: first.price,
                list_price: first.list_price,
                availability: first.availability,
                thumbnail: images.first().cloned(),
                ..Summary::default()
            },
            tags: list(&self.tags).take(MOST_TAGS).collect(),
            sku: if is_plain { first.sku } else { String::new() },
            gtin: first.gtin.filter(|_| is_plain),
            mpn: Some(self.mpn),
            link: Some(self.link),
            weight: self.kilograms,
            images,
            minimum_order_quantity: 1,
            variants,
            ..Product::default()
        };
        let has_title = !product.summary.title.is_empty();
        // Zero and numbers that JavaScript cannot tell apart are no keys.
        wire::clean_product(product).ok_or(if has_title { Reason::NoKey } else { Reason::NoTitle })
    }
}
