//! The entries of a list, not read yet.

use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// The first `MOST` entries of a list, which point into its text. A body of a few megabytes can hold
/// millions of entries, and any value for each of them would take many times its text's memory.
#[derive(Debug, Default)]
pub struct Entries<'a, const MOST: usize> {
    pub first: Vec<&'a RawValue>,
    /// How many there are beyond.
    pub further: usize,
}

impl<'de: 'a, 'a, const MOST: usize> Deserialize<'de> for Entries<'a, MOST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(EntriesVisitor)
    }
}

struct EntriesVisitor<const MOST: usize>;

impl<'de, const MOST: usize> Visitor<'de> for EntriesVisitor<MOST> {
    type Value = Entries<'de, MOST>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut entries = Entries::default();
        while entries.first.len() < MOST {
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
    fn what_is_beyond_the_limit_is_only_counted() {
        for (list, first, further) in [("[]", 0, 0), ("[1,[2]]", 2, 0), ("[1,{},\"x\",null]", 2, 2)] {
            let entries: Entries<2> = serde_json::from_str(list).unwrap();
            assert_eq!((entries.first.len(), entries.further), (first, further), "{list}");
        }
        for other in ["{}", "5", "[1,2,3", "[1,2,3}", "[1,2,,3]"] {
            assert!(serde_json::from_str::<Entries<2>>(other).is_err(), "{other}");
        }
    }
}
