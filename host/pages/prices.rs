//! The prices and ratings of products, as cards and product pages show them.

use crate::catalogue::Summary;
use crate::contract::{Price, Rating};
use crate::profile::{Money, NumberFormat, OriginalPrice, Profile, Reduction};
use crate::texts::Key;

/// The price of a product.
pub(super) fn of(numbers: &NumberFormat, product: &Summary, original: OriginalPrice) -> Price {
    price(numbers, product.price, product.discount_percentage, product.list_price, original)
}

/// What a unit of a product costs, if its content is known.
pub(super) fn unit(profile: &Profile, product: &Summary) -> Option<String> {
    let content = product.content?;
    let base = content.base();
    let (number, unit) = (profile.numbers.decimal(&base.amount()), base.unit());
    let unit = match unit {
        "ct" => profile.texts.count(Key::NumberOfPieces, base.amount().parse().unwrap_or_default(), &[]),
        unit => {
            let unit = match unit {
                "sqm" => "m²",
                "cbm" => "m³",
                "sqft" => "sq ft",
                "floz" => "fl oz",
                unit => unit,
            };
            if base.is_one() { unit.into() } else { format!("{number}\u{a0}{unit}") }
        }
    };
    let price = profile.numbers.amount(content.price(product.price)?);
    Some(format!("{price}\u{a0}/ {unit}"))
}

/// Formats a price with its discount. `list_price` is the price before the discount, where the source says it.
pub(crate) fn price(
    numbers: &NumberFormat,
    price: Money,
    discount_percentage: f64,
    list_price: Option<Money>,
    original: OriginalPrice,
) -> Price {
    let reduction = Reduction::new(price, discount_percentage, list_price, numbers.currency(), original);
    let before = |reduction: Reduction| match reduction.is_whole {
        true => numbers.whole_amount(reduction.from),
        false => numbers.amount(reduction.from),
    };
    Price {
        current: numbers.amount(price),
        original: reduction.map(before),
        percent_off: reduction.and_then(|reduction| reduction.percent_off),
        from: false,
        unit: None,
        original_note: None,
    }
}

/// A rating, formatted.
pub(super) fn rating(numbers: &NumberFormat, rating: f64) -> Rating {
    Rating { value: rating, text: numbers.rating(rating) }
}

/// What several pieces cost together, formatted; at most the highest amount that can be counted.
pub(super) fn total(numbers: &NumberFormat, price: Money, quantity: u32) -> String {
    numbers.amount(price.times(quantity).unwrap_or(Money::from_minor(u64::MAX)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dollars(cents: u64, discount_percentage: f64, original: OriginalPrice) -> Price {
        price(&NumberFormat::default(), Money::from_minor(cents), discount_percentage, None, original)
    }

    #[test]
    fn a_card_shows_whole_original_prices() {
        let card = dollars(129_999, 13.32, OriginalPrice::Rounded);
        assert_eq!((card.current.as_str(), card.original.as_deref()), ("$1,299.99", Some("$1,500")));
        let detail = dollars(54_999, 13.32, OriginalPrice::Exact);
        assert_eq!((detail.current.as_str(), detail.original.as_deref()), ("$549.99", Some("$634.51")));
        let cheap = dollars(129, 10.0, OriginalPrice::Rounded);
        assert_eq!((cheap.original.as_deref(), cheap.percent_off), (Some("$1.43"), Some(10)));
    }

    #[test]
    fn several_cost_their_price_together() {
        let numbers = NumberFormat::default();
        assert_eq!(total(&numbers, Money::from_minor(199), 48), "$95.52");
        assert_eq!(total(&numbers, Money::from_minor(129_999), 100), "$129,999.00");
        assert_eq!(total(&numbers, Money::MAX_PRICE, u32::MAX), "$184,467,440,737,095,516.15");
    }
}
