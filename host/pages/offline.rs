//! `/offline`, which the service worker stores and shows when the shop cannot be reached.

use super::address::Address;
use super::draft::{Draft, Metadata};
use crate::contract::{Content, Offline};
use crate::texts::{Key, Texts};

pub(crate) fn draft(texts: &Texts) -> Draft {
    let metadata = Metadata { is_indexable: false, ..Metadata::new(texts.text(Key::AboutOffline)) };
    Draft::new(
        Address::Offline,
        texts.text(Key::NoConnection),
        Content::Offline(Offline::default()),
        metadata,
    )
}
