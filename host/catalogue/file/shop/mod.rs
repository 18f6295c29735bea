//! The products of a shop on Shopify or WooCommerce, from the pages that it shows without a key. What was read of all pages is
//! one text, as that of a feed.

mod calls;
mod error;
mod headers;
mod page;
mod pass;
#[cfg(test)]
mod tests;

use std::path::PathBuf;

use tokio::time::{Duration, timeout};
use url::Url;

use self::calls::{Calls, Pace};
pub(crate) use self::error::ShopError;
pub(crate) use self::headers::{expiry, read_headers};
pub(super) use self::pass::Last;
use self::pass::Pass;
use super::body::Room;
use super::json_shops::System;
use crate::catalogue::store::Bytes;
use crate::process::compute::off_runtime;

/// Shortest time from one pass over the pages to the next.
pub(super) const BETWEEN_PASSES: Duration = Duration::from_secs(300);
/// Longest time for a pass. The first start of a shop may take as long.
pub(crate) const LONGEST_PASS: Duration = Pace::USUAL.pass;

/// How a shop is asked.
#[derive(Clone, Debug, Default)]
pub(crate) struct ShopRules {
    /// The file with headers for each call.
    pub(crate) headers: Option<PathBuf>,
    /// Whether the products that Shopify shows are sold, even if it shows no more.
    pub(crate) accepts_limit: bool,
    /// Whether it is not waited for the end of a pause.
    pub(crate) is_impatient: bool,
}

/// A shop, and the client that reads its pages.
#[derive(Debug)]
pub(super) struct Shop {
    address: Url,
    calls: Calls,
    rules: ShopRules,
}

impl Shop {
    /// # Errors
    /// When no client can be made, such as on a machine that trusts no certificates.
    pub(super) fn new(address: Url, rules: ShopRules) -> Result<Self, ShopError> {
        let repeats = if rules.is_impatient { 0 } else { Pace::USUAL.repeats };
        Self::with_pace(address, rules, Pace { repeats, ..Pace::USUAL })
    }

    fn with_pace(address: Url, rules: ShopRules, pace: Pace) -> Result<Self, ShopError> {
        Ok(Self { calls: Calls::new(address.clone(), pace)?, address, rules })
    }

    /// Reads all pages, and notes what is known of them in `last`. `None` if nothing has changed since. A pass that is not
    /// whole changes nothing.
    ///
    /// # Errors
    /// When the shop does not answer as it should, or what it sends does not fit in `room`.
    pub(super) async fn receive(&self, room: &Room, last: &mut Last) -> Result<Option<Bytes>, ShopError> {
        let read = timeout(self.calls.pace.pass, self.read(room, last)).await;
        let Some((bytes, read)) = read.map_err(|_| ShopError::Late)?? else { return Ok(None) };
        let is_known = last.hash.is_some() && last.hash == read.hash;
        *last = read;
        Ok((!is_known).then_some(bytes))
    }

    /// Reads all pages; once more from the beginning if they have changed meanwhile.
    async fn read(&self, room: &Room, last: &Last) -> Result<Option<(Bytes, Last)>, ShopError> {
        let mut pass = self.pass(room, last).await;
        let is_unsettled = match &pass {
            Err(error) => matches!(error, ShopError::Unsettled),
            Ok(pass) => pass.as_ref().is_some_and(|pass| pass.lacks_products()),
        };
        if is_unsettled {
            pass = self.pass(room, last).await;
        }
        match pass? {
            Some(pass) => pass.finish().await.map(Some),
            None => Ok(None),
        }
    }

    /// Reads all pages once; `None` if the first one says that nothing has changed.
    async fn pass<'a>(&'a self, room: &Room, last: &'a Last) -> Result<Option<Pass<'a>>, ShopError> {
        let mut pass = self.begin(room, last).await?;
        Ok(pass.read(self.rules.accepts_limit).await?.then_some(pass))
    }

    async fn begin<'a>(&'a self, room: &Room, last: &'a Last) -> Result<Pass<'a>, ShopError> {
        let file = self.rules.headers.clone();
        let headers = off_runtime(move || file.map(|file| read_headers(&file)).transpose()).await?;
        Ok(Pass::new(&self.calls, &self.address, headers.unwrap_or_default(), room.open(), last))
    }

    /// The system of the shop, as one product shows.
    pub(super) async fn system(&self) -> Option<System> {
        let (room, last) = (Room { folder: None, memory: 0 }, Last::default());
        self.begin(&room, &last).await.ok()?.system().await
    }
}
