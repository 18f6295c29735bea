//! Completes a pass: builds the store of what it has read.

use std::collections::BTreeMap;
use std::mem;
use std::sync::Arc;

use super::ids::ListOfIds;
use super::pass::Pass;
use super::version::{NOTHING, PageRead, ReadVersion};
use crate::catalogue::error::CatalogueError;
use crate::catalogue::query::Result;
use crate::catalogue::service::wire::Dropped;

/// Builds the store of the products of `list`, in its order. Returns it with what was left out of the list.
///
/// # Errors
/// When every entry is invalid: the service's schema has probably changed.
pub(super) fn commit(pass: &mut Pass, list: &ListOfIds) -> Result<(ReadVersion, Dropped)> {
    if pass.pool.count() == 0 && !list.ids.is_empty() {
        return Err(CatalogueError::Senseless);
    }
    let mut is_covered = covered(pass);
    let (store, dropped, positions) = mem::take(&mut pass.pool).finish(&list.ids)?;
    let pages = mem::take(&mut pass.pages).into_iter().map(|mut page| {
        if let Some(positions) = &positions {
            place(&mut page, positions);
        }
        (page.range.skip, Arc::new(page))
    });
    let pages: BTreeMap<_, _> = pages.collect();
    if let Some(positions) = &positions {
        let is_gone = positions.iter().map(|position| *position == NOTHING);
        is_covered.iter_mut().zip(is_gone).for_each(|(is_covered, is_gone)| *is_covered |= is_gone);
    }
    Ok((
        ReadVersion {
            store: Arc::new(store),
            pages,
            is_covered: is_covered.into_iter().all(|is| is),
            ids: list.version.clone(),
            ids_hash: list.hash,
        },
        dropped,
    ))
}

/// For each product of the pool, whether one of the pages has the same entry.
fn covered(pass: &Pass) -> Vec<bool> {
    let digests = pass.pool.digests();
    let mut covered = vec![false; digests.len()];
    for row in pass.pages.iter().flat_map(|page| &page.rows).filter(|row| row.position != NOTHING) {
        let position = row.position as usize;
        covered[position] |= row.digest == digests[position];
    }
    covered
}

/// Replaces positions in the pool by positions in the store.
fn place(page: &mut PageRead, positions: &[u32]) {
    for row in page.rows.iter_mut().filter(|row| row.position != NOTHING) {
        row.position = positions[row.position as usize];
        // The list no longer has the product.
        page.matches_store &= row.position != NOTHING;
    }
}
