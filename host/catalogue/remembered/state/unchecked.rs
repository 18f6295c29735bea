//! Parses the JSON of a state file, which is as untrusted as an answer of the service: every value is cleaned
//! and bounded by the same rules, and an entry that they reject is left out.

use std::collections::HashSet;
use std::hash::Hash;
use std::sync::Arc;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::ages::Ages;
use super::clock::BootTime;
use super::error::StateError;
use super::format::Saved;
use super::snapshot::{Entries, Snapshot};
use crate::catalogue::mirror::Mirror;
use crate::catalogue::model::{Category, CategoryPreview, Product, Summary, clean_tag};
use crate::catalogue::product_set::ProductSet;
use crate::catalogue::query::Query;
use crate::catalogue::remembered::queries::Remember;
use crate::catalogue::service::wire::{self, MAX_ENTRIES};
use crate::catalogue::store::{Bytes, Rules, Store};
use crate::catalogue::window::Windowed;
use crate::profile::Currency;

/// A list whose entries are not parsed yet.
type List<'a> = Vec<&'a RawValue>;

/// The fields of a [`Snapshot`].
#[derive(Deserialize)]
struct Unchecked<'a> {
    service: String,
    at: u64,
    boot: Option<BootTime>,
    #[serde(borrow)]
    mirror: Option<(UncheckedMirror<'a>, u64)>,
    #[serde(borrow)]
    categories: List<'a>,
    #[serde(borrow)]
    previews: List<'a>,
    #[serde(borrow)]
    listings: List<'a>,
    #[serde(borrow)]
    products: List<'a>,
    #[serde(borrow)]
    windows: List<'a>,
}

/// A copy whose products follow the JSON and have this `digest`.
#[derive(Deserialize)]
struct UncheckedMirror<'a> {
    digest: String,
    #[serde(borrow)]
    categories: List<'a>,
}

/// The rules for saved products.
const RULES: Rules = Rules { card: Summary::cleaned_card, product: Product::cleaned, tag: clean_tag };

/// Parses saved answers: prices in `currency`, a copy of at most `most` products. Takes long, see `process/compute.rs`.
///
/// # Errors
/// When the JSON is invalid or not that of a snapshot, or the products of a copy cannot be used.
pub(super) fn parse(saved: &Saved, currency: Currency, most: u64) -> Result<Snapshot, StateError> {
    let Saved { json, ages, products, .. } = saved;
    wire::check_nesting(json.as_bytes())?;
    let mut unchecked: Unchecked = serde_json::from_str(json)?;
    // Without valid ages, those in the snapshot itself count, which are greater and do no harm.
    let ages: Option<Ages> = ages.as_ref().and_then(|ages| serde_json::from_str(ages).ok());
    let mut ages = ages.map(|Ages { at, boot, mirror, answers }| {
        (unchecked.at, unchecked.boot) = (at, boot);
        if let (Some((_, saved)), Some(age)) = (&mut unchecked.mirror, mirror) {
            *saved = age;
        }
        answers.into_iter()
    });
    let ages = &mut ages;
    let (mirror, unused) = match unchecked.mirror {
        Some((parts, age)) => match copied(parts, products, currency, most) {
            Err(StateError::TooMany(unused)) if most == 0 => (None, unused),
            mirror => (mirror?.map(|mirror| (Arc::new(mirror), age)), 0),
        },
        None => (None, 0),
    };
    Ok(Snapshot {
        service: unchecked.service,
        at: unchecked.at,
        boot: unchecked.boot,
        mirror,
        unused,
        // In the order of [`Ages::of`].
        categories: answers(unchecked.categories, ages, |list: List| Some(categories(list).into())),
        previews: answers(unchecked.previews, ages, |preview: CategoryPreview| Some(preview.cleaned())),
        listings: answers(unchecked.listings, ages, |list: List| {
            Some(Arc::new(ProductSet::new(summaries(list), currency)))
        }),
        products: answers(unchecked.products, ages, |product: Product| {
            Some(Some(Arc::new(product.cleaned()?)))
        }),
        windows: answers(unchecked.windows, ages, window),
    })
}

/// A window whose products are not parsed yet.
#[derive(Deserialize)]
struct UncheckedWindow<'a> {
    #[serde(borrow)]
    products: List<'a>,
    total: Option<u64>,
    entries: u32,
}

fn window(UncheckedWindow { products, total, entries }: UncheckedWindow) -> Option<Arc<Windowed>> {
    Some(Arc::new(Windowed { products: summaries(products), total, entries }))
}

/// The copy; `None` if it has no products: an empty mirror would hide the other answers.
fn copied(
    parts: UncheckedMirror,
    products: &Bytes,
    currency: Currency,
    most: u64,
) -> Result<Option<Mirror>, StateError> {
    let digest = blake3::Hash::from_hex(parts.digest).map_err(|_| StateError::Damaged)?;
    let products = ProductSet::of_saved(Arc::new(Store::open(products, digest, currency, most, RULES)?));
    // A copy of the catalogue has no category without products.
    let store = products.store();
    let used: HashSet<_> =
        products.categories().iter().map(|&number| store.category(number).clone()).collect();
    let categories = categories(parts.categories).into_iter();
    let categories = categories.filter(|category| used.contains(&category.slug)).collect();
    Ok((!products.is_empty()).then(|| Mirror::new(products, categories)))
}

fn summaries(list: List) -> Vec<Summary> {
    entries(list, Summary::cleaned, |product: &Summary| product.id.clone())
}

fn categories(list: List) -> Vec<Category> {
    entries(list, Category::cleaned, |category: &Category| category.slug.clone())
}

/// The valid entries of a list. Of entries with the same key, only the first is kept.
fn entries<T: DeserializeOwned, K: Hash + Eq>(
    list: List,
    clean: impl Fn(T) -> Option<T>,
    key: impl Fn(&T) -> K,
) -> Vec<T> {
    let mut seen = HashSet::new();
    let valid = list.into_iter().filter_map(|raw| clean(serde_json::from_str(raw.get()).ok()?));
    valid.filter(|entry| seen.insert(key(entry))).take(MAX_ENTRIES).collect()
}

/// The valid answers to one kind of query, with the next `ages`, if there are any, instead of their own. Leaves out
/// answers that would not be saved again.
fn answers<'a, Q: Remember + DeserializeOwned, A: Deserialize<'a>>(
    entries: List<'a>,
    ages: &mut Option<impl Iterator<Item = u64>>,
    clean: impl Fn(A) -> Option<<Q as Query>::Answer>,
) -> Entries<Q> {
    let answer = |raw: &'a RawValue| {
        // An answer that is left out has an age too.
        let age = ages.as_mut().map(Iterator::next);
        let (query, answer, saved): (Q, A, u64) = serde_json::from_str(raw.get()).ok()?;
        let (answer, age) = (clean(answer)?, age.unwrap_or(Some(saved))?);
        query.is_saved(&answer).then_some((query, answer, age))
    };
    entries.into_iter().filter_map(answer).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;
    use crate::catalogue::remembered::state::format;
    use crate::catalogue::store::Builder;
    use crate::catalogue::{Listing, Window, check_product, check_summary, example_product};

    const FIELDS: [&str; 28] = [
        "/summary",
        "/summary/id",
        "/summary/title",
        "/summary/description",
        "/summary/category",
        "/summary/brand",
        "/summary/price",
        "/summary/list_price",
        "/summary/discount_percentage",
        "/summary/rating",
        "/summary/thumbnail",
        "/tags",
        "/sku",
        "/gtin",
        "/weight",
        "/dimensions/width",
        "/minimum_order_quantity",
        "/images",
        "/reviews",
        "/reviews/0/rating",
        "/reviews/0/date",
        "/variants",
        "/variants/0/options",
        "/variants/0/options/0/name",
        "/variants/0/price",
        "/variants/0/list_price",
        "/variants/0/sku",
        "/variants/1/picture",
    ];

    fn value() -> impl Strategy<Value = Value> {
        let long = "\u{1}x".repeat(9_000);
        let values = [
            json!(null),
            json!(true),
            json!(-1),
            json!(0),
            json!(u64::MAX),
            json!(1e308),
            json!({}),
            json!(""),
            json!("a\u{0}b"),
            json!("javascript:alert(1)"),
            json!("//evil.example/x"),
            json!(long),
            json!(vec![long.as_str(); 30]),
            json!(vec!["/a.svg"; 300]),
        ];
        prop::sample::select(values.to_vec())
    }

    /// A copy with this product, if this is the JSON of one.
    fn copy_of(product: &Value) -> Option<Store> {
        let mut builder = Builder::new(Currency::default());
        builder.push(&serde_json::from_value(product.clone()).ok()?).ok()?;
        Some(builder.finish())
    }

    /// A snapshot with this product in its answers, and with this copy.
    fn snapshot_of(product: &Value, copy: Option<&Store>) -> Result<Snapshot, StateError> {
        let (summary, category) = (&product["summary"], json!({ "slug": "beauty", "name": "Beauty" }));
        let digest = copy.map(|copy| copy.digest().unwrap().to_hex());
        let saved = json!({
            "service": "s", "at": 1, "boot": null,
            "mirror": digest.map(|digest| json!([{ "digest": digest.as_str(), "categories": [category] }, 5])),
            "categories": [[null, [category, category, 7], 5], 7], "previews": [["beauty", 7, 5]],
            "listings": [["All", [summary, summary], 5], [{ "Search": "text" }, [summary], 5]],
            "products": [[1, product, 5], [1, product, -5]],
            "windows": [
                [Window::new_arrivals(), { "products": [summary, summary, 7], "total": 9, "entries": 3 }, 5],
                [Window::featured(), { "products": [summary], "total": null, "entries": 1 }, 5],
                [Window::first(Listing::All), { "products": [summary], "total": 9, "entries": 1 }, 5],
            ],
        });
        let mut bytes = Vec::new();
        format::write(&saved.to_string(), copy, &mut bytes).unwrap();
        parse(&format::read(&Bytes::in_memory(bytes)).unwrap(), Currency::default(), 1_000)
    }

    #[test]
    fn what_is_valid_is_restored_once() {
        let product = serde_json::to_value(example_product()).unwrap();
        let snapshot = snapshot_of(&product, copy_of(&product).as_ref()).unwrap();
        let (mirror, age) = snapshot.mirror.as_ref().unwrap();
        let products: Vec<Product> = mirror.products().store().products().map(Result::unwrap).collect();
        assert_eq!((products, *age), (vec![example_product()], 5));
        assert_eq!((snapshot.categories.len(), snapshot.categories[0].1.len()), (1, 1));
        // Searches are not saved, so they are not restored either.
        assert_eq!((snapshot.listings.len(), snapshot.listings[0].1.len()), (1, 1));
        assert_eq!((snapshot.previews.len(), snapshot.products.len(), snapshot.windows.len()), (0, 1, 2));
        assert_eq!(snapshot.products(), 1);
    }

    proptest! {
        #[test]
        fn any_value_is_restored_within_the_bounds_of_what_the_service_sends(
            changes in prop::collection::vec((prop::sample::select(FIELDS.to_vec()), value()), 1..4),
        ) {
            let mut product = serde_json::to_value(example_product()).unwrap();
            for (field, value) in changes {
                if let Some(place) = product.pointer_mut(field) {
                    *place = value;
                }
            }
            match copy_of(&product).map(|copy| snapshot_of(&product, Some(&copy))) {
                Some(Ok(snapshot)) => {
                    let (mirror, _) = snapshot.mirror.unwrap();
                    mirror.products().store().products().for_each(|product| check_product(&product.unwrap()));
                }
                // A copy is used as a whole or not at all.
                Some(Err(error)) => prop_assert!(matches!(error, StateError::Record(_)), "{error:?}"),
                None => {}
            }
            let snapshot = snapshot_of(&product, None).unwrap();
            let single = snapshot.products.iter().filter_map(|(_, product, _)| product.as_ref());
            single.for_each(|product| check_product(product));
            let listed = snapshot.listings.iter().flat_map(|(_, list, _)| list.store().products());
            listed.for_each(|product| check_summary(&product.unwrap().summary));
            snapshot.windows.iter().flat_map(|(_, window, _)| &window.products).for_each(check_summary);
        }
    }
}
