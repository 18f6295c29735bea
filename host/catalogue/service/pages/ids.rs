//! The list of ids: what a list has, and in which order.

use tokio::time::Instant;

use super::ask::{Part, ask, is_too_large, is_too_slow};
use super::list::{PagedList, PassLimits, Range};
use crate::catalogue::error::CatalogueError;
use crate::catalogue::key::ProductKey;
use crate::catalogue::query::Result;
use crate::catalogue::revision::{Change, Revision};

/// How many times the parts are read until two readings agree.
const MOST_READINGS: u32 = 6;

/// Reads the list of ids.
#[derive(Default)]
pub(super) struct IdReader {
    /// Whether all of them are too large for one answer.
    is_large: bool,
}

/// The ids of a list at one time.
#[derive(Debug)]
pub(super) struct ListOfIds {
    pub(super) ids: Vec<Option<ProductKey>>,
    /// If they were one answer.
    pub(super) revision: Option<Revision>,
    pub(super) hash: blake3::Hash,
}

impl IdReader {
    /// The ids, unless they are those of the revision `since`: one answer if the service gives one. Otherwise they are
    /// read in parts until two readings agree, because the list may change between two parts. `count` is how many
    /// entries the pages have.
    ///
    /// # Errors
    /// When the service does not answer, or not all of it `until` then, or no two readings agree.
    pub(super) async fn read(
        &mut self,
        list: &impl PagedList,
        limits: &PassLimits,
        (since, count): (Option<&Revision>, u64),
        until: Instant,
    ) -> Result<Change<ListOfIds>> {
        if !self.is_large {
            let all = Range { skip: 0, limit: 0 };
            match ask(limits.patience, Part::Divisible, || list.ids(all, since)).await {
                Ok(Change::Unchanged(revision)) => return Ok(Change::Unchanged(revision)),
                Ok(Change::New(answer, revision)) => {
                    // A service may give only some, whatever the limit is.
                    let count = answer.ids.len() as u64;
                    if answer.total.is_none_or(|total| total <= count) {
                        return checked(answer.ids, revision, limits);
                    }
                }
                // A service that was slow may be faster later.
                Err(error) if is_too_large(&error) => self.is_large = !is_too_slow(&error),
                Err(error) => return Err(error),
            }
        }
        let mut part = limits.ids.min(count / 2).max(limits.smallest_page);
        let mut last: Option<Vec<_>> = None;
        for _ in 0..MOST_READINGS {
            let ids = read_parts(list, limits, &mut part, until).await?;
            if last.as_ref() == Some(&ids) {
                return checked(ids, None, limits);
            }
            last = Some(ids);
        }
        Err(CatalogueError::Unsettled { attempts: MOST_READINGS })
    }
}

/// Reads the ids in parts of at most `part`, which is halved where a part is too large or too slow.
async fn read_parts(
    list: &impl PagedList,
    limits: &PassLimits,
    part: &mut u64,
    until: Instant,
) -> Result<Vec<Option<ProductKey>>> {
    let mut ids = Vec::new();
    loop {
        if Instant::now() > until {
            return Err(CatalogueError::TooLong { longest: limits.longest });
        }
        let range = Range { skip: ids.len() as u64, limit: *part };
        match ask(limits.patience, limits.part(*part), || list.ids(range, None)).await {
            Ok(Change::New(mut answer, _)) => {
                let is_last = answer.total == Some(range.skip + answer.ids.len() as u64);
                let is_empty = answer.ids.is_empty();
                ids.append(&mut answer.ids);
                if is_empty || is_last {
                    return Ok(ids);
                }
                check_count(ids.len() as u64, limits)?;
            }
            Ok(Change::Unchanged(_)) => return Err(CatalogueError::Status(304)),
            Err(error) if is_too_large(&error) && *part > limits.smallest_page => {
                *part = limits.half_of(*part);
            }
            Err(error) => return Err(error),
        }
    }
}

fn checked(
    ids: Vec<Option<ProductKey>>,
    revision: Option<Revision>,
    limits: &PassLimits,
) -> Result<Change<ListOfIds>> {
    check_count(ids.len() as u64, limits)?;
    let mut hasher = blake3::Hasher::new();
    for id in &ids {
        hasher.update(id.as_ref().map(ToString::to_string).unwrap_or_default().as_bytes()).update(b"\n");
    }
    Ok(Change::New(ListOfIds { ids, revision: revision.clone(), hash: hasher.finalize() }, revision))
}

/// # Errors
/// When a list has too many entries.
pub(super) fn check_count(count: u64, limits: &PassLimits) -> Result<()> {
    if count > limits.most { Err(CatalogueError::TooMany { most: limits.most }) } else { Ok(()) }
}
