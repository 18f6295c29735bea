//! Why the products of a shop were not read. In the messages "it" is the shop.

use std::io;

use reqwest::StatusCode;

use super::super::body::BodyError;
use super::headers::HeadersError;
use crate::public_network::Refused;

/// Why the products of a shop were not read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ShopError {
    #[error("it does not answer")]
    Call(#[source] reqwest::Error),
    #[error("its redirection is not followed")]
    Redirect(#[source] Refused),
    #[error("it answers with {0}")]
    Status(StatusCode),
    #[error("it refuses the call with {0}: --catalogue-headers sends a password or a signature with it")]
    Refused(StatusCode),
    #[error(
        "it asks for a pause with {0}, and again after that: it wants fewer calls, or signed ones (--catalogue-headers)"
    )]
    Paused(StatusCode),
    #[error(
        "its products are neither at /products.json, as in a Shopify shop, nor at /wp-json/wc/store/v1/products, as in a \
         WooCommerce shop: the interface may be off, or the address wrong"
    )]
    Off,
    #[error("it asks for a password, as a Shopify shop does that is not open yet")]
    Password,
    #[error(
        "it sends a web page instead of JSON, as a protection against bots does: let `vitrine` pass there, or sign its \
         calls (--catalogue-headers)"
    )]
    WebPage,
    #[error("its JSON has no list of products")]
    NoList,
    #[error("its JSON is not valid: a page may be cut")]
    Json(#[source] serde_json::Error),
    #[error("a page of it has more than 8 MiB, or more than 1,000 products")]
    TooLarge,
    #[error("it sends one page for several numbers, so that its list has no end")]
    Repeated,
    #[error(
        "Shopify shows no more than 25,000 products here: export them as CSV and name the file with `file:`, or sell these \
         with --accept-loss"
    )]
    Limit,
    #[error("its answers do not say how many products and pages there are (X-WP-Total and X-WP-TotalPages)")]
    NoTotal,
    #[error("it has changed while its pages were read, twice")]
    Unsettled,
    #[error("its pages were not all read within half an hour")]
    Late,
    #[error("its headers (--catalogue-headers) are not read")]
    Headers(#[from] HeadersError),
    #[error(transparent)]
    Body(#[from] BodyError),
    #[error("what was read of it before cannot be read again")]
    Kept(#[source] io::Error),
}

impl ShopError {
    /// Whether another system than the one that was asked for may be there.
    pub(super) fn may_be_other_system(&self) -> bool {
        matches!(self, Self::Off | Self::WebPage | Self::NoList)
    }
}
