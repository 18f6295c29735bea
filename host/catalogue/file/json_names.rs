//! Products of JSON whose fields have other names, or are written otherwise, than those of a catalogue service: they are
//! rewritten as a service would send them.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::amounts::{Amount, Votes, beside};
use super::dialects::of_any_form;
use super::for_sale::{COLUMNS, ForSale, SaleColumns, says, says_no};
use super::json_variants as variants;
use super::meaning::{list, pictures, stock, weight};
use super::moments::added;
use super::names::is_nothing;
use super::plain::plain;
use super::report::{Reason, Unused, short};
use super::row::Field;
use crate::catalogue::availability::Availability;
use crate::catalogue::service::wire;
use crate::profile::{Currency, CurrencySign};

/// What is known of the names in a file.
pub(super) struct JsonNames<'a> {
    /// The names that the operator has given to fields.
    own: &'a [(String, Field)],
    pub(super) sale: SaleColumns,
    /// The names of the fields that say whether a product is for sale.
    pub(super) sale_names: [String; COLUMNS.len()],
    /// The names of fields that say nothing.
    pub(super) unused: Unused,
}

/// A product as a service would send it.
pub(super) struct Renamed {
    pub(super) text: String,
    pub(super) for_sale: ForSale,
    /// Whether its category may be a path, because the field has the name of another form.
    pub(super) has_path: bool,
    /// Whether words about its stock are not understood.
    pub(super) has_unclear_stock: bool,
}

impl<'a> JsonNames<'a> {
    pub(super) fn new(own: &'a [(String, Field)]) -> Self {
        Self { own, sale: SaleColumns::with(own), sale_names: Default::default(), unused: Unused::default() }
    }

    /// Whether the operator has named fields, so that no product has the names of a service.
    pub(super) fn has_own(&self) -> bool {
        !self.own.is_empty()
    }

    /// Rewrites a product.
    ///
    /// # Errors
    /// When it is no object, or its price is none.
    pub(super) fn rename(&mut self, raw: &str) -> Result<Renamed, Reason> {
        let written: Map<String, Value> = serde_json::from_str(raw).map_err(|_| Reason::Unreadable)?;
        let mut product = Product::default();
        let mut words: [String; COLUMNS.len()] = Default::default();
        // A field with the name that a service gives it counts more than another name for the same.
        let [of_service, other]: [Vec<_>; 2] =
            [true, false].map(|own| written.iter().filter(|(name, _)| wire::is_field(name) == own).collect());
        for (name, value) in of_service.into_iter().chain(other) {
            let field = self.field(name);
            product.is_foreign |= !wire::is_field(name) && (field.is_some() || name == "offers");
            match (field, name.as_str()) {
                (_, "variants" | "options") if value.is_array() => {
                    if !product.variants(name, value, written.get("options")) {
                        self.unused.add(name);
                    }
                }
                (Some(field), _) => match COLUMNS.iter().position(|column| *column == field) {
                    Some(place) => {
                        if self.sale_names[place].is_empty() {
                            short(name).clone_into(&mut self.sale_names[place]);
                        }
                        let word = text(value).unwrap_or_default();
                        if words[place].is_empty() || says_no(field, &word) {
                            words[place] = word;
                        }
                    }
                    None => product.set(field, name, value),
                },
                (None, "offers") => product.offer(value),
                (None, name) if wire::is_field(name) => {
                    product.fields.insert(name.to_owned(), value.clone());
                }
                (None, name) => self.unused.add(name),
            }
        }
        let for_sale = self.sale.read_words(words.each_ref().map(String::as_str));
        product.finish();
        let Product { fields, has_path, has_unclear_price, has_unclear_stock, .. } = product;
        if has_unclear_price && for_sale != ForSale::No && !fields.contains_key("price") {
            return Err(Reason::UnclearPrice);
        }
        let says_stock = ["availability", "stock"].iter().any(|name| fields.contains_key(*name));
        let has_unclear_stock = has_unclear_stock && !says_stock;
        Ok(Renamed { text: Value::Object(fields).to_string(), for_sale, has_path, has_unclear_stock })
    }

    /// What a field says that is read otherwise than as a service sends it.
    fn field(&self, name: &str) -> Option<Field> {
        let normal = normal(name);
        if let Some((_, field)) = self.own.iter().find(|(own, _)| *own == normal) {
            return Some(*field);
        }
        match normal.as_str() {
            "url" | "product url" => Some(Field::Link),
            "in stock" | "is in stock" | "available" | "stock status" => Some(Field::Availability),
            "stock quantity" => Some(Field::Stock),
            "image" | "image url" | "picture" | "pictures" | "photo" | "photos" => Some(Field::Images),
            "product type" => Some(Field::Category),
            "body html" => Some(Field::Description),
            "price currency" | "currency code" => Some(Field::Currency),
            "barcode" | "ean" | "upc" => Some(Field::Gtin),
            other => of_any_form(other),
        }
    }
}

/// The id of a product as it is written, if it has one. `own` has the names that the operator has given to fields.
pub(super) fn id(product: &[u8], own: &[(String, Field)]) -> Option<String> {
    let written: Map<String, Value> = serde_json::from_slice(product).ok()?;
    let is_key = |name: &str| own.iter().any(|(known, field)| *field == Field::Key && *known == normal(name));
    let named = written.iter().find(|(name, _)| is_key(name)).map(|(_, id)| id);
    let handle = || written.get("handle").filter(|_| written.contains_key("variants"));
    named.or_else(handle).or_else(|| written.get("id")).and_then(text)
}

/// A name such as `imageLink` as the names of columns are: `image link`.
fn normal(name: &str) -> String {
    let mut normal = String::with_capacity(name.len() + 4);
    let mut was_lower = false;
    for letter in name.trim().chars() {
        if letter.is_uppercase() && was_lower {
            normal.push(' ');
        }
        was_lower = letter.is_lowercase();
        match letter {
            '_' | '-' => normal.push(' '),
            letter => normal.extend(letter.to_lowercase()),
        }
    }
    normal
}

/// A product that is rewritten.
#[derive(Default)]
struct Product {
    fields: Map<String, Value>,
    /// Whether it has names of another form.
    is_foreign: bool,
    /// Categories, the most exact kind first, each with whether it may be a path.
    categories: [Option<(String, bool)>; 3],
    has_path: bool,
    /// A word of the stock, which counts where nothing else says whether it can be had.
    stock_word: Option<&'static str>,
    has_unclear_stock: bool,
    has_unclear_price: bool,
    /// Whether its variants are written as Shopify writes them.
    has_shopify_variants: bool,
    images: Vec<String>,
    /// The price of a sale without dates.
    sale_price: Option<Value>,
    /// Whether the sale does not count, or has dates. They are not followed, so that the sale is left out.
    has_dates: bool,
    /// What stands beside its amounts.
    signs: Vec<(CurrencySign, String)>,
}

impl Product {
    /// Sets a field with this name in the file, unless an earlier one has said the same.
    fn set(&mut self, field: Field, written: &str, value: &Value) {
        let name = match field {
            Field::Key => return self.insert("id", value.clone()),
            Field::Title => "title",
            Field::Description | Field::OtherDescription => "description",
            Field::Category | Field::OtherCategory | Field::Categories => {
                return self.categorize(field, !wire::is_field(written), value);
            }
            Field::Brand => "brand",
            Field::Sku => "sku",
            Field::Mpn => "mpn",
            Field::Link => "link",
            Field::LowestPrice => return self.amount("lowestPrice", value),
            Field::MinimumAge => return self.minimum_age(value),
            Field::Currency => "currency",
            Field::Availability => return self.availability(value),
            Field::Price => {
                let plain = self.plain(value);
                let is_given = match value {
                    Value::String(text) => text.contains(|sign: char| sign.is_ascii_digit()),
                    value => value.is_object() || value.is_array(),
                };
                self.has_unclear_price |= is_given && plain.is_none();
                return plain.into_iter().for_each(|plain| self.insert("price", plain));
            }
            Field::ListPrice => return self.amount("listPrice", value),
            Field::SalePrice => {
                self.sale_price = self.plain(value);
                return;
            }
            Field::SaleStarts | Field::SaleEnds | Field::SaleDates => {
                self.has_dates |= text(value).is_some();
                return;
            }
            Field::OnSale => {
                self.has_dates |= text(value).and_then(|word| says(&word)) != Some(true);
                return;
            }
            Field::Stock => return self.stock(value),
            Field::Kilograms => return self.weight(value, "kg"),
            Field::Grams => return self.weight(value, "g"),
            Field::Weight | Field::ShippingWeight => return self.weight(value, ""),
            Field::Gtin => {
                return text(value).into_iter().for_each(|barcode| self.add_meta("barcode", barcode));
            }
            Field::Added => {
                let added = text(value).and_then(|text| added(&text));
                let moment = added.and_then(|seconds| jiff::Timestamp::from_second(seconds).ok());
                return moment.into_iter().for_each(|moment| self.add_meta("createdAt", moment.to_string()));
            }
            Field::Tags => return self.tags(value),
            Field::Images | Field::MoreImages | Field::VariantImage => return self.images(value),
            other => match name_of_term(other) {
                Some(name) => name,
                None => return,
            },
        };
        if let Some(text) = text(value).filter(|text| !text.trim().is_empty()) {
            self.insert(name, text.into());
        }
    }

    /// Keeps a category. `has_path` says whether it may be a path.
    fn categorize(&mut self, field: Field, has_path: bool, value: &Value) {
        let (rank, name) = match (field, value) {
            (Field::Category, _) => (0, text(value)),
            (Field::Categories, Value::String(all)) => (1, list(all).next()),
            (Field::Categories, _) => (1, text(value)),
            // Google's own categories may be numbers, which are no names.
            _ => (2, text(value).filter(|name| name.trim().parse::<u64>().is_err())),
        };
        let name = name.filter(|name| !name.trim().is_empty()).map(|name| (name, has_path));
        if let Some(known) = self.categories.get_mut(rank)
            && known.is_none()
        {
            *known = name;
        }
    }

    /// Sets whether it can be had, in a word that is understood.
    fn availability(&mut self, value: &Value) {
        let word = match value {
            Value::Bool(true) => Some("in stock".into()),
            Value::Bool(false) => Some("out of stock".into()),
            value => text(value),
        };
        let Some(word) = word.filter(|word| !is_nothing(word)) else { return };
        match Availability::named(&word, None) {
            Some(_) => self.insert("availability", word.into()),
            None => self.has_unclear_stock = true,
        }
    }

    fn tags(&mut self, value: &Value) {
        let tags: Vec<Value> = match value {
            Value::String(list) => list.split(',').map(|tag| tag.trim().into()).collect(),
            Value::Array(list) => list.clone(),
            _ => Vec::new(),
        };
        self.insert("tags", tags.into());
    }

    /// Takes one of the lists `variants` and `options`, of which `options` has the names of Shopify's. Returns whether it is
    /// read.
    fn variants(&mut self, name: &str, value: &Value, options: Option<&Value>) -> bool {
        if name == "options" {
            return self.has_shopify_variants;
        }
        let list = value.as_array().map(Vec::as_slice).unwrap_or_default();
        let Some(mut variants) = variants::of_shopify(list, options) else {
            self.fields.insert(name.to_owned(), value.clone());
            return list.iter().all(|variant| variant.get("options").is_some());
        };
        self.has_shopify_variants = true;
        match &mut *variants {
            // A product without options has one variant.
            [only] if variants::is_without_options(only) => {
                for (name, value) in std::mem::take(only).into_iter().filter(|(name, _)| wire::is_field(name))
                {
                    self.fields.entry(name).or_insert(value);
                }
            }
            _ => {
                let variants = variants.into_iter().map(Value::Object).collect();
                self.fields.insert(name.to_owned(), Value::Array(variants));
            }
        }
        true
    }

    /// Sets what a service sends in `meta`.
    fn add_meta(&mut self, name: &str, value: String) {
        let meta = self.fields.entry("meta").or_insert_with(|| Value::Object(Map::new()));
        if let Value::Object(meta) = meta {
            meta.entry(name).or_insert_with(|| value.into());
        }
    }

    fn insert(&mut self, name: &str, value: Value) {
        self.fields.entry(name).or_insert(value);
    }

    fn minimum_age(&mut self, value: &Value) {
        if let Some(age) = text(value).and_then(|age| age.trim().parse::<u8>().ok()) {
            self.insert("minimumAge", age.into());
        }
    }

    /// Sets a stock, which may be a text with a number or a word.
    fn stock(&mut self, value: &Value) {
        let Some(words) = said_in_words(value) else {
            if !value.is_null() {
                self.insert("stock", value.clone());
            }
            return;
        };
        match stock(words) {
            None => self.has_unclear_stock |= !is_nothing(words),
            Some(said) => match said.units() {
                Some(units) => self.insert("stock", units.into()),
                None => self.stock_word = self.stock_word.or(said.word()),
            },
        }
    }

    /// Sets a weight, which may be a text with its unit; `unit` is that of a number alone.
    fn weight(&mut self, value: &Value, unit: &str) {
        if let Some(kilograms) = text(value).and_then(|text| weight(text.trim(), unit)) {
            self.insert("weight", kilograms.into());
        }
    }

    /// Sets an amount, which may be a text with the sign of a currency.
    fn amount(&mut self, name: &str, value: &Value) {
        if let Some(plain) = self.plain(value) {
            self.insert(name, plain);
        }
    }

    /// An amount as a service writes it. What stands beside it is kept.
    fn plain(&mut self, value: &Value) -> Option<Value> {
        let written = match value {
            Value::String(written) => written,
            Value::Number(_) => return Some(value.clone()),
            Value::Object(amount) => return self.plain_of(amount),
            _ => return None,
        };
        let amount = Amount::read(written);
        if amount.sign != CurrencySign::Missing {
            self.signs.push((amount.sign, beside(written)));
        }
        // A decimal of a program has a point.
        if amount.is_free || written.trim().parse::<f64>().is_ok() {
            return Some(written.trim().into());
        }
        let mut votes = Votes::default();
        votes.count(Amount::read(written));
        let decimal = votes.written(None, Currency::default()).decimal;
        amount.value(decimal).map(Value::from)
    }

    /// The amount of an object that also has its currency.
    fn plain_of(&mut self, amount: &Map<String, Value>) -> Option<Value> {
        let field = |names: &[&str]| names.iter().find_map(|name| amount.get(*name));
        let value = field(&["value", "amount"]).filter(|value| value.is_string() || value.is_number())?;
        let plain = self.plain(value)?;
        if let Some(code) = field(&["currency", "currencyCode", "currency_code"]).and_then(Value::as_str) {
            self.signs.push((CurrencySign::of(code), code.chars().take(20).collect()));
        }
        Some(plain)
    }

    fn images(&mut self, value: &Value) {
        match value {
            Value::String(list) => self.images.extend(pictures(list).map(str::to_owned)),
            Value::Array(list) => list.iter().for_each(|picture| match picture {
                Value::String(address) => self.images.push(address.clone()),
                picture => self.images.extend(address_of(picture)),
            }),
            value => self.images.extend(address_of(value)),
        }
    }

    /// Takes an offer as schema.org has it, of several the first.
    fn offer(&mut self, value: &Value) {
        let first = value.as_array().map_or(Some(value), |offers| offers.first());
        let Some(Value::Object(offer)) = first else { return };
        for (name, field) in [
            ("price", Field::Price),
            ("lowPrice", Field::Price),
            ("priceCurrency", Field::Currency),
            ("availability", Field::Availability),
            ("url", Field::Link),
        ] {
            if let Some(value) = offer.get(name) {
                self.set(field, name, value);
            }
        }
    }

    /// Decides what depends on several fields.
    fn finish(&mut self) {
        if let Some((name, has_path)) = self.categories.iter_mut().find_map(Option::take) {
            self.has_path = has_path;
            self.insert("category", name.into());
        }
        if let Some(word) = self.stock_word {
            self.insert("availability", word.into());
        }
        if let Some(Value::String(description)) =
            self.fields.get_mut("description").filter(|_| self.is_foreign)
        {
            *description = plain(description);
        }
        if !self.fields.contains_key("price")
            && let Some(price) = self.first_price()
        {
            self.amount("price", &price);
        }
        let number = |value: &Value| value.as_f64().or_else(|| value.as_str()?.parse().ok());
        if let Some(sale) = self.sale_price.take().filter(|_| !self.has_dates)
            && let Some(of_sale) = number(&sale).filter(|amount| *amount > 0.0)
        {
            let regular = self.fields.get("price").cloned();
            if regular.as_ref().and_then(number).is_none_or(|regular| of_sale < regular) {
                regular.into_iter().for_each(|regular| self.insert("listPrice", regular));
                self.fields.insert("price".into(), sale);
            }
        }
        self.name_currency();
        let mut seen = HashSet::new();
        self.images.retain(|image| seen.insert(image.clone()));
        if let Some(first) = self.images.first().cloned() {
            self.insert("thumbnail", first.into());
            self.fields.insert("images".into(), std::mem::take(&mut self.images).into());
        }
    }

    /// Names the currency as the amounts do, if no field does. A product whose amounts contradict each other, or the field, has
    /// no price.
    fn name_currency(&mut self) {
        let Some((first, written)) = self.signs.first().cloned() else { return };
        let named = self.fields.get("currency").and_then(Value::as_str).map(CurrencySign::of);
        let known = named.unwrap_or(first).currency();
        if known.is_some_and(|known| self.signs.iter().any(|(sign, _)| !sign.may_be(known))) {
            self.fields.remove("price");
        }
        let code = known.map_or(written, |known| known.code().to_owned());
        self.insert("currency", code.into());
    }

    /// The price of the first variant that has one.
    fn first_price(&self) -> Option<Value> {
        let variants = self.fields.get("variants")?.as_array()?;
        variants.iter().find_map(|variant| variant.get("price").filter(|price| !price.is_null()).cloned())
    }
}

/// What a service calls a text that stands beside the price.
fn name_of_term(field: Field) -> Option<&'static str> {
    Some(match field {
        Field::Condition => "condition",
        Field::UnitMeasure => "unitPricingMeasure",
        Field::UnitBase => "unitPricingBaseMeasure",
        Field::EnergyClass => "energyEfficiencyClass",
        Field::EnergyBest => "minEnergyEfficiencyClass",
        Field::EnergyWorst => "maxEnergyEfficiencyClass",
        Field::DeliveryTime => "shippingInformation",
        _ => return None,
    })
}

/// A text that is no decimal of a program.
fn said_in_words(value: &Value) -> Option<&str> {
    value.as_str().map(str::trim).filter(|text| text.parse::<f64>().is_err())
}

/// The address in an object that describes a picture.
pub(super) fn address_of(picture: &Value) -> Option<String> {
    ["src", "url", "contentUrl"].iter().find_map(|name| picture.get(name)?.as_str()).map(str::to_owned)
}

/// A text: of a list its first one, of an object its name.
pub(super) fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(is) => Some(is.to_string()),
        Value::Array(list) => text(list.first()?),
        Value::Object(object) => text(object.get("name")?),
        Value::Null => None,
    }
}
