//! The account of what is left out: how often for each kind, and where first.

use std::collections::BTreeMap;

/// How often something is left out for each kind, with the places of the first ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Account<K, P>(BTreeMap<K, LeftOut<P>>);

/// What is left out for one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LeftOut<P> {
    pub(crate) count: u64,
    /// The places of the first ones.
    pub(crate) first: Vec<P>,
}

impl<K, P> Default for Account<K, P> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<K: Ord, P: PartialEq> Account<K, P> {
    /// Counts one, and keeps its place if it is among the first `most`. A place that repeats is kept once.
    pub(crate) fn add(&mut self, kind: K, place: P, most: usize) {
        self.add_all(kind, LeftOut { count: 1, first: vec![place] }, most);
    }

    /// Counts all that `other` has of a kind.
    pub(crate) fn add_all(&mut self, kind: K, other: LeftOut<P>, most: usize) {
        let left_out = self.0.entry(kind).or_insert(LeftOut { count: 0, first: Vec::new() });
        left_out.count += other.count;
        for place in other.first {
            if left_out.first.len() < most && left_out.first.last() != Some(&place) {
                left_out.first.push(place);
            }
        }
    }

    pub(crate) fn kinds(&self) -> impl Iterator<Item = (&K, &LeftOut<P>)> {
        self.0.iter()
    }

    pub(crate) fn into_kinds(self) -> impl Iterator<Item = (K, LeftOut<P>)> {
        self.0.into_iter()
    }

    #[cfg(test)]
    pub(crate) fn get(&self, kind: &K) -> Option<&LeftOut<P>> {
        self.0.get(kind)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How much is left out, all kinds together.
    pub(crate) fn count(&self) -> u64 {
        self.0.values().map(|left_out| left_out.count).sum()
    }
}
