//! What single fields of a row mean, as shops write them.

use std::iter;

use super::amounts::{Amount, Decimal, Votes, Written, beside};
use super::for_sale::says;
use super::moments::Dates;
use super::names::is_nothing;
use super::row::{Field, Row};
use crate::catalogue::availability::Availability;
use crate::profile::Currency;

/// The dates of a sale; `None` if they cannot be read.
pub(super) fn sale_dates(row: &Row) -> Option<Dates> {
    match row.get(Field::SaleDates).split_once('/') {
        Some((begin, end)) => Dates::read(begin, end),
        None if row.get(Field::SaleDates).is_empty() => {
            // MySQL writes zeros where there is no date.
            let is_none = |date: &str| is_nothing(date) || date.starts_with("0000-00-00");
            let given = |field| Some(row.get(field)).filter(|date| !is_none(date)).unwrap_or_default();
            Dates::read(given(Field::SaleStarts), given(Field::SaleEnds))
        }
        None => None,
    }
}

/// The addresses and names of pictures in a text, with bars, commas, semicolons or white space between them. Addresses may
/// have commas and semicolons, and names of files spaces.
pub(super) fn pictures(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    iter::from_fn(move || {
        loop {
            if rest.is_empty() {
                return None;
            }
            let may_separate = |sign: char| matches!(sign, '|' | ',' | ';') || sign.is_whitespace();
            let end = rest.char_indices().find(|&(at, sign)| {
                may_separate(sign) && separates(sign, &rest[..at], &rest[at + sign.len_utf8()..])
            });
            let (picture, after) = match end {
                Some((at, sign)) => (&rest[..at], &rest[at + sign.len_utf8()..]),
                None => (rest, ""),
            };
            rest = after;
            let picture = picture.trim().trim_end_matches([',', ';']).trim_end();
            if !picture.is_empty() {
                return Some(picture);
            }
        }
    })
}

/// Whether a sign between these texts, which is white space, a bar, a comma or a semicolon, stands between two pictures.
fn separates(sign: char, before: &str, after: &str) -> bool {
    const EXTENSIONS: [&str; 6] = [".jpg", ".jpeg", ".png", ".webp", ".gif", ".avif"];
    let begins = || after.starts_with("http") || after.starts_with('/');
    match sign {
        '|' | '\n' | '\r' => true,
        ',' | ';' => {
            let ends = || {
                // Extensions are ASCII.
                let ends_with = |extension: &&str| {
                    before.len() > extension.len()
                        && before.as_bytes()[before.len() - extension.len()..]
                            .eq_ignore_ascii_case(extension.as_bytes())
                };
                EXTENSIONS.iter().any(ends_with)
            };
            after.is_empty() || after.starts_with(char::is_whitespace) || begins() || ends()
        }
        _ => begins(),
    }
}

/// The values of a list. A comma in a value has a backslash before it, which WooCommerce writes.
pub(super) fn list(text: &str) -> impl Iterator<Item = String> {
    let mut rest = Some(text);
    iter::from_fn(move || {
        let text = rest?;
        let end = text.match_indices(',').map(|(at, _)| at).find(|&at| !text[..at].ends_with('\\'));
        rest = end.map(|at| &text[at + 1..]);
        Some(text[..end.unwrap_or(text.len())].trim().replace("\\,", ","))
    })
}

/// Whether a tag is for the shop's own programs, such as `_new`, `filter:red`, `size=m` or `Color::Red`, and not for shoppers.
pub(crate) fn is_of_a_program(tag: &str) -> bool {
    let is_joined = |sign: char| {
        tag.split_once(sign).is_some_and(|(before, after)| {
            let is_of_key = |byte: u8| byte.is_ascii_lowercase() || matches!(byte, b'_' | b'-');
            // Names such as `Re:Zero` have a capital letter, or are shorter.
            let is_key = before.len() >= 3 && before.bytes().all(is_of_key);
            is_key && after.starts_with(|first: char| !first.is_whitespace())
        })
    };
    let has_two_colons = || tag.as_bytes().windows(2).any(|two| two == b"::");
    tag.starts_with('_') || is_joined(':') || is_joined('=') || has_two_colons()
}

/// The weight of a product, in kilograms.
pub(super) fn kilograms(row: &Row) -> Option<f64> {
    let written = |field, unit| weight(row.get(field), unit);
    written(Field::Kilograms, "kg")
        .or_else(|| written(Field::Grams, "g"))
        .or_else(|| written(Field::Weight, ""))
        .or_else(|| written(Field::ShippingWeight, ""))
}

/// A weight above zero such as `1,5 kg`, in kilograms. A number alone has this `unit`.
pub(super) fn weight(text: &str, unit: &str) -> Option<f64> {
    // Three digits are a fraction of large units only: `1.250 g` is more than a kilogram.
    let amount = |has_thousandths| text.parse().ok().or_else(|| number(text, has_thousandths));
    let beside = beside(text).trim_end_matches(['.', ':']).to_lowercase();
    let unit = if beside.is_empty() { unit } else { &*beside };
    let kilograms = match unit {
        "kg" | "kgs" | "kilo" | "kilos" | "kilogram" | "kilograms" | "kilogramm" | "kilogrammes" => {
            amount(true)?
        }
        "g" | "gr" | "grs" | "gm" | "gms" | "gram" | "grams" | "gramm" | "grammes" => {
            amount(false)? / 1_000.0
        }
        "mg" | "milligram" | "milligrams" | "milligramm" => amount(false)? / 1_000_000.0,
        "lb" | "lbs" | "pound" | "pounds" => amount(true)? * 0.453_592_37,
        "oz" | "ounce" | "ounces" => amount(true)? * 0.028_349_523_125,
        _ => return None,
    };
    Some(kilograms).filter(|kilograms| kilograms.is_finite() && *kilograms > 0.0)
}

/// The number in a text, as its own separators show it. Three digits after a single one are a fraction if it
/// `has_thousandths`, and otherwise a group of a whole number.
fn number(text: &str, has_thousandths: bool) -> Option<f64> {
    if text.is_empty() {
        return None;
    }
    let amount = Amount::read(text);
    let mut votes = Votes::default();
    votes.count(amount);
    let Written { decimal, is_guessed, .. } = votes.written(None, Currency::default());
    let decimal = match decimal {
        Decimal::Comma if is_guessed && has_thousandths => Decimal::Point,
        Decimal::Point if is_guessed && has_thousandths => Decimal::Comma,
        decimal => decimal,
    };
    amount.value(decimal)
}

/// Whether a spreadsheet has rounded a barcode, such as `4.00638E+12`.
pub(super) fn is_rounded(barcode: &str) -> bool {
    let has_exponent = |sign| barcode.to_ascii_uppercase().contains(sign);
    barcode.starts_with(|first: char| first.is_ascii_digit()) && has_exponent("E+")
}

/// What a stock such as `12`, `1.200 pcs`, `> 10` or `sold out` says; `None` if it is neither a number nor a known word.
pub(super) fn stock(text: &str) -> Option<Availability> {
    if let Ok(units) = text.parse() {
        return Some(Availability::of_stock(units));
    }
    if is_nothing(text) {
        return None;
    }
    let written = text.trim_start_matches(['-', '−']);
    let units = number(written, false).or_else(|| written.parse().ok());
    match units.filter(|units| units.is_finite() && has_units(written)) {
        Some(_) if written.len() < text.len() => Some(Availability::SoldOut),
        Some(0.0) if written.starts_with('>') => Some(Availability::InStock(None)),
        Some(units) => Some(Availability::of_stock(units.round() as u32)),
        None => Availability::named(text, None).or_else(|| match says(text)? {
            true => Some(Availability::InStock(None)),
            false => Some(Availability::SoldOut),
        }),
    }
}

/// Whether the number in a text counts units. Others may be days until the delivery.
fn has_units(text: &str) -> bool {
    let is_digit = |sign: char| sign.is_ascii_digit();
    let (Some(first), Some(last)) = (text.find(is_digit), text.rfind(is_digit)) else { return false };
    is_of_units(&text[..first]) && is_of_units(&text[last + 1..])
}

/// Whether what stands on one side of a number says that it counts units, or nothing of what it counts.
fn is_of_units(beside: &str) -> bool {
    const UNITS: [&str; 28] = [
        "", "pc", "pcs", "piece", "pieces", "unit", "units", "item", "items", "ea", "each", "left", "over",
        "st", "stk", "stck", "stück", "stueck", "mehr als", "über", "pièces", "pezzi", "pz", "uds",
        "unidades", "stuks", "ks", "szt",
    ];
    let is_sign = |sign: char| sign.is_whitespace() || "+>≥=:.".contains(sign);
    let unit = beside.trim_matches(is_sign).to_lowercase();
    UNITS.contains(&&*unit) || matches!(Availability::named(&unit, None), Some(Availability::InStock(_)))
}

/// The availability that a row states. A row that says nothing of it is not sold out.
pub(super) fn availability(row: &Row) -> Availability {
    let stock = stock(row.get(Field::Stock));
    let units = stock.and_then(Availability::units);
    if let Some(said) = Availability::named(row.get(Field::Availability), units) {
        return said;
    }
    if row.is_blank(Field::Tracker) {
        return Availability::InStock(None);
    }
    let is_more =
        ["continue", "true", "yes", "1", "notify"].contains(&row.get(Field::Policy).to_lowercase().as_str());
    match stock {
        Some(Availability::SoldOut) if is_more => Availability::BackOrder,
        stock => stock.unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_told_apart() {
        let found = |text| pictures(text).collect::<Vec<_>>();
        assert_eq!(
            found("https://a.example/1,w.webp,https://a.example/2.webp, /3.webp|4.webp;"),
            ["https://a.example/1,w.webp", "https://a.example/2.webp", "/3.webp", "4.webp"]
        );
        assert_eq!(
            found("My lamp 1.jpg, my lamp 2.JPG;c.png,d.png https://a.example/x?a=1&amp;b=2"),
            ["My lamp 1.jpg", "my lamp 2.JPG", "c.png", "d.png", "https://a.example/x?a=1&amp;b=2"]
        );
        assert!(found(" , ,, ").is_empty());
        assert_eq!(found("a.webp,"), ["a.webp"]);
    }

    #[test]
    fn tags_of_programs_are_told_from_those_for_shoppers() {
        for tag in [
            "_new",
            "__with:gift",
            "filter:red",
            "Color::Red",
            "size=m",
            "badge:50%",
            "badge:new",
            "price_range:low",
            "free-shipping=1",
        ] {
            assert!(is_of_a_program(tag), "{tag}");
        }
        for tag in [
            "new",
            "16:9",
            "Scale 1:24",
            "Theme: Sea",
            "snake_case",
            "C&A",
            "=",
            "a = b",
            "Re:Zero",
            "re:zero",
            "Nier:Automata",
            "Vol:2",
            "E=mc2",
            "Größe:L",
            "filter: red",
            "filter:",
            "4x4=16",
        ] {
            assert!(!is_of_a_program(tag), "{tag}");
        }
    }

    #[test]
    fn a_comma_in_a_value_of_a_list_has_a_backslash() {
        let values = |text| list(text).collect::<Vec<_>>();
        assert_eq!(values("Clothing > Hoodies, Sale"), ["Clothing > Hoodies", "Sale"]);
        assert_eq!(values(r"Arts\, Crafts,Sale"), ["Arts, Crafts", "Sale"]);
        assert_eq!(values(""), [""]);
    }

    #[test]
    fn a_stock_is_a_number_or_a_word() {
        let units = |units| Some(Availability::of_stock(units));
        let (sold_out, in_stock) = (Some(Availability::SoldOut), Some(Availability::InStock(None)));
        for (text, expected) in [
            ("12", units(12)),
            ("12.0", units(12)),
            ("12.0000", units(12)),
            ("1.5", units(2)),
            ("1e3", units(1_000)),
            ("1.200", units(1_200)),
            ("1,200", units(1_200)),
            ("1 200", units(1_200)),
            ("1'200", units(1_200)),
            ("1.200.000", units(1_200_000)),
            ("1.200,00", units(1_200)),
            ("99999999999", units(u32::MAX)),
            ("12 pcs", units(12)),
            ("12 Stück", units(12)),
            ("12 st", units(12)),
            ("12 Stk.", units(12)),
            ("1,200 units", units(1_200)),
            ("12 in stock", units(12)),
            ("In stock: 12", units(12)),
            ("10+", units(10)),
            (">10", units(10)),
            ("> 10", units(10)),
            (">= 10 pcs", units(10)),
            ("mehr als 10", units(10)),
            (">0", in_stock),
            ("0", sold_out),
            ("0 pcs", sold_out),
            ("0,000", sold_out),
            ("-3", sold_out),
            ("−3", sold_out),
            ("-1,200", sold_out),
            ("out of stock", sold_out),
            ("Sold Out", sold_out),
            ("no", sold_out),
            ("Nein", sold_out),
            ("ausverkauft", sold_out),
            ("vergriffen", sold_out),
            ("in stock", in_stock),
            ("YES", in_stock),
            ("ja", in_stock),
            ("auf Lager", in_stock),
            ("backorder", Some(Availability::BackOrder)),
            ("3 days", None),
            ("2-3", None),
            ("5 of 10", None),
            ("perhaps", None),
            ("inf", None),
            ("nan", None),
            ("None", None),
            ("-", None),
            ("", None),
        ] {
            assert_eq!(stock(text), expected, "{text}");
        }
    }

    #[test]
    fn what_stands_on_both_sides_of_a_number_says_whether_it_is_a_stock() {
        let units = |units| Some(Availability::of_stock(units));
        for (text, expected) in [
            ("10+ in stock", units(10)),
            ("over 10 pcs", units(10)),
            ("dostępny: 5", units(5)),
            ("> 14 Tage", None),
            ("+5 days", None),
            ("over 2 weeks", None),
            ("5+ days", None),
            ("< 3 hours", None),
            ("brak", units(0)),
            ("skladem", Some(Availability::InStock(None))),
        ] {
            assert_eq!(stock(text), expected, "{text}");
        }
    }

    #[test]
    fn a_weight_may_have_a_unit() {
        for (text, alone, expected) in [
            ("1.5", "kg", Some(1.5)),
            ("1,5", "kg", Some(1.5)),
            ("1.250", "kg", Some(1.25)),
            ("1,250", "kg", Some(1.25)),
            ("500", "g", Some(0.5)),
            ("500", "", None),
            ("1,5 kg", "", Some(1.5)),
            ("1.5kg", "", Some(1.5)),
            ("kg 1.5", "", Some(1.5)),
            ("2 Kilogramm", "", Some(2.0)),
            ("500 g", "kg", Some(0.5)),
            ("500 g", "g", Some(0.5)),
            ("0.5 kg", "g", Some(0.5)),
            ("750 gr.", "", Some(0.75)),
            ("1 200 g", "", Some(1.2)),
            ("1'200 g", "", Some(1.2)),
            ("1.250 g", "", Some(1.25)),
            ("1,250 g", "", Some(1.25)),
            ("1,250", "g", Some(1.25)),
            ("0.500 g", "", Some(0.0005)),
            ("1.250 kg", "", Some(1.25)),
            ("1,250 lb", "", Some(1.25 * 0.453_592_37)),
            ("1.200,5 g", "", Some(1.2005)),
            ("500000 mg", "", Some(0.5)),
            ("2 lb", "", Some(2.0 * 0.453_592_37)),
            ("8 oz", "kg", Some(8.0 * 0.028_349_523_125)),
            ("0", "kg", None),
            ("0,00 kg", "", None),
            ("-1.5 kg", "", None),
            ("-1", "kg", None),
            ("inf", "kg", None),
            ("2 x 5 kg", "", None),
            ("5 miles", "kg", None),
            ("heavy", "kg", None),
            ("", "kg", None),
        ] {
            assert_eq!(weight(text, alone), expected, "{text} {alone}");
        }
    }
}
