//! Purges what is remembered, by order of an operator.

use std::time::Duration;

use percent_encoding::percent_decode_str;

use super::Shop;
use super::answering::routes::path_of_file;
use super::making::answer::Kind;
use super::making::key::{CacheKey, Key};
use super::named_address::{canonical, nearest};
use crate::cache::Purge;
use crate::catalogue::{CataloguePurge, Outdated, ProductKey, PurgeMode, Slug};

/// What an operator orders to purge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PurgeOrder {
    pub scope: PurgeScope,
    pub mode: PurgeMode,
}

/// Which pages and answers are purged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PurgeScope {
    /// What comes from this part of the catalogue.
    Catalogue(Outdated),
    /// The pages or files at these canonical paths and queries, and the product or category that they are about.
    /// There are two if the order can be read in two ways.
    Addresses(Vec<String>),
}

/// Why an order is not understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PurgeError {
    #[error("name one of product=KEY, category=SLUG, address=/PATH or all=1")]
    NoScope,
    #[error("name only one of product, category, address and all")]
    SeveralScopes,
    #[error("`{0}` is not a parameter of a purge")]
    Unknown(String),
    #[error("{0}")]
    Value(&'static str),
    #[error("no page or file has this address; the nearest one is {nearest}")]
    NoSuchAddress { nearest: String },
}

impl PurgeOrder {
    /// Reads an order from a query string.
    ///
    /// # Errors
    /// Fails when it does not name exactly one valid scope, or has anything else than that and `hard`.
    pub fn parse(query: &str) -> Result<Self, PurgeError> {
        let (mut scope, mut mode) = (None, PurgeMode::Soft);
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let (raw, value) = (value, value.replace('+', " "));
            let value = percent_decode_str(&value)
                .decode_utf8()
                .map_err(|_| PurgeError::Value("a value is not UTF-8"))?;
            let new = match name {
                "hard" => {
                    mode = if is_set(&value, "hard is 1 or 0")? { PurgeMode::Hard } else { PurgeMode::Soft };
                    continue;
                }
                "all" if is_set(&value, "all is 1")? => PurgeScope::Catalogue(Outdated::Everything),
                "all" => continue,
                "product" => {
                    let number = value.parse().ok().map(<ProductKey as From<u64>>::from);
                    let key = number.or_else(|| ProductKey::parse(&value));
                    let key = key.ok_or(PurgeError::Value("product is a key, such as 7"))?;
                    PurgeScope::Catalogue(Outdated::Product(key))
                }
                "category" => {
                    let slug = Slug::parse(&value);
                    let slug = slug.ok_or(PurgeError::Value("category is a slug, such as mens-shirts"))?;
                    PurgeScope::Catalogue(Outdated::Category(slug))
                }
                "address" if value.starts_with('/') => addresses(raw, &value)?,
                "address" => return Err(PurgeError::Value("address begins with a slash")),
                unknown => return Err(PurgeError::Unknown(unknown.chars().take(40).collect())),
            };
            if scope.replace(new).is_some() {
                return Err(PurgeError::SeveralScopes);
            }
        }
        Ok(Self { scope: scope.ok_or(PurgeError::NoScope)?, mode })
    }
}

/// The addresses that a value names. An address that was copied from an access log is encoded once, as in the log. One
/// that was encoded for the order is encoded twice. So both readings are tried.
fn addresses(raw: &str, decoded: &str) -> Result<PurgeScope, PurgeError> {
    let mut addresses: Vec<String> = [raw, decoded].into_iter().filter_map(canonical).collect();
    addresses.dedup();
    match addresses.is_empty() {
        true => Err(PurgeError::NoSuchAddress { nearest: nearest(decoded) }),
        false => Ok(PurgeScope::Addresses(addresses)),
    }
}

fn is_set(value: &str, expected: &'static str) -> Result<bool, PurgeError> {
    match value {
        "1" => Ok(true),
        "0" => Ok(false),
        _ => Err(PurgeError::Value(expected)),
    }
}

impl PurgeScope {
    /// The name in the log and of the metric's label.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Catalogue(Outdated::Everything) => "all",
            Self::Catalogue(Outdated::Product(_)) => "product",
            Self::Catalogue(Outdated::Category(_)) => "category",
            Self::Addresses(_) => "address",
        }
    }

    /// The part of the catalogue that is out of date.
    fn outdated(&self) -> Option<Outdated> {
        match self {
            Self::Catalogue(outdated) => Some(outdated.clone()),
            Self::Addresses(addresses) => addresses.iter().find_map(|address| {
                let path = address.split('?').next().unwrap_or_default();
                let product = path.strip_prefix("/product/").and_then(ProductKey::parse);
                let category = path.strip_prefix("/category/").and_then(Slug::parse);
                product.map(Outdated::Product).or(category.map(Outdated::Category))
            }),
        }
    }
}

/// An order, and when it was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenOrder {
    pub order: PurgeOrder,
    /// How long ago it was given. Data that the catalogue was asked for since then stays.
    pub ago: Duration,
}

impl Shop {
    /// Has the catalogue ask for what these orders concern, and purges the shop's pages and files. Goes through the
    /// cache once, which takes time in proportion to its size. Returns the number of purged pages and files.
    pub fn purge(&self, orders: &[GivenOrder]) -> usize {
        let of_catalogue = |GivenOrder { order, ago }: &GivenOrder| {
            Some(CataloguePurge { outdated: order.scope.outdated()?, mode: order.mode, ago: *ago })
        };
        let of_catalogue: Vec<CataloguePurge> = orders.iter().filter_map(of_catalogue).collect();
        if !of_catalogue.is_empty() {
            self.catalogue.purge(&of_catalogue);
        }
        // A page that was made since an order may be made from a version from before it.
        self.answers.purge(|CacheKey { key, .. }, made| {
            let kind = made.map(|made| &made.kind);
            let concerning = orders.iter().filter(|given| given.order.scope.concerns(key, kind));
            concerning.map(|given| given.order.purge()).max()
        })
    }
}

impl PurgeOrder {
    fn purge(&self) -> Purge {
        match self.mode {
            PurgeMode::Soft => Purge::Stale,
            PurgeMode::Hard => Purge::Remove,
        }
    }
}

impl PurgeScope {
    /// Whether it concerns the answer of this key, which is of this kind or is being made.
    fn concerns(&self, key: &Key, kind: Option<&Kind>) -> bool {
        match self {
            Self::Catalogue(outdated) => match kind {
                Some(Kind::Page(page)) => page.tags.concerns(outdated),
                // Files name products, a limit depends on their number, and what is being made may show
                // anything.
                _ => true,
            },
            Self::Addresses(addresses) => is_at(key, kind, addresses),
        }
    }
}

/// Whether an answer is at one of these addresses, in any form.
fn is_at(key: &Key, kind: Option<&Kind>, addresses: &[String]) -> bool {
    let is_named = |path: &String| addresses.contains(path);
    match key {
        Key::Page(_, own) => {
            is_named(&own.path()) || matches!(kind, Some(Kind::Page(page)) if is_named(&page.path))
        }
        Key::File(file) => is_named(&path_of_file(*file)),
        Key::Suggestions(_) | Key::Cards(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope(query: &str) -> PurgeScope {
        PurgeOrder::parse(query).unwrap().scope
    }

    #[test]
    fn an_order_names_one_scope() {
        let beauty = Outdated::Category(Slug::parse("beauty").unwrap());
        assert_eq!(scope("product=5"), PurgeScope::Catalogue(Outdated::Product(5.into())));
        assert_eq!(scope("category=beauty"), PurgeScope::Catalogue(beauty.clone()));
        assert_eq!(scope("all=1"), PurgeScope::Catalogue(Outdated::Everything));
        let address = scope("address=%2Fcategory%2Fbeauty%3Fpage%3D2");
        assert_eq!(address, PurgeScope::Addresses(vec!["/category/beauty?page=2".into()]));
        assert_eq!(address.outdated(), Some(beauty));
        assert_eq!(scope("address=/product/7").outdated(), Some(Outdated::Product(7.into())));
        assert_eq!(scope("address=/_data/product/7").outdated(), Some(Outdated::Product(7.into())));
        assert_eq!(scope("address=/sale").outdated(), None);
    }

    #[test]
    fn an_address_is_read_as_logged_and_as_encoded_for_the_order() {
        for (query, expected) in [
            ("address=/search/red%20mug", vec!["/search/red%20mug"]),
            ("address=%2Fsearch%2Fred%2520mug", vec!["/search/red%20mug"]),
            ("address=/search?q=red+mug", vec!["/search/red%20mug"]),
            ("address=/search/a+b", vec!["/search/a%2Bb", "/search/a%20b"]),
            ("address=/search/a%2520b", vec!["/search/a%2520b", "/search/a%20b"]),
        ] {
            let PurgeScope::Addresses(addresses) = scope(query) else { panic!("{query}") };
            assert_eq!(addresses, expected, "{query}");
        }
    }

    #[test]
    fn an_order_is_soft_unless_it_says_otherwise() {
        let mode = |query| PurgeOrder::parse(query).unwrap().mode;
        assert_eq!(mode("all=1"), PurgeMode::Soft);
        assert_eq!(mode("all=1&hard=0"), PurgeMode::Soft);
        assert_eq!(mode("hard=1&all=1"), PurgeMode::Hard);
    }

    #[test]
    fn anything_else_is_refused_with_what_was_expected() {
        for (query, error) in [
            ("", PurgeError::NoScope),
            ("hard=1", PurgeError::NoScope),
            ("all=0", PurgeError::NoScope),
            ("all=1&product=5", PurgeError::SeveralScopes),
            ("product=5&product=6", PurgeError::SeveralScopes),
            ("products=5", PurgeError::Unknown("products".into())),
            ("product=a+b", PurgeError::Value("product is a key, such as 7")),
            ("product=..", PurgeError::Value("product is a key, such as 7")),
            ("category=Beauty", PurgeError::Value("category is a slug, such as mens-shirts")),
            ("address=product/5", PurgeError::Value("address begins with a slash")),
            ("address=/%ff", PurgeError::Value("a value is not UTF-8")),
            ("address=/prodct/5", PurgeError::NoSuchAddress { nearest: "/product/5".into() }),
            ("all=yes", PurgeError::Value("all is 1")),
            ("all=1&hard=true", PurgeError::Value("hard is 1 or 0")),
        ] {
            assert_eq!(PurgeOrder::parse(query), Err(error), "{query}");
        }
    }
}
