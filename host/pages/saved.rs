//! `/saved`, whose list the browser keeps, and the cards of the products on it.

use percent_encoding::percent_decode_str;

use super::address::Address;
use super::cards;
use super::draft::{Draft, Metadata};
use crate::catalogue::{ProductKey, ProductSet};
use crate::contract::{Content, Saved, SavedCards};
use crate::profile::Profile;
use crate::texts::{Key, Texts};

/// Most products whose cards are asked for at once, which is also the most that a browser keeps.
const MOST: usize = 60;
/// Longest query string that asks for cards, in bytes.
const LONGEST: usize = 4 << 10;

pub(crate) fn draft(texts: &Texts) -> Draft {
    let text = |key| texts.text(key).to_owned();
    let metadata = Metadata { is_indexable: false, ..Metadata::new(text(Key::SavedIntroduction)) };
    let saved = Saved {
        title: text(Key::Saved),
        introduction: text(Key::SavedIntroduction),
        needs_script: text(Key::SavedNeedsScript),
        nothing: text(Key::NothingSaved),
        gone: text(Key::NoLongerInShop),
    };
    Draft::new(Address::Saved, text(Key::Saved), Content::Saved(saved), metadata)
}

/// The keys in a query string `keys=a,b`, each once; `None` if it is anything else.
pub(crate) fn keys(raw_query: &str) -> Option<Box<[ProductKey]>> {
    let written = raw_query.strip_prefix("keys=").filter(|_| raw_query.len() <= LONGEST)?;
    let written = percent_decode_str(written).decode_utf8().ok()?;
    let mut keys = Vec::new();
    for key in written.split(',') {
        let key = ProductKey::parse(key).filter(|key| !keys.contains(key))?;
        if keys.len() == MOST {
            return None;
        }
        keys.push(key);
    }
    Some(keys.into())
}

/// The cards of those of the products that there are, as the shop's other cards. This takes little time.
pub(crate) fn cards(profile: &Profile, keys: &[ProductKey], all: &ProductSet) -> SavedCards {
    let known = keys.iter().filter_map(|key| all.summary_of(key));
    SavedCards { products: cards::product_cards(profile, known) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Summary;
    use crate::profile::Currency;

    #[test]
    fn keys_are_few_valid_and_different() {
        let count = |query: &str| keys(query).map(|keys| keys.len());
        let many = |count: usize| {
            format!("keys={}", (1..=count).map(|key| key.to_string()).collect::<Vec<_>>().join(","))
        };
        assert_eq!(count("keys=1,oak-lamp,7"), Some(3));
        assert_eq!(count("keys=1%2Coak"), Some(2));
        assert_eq!(count(&many(MOST)), Some(MOST));
        let long = format!("keys={}", "%61".repeat(LONGEST / 3));
        for hostile in [
            "",
            "keys",
            "keys=",
            "keys=,",
            "keys=1,",
            "keys=1,1",
            "keys=01",
            "keys=a b",
            "keys=..",
            "keys=%ff",
            "keys=%00",
            "key=1",
            "keys=1&keys=2",
            "keys=1&x=1",
            "x=1&keys=1",
            "keys=1%26",
            &many(MOST + 1),
            &long,
        ] {
            assert_eq!(count(hostile), None, "{hostile:.80}");
        }
    }

    #[test]
    fn cards_come_in_the_order_of_the_keys_without_what_is_gone() {
        let product = |id: u64| Summary { id: id.into(), ..Summary::default() };
        let all = ProductSet::new(vec![product(1), product(2), product(3)], Currency::default());
        let keys = keys("keys=3,9,1").unwrap();
        let shown = cards(&Profile::default(), &keys, &all);
        assert_eq!(shown.products.iter().map(|card| &*card.id).collect::<Vec<_>>(), ["3", "1"]);
    }
}
