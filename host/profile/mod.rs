//! Who the shop is. This is the lowest room of the host: everything else may ask it.

mod currency;
mod discount;
mod languages;
mod money;
mod numbers;

pub use self::currency::Currency;
pub(crate) use self::discount::{OriginalPrice, Reduction, card_discount};
pub use self::money::Money;
pub use self::numbers::{NumberFormat, plain_rating};

/// What a shop says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// How it writes prices, dates and measures.
    pub numbers: NumberFormat,
}
