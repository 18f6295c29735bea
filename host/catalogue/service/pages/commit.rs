//! Makes a whole list of what a pass has read.

use std::collections::BTreeMap;
use std::mem;
use std::sync::Arc;

use super::ids::ListOfIds;
use super::list::PassError;
use super::pass::Pass;
use super::version::{NOTHING, PageRead, ReadVersion};
use crate::catalogue::service::wire::Dropped;

/// The products of a list, in its order, and what is left out of it.
///
/// # Errors
/// When there are only invalid ones: the service's schema has probably changed.
pub(super) fn commit(pass: &mut Pass, list: &ListOfIds) -> Result<(ReadVersion, Dropped), PassError> {
    if pass.pool.count() == 0 && !list.ids.is_empty() {
        return Err(PassError::Senseless);
    }
    let (store, dropped, positions) = mem::take(&mut pass.pool).finish(&list.ids)?;
    let pages = mem::take(&mut pass.pages).into_iter().map(|mut page| {
        if let Some(positions) = &positions {
            place(&mut page, positions);
        }
        (page.range.skip, Arc::new(page))
    });
    let pages: BTreeMap<_, _> = pages.collect();
    Ok((
        ReadVersion { store: Arc::new(store), pages, ids: list.version.clone(), ids_hash: list.hash },
        dropped,
    ))
}

/// Has a page's rows name the store's positions.
fn place(page: &mut PageRead, positions: &[u32]) {
    for row in page.rows.iter_mut().filter(|row| row.position != NOTHING) {
        row.position = positions[row.position as usize];
        // The list has it no more.
        page.is_exact &= row.position != NOTHING;
    }
}
