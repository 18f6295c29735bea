//! The dictionaries of a shop: for what is compressed from now on, and as files for browsers.

use std::sync::Arc;

use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use clap::ValueEnum;
use parking_lot::RwLock;

use super::caching::Caching;
use super::dictionary::{Dictionary, VARY};
use super::representation::Representation;

/// Where browsers ask for the current dictionary.
pub(crate) const PATH: &str = "/dictionary";

const USE_AS_DICTIONARY: HeaderName = HeaderName::from_static("use-as-dictionary");
const EVERY_ADDRESS: HeaderValue = HeaderValue::from_static("match=\"/*\"");
/// How many dictionaries are known: pages that were made with the former one are still asked for.
const KNOWN: usize = 2;

/// Whether browsers are offered a dictionary.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum OfferDictionaries {
    #[default]
    On,
    Off,
}

/// The dictionaries that are known, the current one first. Clones share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dictionaries(Arc<RwLock<Vec<Arc<Known>>>>);

/// A dictionary, and the file that browsers ask for.
#[derive(Debug)]
pub(crate) struct Known {
    pub(crate) dictionary: Dictionary,
    pub(crate) file: Representation,
}

impl Known {
    fn new(dictionary: Dictionary) -> Self {
        Self { file: Representation::new("text/plain; charset=utf-8", dictionary.bytes()), dictionary }
    }

    /// The address of the file.
    fn path(&self) -> String {
        format!("{PATH}/{}", self.dictionary.id().name())
    }
}

impl Dictionaries {
    /// The dictionary for what is compressed from now on.
    pub(crate) fn current(&self) -> Option<Arc<Known>> {
        self.0.read().first().cloned()
    }

    /// Makes a dictionary the current one. Returns it, unless it is that already.
    pub(crate) fn renew(&self, new: Dictionary) -> Option<Arc<Known>> {
        let is_new = |known: &Arc<Known>| known.dictionary.id() == new.id();
        if self.0.read().first().is_some_and(is_new) {
            return None;
        }
        let new = Arc::new(Known::new(new));
        let mut known = self.0.write();
        known.retain(|former| former.dictionary.id() != new.dictionary.id());
        known.insert(0, Arc::clone(&new));
        known.truncate(KNOWN);
        Some(new)
    }

    /// Leads to the current dictionary. Without one the answer is empty, because browsers report a 404.
    pub(crate) fn lead(&self) -> Response {
        /// Longer than most visits.
        const KEPT: HeaderValue = HeaderValue::from_static("public, max-age=3600");
        let Some(current) = self.current() else {
            let caching = (header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
            return (StatusCode::NO_CONTENT, [caching]).into_response();
        };
        let headers = [(header::CACHE_CONTROL, KEPT)];
        let location = (header::LOCATION, current.path());
        (StatusCode::TEMPORARY_REDIRECT, headers, [location]).into_response()
    }

    /// The file at an address, if a dictionary is there.
    pub(crate) async fn show(&self, path: &str, request: &HeaderMap) -> Option<Response> {
        let known = self.0.read().iter().find(|known| known.path() == path).cloned()?;
        let mut response = known.file.answer(request, StatusCode::OK, Caching::Forever).await;
        response.headers_mut().insert(USE_AS_DICTIONARY, EVERY_ADDRESS);
        response.headers_mut().insert(header::VARY, VARY);
        Some(response)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::dictionary::tests::dictionary;

    #[tokio::test]
    async fn the_last_two_dictionaries_are_known() {
        let known = Dictionaries::default();
        assert_eq!(known.lead().status(), 204);
        let three = ["a", "b", "c"].map(|text| known.renew(dictionary(text)).unwrap());
        assert!(known.renew(dictionary("c")).is_none(), "it is the current one");
        let answer = known.lead();
        assert_eq!(answer.status(), 307);
        assert_eq!(answer.headers()[header::LOCATION], *three[2].path());
        let mut shown = Vec::new();
        for new in &three {
            shown.push(
                known.show(&new.path(), &HeaderMap::new()).await.map(|answer| answer.status().as_u16()),
            );
        }
        assert_eq!(shown, [None, Some(200), Some(200)]);
        let answer = known.show(&three[2].path(), &HeaderMap::new()).await.unwrap();
        assert_eq!(answer.headers()[USE_AS_DICTIONARY], "match=\"/*\"");
        assert_eq!(answer.headers()[header::VARY], VARY);
        assert_eq!(answer.headers()[header::CACHE_CONTROL], Caching::Forever.header());
    }
}
