//! The answers of one moment, as they are saved.

use std::collections::HashSet;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use serde::ser::Error as _;
use serde::{Serialize, Serializer};

use super::clock::{BootTime, Moment};
use super::error::StateError;
use super::format::{self, Written};
use crate::cache::{Ages, Purge};
use crate::catalogue::Source;
use crate::catalogue::key::ProductKey;
use crate::catalogue::mirror::Mirror;
use crate::catalogue::model::Category;
use crate::catalogue::query::{Categories, Listing, Preview, ProductById, Query};
use crate::catalogue::remembered::Remembered;
use crate::catalogue::remembered::answers::is_loss;
use crate::catalogue::remembered::carried_out::CarriedOut;
use crate::catalogue::remembered::queries::{AnswersOf, Remember};
use crate::catalogue::store::Store;
use crate::catalogue::window::Window;

/// A query's answers, each with its age in seconds.
pub(super) type Entries<Q> = Vec<(Q, <Q as Query>::Answer, u64)>;

/// The last good answers of one service. The field names are those of the file.
#[derive(Serialize)]
pub(super) struct Snapshot {
    /// Address of the service.
    pub(super) service: String,
    /// When it was taken, see [`Moment`].
    pub(super) at: u64,
    pub(super) boot: Option<BootTime>,
    #[serde(serialize_with = "without_products")]
    pub(super) mirror: Option<(Arc<Mirror>, u64)>,
    pub(super) categories: Entries<Categories>,
    pub(super) previews: Entries<Preview>,
    pub(super) listings: Entries<Listing>,
    pub(super) products: Entries<ProductById>,
    pub(super) windows: Entries<Window>,
    /// How many products a saved copy has that is not used, with `--mirror off`. It stays in the file until something of
    /// more worth is known.
    #[serde(skip)]
    pub(super) unused: u64,
}

/// What the JSON says of a copy: the digest of its products, which follow the JSON, and its categories.
fn without_products<S: Serializer>(
    copy: &Option<(Arc<Mirror>, u64)>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Copy<'a> {
        digest: &'a str,
        categories: &'a [Category],
    }
    let Some((copy, age)) = copy else { return serializer.serialize_none() };
    let digest = copy.products().store().digest().map_err(S::Error::custom)?.to_hex();
    (Copy { digest: &digest, categories: copy.categories() }, age).serialize(serializer)
}

impl Snapshot {
    /// What the cache holds now, without what a copy answers.
    pub(super) fn of<C: Source>(catalogue: &Remembered<C>, service: &str) -> Self {
        let mirror = catalogue.last_mirror_since_asked();
        let copy = mirror.as_ref().map(|(mirror, _)| &**mirror);
        fn entries<Q: Remember + Serialize>(answers: &AnswersOf<Q>, copy: Option<&Mirror>) -> Entries<Q> {
            let is_saved = |query: &Q, answer: &Q::Answer| {
                query.is_saved(answer) && copy.is_none_or(|copy| !query.is_known_to(copy))
            };
            let saved = answers
                .entries_since_asked()
                .into_iter()
                .filter(|(query, answer, _)| is_saved(query, answer));
            let mut saved: Entries<Q> =
                saved.map(|(query, answer, age)| (query, answer, whole_seconds(age))).collect();
            // The cache has no order, and the same answers have to be recognised.
            saved.sort_by_cached_key(|(query, ..)| serde_json::to_string(query).unwrap_or_default());
            saved
        }
        let stores = &catalogue.stores;
        let Moment { at, boot } = Moment::now();
        Self {
            service: service.into(),
            at,
            boot,
            categories: entries(&stores.categories, copy),
            previews: entries(&stores.previews, copy),
            listings: entries(&stores.listings, copy),
            products: entries(&stores.products, copy),
            windows: entries(&stores.windows, copy),
            mirror: mirror.map(|(mirror, age)| (mirror, whole_seconds(age))),
            unused: 0,
        }
    }

    /// The products of the copy.
    fn store(&self) -> Option<&Store> {
        self.mirror.as_ref().map(|(mirror, _)| mirror.products().store())
    }

    /// How many bytes the products of the copy take; `None` without a copy.
    ///
    /// # Errors
    /// When details that lie in a file cannot be read.
    pub(super) fn copied_products(&self) -> io::Result<Option<u64>> {
        self.store().map(Store::saved_length).transpose()
    }

    /// Writes it in the format of a state file, with its [`Self::fingerprint`].
    ///
    /// # Errors
    /// When it is too large or cannot be written.
    pub(super) fn write(
        &self,
        fingerprint: blake3::Hash,
        to: &mut dyn io::Write,
    ) -> Result<Written, StateError> {
        #[derive(Serialize)]
        struct Saved<'a> {
            /// By which another process knows that it need not write the same answers again.
            fingerprint: &'a str,
            #[serde(flatten)]
            snapshot: &'a Snapshot,
            /// The version before reads no file without them.
            sections: [(); 0],
        }
        let fingerprint = &fingerprint.to_hex();
        let json = serde_json::to_string(&Saved { fingerprint, snapshot: self, sections: [] })?;
        format::write(&json, self.store(), to)
    }

    /// A hash of everything but the ages. That of the copy is known if it has not changed.
    ///
    /// # Errors
    /// When details that lie in a file cannot be read.
    pub(super) fn fingerprint(&self) -> io::Result<blake3::Hash> {
        fn add<Q: Remember<Answer: Serialize> + Serialize>(
            hasher: &mut impl io::Write,
            entries: &Entries<Q>,
        ) -> serde_json::Result<()> {
            let mut entries = entries.iter();
            entries.try_for_each(|(query, answer, _)| serde_json::to_writer(&mut *hasher, &(query, answer)))
        }
        let mut hasher = io::BufWriter::new(blake3::Hasher::new());
        let mirror = self.mirror.as_ref().map(|(mirror, _)| mirror.hash()).transpose()?;
        serde_json::to_writer(&mut hasher, &(&self.service, mirror.as_ref().map(blake3::Hash::as_bytes)))?;
        add(&mut hasher, &self.categories)?;
        add(&mut hasher, &self.previews)?;
        add(&mut hasher, &self.listings)?;
        add(&mut hasher, &self.products)?;
        add(&mut hasher, &self.windows)?;
        Ok(hasher.into_inner()?.finalize())
    }

    /// How many different products it holds.
    pub(super) fn products(&self) -> usize {
        let copied = self.store();
        let listed = self.listings.iter().map(|(_, listing, _)| listing);
        let shown = self.windows.iter().flat_map(|(_, window, _)| window.products.iter());
        let single = self.products.iter().filter_map(|(_, product, _)| product.as_ref());
        let mut ids: HashSet<ProductKey> = listed.flat_map(|listing| listing.keys()).collect();
        ids.extend(single.map(|product| product.summary.id.clone()));
        ids.extend(shown.map(|summary| summary.id.clone()));
        ids.retain(|id| copied.is_none_or(|copied| copied.position(id).is_none()));
        copied.map_or(0, Store::len) + usize::try_from(self.unused).unwrap_or(usize::MAX) + ids.len()
    }

    /// Whether it may replace a saved one with `saved` products if it has this many, see [`Self::products`]. Without
    /// products it never does. With half of them or fewer it does only if it lists the whole catalogue: a shop that
    /// could not use what is saved may know little more than one page so far.
    pub(super) fn may_replace(&self, products: usize, saved: usize) -> bool {
        let is_whole = self.mirror.as_ref().is_some_and(|(mirror, _)| !mirror.products().is_empty())
            || self.listings.iter().any(|(query, all, _)| *query == Listing::All && !all.is_empty());
        products > 0 && (is_whole || !is_loss(saved, products))
    }

    /// Puts the answers into the cache that are young enough to be served; false if all are too old.
    pub(super) fn restore<C: Source>(mut self, catalogue: &Remembered<C>) -> bool {
        let since = Moment::now().since(&Moment { at: self.at, boot: self.boot.take() });
        self.restore_since(catalogue, since, None)
    }

    /// Restores as [`Self::restore`] does. The snapshot was taken `since` ago; `None` if that is not known. If its copy of
    /// the whole catalogue was confirmed later, that copy was asked for `copy_age` ago.
    pub(super) fn restore_since<C: Source>(
        self,
        catalogue: &Remembered<C>,
        since: Option<Duration>,
        copy_age: Option<Duration>,
    ) -> bool {
        // Orders that are given meanwhile come afterwards, and find what is put there.
        let carried_out = &*catalogue.carried_out.lock();
        let mut restored = Restored { carried_out, since, ages: catalogue.ages, young: 0, too_old: 0 };
        if let Some((mirror, seconds)) = self.mirror {
            let age = restored.age(seconds);
            // Another replica may have confirmed it from an older call.
            let age = copy_age.map_or(age, |confirmed| confirmed.min(age));
            if restored.is_young(age) {
                let purged = carried_out.of(age, |_| true).map(|_| Purge::Overdue);
                catalogue.mirror.insert((), Some(mirror), age, purged);
            }
        }
        let stores = &catalogue.stores;
        restored.insert(&stores.categories, self.categories);
        restored.insert(&stores.previews, self.previews);
        restored.insert(&stores.listings, self.listings);
        restored.insert(&stores.products, self.products);
        restored.insert(&stores.windows, self.windows);
        restored.young > 0 || restored.too_old == 0
    }
}

/// Seconds, rounded up: an answer must not look as if it had been asked for after an order from before it.
fn whole_seconds(age: Duration) -> u64 {
    age.as_secs() + u64::from(age.subsec_nanos() > 0)
}

/// Tells the age of saved answers, and counts them.
struct Restored<'a> {
    carried_out: &'a CarriedOut,
    /// How long ago the snapshot was taken; `None` if nothing tells.
    since: Option<Duration>,
    ages: Ages,
    young: usize,
    too_old: usize,
}

impl Restored<'_> {
    /// The age of an answer that had this one when it was saved.
    fn age(&self, seconds: u64) -> Duration {
        let saved = Duration::from_secs(seconds);
        match self.since {
            Some(since) => saved.saturating_add(since),
            // It is served, but a newer one is asked for at once.
            None => saved.max(self.ages.fresh),
        }
    }

    /// Whether an answer of this age may be served. Counts it.
    fn is_young(&mut self, age: Duration) -> bool {
        let is_young = age < self.ages.fresh.saturating_add(self.ages.stale);
        *(if is_young { &mut self.young } else { &mut self.too_old }) += 1;
        is_young
    }

    fn insert<Q: Remember>(&mut self, answers: &AnswersOf<Q>, entries: Entries<Q>) {
        for (query, answer, seconds) in entries {
            let age = self.age(seconds);
            if self.is_young(age) {
                let purged = self.carried_out.of(age, |outdated| query.is_concerned(Some(&answer), outdated));
                answers.insert(query, answer, age, purged);
            }
        }
    }
}
