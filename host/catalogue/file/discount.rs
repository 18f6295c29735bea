//! Discounts that stand beside a price, as PrestaShop and Wix write them.

use super::amounts::{Amount, Written};
use super::names::is_nothing;
use super::row::{Field, Row};
use crate::profile::{Currency, CurrencySign, Money};

/// What a price is reduced by.
#[derive(Clone, Copy)]
pub(super) struct Discount {
    by: Amount,
    is_percentage: bool,
}

impl Discount {
    /// The discount in the columns of a row, if it has one.
    pub(super) fn read(row: &Row) -> Option<Self> {
        let given = |field| Some(row.get(field)).filter(|text| !is_nothing(text));
        let percentage = given(Field::DiscountPercentage).map(|text| (text, true));
        let amount = || {
            let text = given(Field::Discount)?;
            let has_percentage = row.get(Field::DiscountMode).eq_ignore_ascii_case("percent");
            Some((text, has_percentage || text.ends_with('%')))
        };
        let is_some = |(text, _): &(&str, bool)| text.contains(|sign: char| matches!(sign, '1'..='9'));
        let (text, is_percentage) = percentage.filter(is_some).or_else(|| amount().filter(is_some))?;
        Some(Self { by: Amount::read(text.trim_end_matches('%')), is_percentage })
    }

    /// Whether it is an amount, or a percentage, that is understood.
    pub(super) fn is_clear(&self, written: Written) -> bool {
        let most = if self.is_percentage { 100.0 } else { f64::MAX };
        let is_understood = !matches!(self.by.sign, CurrencySign::Unknown | CurrencySign::Other);
        is_understood && self.by.value(written.decimal).is_some_and(|by| by < most)
    }

    /// What is left of a price; `None` if the discount is not understood, or higher than the price.
    pub(super) fn from(self, price: Money, written: Written, currency: Currency) -> Option<Money> {
        if !self.is_clear(written) {
            return None;
        }
        let left = if self.is_percentage {
            // In thousandths of a percent; half of the smallest unit is rounded up.
            let by = (self.by.value(written.decimal)? * 1_000.0).round() as u64;
            (price.minor() * (100_000 - by) + 50_000) / 100_000
        } else {
            price.minor().checked_sub(self.by.money(written.decimal, currency)?.minor())?
        };
        Some(Money::from_minor(left))
    }
}
