//! A product that is put together from rows, which may come in any order.

use std::collections::HashSet;

use super::categories;
use super::for_sale::{Columns, ForSale};
use super::meaning::{is_of_a_program, is_rounded, list};
use super::moments::{self, Changes};
use super::names::{is_nothing, name};
use super::offer::{Amounts, Offer, Prices, remove_shared, variants};
use super::plain::plain_title;
use super::report::{Reason, Report};
use super::row::{Field, Kind, OPTION_VALUES, OPTIONS, Position, Row};
use super::row_context::{MOST_IMAGES, RowContext};
use super::shared::{Pictured, Shared};
use super::terms;
use crate::catalogue::Terms;
use crate::catalogue::key::ProductKey;
use crate::catalogue::model::{MAX_TEXT, Product, Summary, has_credentials};
use crate::catalogue::variant::{MAX_VARIANTS, Variant, VariantOption};

/// Maximum number of tags of a product; further ones are ignored.
const MOST_TAGS: usize = 24;
/// Maximum number of offers that are kept of a product. Far fewer are shown, so more would only take memory.
const MOST_OFFERS: usize = 4 * MAX_VARIANTS;

/// What is known of a product so far.
#[derive(Default)]
pub(super) struct Draft {
    /// The position of its first row.
    pub(super) position: Position,
    pub(super) name: String,
    shared: Shared,
    /// What rows say that are not for sale. It counts where no other row says it.
    hidden: Option<Box<Shared>>,
    /// Whether the whole product or, in `hides_variants`, one of its variants is not for sale.
    is_hidden: bool,
    hides_variants: bool,
    is_collection: bool,
    /// The columns whose words leave open whether the whole product is for sale, if they say anything about it.
    unclear: Columns,
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

    /// Adds a row of the product, with its amounts.
    pub(super) fn add(
        &mut self,
        row: &Row,
        amounts: Amounts,
        kind: Kind,
        for_sale: ForSale,
        context: &RowContext,
    ) {
        // In Shopify's files the product's first row speaks for all of them.
        let is_of_all = kind == Kind::Parent || !row.has(Field::Key);
        let unclear = match for_sale {
            ForSale::Yes => Columns::default(),
            ForSale::No => {
                self.is_hidden |= is_of_all;
                self.hides_variants |= !is_of_all;
                // The only description, brand and pictures of a group may be in such a row.
                if !is_of_all && !row.get(Field::Group).is_empty() {
                    let hidden = self.hidden.get_or_insert_default();
                    hidden.add_texts(row, kind);
                    hidden.add_pictures(row, kind, context);
                }
                return;
            }
            ForSale::Unclear(columns) => columns,
        };
        if is_of_all {
            self.unclear = self.unclear.and(unclear);
        }
        self.is_collection |= kind == Kind::Collection;
        self.shared.add_texts(row, kind);
        let has_picture = [Field::Images, Field::MoreImages].iter().any(|&field| !row.get(field).is_empty());
        let Pictured { own, has_too_many } = self.shared.add_pictures(row, kind, context);
        if has_too_many && self.notes.iter().all(|(reason, _)| *reason != Reason::TooManyPictures) {
            self.notes.push((Reason::TooManyPictures, row.position));
        }
        self.note_texts(row);
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
        let (offer, has_clear_dates) = Offer::read(row, amounts, unclear, own);
        if !has_clear_dates {
            self.notes.push((Reason::UnclearDates, row.position));
        }
        if offer.has_unclear_stock(row) {
            self.notes.push((Reason::UnclearStock, row.position));
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

    /// Notes what a row says that is not read.
    fn note_texts(&mut self, row: &Row) {
        let added = row.get(Field::Added);
        if !is_nothing(added) && moments::added(added).is_none() {
            self.notes.push((Reason::UnclearAdded, row.position));
        }
        if terms::is_unclear(row) {
            self.notes.push((Reason::UnclearTerms, row.position));
        }
        let names_user = [Field::Images, Field::MoreImages, Field::Link].iter().any(|&field| {
            let addresses = row.get(field);
            addresses.contains('@') && addresses.split([',', ' ', '|', ';', '\n']).any(has_credentials)
        });
        if names_user && self.notes.iter().all(|(reason, _)| *reason != Reason::Credentials) {
            self.notes.push((Reason::Credentials, row.position));
        }
    }

    /// Whether the whole product is not for sale, in a file in which these columns say whether a row is.
    pub(super) fn is_withheld(&self, sale_columns: Columns) -> bool {
        self.is_hidden || self.unclear.meets(sale_columns)
    }

    /// Takes what a product offers that turned out to be one of its variants. Options replace those of the variant, if
    /// there are some.
    pub(super) fn adopt(&mut self, variant: Self, options: &[VariantOption]) {
        self.hides_variants |= variant.is_hidden || variant.hides_variants;
        self.unclear = self.unclear.and(variant.unclear);
        self.left_out.extend(variant.left_out);
        self.notes.extend(variant.notes);
        let picture = variant.shared.images.into_iter().next();
        for mut offer in variant.offers {
            if self.offers.len() == MOST_OFFERS {
                self.left_out.push((Reason::TooMany, offer.position));
                continue;
            }
            if !options.is_empty() {
                offer.options = options.to_vec();
            }
            offer.picture = offer.picture.or_else(|| picture.clone());
            self.offers.push(offer);
        }
    }

    /// When its prices change.
    pub(super) fn changes(&self, prices: Prices) -> Changes {
        self.offers.iter().map(|offer| offer.changes(prices)).fold(Changes::default(), Changes::and)
    }

    /// Its key, which is none of those that earlier products have.
    pub(super) fn key(&self, taken: &HashSet<ProductKey>) -> ProductKey {
        let key = ProductKey::of(&self.name);
        // The names differ: only their short codes are equal.
        if taken.contains(&key) { ProductKey::with_long_code(&self.name) } else { key }
    }

    /// The product with this key, unless nothing of it can be sold. What is left out is reported.
    /// `sale_columns` are those that say whether a row is for sale.
    pub(super) fn finish(
        mut self,
        key: ProductKey,
        context: &RowContext,
        prices: Prices,
        sale_columns: Columns,
        report: &mut Report,
    ) -> Option<Product> {
        if self.unclear.meets(sale_columns) && !self.is_hidden {
            report.leave_out(Reason::UnclearSale, self.position);
            return None;
        }
        if let Some(hidden) = self.hidden.take() {
            self.shared.complete(*hidden);
        }
        let names = std::array::from_fn::<_, OPTIONS, _>(|number| match &*self.shared.option_names[number] {
            "" => context.option_names[number],
            name => name,
        });
        let mut offered = Vec::new();
        for offer in std::mem::take(&mut self.offers) {
            let position = offer.position;
            if offer.unclear.meets(sale_columns) {
                self.left_out.push((Reason::UnclearSale, position));
                continue;
            }
            if report.readings.is_none() {
                let plain = |amount| prices.currency.plain(amount);
                report.readings =
                    offer.readings(prices).map(|[one, other]| format!("{} or {}", plain(one), plain(other)));
            }
            if offer.has_unclear_discount(prices) {
                self.notes.push((Reason::UnclearDiscount, position));
            }
            match offer.variant(&names, prices, context.pictures) {
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
        // What is not sold says nothing of what is.
        if !self.left_out.is_empty() {
            let left_out: HashSet<u32> = self.left_out.iter().map(|(_, row)| row.number).collect();
            self.shared.titles.leave_out(|row| left_out.contains(&row.number));
        }
        if context.option_names != [""; OPTIONS] {
            remove_shared(&mut offered);
        }
        let mut variants = variants(offered, report);
        // A group of one is a plain product.
        let first = if variants.len() == 1 { variants.remove(0) } else { first };
        let position = self.position;
        let product = self.product(key, first, variants, context, report);
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
    fn product(
        mut self,
        key: ProductKey,
        first: Variant,
        variants: Vec<Variant>,
        context: &RowContext,
        report: &mut Report,
    ) -> Result<Product, Reason> {
        let description = self.shared.description();
        let Shared {
            titles,
            category,
            brand,
            tags,
            mpn,
            link,
            kilograms,
            added,
            images,
            energy,
            minimum_age,
            delivery,
            ..
        } = self.shared;
        let (machine, tags) = named_tags(&tags);
        let cuts = [
            (is_longer(&description), Reason::LongDescription),
            (!machine.is_empty(), Reason::ProgramTags),
            (tags.len() > MOST_TAGS, Reason::TooManyTags),
        ];
        cuts.into_iter()
            .filter(|(is_cut, _)| *is_cut)
            .for_each(|(_, reason)| report.leave_out(reason, self.position));
        let is_plain = variants.is_empty();
        let images = all_pictures(&images, variants.iter().chain([&first]), context);
        let product = Product {
            summary: Summary {
                id: key,
                title: plain_title(&titles.title(&first.options)),
                description,
                category: categories::category(&category),
                brand: Some(brand).filter(|brand| !brand.is_empty()),
                price: first.price,
                list_price: first.list_price,
                availability: first.availability,
                thumbnail: images.first().cloned(),
                ..Summary::default()
            },
            tags: tags.into_iter().take(MOST_TAGS).collect(),
            sku: if is_plain { first.sku } else { String::new() },
            gtin: first.gtin.filter(|_| is_plain),
            mpn: Some(mpn),
            link: Some(link),
            weight: kilograms,
            shipping: delivery,
            terms: if is_plain { first.terms } else { Terms::default() },
            energy,
            minimum_age,
            changed: added,
            images,
            minimum_order_quantity: 1,
            variants,
            ..Product::default()
        };
        let has_title = !product.summary.title.is_empty();
        // Zero and numbers that JavaScript cannot tell apart are no keys.
        product.cleaned().ok_or(if has_title { Reason::NoKey } else { Reason::NoTitle })
    }
}

/// The tags that a shop's own programs read, and those for shoppers.
fn named_tags(tags: &str) -> (Vec<String>, Vec<String>) {
    let named = list(tags).map(|tag| name(&tag).into_owned());
    named.filter(|tag| !tag.is_empty()).partition(|tag| is_of_a_program(tag))
}

/// The pictures of a product, and then those of its variants.
fn all_pictures<'a>(
    of_product: &[String],
    variants: impl Iterator<Item = &'a Variant>,
    context: &RowContext,
) -> Vec<String> {
    let mut images: Vec<String> =
        of_product.iter().filter_map(|image| context.pictures.address(image)).collect();
    for picture in variants.filter_map(|variant| variant.picture.as_ref()) {
        if images.len() < MOST_IMAGES && !images.contains(picture) {
            images.push(picture.clone());
        }
    }
    images
}

/// Whether only the beginning of a description is shown.
fn is_longer(description: &str) -> bool {
    description.len() > MAX_TEXT && description.chars().nth(MAX_TEXT).is_some()
}
