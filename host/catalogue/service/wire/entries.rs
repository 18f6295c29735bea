//! The entries of a JSON list, not parsed yet.

use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// The first `MAX` entries of a list, as slices of its text. The limit bounds memory: a body of a few
/// megabytes can hold millions of entries, and each parsed value takes many times its text's size.
#[derive(Debug, Default)]
pub(super) struct Entries<'a, const MAX: usize> {
    pub first: Vec<&'a RawValue>,
    /// Number of further entries.
    pub further: usize,
}

impl<'de: 'a, 'a, const MAX: usize> Deserialize<'de> for Entries<'a, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(EntriesVisitor)
    }
}

struct EntriesVisitor<const MAX: usize>;

impl<'de, const MAX: usize> Visitor<'de> for EntriesVisitor<MAX> {
    type Value = Entries<'de, MAX>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut entries = Entries::default();
        while entries.first.len() < MAX {
            match list.next_element()? {
                Some(entry) => entries.first.push(entry),
                None => return Ok(entries),
            }
        }
        while list.next_element::<IgnoredAny>()?.is_some() {
            entries.further += 1;
        }
        Ok(entries)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_beyond_the_limit_are_only_counted() {
        for (list, first, further) in [("[]", 0, 0), ("[1,[2]]", 2, 0), ("[1,{},\"x\",null]", 2, 2)] {
            let entries: Entries<2> = serde_json::from_str(list).unwrap();
            assert_eq!((entries.first.len(), entries.further), (first, further), "{list}");
        }
        for other in ["{}", "5", "[1,2,3", "[1,2,3}", "[1,2,,3]"] {
            assert!(serde_json::from_str::<Entries<2>>(other).is_err(), "{other}");
        }
    }
}
