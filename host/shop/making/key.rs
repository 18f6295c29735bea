//! The cache keys of answers.

use crate::catalogue::ProductKey;
use crate::exports::Format;
use crate::pages::address::Address;

/// The key of a cached answer: everything that determines it, except for the request's headers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    Page(Form, Address),
    File(File),
    /// The suggestions while this folded text is typed.
    Suggestions(Box<str>),
    /// The cards of these products.
    Cards(Box<[ProductKey]>),
}

/// A key in the cache. A shop that gets another profile keeps its cache, but none of its answers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct CacheKey {
    /// The number of the profile that the answer shows.
    pub(in crate::shop) edition: u32,
    pub(in crate::shop) key: Key,
}

/// The form in which a page is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Form {
    /// HTML.
    Document,
    /// The page's JSON, for client-side navigation.
    Data,
}

/// A file for crawlers and browsers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum File {
    Sitemap,
    /// One part of a divided sitemap, from 1.
    SitemapPart(usize),
    Robots,
    Feed,
    OpenSearch,
    Manifest,
    Llms,
    /// `/agents.md`, which assistants read.
    Agents,
    /// The shop's products for other programs.
    Export(Format),
}

impl Key {
    /// Approximate size in memory, in bytes.
    pub(in crate::shop) fn size(&self) -> usize {
        match self {
            Self::Page(_, address) => address.size(),
            Self::File(_) => size_of::<Self>(),
            Self::Suggestions(text) => size_of::<Self>() + text.len(),
            Self::Cards(keys) => {
                keys.iter().fold(size_of::<Self>(), |size, key| size + size_of_val(key) + key.size())
            }
        }
    }
}

impl Form {
    /// The prefix of its paths.
    pub(crate) fn prefix(self) -> &'static str {
        match self {
            Self::Document => "",
            Self::Data => "/_data",
        }
    }
}
