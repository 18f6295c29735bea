//! The article numbers of products, in alphabetical order, so that they are found by their beginnings.

use super::Store;

/// A place for each article number of each product, in the order of the squeezed numbers.
#[derive(Debug, Default)]
pub(crate) struct ArticleNumbers {
    positions: Box<[u32]>,
    /// Which of its product's numbers each is.
    lines: Box<[u16]>,
}

/// An article number as it is compared: its letters and digits, without the leading zeros of a number of digits alone.
pub(crate) fn squeezed(number: &str) -> String {
    let squeezed: String = number.chars().filter(|letter| letter.is_alphanumeric()).collect();
    if squeezed.bytes().all(|byte| byte.is_ascii_digit()) {
        squeezed.trim_start_matches('0').to_owned()
    } else {
        squeezed
    }
}

impl ArticleNumbers {
    pub(super) fn new(store: &Store) -> Self {
        struct Number {
            /// The first bytes, which decide most comparisons.
            begin: u64,
            start: usize,
            end: usize,
            position: u32,
            line: u16,
        }
        let mut bytes = Vec::new();
        let mut numbers = Vec::new();
        for position in (0..).take(store.len()) {
            for (line, number) in (0..u16::MAX).zip(store.numbers(position)) {
                let number = squeezed(number);
                let mut begin = [0; 8];
                let known = number.len().min(begin.len());
                begin[..known].copy_from_slice(&number.as_bytes()[..known]);
                let start = bytes.len();
                bytes.extend_from_slice(number.as_bytes());
                if start < bytes.len() {
                    let begin = u64::from_be_bytes(begin);
                    numbers.push(Number { begin, start, end: bytes.len(), position, line });
                }
            }
        }
        numbers.sort_unstable_by(|one, other| {
            let rest = |number: &Number| (&bytes[number.start..number.end], number.position, number.line);
            one.begin.cmp(&other.begin).then_with(|| rest(one).cmp(&rest(other)))
        });
        Self {
            positions: numbers.iter().map(|number| number.position).collect(),
            lines: numbers.iter().map(|number| number.line).collect(),
        }
    }

    /// The products with a number that begins with a squeezed text, each as often as it has such numbers.
    pub(crate) fn beginning_with(&self, store: &Store, begin: &str) -> &[u32] {
        let first = self.first(store, |number| number < begin);
        let end = self.first(store, |number| number < begin || number.starts_with(begin));
        &self.positions[first..end.max(first)]
    }

    /// The products with this squeezed number.
    pub(crate) fn equal_to(&self, store: &Store, number: &str) -> &[u32] {
        let first = self.first(store, |other| other < number);
        let end = self.first(store, |other| other <= number);
        &self.positions[first..end.max(first)]
    }

    /// The place of the first number that is not `before`.
    fn first(&self, store: &Store, before: impl Fn(&str) -> bool) -> usize {
        let (mut start, mut end) = (0, self.positions.len());
        while start < end {
            let middle = start.midpoint(end);
            let number = store.numbers(self.positions[middle]).nth(self.lines[middle].into());
            if before(&squeezed(number.unwrap_or_default())) {
                start = middle + 1;
            } else {
                end = middle;
            }
        }
        start
    }

    /// Size in memory, in bytes.
    pub(super) fn size(&self) -> usize {
        size_of_val(&*self.positions) + size_of_val(&*self.lines)
    }
}
