//! The client that asks for what an operator has named.

use std::sync::Arc;
use std::time::Duration;

use reqwest::{Client, ClientBuilder};

use crate::public_network::Reach;

const CONNECT_WITHIN: Duration = Duration::from_secs(10);

/// Begins a client that keeps no cookies and calls servers within `reach` alone.
pub(super) fn client_for(reach: &Reach) -> ClientBuilder {
    Client::builder()
        .user_agent(concat!("vitrine/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(CONNECT_WITHIN)
        // It would tell the host of a redirection the query, which may have a key.
        .referer(false)
        .dns_resolver(Arc::new(reach.resolver()))
}
