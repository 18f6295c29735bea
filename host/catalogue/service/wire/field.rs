//! A field of the service's JSON, which may be missing or have the wrong type.

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::dropped::{Dropped, EntryId};

/// A field. `null` and an empty text count as missing.
#[derive(Debug, Default)]
pub(super) enum Field<T> {
    #[default]
    Missing,
    /// The value has the wrong type.
    Invalid,
    Given(T),
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Field<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(deserializer)?.get();
        if matches!(raw, "null" | r#""""#) {
            return Ok(Self::Missing);
        }
        Ok(serde_json::from_str(raw).map_or(Self::Invalid, Self::Given))
    }
}

impl<T> From<Option<T>> for Field<T> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Missing, Self::Given)
    }
}

impl<T> Field<T> {
    pub(super) fn given(self) -> Option<T> {
        match self {
            Self::Given(value) => Some(value),
            Self::Missing | Self::Invalid => None,
        }
    }
}

/// Reads the optional fields of one product, and counts those that are left out.
pub(super) struct Fields<'a> {
    pub(super) dropped: &'a mut Dropped,
    pub(super) place: EntryId,
}

impl Fields<'_> {
    /// The field's value after `clean`; `None` if it is missing or invalid. Invalid values are counted.
    pub(super) fn read<T, U>(
        &mut self,
        name: &'static str,
        field: Field<T>,
        clean: impl FnOnce(T) -> Option<U>,
    ) -> Option<U> {
        if matches!(field, Field::Missing) {
            return None;
        }
        self.dropped.count_none(field.given().and_then(clean), name, || self.place.clone())
    }
}
