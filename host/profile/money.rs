//! Amounts of money, counted in the smallest unit of the shop's currency.

use serde::{Deserialize, Serialize};

/// An amount in the smallest unit of the shop's currency, such as cents. [`super::Currency`] says how many of them make
/// one unit of the currency. Saved as this number: it can be read without knowing the currency.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Money {
    minor: u64,
}

impl Money {
    /// The highest plausible price: a thousand millions of a currency with three decimals.
    pub const MAX_PRICE: Self = Self::from_minor(1_000_000_000_000);

    /// An amount of this many of the smallest unit.
    pub const fn from_minor(minor: u64) -> Self {
        Self { minor }
    }

    /// How many of the smallest unit the amount has.
    pub const fn minor(self) -> u64 {
        self.minor
    }

    /// What this many pieces cost together; `None` if it is too much to be counted.
    #[must_use]
    pub fn times(self, quantity: u32) -> Option<Self> {
        self.minor.checked_mul(quantity.into()).map(Self::from_minor)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_was_saved_is_read_again(minor in 0..=Money::MAX_PRICE.minor()) {
            let money = Money::from_minor(minor);
            let saved = serde_json::to_string(&money).unwrap();
            prop_assert_eq!(serde_json::from_str::<Money>(&saved).unwrap(), money);
        }

        #[test]
        fn several_cost_their_price_together_or_too_much(minor: u64, quantity: u32) {
            let exact = u128::from(minor) * u128::from(quantity);
            let total = Money::from_minor(minor).times(quantity).map(Money::minor);
            prop_assert_eq!(total, u64::try_from(exact).ok());
        }
    }

    #[test]
    fn only_whole_numbers_are_read() {
        for saved in ["-1", "-0.01", "0.5", "1e11", "1e308", "null", "\"1\"", "[]"] {
            assert!(serde_json::from_str::<Money>(saved).is_err(), "{saved}");
        }
        assert_eq!(serde_json::from_str::<Money>("40").unwrap(), Money::from_minor(40));
    }
}
