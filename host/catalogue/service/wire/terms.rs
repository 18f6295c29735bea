//! What a product or a variant says beside its price.

use super::field::Field;
use super::number::Number;
use crate::catalogue::{Condition, Content, Terms};
use crate::profile::Currency;

/// The terms in these fields: the condition, how much it is, for how much of it a price is shown, and the lowest price.
pub(super) fn terms(
    condition: Field<String>,
    [measure, base]: [Field<String>; 2],
    lowest: Field<Number>,
    currency: Currency,
) -> Terms {
    let base = base.given().unwrap_or_default();
    Terms {
        condition: condition.given().and_then(|word| Condition::named(&word)),
        content: measure.given().and_then(|measure| Content::parse(&measure, &base)),
        lowest: lowest.given().and_then(|lowest| lowest.price(currency)),
    }
}
