//! The list of ids: what a list has, and in which order.

use std::mem;

use tokio::time::Instant;

use super::ask::{ask, is_too_large};
use super::list::{PagedList, PassLimits, Range};
use crate::catalogue::error::CatalogueError;
use crate::catalogue::key::ProductKey;
use crate::catalogue::query::Result;
use crate::catalogue::version::{Change, Version};

/// How many times the parts are read until two readings agree.
const MOST_READINGS: u32 = 6;

/// Reads the list of ids.
pub(super) struct IdReader {
    /// Ids of a part; 0 as long as all of them fit in one answer.
    part: u64,
    /// Whether they may fit in one answer that comes in time.
    is_slow: bool,
}

/// The ids of a list at one time.
#[derive(Debug)]
pub(super) struct ListOfIds {
    pub(super) ids: Vec<Option<ProductKey>>,
    /// If they were one answer.
    pub(super) version: Option<Version>,
    pub(super) hash: blake3::Hash,
}

impl IdReader {
    pub(super) fn new() -> Self {
        Self { part: 0, is_slow: false }
    }

    /// The ids, unless they are those of the version `since`: one answer if the service gives one. Otherwise they are
    /// read in parts until two readings agree, because the list may change between two parts.
    ///
    /// # Errors
    /// When the service does not answer, or not all of it `until` then, or no two readings agree.
    pub(super) async fn read(
        &mut self,
        list: &impl PagedList,
        limits: &PassLimits,
        since: Option<&Version>,
        until: Instant,
    ) -> Result<Change<ListOfIds>> {
        if self.part != 0 {
            // It may have become smaller while the service was slow.
            self.part = limits.ids;
        }
        if self.part == 0 || mem::take(&mut self.is_slow) {
            let all = Range { skip: 0, limit: 0 };
            match ask(limits.patience, || list.ids(all, since)).await {
                Ok(Change::Unchanged(version)) => return Ok(Change::Unchanged(version)),
                Ok(Change::New(answer, version)) => {
                    // A service may give only some, whatever the limit is.
                    let count = answer.ids.len() as u64;
                    self.part = 0;
                    if answer.total.is_none_or(|total| total <= count) {
                        return checked(answer.ids, version, limits);
                    }
                }
                // A service that makes the whole answer first may time out before its first byte.
                Err(error) if is_too_large(&error) || has_timed_out(&error) => {
                    self.is_slow = has_timed_out(&error);
                }
                Err(error) => return Err(error),
            }
            self.part = limits.ids;
        }
        let mut last: Option<Vec<_>> = None;
        for _ in 0..MOST_READINGS {
            let ids = self.read_parts(list, limits, until).await?;
            if last.as_ref() == Some(&ids) {
                return checked(ids, None, limits);
            }
            last = Some(ids);
        }
        Err(CatalogueError::Unsettled { attempts: MOST_READINGS })
    }

    async fn read_parts(
        &mut self,
        list: &impl PagedList,
        limits: &PassLimits,
        until: Instant,
    ) -> Result<Vec<Option<ProductKey>>> {
        let mut ids = Vec::new();
        loop {
            if Instant::now() > until {
                return Err(CatalogueError::TooLong { longest: limits.longest });
            }
            let range = Range { skip: ids.len() as u64, limit: self.part };
            match ask(limits.patience, || list.ids(range, None)).await {
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
                Err(error) if is_too_large(&error) && self.part > limits.smallest_page => {
                    self.part = (self.part / 2).max(limits.smallest_page);
                }
                Err(error) => return Err(error),
            }
        }
    }
}

fn checked(
    ids: Vec<Option<ProductKey>>,
    version: Option<Version>,
    limits: &PassLimits,
) -> Result<Change<ListOfIds>> {
    check_count(ids.len() as u64, limits)?;
    let mut hasher = blake3::Hasher::new();
    for id in &ids {
        hasher.update(id.as_ref().map(ToString::to_string).unwrap_or_default().as_bytes()).update(b"\n");
    }
    Ok(Change::New(ListOfIds { ids, version: version.clone(), hash: hasher.finalize() }, version))
}

fn has_timed_out(error: &CatalogueError) -> bool {
    matches!(error.cause(), CatalogueError::TimedOut(_))
}

/// # Errors
/// When a list has too many entries.
pub(super) fn check_count(count: u64, limits: &PassLimits) -> Result<()> {
    if count > limits.most { Err(CatalogueError::TooMany { most: limits.most }) } else { Ok(()) }
}
