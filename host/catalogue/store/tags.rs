//! The tags that the products of a version of the catalogue carry.

use std::collections::HashMap;

use crate::catalogue::search::fold;

/// The tags of products, by the products' positions. Tags that differ only in spelling count as one tag.
#[derive(Debug, Default)]
pub(crate) struct TagIndex {
    /// The number of each folded tag.
    numbers: HashMap<Box<str>, u32>,
    /// The first spelling of each tag, by its number.
    spellings: Vec<Box<str>>,
    /// The numbers of the products' tags, one product after the other.
    joined: Vec<u32>,
    /// Where each product's tags end in `joined`.
    ends: Vec<u32>,
}

/// Collects tags, product by product.
#[derive(Debug, Default)]
pub(super) struct TagsBuilder {
    index: TagIndex,
    /// The number of each spelling: most tags occur again in the same spelling.
    spelled: HashMap<Box<str>, Option<u32>>,
}

impl TagsBuilder {
    /// Adds the tags of the next product.
    pub(super) fn push(&mut self, tags: &[String]) {
        let Self { index, spelled } = self;
        for tag in tags {
            let number = match spelled.get(tag.as_str()) {
                Some(number) => *number,
                None => *spelled.entry(tag.as_str().into()).insert_entry(index.add(tag)).get(),
            };
            index.joined.extend(number);
        }
        // Tags beyond what 32 bits can count are not found.
        index.ends.push(u32::try_from(index.joined.len()).unwrap_or(u32::MAX));
    }

    pub(super) fn finish(mut self) -> TagIndex {
        self.index.joined.shrink_to_fit();
        self.index.ends.shrink_to_fit();
        self.index
    }
}

impl TagIndex {
    /// An index of saved `spellings`, of the numbers of the products' tags (`joined`), and of where each product's end
    /// in them (`ends`); `None` if these do not fit together.
    pub(super) fn of(spellings: Vec<String>, joined: Vec<u32>, ends: Vec<u32>) -> Option<Self> {
        let mut index = Self::default();
        for (expected, spelling) in (0..).zip(&spellings) {
            if index.add(spelling) != Some(expected) {
                return None;
            }
        }
        let are_known = joined.iter().all(|&number| (number as usize) < spellings.len());
        let is_end = |end: Option<&u32>| end.is_none_or(|&end| end as usize == joined.len());
        (are_known && ends.is_sorted() && is_end(ends.last())).then_some(Self { joined, ends, ..index })
    }

    /// The first spelling of each tag, by its number.
    pub(crate) fn spellings(&self) -> &[Box<str>] {
        &self.spellings
    }

    /// The numbers of the products' tags, one product after the other, and where each product's end.
    pub(super) fn carried(&self) -> (&[u32], &[u32]) {
        (&self.joined, &self.ends)
    }

    /// The number of a tag: a new number, unless the tag is known in some spelling. `None` if the folded
    /// tag is empty.
    fn add(&mut self, tag: &str) -> Option<u32> {
        let folded = Some(fold(tag)).filter(|folded| !folded.is_empty())?;
        let next = u32::try_from(self.spellings.len()).ok()?;
        let number = self.numbers.entry(folded.into()).or_insert_with(|| {
            self.spellings.push(tag.into());
            next
        });
        Some(*number)
    }

    /// The number of a tag, given in any spelling, if a product carries it.
    pub(crate) fn number(&self, tag: &str) -> Option<u32> {
        self.numbers.get(&*fold(tag)).copied()
    }

    /// The catalogue's spelling of the tag with this number.
    pub(crate) fn spelling(&self, number: u32) -> &str {
        &self.spellings[number as usize]
    }

    /// The numbers of a product's tags.
    pub(crate) fn numbers_of(&self, position: u32) -> &[u32] {
        let position = position as usize;
        let start = position.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        let end = self.ends.get(position).copied().unwrap_or(0);
        self.joined.get(start as usize..end as usize).unwrap_or_default()
    }

    /// Whether the product at `position` carries the tag with this number.
    pub(crate) fn is_carried_by(&self, position: u32, number: u32) -> bool {
        self.numbers_of(position).contains(&number)
    }

    /// Approximate size in memory, in bytes.
    pub(super) fn size(&self) -> usize {
        let texts: usize = self.spellings.iter().map(|tag| 2 * (tag.len() + size_of::<Box<str>>())).sum();
        texts + size_of_val(&*self.joined) + size_of_val(&*self.ends)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_found_in_any_spelling_and_have_that_of_the_first_product() {
        let of = |tags: &[&str]| tags.iter().map(|&tag| tag.to_owned()).collect::<Vec<_>>();
        let products = [of(&["T-Shirt", "-"]), of(&[]), of(&["t shirt", "caf\u{e9}", "T-Shirt"])];
        let mut tags = TagsBuilder::default();
        products.iter().for_each(|product| tags.push(product));
        let index = tags.finish();
        let shirt = index.number("T\u{2010}SHIRT").unwrap();
        let cafe = index.number("Cafe").unwrap();
        assert_eq!((index.spelling(shirt), index.spelling(cafe)), ("T-Shirt", "caf\u{e9}"));
        let carriers = |number| (0..4).filter(|&at| index.is_carried_by(at, number)).collect::<Vec<u32>>();
        assert_eq!((carriers(shirt), carriers(cafe)), (vec![0, 2], vec![2]));
        for none in ["-", "", "shirt", "\u{301}"] {
            assert_eq!(index.number(none), None, "{none}");
        }
    }

    #[test]
    fn without_tags_nothing_is_carried() {
        let index = TagIndex::default();
        assert!(index.number("tea").is_none() && !index.is_carried_by(0, 0));
    }
}
