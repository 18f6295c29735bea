//! What the rows of a product say of all its variants.

use std::borrow::Cow;

use super::meaning::{kilograms, list, pictures};
use super::moments::added;
use super::names::name;
use super::plain::plain;
use super::row::{Field, Kind, OPTION_NAMES, OPTIONS, Row};
use super::row_context::{MOST_IMAGES, RowContext};
use super::terms::{energy, minimum_age};
use super::text::{cut, cut_to};
use super::titles::Titles;
use crate::catalogue::EnergyClass;

/// Longest description that is read, and longest text that is kept of it, in bytes.
const LONGEST_DESCRIPTION: usize = 256 << 10;
const LONGEST_TEXT: usize = 20 << 10;

/// What all variants of a product have in common, each value from the first row that has it.
#[derive(Default)]
pub(super) struct Shared {
    pub(super) titles: Titles,
    description: String,
    other_description: String,
    pub(super) category: String,
    pub(super) brand: String,
    pub(super) tags: String,
    pub(super) mpn: String,
    pub(super) link: String,
    pub(super) kilograms: Option<f64>,
    /// Since when the shop has it, in seconds since 1970.
    pub(super) added: Option<i64>,
    pub(super) energy: Option<EnergyClass>,
    pub(super) minimum_age: Option<u8>,
    pub(super) delivery: String,
    pub(super) images: Vec<String>,
    /// The names of options, which Shopify writes only in the first row of a product.
    pub(super) option_names: [String; OPTIONS],
}

/// The pictures of a row.
pub(super) struct Pictured {
    /// The one of its variant alone.
    pub(super) own: Option<String>,
    /// Whether some are left out because the product has as many as are shown.
    pub(super) has_too_many: bool,
}

impl Shared {
    /// Adds the pictures of a row.
    pub(super) fn add_pictures(&mut self, row: &Row, kind: Kind, context: &RowContext) -> Pictured {
        let address = |written| context.picture(cut(written));
        let own = Some(row.get(Field::VariantImage)).filter(|picture| !picture.is_empty()).map(address);
        let mut pictures = [Field::Images, Field::MoreImages]
            .into_iter()
            .flat_map(|field| pictures(row.get(field)))
            .map(address);
        if kind == Kind::Variation {
            return Pictured { own: own.or_else(|| pictures.next()), has_too_many: false };
        }
        for picture in pictures.filter(|picture| !picture.is_empty()) {
            match self.images.contains(&picture) {
                true => {}
                false if self.images.len() < MOST_IMAGES => self.images.push(picture),
                false => return Pictured { own, has_too_many: true },
            }
        }
        Pictured { own, has_too_many: false }
    }

    /// Adds the texts of a row.
    pub(super) fn add_texts(&mut self, row: &Row, kind: Kind) {
        let set = |known: &mut String, field| {
            if known.is_empty() {
                *known = name(cut(row.get(field))).into_owned();
            }
        };
        if kind != Kind::Variation {
            for (known, field) in [
                (&mut self.description, Field::Description),
                (&mut self.other_description, Field::OtherDescription),
            ] {
                if known.is_empty() {
                    // Some programs write a line end as the two characters `\n`.
                    let html = cut_to(row.get(field), LONGEST_DESCRIPTION);
                    let html: Cow<str> =
                        if html.contains('\\') { html.replace("\\n", "\n").into() } else { html.into() };
                    cut_to(&plain(&html), LONGEST_TEXT).clone_into(known);
                }
            }
        }
        set(&mut self.category, Field::Category);
        if self.category.is_empty() {
            self.category = list(&name(cut(row.get(Field::Categories)))).next().unwrap_or_default();
        }
        // Google's own categories may be numbers, which are no names.
        if self.category.is_empty() && row.get(Field::OtherCategory).parse::<u64>().is_err() {
            set(&mut self.category, Field::OtherCategory);
        }
        set(&mut self.brand, Field::Brand);
        set(&mut self.delivery, Field::DeliveryTime);
        for (known, field) in
            [(&mut self.tags, Field::Tags), (&mut self.mpn, Field::Mpn), (&mut self.link, Field::Link)]
        {
            if known.is_empty() {
                cut(row.get(field)).clone_into(known);
            }
        }
        for (known, field) in self.option_names.iter_mut().zip(OPTION_NAMES) {
            set(known, field);
        }
        self.titles.add(cut(row.get(Field::Title)), cut(row.get(Field::GroupTitle)), kind, row.position);
        self.kilograms = self.kilograms.or_else(|| kilograms(row));
        self.added = self.added.or_else(|| added(row.get(Field::Added)));
        self.energy = self.energy.or_else(|| energy(row));
        self.minimum_age = self.minimum_age.or_else(|| minimum_age(row));
    }

    /// Takes what it does not have from another, which is hidden: its page and its article number are not for shoppers.
    pub(super) fn complete(&mut self, other: Self) {
        if self.titles.is_empty() {
            self.titles = other.titles;
        }
        if self.description.is_empty() && self.other_description.is_empty() {
            (self.description, self.other_description) = (other.description, other.other_description);
        }
        if self.images.is_empty() {
            self.images = other.images;
        }
        self.kilograms = self.kilograms.or(other.kilograms);
        self.added = self.added.or(other.added);
        for (own, other) in [
            (&mut self.category, other.category),
            (&mut self.brand, other.brand),
            (&mut self.tags, other.tags),
        ] {
            if own.is_empty() {
                *own = other;
            }
        }
    }

    /// The description, or the shorter one where there is no other.
    pub(super) fn description(&mut self) -> String {
        let known =
            if self.description.is_empty() { &mut self.other_description } else { &mut self.description };
        std::mem::take(known)
    }
}
