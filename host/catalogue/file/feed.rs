//! A catalogue's file at an address of the web, or the pages of a shop there. Its server is asked to send them only if they have
//! changed.

use std::fmt;
use std::time::Duration;

use parking_lot::Mutex;
use reqwest::header::{ETAG, HeaderMap, HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED};
use reqwest::{Client, StatusCode};
use url::Url;

use super::body::{BodyError, Room};
use super::client::client_for;
use super::json_shops::System;
use super::shop::{BETWEEN_PASSES, Last, Shop, ShopError, ShopRules};
use crate::catalogue::store::Bytes;
use crate::pacing::requested_pause;
use crate::public_network::Reach;

/// Time between two checks of a file, and shortest time between two requests for one without an order.
pub(super) const PERIOD: Duration = Duration::from_secs(2);
/// Longest pause between two parts of an answer.
const PAUSE: Duration = Duration::from_secs(30);
/// Longest time for a whole answer.
const WITHIN: Duration = Duration::from_secs(600);

/// The address of a feed. Displayed without its credentials and its query.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct FeedAddress(Url);

/// Why an address is not understood. It repeats nothing of the address, which may have a password.
#[derive(Debug, thiserror::Error)]
#[error("expected `feed:` and an address such as https://shop.example/products.xml, without spaces")]
pub(crate) struct FeedAddressError;

/// Why the address of a shop is not understood.
#[derive(Debug, thiserror::Error)]
#[error("expected `shop:` and an address such as https://shop.example, without user, query and spaces")]
pub(crate) struct ShopAddressError;

/// Why a feed was not received.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FeedError {
    #[error("it does not answer")]
    Call(#[source] reqwest::Error),
    #[error("it answers with {0}")]
    Status(StatusCode),
    #[error(transparent)]
    Body(#[from] BodyError),
    #[error(transparent)]
    Shop(#[from] ShopError),
}

/// What is at the address of a feed.
enum Source {
    /// A file, which this client receives.
    File(Client),
    /// The pages of a shop.
    Shop(Box<Shop>),
}

/// A feed, and what receives it.
pub(crate) struct Feed {
    address: FeedAddress,
    /// Where its answers are received.
    room: Room,
    source: Source,
    /// For how long its server wants no calls, as its last answer says.
    pause: Mutex<Duration>,
}

/// The version of a feed that is known: the validators that its server sent, and the hash of its bytes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    etag: Option<HeaderValue>,
    modified: Option<HeaderValue>,
    hash: Option<blake3::Hash>,
    of_shop: Last,
}

impl FeedAddress {
    /// Parses an `http(s)` address, which may have credentials.
    ///
    /// # Errors
    /// When the text is not such an address.
    pub(crate) fn parse(text: &str) -> Result<Self, FeedAddressError> {
        let url = Url::parse(text).map_err(|_| FeedAddressError)?;
        let is_plain = !text.contains(|sign: char| sign.is_whitespace() || sign.is_control());
        let is_web = matches!(url.scheme(), "http" | "https") && url.host().is_some();
        if is_web && is_plain { Ok(Self(url)) } else { Err(FeedAddressError) }
    }

    /// Its server's address.
    pub(crate) fn origin(&self) -> Url {
        let mut origin = self.0.clone();
        // An address of the web can have neither.
        let _ = (origin.set_username(""), origin.set_password(None));
        origin
    }

    /// Parses the `http(s)` address of a shop.
    ///
    /// # Errors
    /// When the text is not such an address.
    pub(crate) fn parse_shop(text: &str) -> Result<Self, ShopAddressError> {
        let Self(url) = Self::parse(text).map_err(|_| ShopAddressError)?;
        let has_user = !url.username().is_empty() || url.password().is_some();
        let is_bare = !has_user && url.query().is_none() && url.fragment().is_none();
        if is_bare { Ok(Self(url)) } else { Err(ShopAddressError) }
    }

    /// The address of a shop at the base address of a service.
    pub(crate) fn of_shop(base: &Url) -> Self {
        Self(base.clone())
    }
}

impl fmt::Display for FeedAddress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(url) = self;
        let query = if url.query().is_some() { "?…" } else { "" };
        write!(formatter, "{}{}{query}", url.origin().ascii_serialization(), url.path())
    }
}

impl fmt::Debug for FeedAddress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl Feed {
    /// The feed at an address, with answers that fit in `room`.
    ///
    /// # Errors
    /// When no client can be made, such as on a machine that trusts no certificates.
    pub(crate) fn new(address: FeedAddress, room: Room) -> Result<Self, FeedError> {
        let reach = Reach::from(&address.0);
        let client = client_for(&reach)
            .read_timeout(PAUSE)
            .timeout(WITHIN)
            .redirect(reach.policy())
            .build()
            .map_err(|error| FeedError::Call(error.without_url()))?;
        Ok(Self { address, room, source: Source::File(client), pause: Mutex::default() })
    }

    /// The pages of the shop at an address, with products that fit in `room`.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub(crate) fn of_shop(address: FeedAddress, room: Room, rules: ShopRules) -> Result<Self, FeedError> {
        let source = Source::Shop(Box::new(Shop::new(address.0.clone(), rules)?));
        Ok(Self { address, room, source, pause: Mutex::default() })
    }

    pub(super) fn address(&self) -> &FeedAddress {
        &self.address
    }

    /// What tells it from other feeds in the state directory. It has the whole address, with credentials.
    pub(super) fn secret_name(&self) -> String {
        let scheme = if self.is_shop() { "shop" } else { "feed" };
        format!("{scheme}:{}", self.address.0)
    }

    /// Whether it has the pages of a shop.
    pub(super) fn is_shop(&self) -> bool {
        matches!(self.source, Source::Shop(_))
    }

    /// Which system shows products at the address of a shop.
    pub(crate) async fn system(&self) -> Option<System> {
        match &self.source {
            Source::File(_) => None,
            Source::Shop(shop) => shop.system().await,
        }
    }

    /// Shortest time between two requests without an order.
    pub(super) fn shortest(&self) -> Duration {
        if self.is_shop() { BETWEEN_PASSES } else { PERIOD }
    }

    /// How long to wait after an answer, if the server is asked each time that `fresh` has passed.
    pub(super) fn pause(&self, fresh: Duration) -> Duration {
        fresh.max(*self.pause.lock())
    }

    /// Receives the feed, and notes its version in `known`. `None` if that version was known already.
    ///
    /// # Errors
    /// When its server does not answer, or answers with an error or too large a file, or the file cannot be written.
    pub(crate) async fn receive(&self, known: &mut Known) -> Result<Option<Bytes>, FeedError> {
        match &self.source {
            Source::File(client) => self.receive_file(client, known).await,
            Source::Shop(shop) => Ok(shop.receive(&self.room, &mut known.of_shop).await?),
        }
    }

    async fn receive_file(&self, client: &Client, known: &mut Known) -> Result<Option<Bytes>, FeedError> {
        // Without an answer nothing asks for a pause.
        *self.pause.lock() = Duration::ZERO;
        let mut condition = HeaderMap::new();
        condition.extend(known.etag.clone().map(|etag| (IF_NONE_MATCH, etag)));
        condition.extend(known.modified.clone().map(|modified| (IF_MODIFIED_SINCE, modified)));
        let call = |error: reqwest::Error| FeedError::Call(error.without_url());
        let asked = client.get(self.address.0.clone()).headers(condition).send();
        let mut answer = asked.await.map_err(call)?;
        *self.pause.lock() = requested_pause(answer.status(), answer.headers());
        match answer.status() {
            StatusCode::OK => {}
            StatusCode::NOT_MODIFIED if known.hash.is_some() => return Ok(None),
            status => return Err(FeedError::Status(status)),
        }
        let mut body = self.room.open();
        body.expect(answer.content_length().unwrap_or_default())?;
        while let Some(chunk) = answer.chunk().await.map_err(call)? {
            body.add(chunk).await?;
        }
        let (bytes, hash) = body.finish().await?;
        let is_known = known.hash == Some(hash);
        let header = |name| answer.headers().get(name).cloned();
        let (etag, modified) = (header(ETAG), header(LAST_MODIFIED));
        *known = Known { etag, modified, hash: Some(hash), ..Known::default() };
        Ok((!is_known).then_some(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_shown_without_its_credentials() {
        for (text, shown) in [
            ("https://me:secret@shop.example/a.xml?token=secret", "https://shop.example/a.xml?…"),
            ("http://127.0.0.1:8080/a", "http://127.0.0.1:8080/a"),
        ] {
            let address = FeedAddress::parse(text).unwrap();
            assert_eq!((address.to_string(), format!("{address:?}")), (shown.into(), shown.into()));
        }
        for text in ["", "shop.example", "ftp://shop.example/a", "https://a b", "file:/a", "https://"] {
            assert!(FeedAddress::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_address_of_a_shop_has_no_credentials_and_no_query() {
        for text in ["https://shop.example", "http://127.0.0.1:8080/", "https://shop.example/en"] {
            assert!(FeedAddress::parse_shop(text).is_ok(), "{text}");
        }
        for text in
            ["", "shop.example", "https://me:secret@shop.example", "https://shop.example/?a", "https://a/#b"]
        {
            assert!(FeedAddress::parse_shop(text).is_err(), "{text}");
        }
    }
}
