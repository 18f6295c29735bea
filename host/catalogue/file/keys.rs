//! The keys of products whose names are no keys, and other spellings of keys, which lead to the products.

use std::collections::HashSet;

use twox_hash::XxHash3_128;

use crate::catalogue::key::ProductKey;
use crate::catalogue::letters::Spelling;
use crate::catalogue::model::Product;
use crate::catalogue::store::Store;

/// Products whose names are no keys: their places, and the names.
pub(super) type Coded = Vec<(usize, String)>;

/// Keys that products no longer have, each with the one that the product has instead.
pub(super) type Former = Vec<(ProductKey, ProductKey)>;

/// Gives these products keys without a hash. Of those that would have the same key, the first by name gets it; the others
/// keep the key with their hash.
pub(super) fn remove_codes(products: &mut [Box<Product>], mut coded: Coded, spelling: Spelling) -> Former {
    if coded.is_empty() {
        return Former::new();
    }
    let mut taken: HashSet<ProductKey> = products.iter().map(|product| product.summary.id.clone()).collect();
    coded.sort_by(|(place, name), (other, other_name)| (name, place).cmp(&(other_name, other)));
    let mut former = Former::new();
    for (place, name) in coded {
        let (Some(product), Some(key)) = (products.get_mut(place), ProductKey::without_code(&name, spelling))
        else {
            continue;
        };
        if taken.insert(key.clone()) {
            former.push((std::mem::replace(&mut product.summary.id, key.clone()), key));
        }
    }
    former
}

/// Finds products by other spellings of their keys: in another case, or with the hash that the key had. Only keys that are
/// texts have any.
#[derive(Debug, Default)]
pub(super) struct OtherKeys {
    seed: u64,
    /// The hash of each spelling with the position of its product, in the order of the hashes.
    positions: Box<[(u64, u32)]>,
}

impl OtherKeys {
    /// The other spellings of the keys in a store. Takes long, see `process/compute.rs`.
    pub(super) fn new(store: &Store, former: &Former) -> Self {
        let seed = fastrand::u64(..);
        let keys = (0..).take(store.len()).map(|position| (store.key(position), position));
        let own = keys.filter(|(key, _)| key.number().is_none());
        let former = former.iter().filter_map(|(key, now)| Some((key.clone(), store.position(now)?)));
        let mut positions: Vec<(u64, u32)> =
            own.chain(former).map(|(key, position)| (hash(seed, &key.to_string()), position)).collect();
        positions.sort_unstable();
        positions.dedup();
        Self { seed, positions: positions.into() }
    }

    /// The position of the product that is meant by a spelling, if it is exactly one.
    pub(super) fn find(&self, written: &str) -> Option<u32> {
        let hash = hash(self.seed, written);
        let first = self.positions.partition_point(|(known, _)| *known < hash);
        match self.positions.get(first..)? {
            [(known, _), (next, _), ..] if known == next && *known == hash => None,
            [(known, position), ..] if *known == hash => Some(*position),
            _ => None,
        }
    }
}

/// The hash of a key, whatever its case.
fn hash(seed: u64, key: &str) -> u64 {
    XxHash3_128::oneshot_with_seed(seed, key.to_lowercase().as_bytes()) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::file::rows::Products;
    use crate::catalogue::store::Builder;
    use crate::profile::Currency;

    fn named(names: &[&str], spelling: Spelling) -> (Products, Former) {
        let mut products: Products = names
            .iter()
            .map(|name| {
                let mut product = Product::default();
                product.summary.id = ProductKey::of(name);
                Box::new(product)
            })
            .collect();
        let coded = names.iter().enumerate().filter(|(_, name)| ProductKey::parse(name).is_none());
        let coded = coded.map(|(place, name)| (place, (*name).to_owned())).collect();
        let former = remove_codes(&mut products, coded, spelling);
        (products, former)
    }

    #[test]
    fn the_first_by_name_has_no_code_and_the_others_keep_theirs() {
        for (names, spelling, expected) in [
            (&["Stra\u{df}e 6", "x"][..], Spelling::German, &["Strasse-6", "x"][..]),
            (&["Kr\u{e4}nze"], Spelling::German, &["Kraenze"]),
            (&["Kr\u{e4}nze"], Spelling::Usual, &["Kranze"]),
            // The order of the file does not count.
            (&["a/b", "a b"], Spelling::Usual, &["CODED", "a-b"]),
            // What is a key comes first.
            (&["a b", "a-b"], Spelling::Usual, &["CODED", "a-b"]),
            // Neither a number nor nothing becomes a key.
            (&["007", "7 / 8", "\u{2605}"], Spelling::Usual, &["CODED", "7-8", "CODED"]),
        ] {
            let (products, _) = named(names, spelling);
            for ((name, expected), product) in names.iter().zip(expected).zip(products) {
                let coded = ProductKey::of(name).to_string();
                let expected = if *expected == "CODED" { &coded } else { *expected };
                assert_eq!(product.summary.id.to_string(), expected, "{names:?}");
            }
        }
    }

    #[test]
    fn a_spelling_leads_to_the_only_product_that_is_meant() {
        let (products, former) = named(&["Oak Lamp", "CUP", "cup", "Desk", "5"], Spelling::Usual);
        let mut builder = Builder::new(Currency::default());
        products.iter().for_each(|product| builder.push(product).unwrap());
        let store = builder.finish();
        let other = OtherKeys::new(&store, &former);
        let found = |written: &str| other.find(written).map(|position| store.key(position).to_string());
        let coded = ProductKey::of("Oak Lamp").to_string();
        for (written, expected) in [
            (&*coded, Some("Oak-Lamp")),
            ("oak-lamp", Some("Oak-Lamp")),
            ("DESK", Some("Desk")),
            ("Cup", None),
            ("lamp", None),
            ("5", None),
            ("", None),
        ] {
            assert_eq!(found(written).as_deref(), expected, "{written}");
        }
        assert_eq!(OtherKeys::default().find("x"), None);
    }
}
