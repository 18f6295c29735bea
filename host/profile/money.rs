//! Amounts of money, counted in the smallest unit of the shop's currency.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// An amount in the smallest unit of the shop's currency, such as cents. [`super::Currency`] says how many of them make
/// one unit of the currency.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Money {
    minor: u64,
}

/// How many of the smallest unit make one in the saved form.
const SAVED: f64 = 100.0;

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

/// Saved as a decimal number, in hundreds of the smallest unit. For the US dollar, the only currency of former
/// versions, these are the dollars that they saved. An amount can be read without knowing its currency.
impl Serialize for Money {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.minor as f64 / SAVED)
    }
}

impl<'de> Deserialize<'de> for Money {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = f64::deserialize(deserializer)?;
        if !(0.0..=Self::MAX_PRICE.minor as f64 / SAVED).contains(&value) {
            return Err(D::Error::custom("no plausible price"));
        }
        // Former versions saved more decimals. They are rounded as they are written, like those of received prices. Zero
        // may have a sign.
        let minor = format!("{:.2}", value.abs()).replace('.', "").parse();
        minor.map(Self::from_minor).map_err(|_| D::Error::custom("no plausible price"))
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
        fn prices_that_former_versions_saved_are_written_as_they_did(cents in 0_u64..=100_000_000_000) {
            let dollars: f64 = format!("{}.{:02}", cents / 100, cents % 100).parse().unwrap();
            let saved = serde_json::to_string(&dollars).unwrap();
            prop_assert_eq!(serde_json::to_string(&Money::from_minor(cents)).unwrap(), &*saved);
            prop_assert_eq!(serde_json::from_str::<Money>(&saved).unwrap(), Money::from_minor(cents));
        }

        #[test]
        fn several_cost_their_price_together_or_too_much(minor: u64, quantity: u32) {
            let exact = u128::from(minor) * u128::from(quantity);
            let total = Money::from_minor(minor).times(quantity).map(Money::minor);
            prop_assert_eq!(total, u64::try_from(exact).ok());
        }
    }

    #[test]
    fn nothing_implausible_is_read() {
        for saved in ["-0.01", "1e11", "1e308", "null", "\"1\"", "[]"] {
            assert!(serde_json::from_str::<Money>(saved).is_err(), "{saved}");
        }
        assert_eq!(serde_json::from_str::<Money>("40").unwrap(), Money::from_minor(4_000));
        // Former versions kept more decimals, and showed two.
        for (saved, minor) in [("9.996", 1_000), ("1.115", 111), ("0.125", 12)] {
            assert_eq!(serde_json::from_str::<Money>(saved).unwrap(), Money::from_minor(minor), "{saved}");
        }
    }
}
