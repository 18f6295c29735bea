//! What single fields of a row mean, as shops write them.

use std::iter;

use super::moments::Dates;
use super::row::{Field, Row};
use crate::catalogue::availability::Availability;

/// The dates of a sale; `None` if they cannot be read.
pub(super) fn sale_dates(row: &Row) -> Option<Dates> {
    match row.get(Field::SaleDates).split_once('/') {
        Some((begin, end)) => Dates::read(begin, end),
        None if row.get(Field::SaleDates).is_empty() => {
            Dates::read(row.get(Field::SaleStarts), row.get(Field::SaleEnds))
        }
        None => None,
    }
}

/// The addresses of pictures in a text, with spaces, bars or commas between them. Addresses themselves may have commas.
pub(super) fn pictures(text: &str) -> impl Iterator<Item = &str> {
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

/// The weight of a product, in kilograms.
pub(super) fn kilograms(row: &Row) -> Option<f64> {
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
pub(super) fn is_rounded(barcode: &str) -> bool {
    let has_exponent = |sign| barcode.to_ascii_uppercase().contains(sign);
    barcode.starts_with(|first: char| first.is_ascii_digit()) && has_exponent("E+")
}

/// Whether a row says that its product is not sold.
pub(super) fn is_hidden(row: &Row) -> bool {
    const HIDDEN: [&str; 10] = [
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
    ];
    let says = |field, words: &[&str]| words.contains(&row.get(field).to_lowercase().as_str());
    says(Field::Status, &HIDDEN)
        || says(Field::Visibility, &HIDDEN)
        || says(Field::Published, &["false", "no", "0", "-1"])
}

/// The availability that a row states. A row that says nothing of it is not sold out.
pub(super) fn availability(row: &Row) -> Availability {
    let stock = row.get(Field::Stock).parse::<f64>().ok().filter(|units| units.is_finite());
    let units = stock.map(|units| units.round() as u32);
    if let Some(said) = Availability::named(row.get(Field::Availability), units) {
        return said;
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
        assert!(found(" , ,, ").is_empty());
        assert_eq!(found("a.webp,"), ["a.webp"]);
    }

    #[test]
    fn a_comma_in_a_value_of_a_list_has_a_backslash() {
        let values = |text| list(text).collect::<Vec<_>>();
        assert_eq!(values("Clothing > Hoodies, Sale"), ["Clothing > Hoodies", "Sale"]);
        assert_eq!(values(r"Arts\, Crafts,Sale"), ["Arts, Crafts", "Sale"]);
        assert_eq!(values(""), [""]);
    }
}
