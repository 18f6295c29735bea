//! Reads a catalogue as a whole, and makes a [`Version`] of it unless nothing has changed.

use std::collections::{HashMap, HashSet};
use std::mem;
use std::sync::Arc;

use crate::catalogue::columns::Column;
use crate::catalogue::features::Features;
use crate::catalogue::model::Category;
use crate::catalogue::product_set::ProductSet;
use crate::catalogue::query::{Aged, Result};
use crate::catalogue::revision::{Change, Revision};
use crate::catalogue::slug::Slug;
use crate::catalogue::version::Version;
use crate::catalogue::{Source, Wanted};
use crate::process::compute::in_background;

/// What is known before a reading.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// The version on sale.
    pub(super) version: Option<Arc<Version>>,
    /// The revision of its products. A version that was restored has none: a former release of this program may have
    /// read less of the same answer.
    pub(super) revision: Option<Revision>,
    /// Whether the categories' names are to be asked for.
    pub(super) are_names_due: bool,
}

/// What was read.
#[derive(Debug)]
pub(super) struct Read {
    /// The new version; `None` if nothing has changed.
    pub(super) version: Option<Arc<Version>>,
    /// The revision of its products, if the source has any.
    pub(super) revision: Option<Revision>,
    /// Whether the categories' names were received.
    pub(super) has_names: bool,
}

/// Reads at most `most` products.
///
/// # Errors
/// When the source does not answer, or has more products.
pub(super) async fn read(source: &impl Source, most: u64, known: Known) -> Result<Aged<Read>> {
    let Known { version: last, revision, are_names_due } = known;
    // A version with other names has changed, so names are asked for before the last one may stay.
    let asked_names = match &revision {
        Some(_) if are_names_due => Some(source.names().await),
        _ => None,
    };
    let since = revision.filter(|_| match (&last, &asked_names) {
        (Some(last), Some(Ok(names))) => !renames(last.categories(), names),
        (last, _) => last.is_some(),
    });
    let count = last.as_ref().map(|last| last.products().len() as u64);
    let wanted = Wanted { since: since.as_ref(), count, most };
    let Aged { answer, age } = source.changes(wanted).await?;
    let (products, revision) = match answer {
        Change::New(products, revision) => (products, revision),
        Change::Unchanged(revision) => {
            let has_names = matches!(asked_names, Some(Ok(_)));
            let answer = Read { version: None, revision: Some(revision), has_names };
            return Ok(Aged { answer, age });
        }
    };
    let categories = last.map(|last| Arc::clone(last.categories()));
    let (products, slugs, known) = in_background(move || {
        let slugs = distinct_categories(&products);
        let known = categories.filter(|known| covers(known, &slugs));
        (products, slugs, known)
    })
    .await;
    let (names, has_names) = match (asked_names, known) {
        (Some(Ok(names)), _) => (names, true),
        // Old names are better than no new version of the products.
        (Some(Err(_)), Some(known)) => (known, false),
        (None, Some(known)) if !are_names_due => (known, false),
        (_, known) => match (source.names().await, known) {
            (Ok(names), _) => (names, true),
            (Err(_), Some(known)) => (known, false),
            // Reading the products again may take long. The next reading asks for names.
            (Err(_), None) => (Arc::default(), false),
        },
    };
    let promised = Features { ratings: source.knows_ratings(), ..Features::ALL };
    let version = in_background(move || Version::new(products, named(slugs, &names), promised)).await;
    Ok(Aged { answer: Read { version: Some(Arc::new(version)), revision, has_names }, age })
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
