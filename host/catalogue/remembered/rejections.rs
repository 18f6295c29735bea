//! Logs once for each product that the service's answer for it is invalid.

use std::collections::HashSet;

use parking_lot::Mutex;

use crate::catalogue::key::ProductKey;

/// Most lines that are logged: a catalogue may hold any number of invalid products.
const MOST: usize = 1_000;

/// The invalid products that have been logged, each with the field that was invalid.
#[derive(Debug, Default)]
pub(super) struct Rejections {
    logged: Mutex<HashSet<(ProductKey, &'static str)>>,
}

impl Rejections {
    /// Logs that a product has no valid `field`, unless that has been logged.
    pub(super) fn log(&self, product: &ProductKey, field: &'static str) {
        if self.is_new(product, field) {
            tracing::warn!(%product, field, "a product of the catalogue is invalid; its page is a 404");
        }
    }

    fn is_new(&self, product: &ProductKey, field: &'static str) -> bool {
        let mut logged = self.logged.lock();
        logged.len() < MOST && logged.insert((product.clone(), field))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_invalid_field_is_new_once_and_the_number_is_bounded() {
        let rejections = Rejections::default();
        let is_new = [(1, "title"), (1, "title"), (1, "price"), (2, "title")]
            .map(|(product, field)| rejections.is_new(&ProductKey::from(product), field));
        assert_eq!(is_new, [true, false, true, true]);
        let more =
            (10..2_000).filter(|product| rejections.is_new(&ProductKey::from(*product), "title")).count();
        assert_eq!(more, MOST - 3);
        assert!(!rejections.is_new(&2_000.into(), "title"));
    }
}
