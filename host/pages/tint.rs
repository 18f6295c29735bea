//! The tint of a category: which of the shop's plate colours its pictures stand on.

use crate::catalogue::{ProductKey, Slug, Summary};

/// Number of tints. `client/styles/tints.css` has a class `tint-N` for each, from 0.
const TINTS: u8 = 8;

/// The tint of a category, from its slug alone, so that it never changes and needs no table: the polynomial
/// hash with base 31. The lowest bits are dropped, because they depend on little more than the last letters,
/// which many slugs share (`mens-shoes`, `womens-shoes`).
pub(super) fn of_category(slug: &str) -> u8 {
    let hash = slug.bytes().fold(0_u32, |hash, byte| hash.wrapping_mul(31).wrapping_add(byte.into()));
    tint((hash >> 3).into())
}

/// The tint of a product: its category's. Products of unknown categories differ by their ids.
pub(super) fn of_product(product: &Summary) -> u8 {
    product.category.as_ref().map(Slug::as_str).map_or_else(|| of_key(&product.id), of_category)
}

fn of_key(key: &ProductKey) -> u8 {
    key.number().map_or_else(|| of_category(&key.to_string()), tint)
}

fn tint(number: u64) -> u8 {
    u8::try_from(number % u64::from(TINTS)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tint_of_a_category_never_changes() {
        for (slug, tint) in [("", 0), ("beauty", 7), ("fragrances", 0), ("laptops", 3), ("womens-watches", 4)]
        {
            assert_eq!(of_category(slug), tint, "{slug}");
        }
    }

    #[test]
    fn categories_that_stand_beside_each_other_differ() {
        let sample = crate::catalogue::Sample::load().unwrap();
        let slugs = sample.raw().iter().filter_map(|product| product["category"].as_str());
        let mut slugs: Vec<&str> = slugs.collect();
        slugs.sort_unstable();
        slugs.dedup();
        assert!(slugs.len() > 20);
        for pair in slugs.windows(2) {
            assert_ne!(of_category(pair[0]), of_category(pair[1]), "{pair:?}");
        }
    }

    #[test]
    fn a_product_has_the_tint_of_its_category_or_any() {
        let product = |slug| Summary { id: 11.into(), category: Slug::parse(slug), ..Summary::default() };
        assert_eq!(of_product(&product("beauty")), of_category("beauty"));
        assert_eq!(of_product(&product("")), 3);
    }
}
