//! `/offline`, which the service worker stores and shows when the shop cannot be reached.

use super::address::Address;
use super::draft::{Draft, Metadata};
use crate::contract::{Content, Offline};

pub(crate) fn draft() -> Draft {
    let metadata = Metadata { is_indexable: false, ..Metadata::new("What is left without a connection.") };
    Draft::new(Address::Offline, "No connection to the shop", Content::Offline(Offline::default()), metadata)
}
