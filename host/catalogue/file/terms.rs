//! What a row says beside its price.

use super::names::is_nothing;
use super::row::{Field, Row};
use crate::catalogue::model::is_age;
use crate::catalogue::{Condition, Content, EnergyClass, Terms};

/// The terms of a row's offer. The lowest price is read with the other amounts.
pub(super) fn terms(row: &Row) -> Terms {
    Terms {
        condition: Condition::named(row.get(Field::Condition)),
        content: Content::parse(row.get(Field::UnitMeasure), row.get(Field::UnitBase)),
        lowest: None,
    }
}

pub(super) fn energy(row: &Row) -> Option<EnergyClass> {
    EnergyClass::parse(row.get(Field::EnergyClass), row.get(Field::EnergyBest), row.get(Field::EnergyWorst))
}

/// A minimum age such as `18`, `18+` or `18 years`.
pub(super) fn minimum_age(row: &Row) -> Option<u8> {
    let text = row.get(Field::MinimumAge);
    let end = text.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(text.len());
    text[..end].parse().ok().filter(is_age)
}

/// Whether a row says something beside its price that is not understood.
pub(super) fn is_unclear(row: &Row) -> bool {
    let says = |field| !is_nothing(row.get(field));
    let has_digit = |field| row.get(field).contains(|sign: char| sign.is_ascii_digit());
    let Terms { condition, content, .. } = terms(row);
    says(Field::Condition) && condition.is_none()
        || says(Field::UnitMeasure) && content.is_none()
        || says(Field::EnergyClass) && energy(row).is_none()
        || says(Field::MinimumAge) && minimum_age(row).is_none()
        || says(Field::LowestPrice) && !has_digit(Field::LowestPrice)
}
