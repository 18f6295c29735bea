//! Makes products of the rows of a table. A row is a variant, or only a picture; the rows of one product may be anywhere
//! in the file.

use std::collections::{HashMap, HashSet};

use super::amounts::{Decimal, PricesIn, money};
use super::dialects::{Field, OPTIONS};
use super::pictures::Pictures;
use super::plain::plain;
use super::report::{Reason, Report};
use super::table::{Row, Table};
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

/// What is known of a product so far.
#[derive(Default)]
struct Draft<'a> {
    /// Where its first row is.
    line: u64,
    name: &'a str,
    titles: Vec<&'a str>,
    description: &'a str,
    category: &'a str,
    brand: &'a str,
    tags: &'a str,
    mpn: &'a str,
    link: &'a str,
    kilograms: Option<f64>,
    images: Vec<&'a str>,
    /// In later rows of a product Shopify leaves the names of options out.
    option_names: [&'a str; OPTIONS],
    /// Whether all of it, or a variant of it, is not for sale.
    is_hidden: bool,
    hides_variants: bool,
    /// The lines of rows that are left out, with the reasons.
    left_out: Vec<(Reason, u64)>,
    offers: Vec<Offer<'a>>,
}

/// A row with a price.
struct Offer<'a> {
    line: u64,
    /// The values of the options that have columns of their own, and the others.
    values: [&'a str; OPTIONS],
    joined: &'a str,
    /// Still without options: their names may stand in a later row.
    variant: Variant,
}

/// The products of a table in the order of their first rows, and the currency of their prices.
pub(super) fn products(
    table: &Table,
    prices: PricesIn,
    pictures: &Pictures,
    report: &mut Report,
) -> (Vec<Product>, Option<Currency>) {
    let amounts = || table.rows().flat_map(|row| [row.get(Field::Price), row.get(Field::ListPrice)]);
    let decimal = Decimal::of(amounts());
    let named = || amounts().find_map(|amount| decimal.parse(amount)?.1);
    let currency = match prices {
        PricesIn::Only(currency) => Some(currency),
        PricesIn::OwnOr(currency) => named().or(currency),
    };
    let read_in = currency.unwrap_or_default();
    for line in table.too_long() {
        report.rows += 1;
        report.leave_out(Reason::TooManyCells, line);
    }
    report.unused = table.unused.clone();
    let mut drafts: Vec<Draft> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for row in table.rows() {
        report.rows += 1;
        let group = row.get(Field::Group);
        let name = if group.is_empty() { row.get(Field::Key) } else { group };
        if name.is_empty() {
            report.leave_out(Reason::NoKey, row.line);
            continue;
        }
        let place = *places.entry(name).or_insert_with(|| {
            drafts.push(Draft { line: row.line, name, ..Draft::default() });
            drafts.len() - 1
        });
        drafts[place].add(row, decimal, read_in);
    }
    let mut keys = HashSet::new();
    let products = drafts.into_iter().filter_map(|draft| {
        let line = draft.line;
        let made = draft.finish(pictures, report).and_then(|product| {
            let is_first = keys.insert(product.summary.id.clone());
            is_first.then_some(product).ok_or(Reason::Repeated)
        });
        made.map_err(|reason| report.leave_out(reason, line)).ok()
    });
    (products.collect(), currency)
}

impl<'a> Draft<'a> {
    /// Adds a row of the product.
    fn add(&mut self, row: Row<'a>, decimal: Decimal, currency: Currency) {
        let set = |known: &mut &'a str, field| {
            if known.is_empty() {
                *known = row.get(field);
            }
        };
        set(&mut self.description, Field::Description);
        set(&mut self.category, Field::Category);
        set(&mut self.category, Field::OtherCategory);
        set(&mut self.brand, Field::Brand);
        set(&mut self.tags, Field::Tags);
        set(&mut self.mpn, Field::Mpn);
        set(&mut self.link, Field::Link);
        for (number, name) in self.option_names.iter_mut().enumerate() {
            set(name, Field::OptionName(number));
        }
        self.titles.extend(Some(row.get(Field::Title)).filter(|title| !title.is_empty()));
        let grams = || row.get(Field::Grams).parse::<f64>().ok().map(|grams| grams / 1_000.0);
        self.kilograms = self.kilograms.or_else(|| row.get(Field::Kilograms).parse().ok()).or_else(grams);
        for image in row.get(Field::Images).split(|sign: char| sign.is_whitespace() || sign == '|') {
            let image = image.trim_end_matches([',', ';']);
            if self.images.len() < MOST_IMAGES && !image.is_empty() && !self.images.contains(&image) {
                self.images.push(image);
            }
        }
        if is_hidden(row) {
            // In Shopify's files the product's first row speaks for all of them.
            if !row.has(Field::Key) {
                self.is_hidden = true;
            } else {
                self.hides_variants = true;
                return;
            }
        }
        let (price, line) = (row.get(Field::Price), row.line);
        let is_picture = [Field::Price, Field::Sku, Field::Options, Field::OptionValue(0)]
            .iter()
            .all(|&field| row.get(field).is_empty());
        match decimal.parse(price) {
            Some((_, Some(named))) if named != currency => self.left_out.push((Reason::OtherCurrency, line)),
            Some((amount, _)) => match money(amount, currency).filter(|price| *price != Money::default()) {
                Some(price) => self.offers.push(Offer {
                    line,
                    values: std::array::from_fn(|number| row.get(Field::OptionValue(number))),
                    joined: row.get(Field::Options),
                    variant: variant(row, price, list_price(row, decimal, currency)),
                }),
                None => self.left_out.push((Reason::NoPrice, line)),
            },
            None if is_picture => {}
            None if price.contains(|sign: char| sign.is_ascii_digit()) => {
                self.left_out.push((Reason::UnclearPrice, line));
            }
            None => self.left_out.push((Reason::NoPrice, line)),
        }
    }

    /// The product.
    ///
    /// # Errors
    /// Why it cannot be sold.
    fn finish(mut self, pictures: &Pictures, report: &mut Report) -> Result<Product, Reason> {
        for Offer { variant, .. } in &mut self.offers {
            variant.picture = variant.picture.take().and_then(|picture| pictures.address(&picture));
        }
        let Some(first) = self.offers.first().map(|offer| offer.variant.clone()).filter(|_| !self.is_hidden)
        else {
            let reason = self.left_out.first().map_or(Reason::NoPrice, |(reason, _)| *reason);
            return Err(if self.is_hidden || self.hides_variants { Reason::NotForSale } else { reason });
        };
        self.left_out.iter().for_each(|&(reason, line)| report.leave_out(reason, line));
        for Offer { values, joined, variant, .. } in &mut self.offers {
            variant.options = options(&self.option_names, values, joined);
        }
        let have_options = self.offers.iter().any(|offer| !offer.variant.options.is_empty());
        let mut seen = HashSet::new();
        let mut variants = Vec::new();
        for Offer { line, variant, .. } in self.offers {
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
        let is_plain = variants.is_empty();
        let images: Vec<String> = self.images.iter().filter_map(|image| pictures.address(image)).collect();
        let pictures = images.iter().cloned().chain(first.picture.clone().filter(|_| images.is_empty()));
        // The last name of a path is the narrowest.
        let category = self.category.rsplit('>').next().and_then(wire::clean_tag);
        let category = category.and_then(|name| Slug::of(&name));
        let product = Product {
            summary: Summary {
                id: ProductKey::of(self.name),
                title: plain(&title(&self.titles)),
                description: plain(&self.description.replace("\\n", "\n")),
                category,
                brand: Some(self.brand.to_owned()).filter(|brand| !brand.is_empty()),
                price: first.price,
                list_price: first.list_price,
                availability: first.availability,
                thumbnail: pictures.clone().next(),
                ..Summary::default()
            },
            tags: self.tags.split(',').take(MOST_TAGS).map(|tag| tag.trim().to_owned()).collect(),
            sku: if is_plain { first.sku } else { String::new() },
            gtin: first.gtin.filter(|_| is_plain),
            mpn: Some(self.mpn.to_owned()),
            link: Some(self.link.to_owned()),
            weight: self.kilograms,
            images: pictures.collect(),
            minimum_order_quantity: 1,
            variants,
            ..Product::default()
        };
        let has_title = !product.summary.title.is_empty();
        // Numbers that programs cannot tell apart are no keys.
        wire::clean_product(product).ok_or(if has_title { Reason::NoKey } else { Reason::NoTitle })
    }
}

/// The price without a discount, in the currency of the prices.
fn list_price(row: Row, decimal: Decimal, currency: Currency) -> Option<Money> {
    let (amount, named) = decimal.parse(row.get(Field::ListPrice))?;
    money(amount, currency).filter(|_| named.is_none_or(|named| named == currency))
}

fn variant(row: Row, price: Money, list_price: Option<Money>) -> Variant {
    let picture = Some(row.get(Field::VariantImage)).filter(|picture| !picture.is_empty());
    Variant {
        options: Vec::new(),
        price,
        list_price: list_price.filter(|list_price| *list_price > price),
        availability: availability(row),
        sku: row.get(Field::Sku).to_owned(),
        gtin: Gtin::parse(row.get(Field::Gtin)),
        picture: picture.map(str::to_owned),
    }
}

/// The options of a variant: those with columns of their own, and those that are `joined` in one.
fn options(names: &[&str], values: &[&str], joined: &str) -> Vec<VariantOption> {
    let own = names.iter().copied().zip(values.iter().copied());
    let joined = joined.split(';').filter_map(|option| option.split_once(':'));
    let given = own.chain(joined).map(|(name, value)| (name.trim(), value.trim()));
    let named = given.enumerate().filter(|(_, option)| !option.1.is_empty() && *option != NO_OPTION);
    let option = |(number, (name, value)): (usize, (&str, &str))| VariantOption {
        name: if name.is_empty() { format!("Option {}", number + 1) } else { name.into() },
        value: value.into(),
    };
    named.map(option).collect()
}

/// Whether a row says that its product is not sold.
fn is_hidden(row: Row) -> bool {
    let says = |field, words: &[&str]| words.contains(&row.get(field).to_lowercase().as_str());
    says(
        Field::Status,
        &["draft", "archived", "hidden", "private", "pending", "unlisted", "inactive", "trash"],
    ) || says(Field::Published, &["false", "no", "0", "-1"])
}

/// What a row says of the stock. Nothing said is not sold out.
fn availability(row: Row) -> Availability {
    let word = row.get(Field::Availability).to_lowercase().replace([' ', '-'], "_");
    match word.as_str() {
        "in_stock" | "instock" | "available" | "yes" | "true" => return Availability::InStock(None),
        "out_of_stock" | "outofstock" | "sold_out" | "unavailable" | "discontinued" | "no" | "false" => {
            return Availability::SoldOut;
        }
        "preorder" | "pre_order" => return Availability::PreOrder,
        "backorder" | "back_order" | "onbackorder" | "available_for_order" => return Availability::BackOrder,
        _ => {}
    }
    if row.is_blank(Field::Tracker) {
        return Availability::InStock(None);
    }
    let stock = row.get(Field::Stock);
    let Some(units) = stock.parse::<f64>().ok().filter(|units| units.is_finite()) else {
        return Availability::Unknown;
    };
    let is_more = ["continue", "true", "yes"].contains(&row.get(Field::Policy).to_lowercase().as_str());
    match units.round() as u32 {
        0 if is_more => Availability::BackOrder,
        units => Availability::of_stock(units),
    }
}

/// The title of rows with these: the one that all have, or else the words that all begin with.
fn title(titles: &[&str]) -> String {
    /// More words than a title that is shown can have.
    const MOST: usize = 100;
    let Some((first, rest)) = titles.split_first() else { return String::new() };
    if rest.iter().all(|title| title == first) {
        return (*first).to_owned();
    }
    let words: Vec<&str> = first.split_whitespace().take(MOST).collect();
    let common = |title: &&str| {
        words.iter().zip(title.split_whitespace()).take_while(|(own, other)| *own == other).count()
    };
    match rest.iter().map(common).min() {
        Some(count @ 1..) => {
            words[..count].join(" ").trim_end_matches([',', '-', '–', '/', '(', '|', ' ']).to_owned()
        }
        _ => (*first).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::title;

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
            assert_eq!(title(&titles), expected, "{titles:?}");
        }
    }
}
