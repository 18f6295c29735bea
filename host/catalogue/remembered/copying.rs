//! Copies the whole catalogue into a [`Mirror`].

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};
use std::{mem, ptr};

use parking_lot::Mutex;

use crate::cache::Outcome;
use crate::catalogue::columns::Column;
use crate::catalogue::error::CatalogueError;
use crate::catalogue::mirror::Mirror;
use crate::catalogue::model::Category;
use crate::catalogue::product_set::ProductSet;
use crate::catalogue::query::{Aged, Categories, Result};
use crate::catalogue::slug::Slug;
use crate::catalogue::version::{Change, Version};
use crate::catalogue::{ServiceLimits, Source, Wanted};
use crate::observe::ErrorChain;
use crate::process::compute::in_background;

/// How long a catalogue counts as too large for a mirror before its size is checked again.
const TOO_LARGE_FOR: Duration = Duration::from_secs(3_600);
/// How long the categories' names are used before they are requested again.
const NAMES_FOR: Duration = Duration::from_secs(3_600);
/// How long no copy is attempted after a failure without an earlier copy.
const NO_COPY_FOR: Duration = Duration::from_secs(30);

/// The answers that the last copy was made from, unless a purge has made them outdated.
#[derive(Debug, Default)]
pub(super) struct Origin {
    /// When the categories' names were received.
    names: Option<Instant>,
    /// The copy that was made last, and the version of its products.
    version: Option<(Weak<Mirror>, Version)>,
    /// Number of purges so far.
    purges: u64,
}

/// The origin as the tasks that copy share it.
pub(super) type LastOrigin = Mutex<Origin>;

impl Origin {
    /// Marks the answers that were received, or are on their way, as outdated: the next copy asks for everything, and
    /// no "not modified" of the service counts. Returns the time since the last copy was received as a whole, if its
    /// version is known: the service may have confirmed it since.
    pub(super) fn forget(&mut self) -> Option<Duration> {
        let known = mem::replace(self, Self { purges: self.purges + 1, ..Self::default() });
        known.version.map(|(_, version)| version.age())
    }

    fn are_names_due(&self) -> bool {
        self.names.is_none_or(|at| at.elapsed() > NAMES_FOR)
    }

    /// The version of this copy's products. A copy that was restored has none: a former version of this program may
    /// have read less of the same answer.
    fn version_of(&self, copy: &Arc<Mirror>) -> Option<Version> {
        let (known, version) = self.version.as_ref()?;
        ptr::eq(known.as_ptr(), Arc::as_ptr(copy)).then(|| version.clone())
    }

    /// Notes what a copy was made from. The copy was asked for after this many `purges`.
    fn note(&mut self, purges: u64, has_new_names: bool, copy: &Arc<Mirror>, version: Option<Version>) {
        if self.purges == purges {
            self.names = if has_new_names { Some(Instant::now()) } else { self.names };
            self.version = version.map(|version| (Arc::downgrade(copy), version));
        }
    }
}

/// A new copy of a catalogue of at most `most` products, made from answers that were given `within` this time; `None`
/// for a larger catalogue. The result is the `last` copy itself if nothing has changed.
///
/// # Errors
/// When the catalogue does not answer and there is a `last` copy, which then stays in use.
pub(super) async fn copy(
    source: Arc<impl Source>,
    most: u64,
    last: Option<Arc<Mirror>>,
    origin: Arc<LastOrigin>,
    within: Duration,
) -> Result<Outcome<Option<Arc<Mirror>>>> {
    let is_first = last.is_none();
    match try_copy(&*source, most, last, &origin, within).await {
        // Without this pause every query would start another copy.
        Err(error) if is_first => {
            let pause = match error {
                CatalogueError::TooLarge { .. } => ServiceLimits::DEFAULT.oversized_for,
                _ => NO_COPY_FOR,
            };
            tracing::warn!(error = %ErrorChain(&error), "the catalogue could not be mirrored");
            Ok(Outcome::StoreFor(None, pause))
        }
        copied => copied,
    }
}

/// Requests all products and, once in [`NAMES_FOR`], the categories' names.
async fn try_copy(
    source: &impl Source,
    most: u64,
    last: Option<Arc<Mirror>>,
    origin: &LastOrigin,
    within: Duration,
) -> Result<Outcome<Option<Arc<Mirror>>>> {
    let (are_due, since, purges) = {
        let origin = origin.lock();
        let since = last.as_ref().and_then(|last| origin.version_of(last));
        (origin.are_names_due(), since, origin.purges)
    };
    // A copy with other names has changed, so names are asked for before the last copy may stay.
    let asked_names = match &since {
        Some(_) if are_due => Some(names(source, within).await),
        _ => None,
    };
    let since = since.filter(|_| match (&last, &asked_names) {
        (Some(last), Some(Ok(names))) => !renames(last.categories(), names),
        _ => true,
    });
    let count = last.as_ref().map(|last| last.products().len() as u64);
    let Aged { answer: change, age } = match source
        .changes(Wanted { since: since.as_ref(), count, most, within })
        .await
    {
        Err(error @ (CatalogueError::TooMany { .. } | CatalogueError::TooMuch { .. })) => {
            tracing::warn!(error = %ErrorChain(&error), "the catalogue is too large to be mirrored");
            // One wrong answer must not take away what is sold.
            return Ok(last.map_or(Outcome::StoreFor(None, TOO_LARGE_FOR), |last| Outcome::Keep(Some(last))));
        }
        changes => changes?,
    };
    let (products, version) = match (change, &last) {
        (Change::New(products, version), _) => (products, version),
        (Change::Unchanged(version), Some(last)) => {
            let are_new = matches!(asked_names, Some(Ok(_)));
            origin.lock().note(purges, are_new, last, Some(version));
            return Ok(Outcome::StoreWithAge(Some(Arc::clone(last)), age));
        }
        // Without a last copy, no version was asked with.
        (Change::Unchanged(_), None) => return Err(CatalogueError::Status(304)),
    };
    let categories = last.map(|last| Arc::clone(last.categories()));
    let (products, slugs, known) = in_background(move || {
        let slugs = distinct_categories(&products);
        let known = categories.filter(|known| covers(known, &slugs));
        (products, slugs, known)
    })
    .await;
    let (names, are_new) = match (asked_names, known) {
        (Some(Ok(names)), _) => (names, true),
        // Old names are better than no new copy of the products.
        (Some(Err(_)), Some(known)) => (known, false),
        (None, Some(known)) if !are_due => (known, false),
        (_, known) => match (names(source, within).await, known) {
            (Ok(names), _) => (names, true),
            (Err(_), Some(known)) => (known, false),
            // Reading the products again may take long. The next refresh asks for names.
            (Err(_), None) => (Arc::default(), false),
        },
    };
    let mirror = in_background(move || Mirror::new(products, named(slugs, &names))).await;
    let mirror = Arc::new(mirror);
    origin.lock().note(purges, are_new, &mirror, version);
    Ok(Outcome::StoreWithAge(Some(mirror), age))
}

/// The categories' names from the catalogue.
async fn names(source: &impl Source, within: Duration) -> Result<Arc<[Category]>> {
    source.ask_within(&Categories, within).await.map(|names| names.answer)
}

/// Whether a category's name differs from the known one.
fn renames(known: &[Category], names: &[Category]) -> bool {
    let slugs = known.iter().map(|category| category.slug.clone()).collect();
    *named(slugs, names) != *known
}

/// The categories in the order of their first products, which is the service's order.
fn distinct_categories(products: &ProductSet) -> Vec<Slug> {
    let store = products.store();
    let mut seen = vec![false; store.names(Column::Category).len()];
    let numbers = products.positions().iter().map(|&position| store.name(Column::Category, position));
    let first =
        numbers.filter(|&number| seen.get_mut(number as usize).is_some_and(|seen| !mem::replace(seen, true)));
    first.map(|number| store.category(number).clone()).collect()
}

fn covers(known: &[Category], slugs: &[Slug]) -> bool {
    let known: HashSet<&Slug> = known.iter().map(|category| &category.slug).collect();
    slugs.iter().all(|slug| known.contains(slug))
}

fn named(slugs: Vec<Slug>, names: &[Category]) -> Arc<[Category]> {
    // The first of two names for a category counts.
    let names: HashMap<&Slug, &String> =
        names.iter().rev().map(|category| (&category.slug, &category.name)).collect();
    let name = |slug: &Slug| names.get(slug).map_or_else(|| slug.title(), |name| (*name).clone());
    slugs.into_iter().map(|slug| Category { name: name(&slug), slug }).collect()
}
