//! A search among the products of a set, which is made when its result is first used.

use std::sync::OnceLock;

use memchr::memmem::Finder;

use crate::catalogue::search::fold;
use crate::catalogue::store::{Part, Store};
use crate::process::compute::assert_off_runtime;

/// A search for a text.
#[derive(Debug)]
pub(super) struct Search {
    /// The folded text.
    text: Box<str>,
    found: OnceLock<Part>,
}

impl Search {
    pub(super) fn new(text: &str) -> Self {
        Self { text: fold(text).into(), found: OnceLock::new() }
    }

    /// The products of `all` that contain the text. It takes long the first time, see `process/compute.rs`.
    pub(super) fn result(&self, store: &Store, all: &Part) -> &Part {
        self.found.get_or_init(|| {
            assert_off_runtime();
            let text = Finder::new(&*self.text);
            let contains = |position: &u32| text.find(store.text(*position)).is_some();
            Part::new(store, all.positions.iter().copied().filter(contains).collect())
        })
    }
}
