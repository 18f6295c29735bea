//! The columns of a table: what their names mean, and what their values look like.

use std::collections::HashSet;

use super::super::amounts::{Amount, Decimal};
use super::super::for_sale::says;
use super::super::formula::unescape_formula;
use super::super::meaning::stock;
use super::super::moments::Dates;
use super::super::names::is_nothing;
use super::super::plain::has_markup;
use super::super::row::Field;
use super::super::text::cut_to;
use super::words::{Meaning, meaning};
use crate::catalogue::availability::Availability;
use crate::catalogue::gtin::Gtin;
use crate::profile::CurrencySign;

/// Longest part of a value that is looked at, in bytes.
const LONGEST: usize = 2 << 10;
/// From this average length on, in characters, texts are descriptions and no titles.
const LONG: usize = 100;
/// Longest code, in bytes.
const LONGEST_CODE: usize = 40;

/// A column of a table.
pub(super) struct Column<'a> {
    pub(super) name: &'a str,
    /// Its values in the first rows, without blank ones.
    pub(super) values: Vec<&'a str>,
    pub(super) meaning: Option<Meaning>,
    pub(super) kind: Kind,
    /// Whether nearly every row has a value that no other row has.
    pub(super) is_unique: bool,
}

/// What values look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Pictures,
    Addresses,
    Barcodes,
    /// Amounts with a fraction, or beside a sign of a currency.
    Amounts,
    /// Long texts, or HTML.
    LongTexts,
    /// A number or code in each row that no other row has.
    Codes,
    /// Short texts, each in several rows.
    Groups,
    /// Other short texts.
    Texts,
    Other,
}

impl<'a> Column<'a> {
    /// The column with this name and these cells.
    pub(super) fn new(name: &'a str, cells: impl Iterator<Item = &'a str>) -> Self {
        let mut rows = 0;
        let cells = cells.inspect(|_| rows += 1).map(|cell| cut_to(unescape_formula(cell).trim(), LONGEST));
        let values: Vec<&str> = cells.filter(|value| !is_nothing(value)).collect();
        let distinct = values.iter().collect::<HashSet<_>>().len();
        let is_unique = 20 * distinct >= 19 * rows;
        let kind = Kind::of(&values, distinct, is_unique);
        let meaning = meaning(name).map(|meaning| match (meaning.field, kind) {
            (Some(Field::Link), Kind::Pictures) => Meaning { field: Some(Field::Images), ..meaning },
            // A column `Article` with numbers of articles.
            (Some(Field::Title), Kind::Codes) if meaning.is_thing => {
                Meaning { field: Some(Field::Key), ..meaning }
            }
            _ => meaning,
        });
        Self { name, values, meaning, kind, is_unique }
    }

    /// Whether its values are of such a kind that it may say this of products. Without values it is as its name says.
    pub(super) fn fits(&self, field: Field) -> bool {
        let share = |parts: usize, of: usize| {
            let count = self.values.iter().filter(|value| says_it(field, value)).count();
            of * count >= parts * self.values.len()
        };
        match field {
            Field::Key => self.is_unique,
            _ if self.values.is_empty() => !matches!(field, Field::OptionValue1 | Field::OptionValue2),
            Field::Currency | Field::Availability => share(1, 1),
            // Some rows may say that there is no price, or no stock, in words.
            Field::Price | Field::ListPrice | Field::SalePrice | Field::Stock => share(1, 2),
            // Where no word says it, the column counts for nothing.
            Field::Status | Field::Visibility | Field::Published | Field::Active | Field::Withdrawn => {
                self.values.iter().any(|value| says_it(field, value))
            }
            // Values need the name of their option in another column.
            Field::OptionValue1 | Field::OptionValue2 => false,
            _ => share(9, 10),
        }
    }

    /// The first value that does not say what the field does, where most of them do.
    pub(super) fn odd(&self, field: Field) -> Option<&'a str> {
        let has_odd = matches!(field, Field::Price | Field::Stock | Field::Status | Field::Visibility)
            || matches!(field, Field::Published | Field::Active | Field::Withdrawn);
        self.values.iter().copied().find(|value| has_odd && !says_it(field, value))
    }

    /// Whether more than half of its values have a sign or code of a currency.
    pub(super) fn has_currencies(&self) -> bool {
        let has = |value: &&&str| !matches!(read(value).sign, CurrencySign::Missing | CurrencySign::Unknown);
        2 * self.values.iter().filter(has).count() > self.values.len()
    }

    /// Whether at least half of its values look like dates.
    pub(super) fn has_dates(&self) -> bool {
        let count = self.values.iter().filter(|value| is_date(value)).count();
        count > 0 && 2 * count >= self.values.len()
    }

    /// The average length of its values, in characters.
    pub(super) fn length(&self) -> usize {
        average(&self.values)
    }

    /// Whether its own name is such a value, as it is where the first row is one of a product.
    pub(super) fn is_named_by_value(&self) -> bool {
        use Kind::{Addresses, Amounts, Barcodes, Pictures};
        let is_clear = matches!(self.kind, Addresses | Amounts | Barcodes | Pictures);
        is_clear && Kind::of(&[self.name], 1, true) == self.kind
    }
}

impl Kind {
    fn of(values: &[&str], distinct: usize, is_unique: bool) -> Self {
        let most = |is: fn(&str) -> bool| most(values, is);
        if most(is_picture) {
            Self::Pictures
        } else if most(is_address) {
            Self::Addresses
        } else if most(|value| Gtin::parse(value).is_some()) && (values.len() > 2 || average(values) > 8) {
            Self::Barcodes
        } else if most(is_plain_amount) && values.iter().any(|value| is_price(value)) {
            Self::Amounts
        } else if average(values) >= LONG
            || 3 * values.iter().filter(|value| is_html(value)).count() > values.len()
        {
            Self::LongTexts
        } else if is_unique && most(is_code) {
            Self::Codes
        } else if !most(has_letter) {
            Self::Other
        } else if values.len() > 3 && 2 * distinct <= values.len() {
            Self::Groups
        } else {
            Self::Texts
        }
    }
}

/// Whether a value says this of a product.
fn says_it(field: Field, value: &str) -> bool {
    match field {
        Field::Title | Field::Category | Field::Brand => has_letter(value),
        Field::Price | Field::ListPrice | Field::SalePrice => is_amount(value),
        Field::SaleStarts | Field::SaleEnds => Dates::read(value, "").is_some(),
        Field::Currency => CurrencySign::of(value).currency().is_some(),
        // Without a number it says whether there is a stock, or something else.
        Field::Stock => has_digit(value) && stock(value).is_some(),
        Field::Availability => Availability::named(value, None).is_some(),
        Field::Images => value.contains(['.', '/']),
        Field::Gtin => value.bytes().all(|byte| byte.is_ascii_digit()),
        Field::Link => is_address(value),
        Field::Weight => is_amount(value) && has_letter(value),
        Field::Kilograms | Field::Grams => value.replace(',', ".").parse::<f64>().is_ok(),
        Field::Status | Field::Visibility | Field::Published | Field::Active | Field::Withdrawn => {
            says(value).is_some()
        }
        _ => true,
    }
}

/// Whether this is true of at least nine of ten values.
fn most(values: &[&str], is: fn(&str) -> bool) -> bool {
    let count = values.iter().filter(|value| is(value)).count();
    !values.is_empty() && 10 * count >= 9 * values.len()
}

fn average(values: &[&str]) -> usize {
    let length: usize = values.iter().map(|value| value.chars().count()).sum();
    length.checked_div(values.len()).unwrap_or_default()
}

fn has_letter(value: &str) -> bool {
    value.contains(char::is_alphabetic)
}

fn has_digit(value: &str) -> bool {
    value.contains(|sign: char| sign.is_ascii_digit())
}

fn is_html(value: &str) -> bool {
    value.contains('<') && has_markup(value)
}

fn is_address(value: &str) -> bool {
    value.starts_with("https://") || value.starts_with("http://")
}

/// Whether a value ends as the address or name of a picture does.
fn is_picture(value: &str) -> bool {
    let path = if is_address(value) { value.split(['?', '#']).next().unwrap_or_default() } else { value };
    let extension = path.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    let extensions = ["jpg", "jpeg", "png", "webp", "gif", "avif"];
    extension.is_some_and(|extension| extensions.contains(&&*extension))
}

/// An amount. Where a backslash is shown as the sign of the yen, it stands for it.
fn read(value: &str) -> Amount {
    match value.strip_prefix('\\') {
        Some(yen) => Amount::read(&format!("\u{a5}{yen}")),
        None => Amount::read(value),
    }
}

/// Whether it begins with three numbers with signs of dates between them: `1.3.2026`, `2026-03-01T10:00`.
fn is_date(value: &str) -> bool {
    let date = value.split(|sign: char| sign.is_whitespace() || sign == 'T').next().unwrap_or_default();
    let parts: Vec<&str> = date.trim_end_matches('日').split(['.', '-', '/', '年', '月']).collect();
    let is_number =
        |part: &&str| (1..=4).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    parts.len() == 3 && parts.iter().all(is_number)
}

fn is_amount(value: &str) -> bool {
    let amount = read(value);
    amount.is_free || [Decimal::Point, Decimal::Comma].iter().any(|decimal| amount.value(*decimal).is_some())
}

/// Whether it is an amount with nothing beside it but a currency: `12.50`, and not `12.50 m`.
fn is_plain_amount(value: &str) -> bool {
    is_amount(value) && !matches!(read(value).sign, CurrencySign::Unknown | CurrencySign::Other)
}

/// Whether an amount has a fraction, or a currency beside it.
fn is_price(value: &str) -> bool {
    value.contains(['.', ',']) || read(value).sign != CurrencySign::Missing
}

fn is_code(value: &str) -> bool {
    has_digit(value) && !value.contains(char::is_whitespace) && value.len() <= LONGEST_CODE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_show_what_they_are() {
        for (values, kind) in [
            (vec!["https://a.example/1.webp", "https://a.example/2.JPG?v=3"], Kind::Pictures),
            (vec!["cup.png", "bowl.jpeg"], Kind::Pictures),
            (vec!["https://a.example/cup", "http://a.example/bowl"], Kind::Addresses),
            (vec!["4006381333931", "96385074"], Kind::Barcodes),
            (vec!["12,50", "7"], Kind::Amounts),
            (vec!["12 \u{20ac}", "7 \u{20ac}"], Kind::Amounts),
            (vec!["\u{a5}1,200", "\\800", "\u{ffe5}90"], Kind::Amounts),
            (vec!["12.50 m", "7.25 m"], Kind::Texts),
            (vec!["<p>Cup</p>", "<p>Bowl</p>"], Kind::LongTexts),
            (vec!["A-1", "A-2"], Kind::Codes),
            (vec!["1", "2"], Kind::Codes),
            (vec!["1", "1", "1"], Kind::Other),
            (vec!["Cups", "Cups", "Bowls", "Bowls"], Kind::Groups),
            (vec!["Red cup", "Bowl"], Kind::Texts),
            (vec!["", "-"], Kind::Other),
            (vec![], Kind::Other),
        ] {
            assert_eq!(Column::new("x", values.iter().copied()).kind, kind, "{values:?}");
        }
    }

    #[test]
    fn values_fit_to_what_a_name_says_or_not() {
        for (field, fitting, other) in [
            (Field::Key, ["1", "2"], ["1", "1"]),
            (Field::Title, ["Cup", "Bowl"], ["1", "2"]),
            (Field::Price, ["5 netto", "free"], ["yes", "no"]),
            (Field::Currency, ["EUR", "\u{20ac}"], ["EUR", "net"]),
            (Field::Price, ["12,90 \u{20ac}", "\\500"], ["auf Anfrage", "sold"]),
            (Field::Stock, ["5", "0.0"], ["yes", "no"]),
            (Field::Stock, ["5", "brak"], ["few", "many"]),
            (Field::Stock, ["10+", "agotado"], ["ne", "brak"]),
            (Field::SaleEnds, ["2026-12-01", "2026-12-01T10:00Z"], ["soon", "never"]),
            (Field::Availability, ["in stock", "sold out"], ["ja", "nein"]),
            (Field::Images, ["a/cup", "bowl.webp"], ["1", "2"]),
            (Field::Status, ["aktiv", "Entwurf"], ["alt", "neu"]),
            (Field::Published, ["s\u{ed}", "new"], ["x", "new"]),
            (Field::Visibility, ["Catalog, Search", "hidden"], ["all", "few"]),
        ] {
            let fits = |values: [&'static str; 2]| Column::new("x", values.into_iter()).fits(field);
            assert!(fits(fitting) && !fits(other), "{field:?}");
        }
    }

    #[test]
    fn values_have_currencies_or_are_dates() {
        for (values, has_currencies, has_dates) in [
            (["1,5 \u{20ac}", "2 EUR", "3"], true, false),
            (["\\500", "\u{a5}1,200", "on request"], true, false),
            (["1,5", "2 \u{20ac}", "net 3"], false, false),
            (["01.03.2026", "2026-03-01T10:00Z", "ever"], false, true),
            (["3/1/26 10:00", "2026\u{5e74}3\u{6708}1\u{65e5}", ""], false, true),
            (["1.299", "96-38", "soon"], false, false),
        ] {
            let column = Column::new("x", values.into_iter());
            assert_eq!(
                (column.has_currencies(), column.has_dates()),
                (has_currencies, has_dates),
                "{values:?}"
            );
        }
    }
}
