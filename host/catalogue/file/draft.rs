//! A product that is put together of rows, which may come in any order.

use std::collections::HashSet;

use super::amounts::{Amount, Decimal};
use super::moments::Dates;
use super::options::FileOptions;
use super::pictures::Pictures;
use super::plain::plain;
use super::report::{Reason, Report};
use super::row::{Field, OPTION_NAMES, OPTION_VALUES, OPTIONS, Row};
use crate::catalogue::availability::Availability;
use crate::catalogue::gtin::Gtin;
use crate::catalogue::key::ProductKey;
use crate::catalogue::model::{Product, Summary};
use crate::catalogue::service::wire;
use crate::catalogue::slug::Slug;
use crate::catalogue::variant::{MAX_VARIANTS, Variant, VariantOption};
use crate::profile::{Currency, Money};

/// What Shopify calls the option of a product without options.
const NO_OPTION: (&str, &str) = ("Title", "Default Title");

/// Most pictures and tags of a product; further ones are ignored.
const MOST_IMAGES: usize = 24;
const MOST_TAGS: usize = 24;
/// Most rows of a product that are looked at. Those beyond the variants that are shown have no need of memory.
const MOST_OFFERS: usize = 4 * MAX_VARIANTS;

/// What is the same for all rows of a file.
pub(super) struct Rules<'a> {
    /// The names of options whose fields hold values alone.
    pub(super) option_names: [&'static str; OPTIONS],
    pub(super) options: &'a FileOptions,
    pub(super) pictures: &'a Pictures,
}

/// What all prices of a file are read by, once all are known.
#[derive(Clone, Copy)]
pub(super) struct Prices {
    pub(super) decimal: Decimal,
    pub(super) currency: Currency,
    /// In seconds since 1970: sales have dates.
    pub(super) now: i64,
}

/// What a row is in a product.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A product, one of its variants, or a picture of it.
    Any,
    /// What variants have in common, and nothing that is sold.
    Parent,
    /// A variant, whose parent has the product's texts.
    Variation,
    /// A group of other products, without a price of its own.
    Collection,
}

impl Kind {
    /// What a row says that it is.
    pub(super) fn of(row: &Row) -> Self {
        let kinds = row.get(Field::Kind).to_lowercase();
        let mut kinds = kinds.split(',').map(str::trim);
        kinds
            .find_map(|kind| match kind {
                "variable" => Some(Self::Parent),
                "variation" => Some(Self::Variation),
                "grouped" => Some(Self::Collection),
                _ => None,
            })
            .unwrap_or(Self::Any)
    }
}

/// What is known of a product so far.
#[derive(Default)]
pub(super) struct Draft {
    pub(super) line: u64,
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
    /// In later rows of a product Shopify leaves the names of options out.
    option_names: [String; OPTIONS],
    /// Whether all of it, or a variant of it, is not for sale.
    is_hidden: bool,
    hides_variants: bool,
    is_collection: bool,
    /// The lines of rows that are left out, with the reasons.
    left_out: Vec<(Reason, u64)>,
    offers: Vec<Offer>,
}

/// A row that may have a price.
struct Offer {
    line: u64,
    price: Amount,
    list_price: Amount,
    sale_price: Amount,
    sale_dates: Dates,
    /// Still without the names of options that stand in a later row.
    options: Vec<VariantOption>,
    availability: Availability,
    sku: String,
    gtin: Option<Gtin>,
    picture: Option<String>,
}

impl Draft {
    /// A product whose first row is on this line.
    pub(super) fn at(line: u64) -> Self {
        Self { line, ..Self::default() }
    }

    /// Adds a row of the product.
    pub(super) fn add(&mut self, row: &Row, kind: Kind, rules: &Rules) {
        self.add_texts(row, kind);
        let pictures = [Field::Images, Field::MoreImages].map(|field| pictures(row.get(field)));
        let pictures = pictures.into_iter().flatten().map(|written| rules.options.picture(written));
        let pictures: Vec<String> = pictures.take(MOST_IMAGES).collect();
        let own = Some(row.get(Field::VariantImage)).filter(|picture| !picture.is_empty());
        let mut own = own.map(|picture| rules.options.picture(picture));
        if kind == Kind::Variation {
            own = own.or(pictures.into_iter().next());
        } else {
            for picture in pictures {
                if self.images.len() < MOST_IMAGES && !self.images.contains(&picture) {
                    self.images.push(picture);
                }
            }
        }
        self.is_collection |= kind == Kind::Collection;
        if is_hidden(row) {
            // In Shopify's files the product's first row speaks for all of them.
            if kind == Kind::Parent || !row.has(Field::Key) {
                self.is_hidden = true;
            } else {
                self.hides_variants = true;
                return;
            }
        }
        let is_picture = [Field::Price, Field::Sku, Field::Options, Field::OptionValue1]
            .iter()
            .all(|&field| row.get(field).is_empty());
        if matches!(kind, Kind::Parent | Kind::Collection) || is_picture {
            return;
        }
        if self.offers.len() == MOST_OFFERS {
            self.left_out.push((Reason::TooMany, row.line));
            return;
        }
        let dates = sale_dates(row);
        if dates.is_none() {
            self.left_out.push((Reason::UnclearDates, row.line));
        }
        if is_rounded(row.get(Field::Gtin)) {
            self.left_out.push((Reason::RoundedBarcode, row.line));
        }
        self.offers.push(Offer {
            line: row.line,
            price: Amount::read(row.get(Field::Price)),
            list_price: Amount::read(row.get(Field::ListPrice)),
            // Without clear dates a sale is not promised.
            sale_price: dates.map(|_| Amount::read(row.get(Field::SalePrice))).unwrap_or_default(),
            sale_dates: dates.unwrap_or_default(),
            options: options(row),
            availability: availability(row),
            sku: row.get(Field::Sku).to_owned(),
            gtin: Gtin::parse(row.get(Field::Gtin)),
            picture: own,
        });
    }

    /// Adds what is the same for all variants. The first row that says something counts.
    fn add_texts(&mut self, row: &Row, kind: Kind) {
        let set = |known: &mut String, field| {
            if known.is_empty() {
                row.get(field).clone_into(known);
            }
        };
        if kind != Kind::Variation {
            for (known, field) in [
                (&mut self.description, Field::Description),
                (&mut self.other_description, Field::OtherDescription),
            ] {
                if known.is_empty() {
                    // Some programs write the ends of lines as two characters.
                    *known = plain(&row.get(field).replace("\\n", "\n"));
                }
            }
        }
        set(&mut self.category, Field::Category);
        if self.category.is_empty() {
            first_path(row.get(Field::Categories)).clone_into(&mut self.category);
        }
        // Google numbers its categories.
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
        self.titles.add(row.get(Field::Title), row.get(Field::GroupTitle), kind);
        self.kilograms = self.kilograms.or_else(|| kilograms(row));
    }

    /// The product, and when its prices change next, in seconds since 1970.
    ///
    /// # Errors
    /// Why it cannot be sold.
    pub(super) fn finish(
        mut self,
        rules: &Rules,
        prices: Prices,
        report: &mut Report,
    ) -> Result<(Product, Option<i64>), Reason> {
        let offers = std::mem::take(&mut self.offers);
        let changes = offers.iter().filter_map(|offer| offer.next_change(prices)).min();
        let names = std::array::from_fn::<_, OPTIONS, _>(|number| match &*self.option_names[number] {
            "" => rules.option_names[number],
            name => name,
        });
        let mut offered = Vec::new();
        for offer in offers {
            let line = offer.line;
            match offer.variant(&names, prices) {
                Ok(mut variant) => {
                    variant.picture = variant.picture.and_then(|picture| rules.pictures.address(&picture));
                    offered.push((line, variant));
                }
                Err(reason) => self.left_out.push((reason, line)),
            }
        }
        let first = offered.first().map(|(_, variant)| variant.clone()).filter(|_| !self.is_hidden);
        let Some(first) = first else { return Err(self.reason()) };
        self.left_out.iter().for_each(|&(reason, line)| report.leave_out(reason, line));
        if rules.option_names != [""; OPTIONS] {
            remove_shared(&mut offered);
        }
        let mut variants = variants(offered, report);
        // A group of one is a plain product.
        let first = if variants.len() == 1 { variants.remove(0) } else { first };
        self.product(first, variants, rules).map(|product| (product, changes))
    }

    /// Why nothing of it can be sold.
    fn reason(&self) -> Reason {
        let reason = self.left_out.first().map_or(Reason::NoPrice, |(reason, _)| *reason);
        match self {
            Self { is_collection: true, .. } => Reason::Collection,
            Self { is_hidden: true, .. } | Self { hides_variants: true, .. } => Reason::NotForSale,
            _ => reason,
        }
    }

    /// The product with these variants, or of one kind as `first`.
    fn product(self, first: Variant, variants: Vec<Variant>, rules: &Rules) -> Result<Product, Reason> {
        let is_plain = variants.is_empty();
        let mut images: Vec<String> =
            self.images.iter().filter_map(|image| rules.pictures.address(image)).collect();
        if images.is_empty() {
            images.extend(first.picture.clone());
        }
        let category = match &*self.category {
            "" => rules.options.category.as_deref().unwrap_or_default(),
            category => category,
        };
        // The last name of a path is the narrowest.
        let category = category.rsplit('>').next().and_then(wire::clean_tag);
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
            tags: self.tags.split(',').take(MOST_TAGS).map(|tag| tag.trim().to_owned()).collect(),
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
        // Numbers that programs cannot tell apart are no keys.
        wire::clean_product(product).ok_or(if has_title { Reason::NoKey } else { Reason::NoTitle })
    }
}

impl Offer {
    /// When its price changes next, if it has a sale with dates.
    fn next_change(&self, Prices { decimal, now, .. }: Prices) -> Option<i64> {
        self.sale_price.value(decimal).and_then(|_| self.sale_dates.next(now))
    }

    /// The variant.
    ///
    /// # Errors
    /// Why it cannot be sold.
    fn variant(
        self,
        names: &[&str; OPTIONS],
        Prices { decimal, currency, now }: Prices,
    ) -> Result<Variant, Reason> {
        let above_zero =
            |amount: Amount| amount.money(decimal, currency).filter(|amount| *amount != Money::default());
        let regular = above_zero(self.price);
        let sale = above_zero(self.sale_price).filter(|_| self.sale_dates.contain(now));
        let sale = sale.filter(|sale| regular.is_none_or(|regular| *sale < regular));
        let price = sale.or(regular).ok_or(match self.price {
            Amount { currency: Some(named), .. } if named != currency => Reason::OtherCurrency,
            amount if amount.has_digits && amount.value(decimal).is_none() => Reason::UnclearPrice,
            _ => Reason::NoPrice,
        })?;
        let list_price = above_zero(self.list_price).max(regular);
        let named = |(number, mut option): (usize, VariantOption)| {
            if option.name.is_empty() {
                // Those that are written with their names stand behind the others.
                option.name = match names.get(number).copied().unwrap_or_default() {
                    "" => format!("Option {}", number + 1),
                    name => name.into(),
                };
            }
            let is_option = !option.value.is_empty() && (&*option.name, &*option.value) != NO_OPTION;
            is_option.then_some(option)
        };
        Ok(Variant {
            options: self.options.into_iter().enumerate().filter_map(named).collect(),
            price,
            list_price: list_price.filter(|list_price| *list_price > price),
            availability: self.availability,
            sku: self.sku,
            gtin: self.gtin,
            picture: self.picture,
        })
    }
}

/// The variants of a product, if it has some.
fn variants(offered: Vec<(u64, Variant)>, report: &mut Report) -> Vec<Variant> {
    let have_options = offered.iter().any(|(_, variant)| !variant.options.is_empty());
    let mut seen = HashSet::new();
    let mut variants = Vec::new();
    for (line, variant) in offered {
        if have_options && variant.options.is_empty() {
            report.leave_out(Reason::NoOptions, line);
        } else if !seen.insert(variant.options.clone()) {
            report.leave_out(Reason::Repeated, line);
        } else if variants.len() == MAX_VARIANTS {
            report.leave_out(Reason::TooMany, line);
        } else if have_options {
            variants.push(variant);
        }
    }
    variants
}

/// Takes away the options that all variants have with the same value: nothing is to be chosen there.
fn remove_shared(offered: &mut [(u64, Variant)]) {
    let [(_, first), rest @ ..] = offered else { return };
    let is_shared = |option: &VariantOption| rest.iter().all(|(_, other)| other.options.contains(option));
    let shared: Vec<VariantOption> =
        first.options.iter().filter(|option| !rest.is_empty() && is_shared(option)).cloned().collect();
    for (_, variant) in offered {
        variant.options.retain(|option| !shared.contains(option));
    }
}

/// The options of a row: those with fields of their own, still with blank ones, and then those that are joined in one.
fn options(row: &Row) -> Vec<VariantOption> {
    let option =
        |name: &str, value: &str| VariantOption { name: name.trim().into(), value: value.trim().into() };
    let given =
        OPTION_VALUES.iter().rposition(|&field| !row.get(field).is_empty()).map_or(0, |last| last + 1);
    let own = OPTION_NAMES.iter().zip(OPTION_VALUES).take(given);
    let own = own.map(|(&name, value)| option(row.get(name), row.get(value)));
    let joined = row.get(Field::Options).split(';').filter_map(|option| option.split_once(':'));
    // Without a name it would be taken for one of the others.
    let joined = joined.filter(|(name, _)| !name.trim().is_empty());
    own.chain(joined.map(|(name, value)| option(name, value))).collect()
}

/// The dates of a sale; `None` if they cannot be read.
fn sale_dates(row: &Row) -> Option<Dates> {
    match row.get(Field::SaleDates).split_once('/') {
        Some((begin, end)) => Dates::read(begin, end),
        None if row.get(Field::SaleDates).is_empty() => {
            Dates::read(row.get(Field::SaleStarts), row.get(Field::SaleEnds))
        }
        None => None,
    }
}

/// The addresses of pictures in a text, with spaces, bars or commas between them. Commas are also parts of addresses.
fn pictures(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split(|sign: char| sign.is_whitespace() || sign == '|');
    let begins = |at: usize, part: &str| {
        let rest = &part[at + 1..];
        rest.starts_with("http") || rest.starts_with('/')
    };
    let split = move |part: &str| {
        let ends: Vec<usize> = part
            .match_indices(',')
            .map(|(at, _)| at)
            .filter(|&at| begins(at, part))
            .chain([part.len()])
            .collect();
        ends
    };
    parts
        .flat_map(move |part| {
            let mut begin = 0;
            split(part).into_iter().map(move |end| {
                let picture = &part[begin..end];
                begin = (end + 1).min(part.len());
                picture
            })
        })
        .map(|picture| picture.trim_end_matches([',', ';']))
        .filter(|picture| !picture.is_empty())
}

/// The first of several paths. A comma in a name has a backslash before it.
fn first_path(text: &str) -> &str {
    let ends = text.match_indices(',').map(|(at, _)| at).find(|&at| !text[..at].ends_with('\\'));
    ends.map_or(text, |at| &text[..at])
}

/// The weight of a product, in kilograms.
fn kilograms(row: &Row) -> Option<f64> {
    let number = |text: &str| text.replace(',', ".").parse::<f64>().ok();
    let grams = || number(row.get(Field::Grams)).map(|grams| grams / 1_000.0);
    let with_unit = |field| {
        let text = row.get(field);
        let (amount, unit) = text.split_at(text.find(|sign: char| sign.is_alphabetic())?);
        let amount = number(amount.trim())?;
        Some(match unit.to_lowercase().as_str() {
            "kg" => amount,
            "g" => amount / 1_000.0,
            "lb" | "lbs" => amount * 0.453_592_37,
            "oz" => amount * 0.028_349_523_125,
            _ => return None,
        })
    };
    let written = || with_unit(Field::Weight).or_else(|| with_unit(Field::ShippingWeight));
    number(row.get(Field::Kilograms)).or_else(grams).or_else(written)
}

/// Whether a spreadsheet has rounded a barcode, such as `4.00638E+12`.
fn is_rounded(barcode: &str) -> bool {
    let has_exponent = |sign| barcode.to_ascii_uppercase().contains(sign);
    barcode.starts_with(|first: char| first.is_ascii_digit()) && has_exponent("E+")
}

/// Whether a row says that its product is not sold.
fn is_hidden(row: &Row) -> bool {
    let says = |field, words: &[&str]| words.contains(&row.get(field).to_lowercase().as_str());
    says(
        Field::Status,
        &[
            "draft",
            "archived",
            "hidden",
            "private",
            "pending",
            "unlisted",
            "inactive",
            "trash",
            "staging",
            "whitelist_only",
        ],
    ) || says(Field::Published, &["false", "no", "0", "-1"])
}

/// What a row says of the stock. Nothing said is not sold out.
fn availability(row: &Row) -> Availability {
    let stock = row.get(Field::Stock).parse::<f64>().ok().filter(|units| units.is_finite());
    let units = stock.map(|units| units.round() as u32);
    let word = row.get(Field::Availability).to_lowercase().replace([' ', '-'], "_");
    let word = word.rsplit('/').next().unwrap_or_default();
    match word {
        "in_stock"
        | "instock"
        | "available"
        | "yes"
        | "true"
        | "1"
        | "limited_availability"
        | "limitedavailability" => {
            return units
                .filter(|units| *units > 0)
                .map_or(Availability::InStock(None), Availability::of_stock);
        }
        "out_of_stock" | "outofstock" | "sold_out" | "soldout" | "unavailable" | "discontinued" | "no"
        | "false" | "0" => return Availability::SoldOut,
        "preorder" | "pre_order" | "presale" => return Availability::PreOrder,
        "backorder" | "back_order" | "onbackorder" | "available_for_order" => return Availability::BackOrder,
        _ => {}
    }
    if row.is_blank(Field::Tracker) {
        return Availability::InStock(None);
    }
    let is_more =
        ["continue", "true", "yes", "1", "notify"].contains(&row.get(Field::Policy).to_lowercase().as_str());
    match units {
        Some(0) if is_more => Availability::BackOrder,
        Some(units) => Availability::of_stock(units),
        None => Availability::Unknown,
    }
}

/// The titles of a product's rows, of which one is made.
#[derive(Default)]
struct Titles {
    first: String,
    /// Whether it speaks for all rows.
    is_own: bool,
    differ: bool,
    /// How many words all of them begin with.
    common: Option<usize>,
}

impl Titles {
    fn add(&mut self, title: &str, of_group: &str, kind: Kind) {
        let (title, is_own) = match of_group {
            "" => (title, kind == Kind::Parent),
            of_group => (of_group, true),
        };
        if self.is_own || title.is_empty() {
            return;
        }
        if is_own || self.first.is_empty() {
            (self.first, self.is_own) = (title.to_owned(), is_own);
        } else if title != self.first {
            let same = |(own, other): &(&str, &str)| own == other;
            let words = self.first.split_whitespace().zip(title.split_whitespace()).take_while(same).count();
            self.common = Some(self.common.map_or(words, |common| common.min(words)));
            self.differ = true;
        }
    }

    /// Its own title, the one that all rows have, or else the words that all begin with.
    fn title(&self) -> String {
        match self.common {
            Some(count @ 1..) if self.differ && !self.is_own => {
                let words: Vec<&str> = self.first.split_whitespace().take(count).collect();
                words.join(" ").trim_end_matches([',', '-', '–', '/', '(', '|', ' ']).to_owned()
            }
            _ => self.first.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_has_the_words_that_all_its_titles_begin_with() {
        for (titles, expected) in [
            (vec!["Cup"], "Cup"),
            (vec!["Oak Lamp", "Oak Lamp"], "Oak Lamp"),
            (vec!["Oak Lamp - S", "Oak Lamp - M"], "Oak Lamp"),
            (vec!["Oak Lamp", "Oak Lamp, large"], "Oak"),
            (vec!["Red Cup", "Blue Cup"], "Red Cup"),
            (vec![], ""),
        ] {
            let mut known = Titles::default();
            titles.iter().for_each(|title| known.add(title, "", Kind::Any));
            assert_eq!(known.title(), expected, "{titles:?}");
        }
        let mut known = Titles::default();
        known.add("Lamp S", "", Kind::Variation);
        known.add("Lamp", "", Kind::Parent);
        known.add("Lampe M", "", Kind::Variation);
        assert_eq!(known.title(), "Lamp");
    }

    #[test]
    fn pictures_are_told_apart() {
        let found = |text| pictures(text).collect::<Vec<_>>();
        assert_eq!(
            found("https://a.example/1,w.webp,https://a.example/2.webp, /3.webp|4.webp;"),
            ["https://a.example/1,w.webp", "https://a.example/2.webp", "/3.webp", "4.webp"]
        );
        assert!(found(" , ,, ").is_empty());
        assert_eq!(found("a.webp,"), ["a.webp"]);
    }

    #[test]
    fn the_first_of_several_paths_counts() {
        assert_eq!(first_path("Clothing > Hoodies, Sale"), "Clothing > Hoodies");
        assert_eq!(first_path(r"Arts\, Crafts, Sale"), r"Arts\, Crafts");
    }
}
