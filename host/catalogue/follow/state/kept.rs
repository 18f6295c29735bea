//! The copy of the catalogue at one moment, as it is kept. What is read is as untrusted as an answer of the service:
//! every value is cleaned and bounded by the same rules.

use std::collections::HashSet;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::clock::{BootTime, Moment};
use super::error::StateError;
use super::format::{self, Saved, Written};
use crate::catalogue::Source;
use crate::catalogue::features::Features;
use crate::catalogue::follow::Followed;
use crate::catalogue::follow::past::Past;
use crate::catalogue::model::{Category, Product, Summary, clean_tag};
use crate::catalogue::product_set::ProductSet;
use crate::catalogue::service::wire::{self, MAX_ENTRIES};
use crate::catalogue::store::{Cleaning, Store};
use crate::catalogue::version::Version;
use crate::profile::Currency;

/// The copy of one service's catalogue.
#[derive(Debug)]
pub(super) struct Kept {
    /// Address of the service.
    pub(super) service: String,
    pub(super) version: Arc<Version>,
    pub(super) age: Age,
}

/// How old a copy is.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Age {
    /// The moment at which this was noted, see [`Moment`].
    at: u64,
    boot: Option<BootTime>,
    /// The time since the copy was asked for, at that moment, in seconds.
    #[serde(rename = "mirror")]
    seconds: u64,
}

/// The JSON of a kept copy. Its products follow the JSON, and have this digest.
#[derive(Serialize, Deserialize)]
struct Head<C> {
    /// Tells another process that it need not write the same copy again.
    fingerprint: Option<String>,
    service: String,
    at: u64,
    boot: Option<BootTime>,
    /// The copy, and its age in seconds; `None` in a file that a former version has written without a copy.
    mirror: Option<(HeadOfCopy<C>, u64)>,
}

#[derive(Serialize, Deserialize)]
struct HeadOfCopy<C> {
    digest: String,
    categories: C,
}

/// The rules for kept products.
const RULES: Cleaning = Cleaning { card: Summary::cleaned_card, product: Product::cleaned, label: clean_tag };

impl Age {
    /// The age of a copy whose age is told elsewhere, so that equal copies have equal bytes.
    pub(super) const ELSEWHERE: Self = Self { at: 0, boot: None, seconds: 0 };

    fn new(age: Duration) -> Self {
        let Moment { at, boot } = Moment::now();
        // Rounded up: a copy must not seem to have been asked for after a purge order that came later.
        Self { at, boot, seconds: age.as_secs() + u64::from(age.subsec_nanos() > 0) }
    }

    /// The age now; `None` if no clock tells it.
    fn now(&self) -> Option<Duration> {
        let since = Moment::now().since(&Moment { at: self.at, boot: self.boot.clone() })?;
        Some(Duration::from_secs(self.seconds).saturating_add(since))
    }

    /// Whether a copy of this age is younger than the `last` one said, which was noted `since` ago, at least `by` this
    /// much.
    pub(super) fn is_younger(&self, last: &Self, since: Duration, by: Duration) -> bool {
        last.seconds.saturating_add(since.as_secs()) >= self.seconds.saturating_add(by.as_secs())
    }
}

impl Kept {
    /// The copy that is sold now; `None` if there is none.
    pub(super) fn of<C: Source>(catalogue: &Followed<C>, service: &str) -> Option<Self> {
        let (version, age) = catalogue.current()?;
        (!version.products().is_empty()).then(|| Self {
            service: service.into(),
            version,
            age: Age::new(age),
        })
    }

    /// Writes the copy in the format of a state file, with its [`Self::fingerprint`].
    ///
    /// # Errors
    /// When it has more than `most` bytes, or cannot be written.
    pub(super) fn write(
        &self,
        fingerprint: blake3::Hash,
        most: u64,
        to: &mut dyn io::Write,
    ) -> Result<Written, StateError> {
        let Self { service, version, age: Age { at, boot, seconds } } = self;
        let store = version.products().store();
        let digest = store.digest()?.to_hex().to_string();
        let json = serde_json::to_string(&Head {
            fingerprint: Some(fingerprint.to_hex().to_string()),
            service: service.clone(),
            at: *at,
            boot: boot.clone(),
            mirror: Some((HeadOfCopy { digest, categories: version.categories() }, *seconds)),
        })?;
        format::write(&json, Some(store), most, to)
    }

    /// A hash of everything but the age. The copy's own hash is remembered, so an unchanged copy is not hashed again.
    ///
    /// # Errors
    /// When details that lie in a file cannot be read.
    pub(super) fn fingerprint(&self) -> io::Result<blake3::Hash> {
        let mut hasher = blake3::Hasher::new();
        serde_json::to_writer(&mut hasher, &(&self.service, self.version.digest()?.as_bytes()))?;
        Ok(hasher.finalize())
    }

    /// The copy in a state file, with prices in `currency` and at most `most` products; `None` if it has no products.
    ///
    /// # Errors
    /// When the JSON is invalid or not that of a copy, or the products cannot be used.
    pub(super) fn parse(saved: &Saved, currency: Currency, most: u64) -> Result<Option<Self>, StateError> {
        wire::check_nesting(saved.json.as_bytes())?;
        let Head { service, at, boot, mirror, .. } =
            serde_json::from_str::<Head<Vec<&RawValue>>>(&saved.json)?;
        let Some((HeadOfCopy { digest, categories }, seconds)) = mirror else { return Ok(None) };
        let digest = blake3::Hash::from_hex(digest).map_err(|_| StateError::Damaged)?;
        let store = Store::open(&saved.products, digest, currency, most, RULES)?;
        let products = ProductSet::of_saved(Arc::new(store));
        if products.is_empty() {
            return Ok(None);
        }
        let categories = clean_categories(categories, &products);
        // Without a valid last line the age in the JSON counts, which is greater and does no harm.
        let age = saved.ages.as_ref().and_then(|age| serde_json::from_str(age).ok());
        let age = age.unwrap_or(Age { at, boot, seconds });
        let version = Arc::new(Version::new(products, categories, Features::ALL));
        Ok(Some(Self { service, version, age }))
    }

    /// Sells the copy, as old as its own clocks tell.
    ///
    /// # Errors
    /// When it is too old, or not believed.
    pub(super) fn restore<C: Source>(&self, catalogue: &Followed<C>) -> Result<(), StateError> {
        // A copy of unknown age is sold, but a newer one is asked for at once.
        let unknown = || Duration::from_secs(self.age.seconds).max(catalogue.ages.fresh);
        let asked = Past::new(self.age.now().unwrap_or_else(unknown));
        catalogue.restore(&self.version, asked, asked)
    }
}

/// The valid categories of which there are products, each once.
fn clean_categories(list: Vec<&RawValue>, products: &ProductSet) -> Arc<[Category]> {
    let store = products.store();
    let mut unused: HashSet<_> =
        products.categories().iter().map(|&number| store.category(number).clone()).collect();
    let valid =
        list.into_iter().filter_map(|raw| serde_json::from_str::<Category>(raw.get()).ok()?.cleaned());
    valid.filter(|category| unused.remove(&category.slug)).take(MAX_ENTRIES).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;
    use crate::catalogue::store::{Builder, Bytes};
    use crate::catalogue::{check_product, example_product};

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

    fn kept(copy: &Store, category: &Value) -> Result<Option<Kept>, StateError> {
        let digest = copy.digest().unwrap().to_hex();
        let saved = json!({
            "service": "s", "at": 1, "boot": null,
            "mirror": [{ "digest": digest.as_str(), "categories": [category, category, 7, "x"] }, 5],
        });
        let mut bytes = Vec::new();
        format::write(&saved.to_string(), Some(copy), u64::MAX, &mut bytes).unwrap();
        Kept::parse(&format::read(&Bytes::in_memory(bytes)).unwrap(), Currency::default(), 1_000)
    }

    fn products(kept: &Kept) -> Vec<Product> {
        kept.version.products().store().products().map(Result::unwrap).collect()
    }

    #[test]
    fn what_is_valid_is_restored_once() {
        let example = example_product();
        let copy = copy_of(&serde_json::to_value(&example).unwrap()).unwrap();
        let slug = example.summary.category.clone().unwrap();
        let kept = kept(&copy, &json!({ "slug": slug, "name": " A name " })).unwrap().unwrap();
        assert_eq!((products(&kept), kept.age.seconds), (vec![example], 5));
        assert_eq!(*kept.version.categories(), [Category { slug, name: "A name".into() }].into());
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
            match copy_of(&product).map(|copy| kept(&copy, &json!({ "slug": "beauty", "name": "Beauty" }))) {
                Some(Ok(kept)) => products(&kept.unwrap()).iter().for_each(check_product),
                // A copy is used as a whole or not at all.
                Some(Err(error)) => prop_assert!(matches!(error, StateError::Record(_)), "{error:?}"),
                None => {}
            }
        }
    }
}
