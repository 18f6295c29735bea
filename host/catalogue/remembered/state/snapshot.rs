//! The cached answers at one moment, as they are saved.

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

/// The answers to one kind of query, each with its age in seconds.
pub(super) type Entries<Q> = Vec<(Q, <Q as Query>::Answer, u64)>;

/// The last good answers of one service. The field names are those of the file.
#[derive(Serialize)]
pub(super) struct Snapshot {
    /// Address of the service.
    pub(super) service: String,
    /// When the snapshot was taken, see [`Moment`].
    pub(super) at: u64,
    pub(super) boot: Option<BootTime>,
    #[serde(serialize_with = "without_products")]
    pub(super) mirror: Option<(Arc<Mirror>, u64)>,
    pub(super) categories: Entries<Categories>,
    pub(super) previews: Entries<Preview>,
    pub(super) listings: Entries<Listing>,
    pub(super) products: Entries<ProductById>,
    pub(super) windows: Entries<Window>,
    /// The number of products of a saved copy that is not used, because of `--mirror off`. The copy stays in the file
    /// until answers of more worth are known.
    #[serde(skip)]
    pub(super) unused: u64,
}

/// Serialises a copy as the digest of its products, which follow the JSON, and its categories.
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
    /// The answers in the cache now, without those that the copy gives too.
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
            // The cache has no order, but the same answers must have the same fingerprint.
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

    /// How many bytes the saved products of the copy take; `None` without a copy.
    ///
    /// # Errors
    /// When details that lie in a file cannot be read.
    pub(super) fn copied_products(&self) -> io::Result<Option<u64>> {
        self.store().map(Store::saved_length).transpose()
    }

    /// Writes the snapshot in the format of a state file, with its [`Self::fingerprint`].
    ///
    /// # Errors
    /// When the snapshot is too large or cannot be written.
    pub(super) fn write(
        &self,
        fingerprint: blake3::Hash,
        to: &mut dyn io::Write,
    ) -> Result<Written, StateError> {
        #[derive(Serialize)]
        struct Saved<'a> {
            /// Tells another process that it need not write the same answers again.
            fingerprint: &'a str,
            #[serde(flatten)]
            snapshot: &'a Snapshot,
        }
        let fingerprint = &fingerprint.to_hex();
        let json = serde_json::to_string(&Saved { fingerprint, snapshot: self })?;
        format::write(&json, self.store(), to)
    }

    /// A hash of everything but the ages. The copy's own hash is remembered, so an unchanged copy is not hashed again.
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

    /// The number of different products in the snapshot.
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

    /// Whether this snapshot, with this many `products` ([`Self::products`]), may replace a saved one with `saved`
    /// products. Without products it never may. With at most half as many it may only if it lists the whole catalogue:
    /// a shop that could not use the saved answers may know little more than one page so far.
    pub(super) fn may_replace(&self, products: usize, saved: usize) -> bool {
        let is_whole = self.mirror.as_ref().is_some_and(|(mirror, _)| !mirror.products().is_empty())
            || self.listings.iter().any(|(query, all, _)| *query == Listing::All && !all.is_empty());
        products > 0 && (is_whole || !is_loss(saved, products))
    }

    /// Puts those answers into the cache that are young enough to be served; false if all are too old.
    pub(super) fn restore<C: Source>(mut self, catalogue: &Remembered<C>) -> bool {
        let since = Moment::now().since(&Moment { at: self.at, boot: self.boot.take() });
        self.restore_since(catalogue, since, None)
    }

    /// As [`Self::restore`]. The snapshot was taken `since` ago; `None` if that is not known. If its copy of the whole
    /// catalogue was confirmed later, that copy was asked for `copy_age` ago.
    pub(super) fn restore_since<C: Source>(
        self,
        catalogue: &Remembered<C>,
        since: Option<Duration>,
        copy_age: Option<Duration>,
    ) -> bool {
        // Purge orders wait for this lock, and then find what was restored.
        let carried_out = &*catalogue.carried_out.lock();
        let mut restored = Restored { carried_out, since, ages: catalogue.ages, young: 0, too_old: 0 };
        if let Some((mirror, seconds)) = self.mirror {
            let age = restored.age(seconds);
            // Another replica may have confirmed it by an older call.
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

/// The age in seconds, rounded up: an answer must not seem to have been asked for after a purge order that came later.
fn whole_seconds(age: Duration) -> u64 {
    age.as_secs() + u64::from(age.subsec_nanos() > 0)
}

/// Restores saved answers: knows their ages, and counts the answers.
struct Restored<'a> {
    carried_out: &'a CarriedOut,
    /// How long ago the snapshot was taken; `None` if that is not known.
    since: Option<Duration>,
    ages: Ages,
    young: usize,
    too_old: usize,
}

impl Restored<'_> {
    /// The age of an answer whose age was this many seconds when it was saved.
    fn age(&self, seconds: u64) -> Duration {
        let saved = Duration::from_secs(seconds);
        match self.since {
            Some(since) => saved.saturating_add(since),
            // The answer is served, but a newer one is asked for at once.
            None => saved.max(self.ages.fresh),
        }
    }

    /// Whether an answer of this age may be served. Counts the answer.
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
