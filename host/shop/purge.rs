//! Purges what is remembered, by order of an operator.

use std::time::Duration;

use percent_encoding::percent_decode_str;

use super::Shop;
use super::answer::Answer;
use super::key::{Form, Key};
use super::routes::path_of_file;
use crate::cache::Purge;
use crate::catalogue::{CataloguePurge, Outdated, PurgeMode, Slug};

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
    /// The page or file at this canonical path and query, and the product or category that it is about.
    Address(String),
}

/// Why an order is not understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PurgeError {
    #[error("name one of product=NUMBER, category=SLUG, address=/PATH or all=1")]
    NoScope,
    #[error("name only one of product, category, address and all")]
    SeveralScopes,
    #[error("`{0}` is not a parameter of a purge")]
    Unknown(String),
    #[error("{0}")]
    Value(&'static str),
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
            let value = value.replace('+', " ");
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
                    let id = value.parse().map_err(|_| PurgeError::Value("product is a number"))?;
                    PurgeScope::Catalogue(Outdated::Product(id))
                }
                "category" => {
                    let slug = Slug::parse(&value);
                    let slug = slug.ok_or(PurgeError::Value("category is a slug, such as mens-shirts"))?;
                    PurgeScope::Catalogue(Outdated::Category(slug))
                }
                "address" if value.starts_with('/') => PurgeScope::Address(value.into_owned()),
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
            Self::Address(_) => "address",
        }
    }

    /// The part of the catalogue that is out of date.
    fn outdated(&self) -> Option<Outdated> {
        match self {
            Self::Catalogue(outdated) => Some(outdated.clone()),
            Self::Address(address) => {
                let path = address.split('?').next().unwrap_or_default();
                let product = path.strip_prefix("/product/").and_then(|id| id.parse().ok());
                let category = path.strip_prefix("/category/").and_then(Slug::parse);
                product.map(Outdated::Product).or(category.map(Outdated::Category))
            }
        }
    }
}

/// An order, and when it was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenOrder {
    pub order: PurgeOrder,
    /// How long ago it was given: what was received or made since stays.
    pub ago: Duration,
}

impl Shop {
    /// Purges what the catalogue and the shop remember and received or made before these orders. Takes time in
    /// proportion to what is cached, and goes through it once. Returns the number of pages and files.
    pub fn purge(&self, orders: &[GivenOrder]) -> usize {
        let of_catalogue = |GivenOrder { order, ago }: &GivenOrder| {
            Some(CataloguePurge { outdated: order.scope.outdated()?, mode: order.mode, ago: *ago })
        };
        let of_catalogue: Vec<CataloguePurge> = orders.iter().filter_map(of_catalogue).collect();
        if !of_catalogue.is_empty() {
            self.catalogue.purge(&of_catalogue);
        }
        self.answers.purge(|key, made, since| {
            let answer = made.map(|made| &made.answer);
            let given_since = orders.iter().filter(|given| since >= given.ago);
            let concerning = given_since.filter(|given| given.order.scope.concerns(key, answer));
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
    /// Whether it concerns the answer of this key; without an answer, what is being made.
    fn concerns(&self, key: &Key, answer: Option<&Answer>) -> bool {
        match self {
            Self::Catalogue(outdated) => match answer {
                Some(Answer::Page(page)) => page.tags.concerns(outdated),
                // Files name products, a limit depends on their number, and what is being made may show
                // anything.
                _ => true,
            },
            Self::Address(address) => is_at(key, answer, address),
        }
    }
}

/// Whether an answer is the one at this address, in whatever form.
fn is_at(key: &Key, answer: Option<&Answer>, address: &str) -> bool {
    let address =
        address.strip_prefix(Form::Data.prefix()).filter(|rest| rest.starts_with('/')).unwrap_or(address);
    match key {
        Key::Page(_, own) => {
            own.path() == address || matches!(answer, Some(Answer::Page(page)) if page.path == address)
        }
        Key::File(file) => path_of_file(*file) == address,
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
        assert_eq!(scope("product=5"), PurgeScope::Catalogue(Outdated::Product(5)));
        assert_eq!(scope("category=beauty"), PurgeScope::Catalogue(beauty.clone()));
        assert_eq!(scope("all=1"), PurgeScope::Catalogue(Outdated::Everything));
        let address = scope("address=%2Fcategory%2Fbeauty%3Fpage%3D2");
        assert_eq!(address, PurgeScope::Address("/category/beauty?page=2".into()));
        assert_eq!(address.outdated(), Some(beauty));
        assert_eq!(scope("address=/product/7").outdated(), Some(Outdated::Product(7)));
        assert_eq!(scope("address=/sale").outdated(), None);
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
            ("product=-5", PurgeError::Value("product is a number")),
            ("product=99999999999999999999", PurgeError::Value("product is a number")),
            ("category=Beauty", PurgeError::Value("category is a slug, such as mens-shirts")),
            ("address=product/5", PurgeError::Value("address begins with a slash")),
            ("address=/%ff", PurgeError::Value("a value is not UTF-8")),
            ("all=yes", PurgeError::Value("all is 1")),
            ("all=1&hard=true", PurgeError::Value("hard is 1 or 0")),
        ] {
            assert_eq!(PurgeOrder::parse(query), Err(error), "{query}");
        }
    }
}
