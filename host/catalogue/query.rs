//! The catalogue's queries as values, each with the type of its answer.

use std::fmt;
use std::hash::Hash;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;

use super::error::CatalogueError;
use super::key::ProductKey;
use super::model::{Category, CategoryPreview, Product};
use super::product_set::ProductSet;
use super::slug::Slug;

pub type Result<T> = std::result::Result<T, CatalogueError>;

/// A query of the service. Answers are cheap to clone (shared).
pub trait Query: Clone + fmt::Debug + Eq + Hash + Send + Sync + 'static {
    type Answer: Clone + Send + Sync + 'static;

    fn kind(&self) -> QueryKind;
}

/// Something that answers a query.
#[async_trait]
pub trait Ask<Q: Query>: Send + Sync {
    /// The answer. An absent product or category is an answer too.
    ///
    /// # Errors
    /// When the catalogue could not answer.
    async fn ask(&self, query: &Q) -> Result<Q::Answer>;
}

/// An answer, and how long ago it was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aged<A> {
    pub answer: A,
    pub age: Duration,
}

impl<A> Aged<A> {
    /// An answer that was given now.
    pub fn new(answer: A) -> Self {
        Self { answer, age: Duration::ZERO }
    }
}

/// The kinds of query, which the log and the metrics name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueryKind {
    Categories,
    Preview,
    Listing,
    Category,
    Search,
    Product,
    Section,
    Everything,
    Page,
}

impl QueryKind {
    pub(super) const COUNT: usize = 9;
    /// Every kind, in the order of their numbers.
    pub const EVERY: [Self; Self::COUNT] = [
        Self::Categories,
        Self::Preview,
        Self::Listing,
        Self::Category,
        Self::Search,
        Self::Product,
        Self::Section,
        Self::Everything,
        Self::Page,
    ];

    /// Whether it is a query of the reading of the whole catalogue, for which no visitor waits.
    pub(super) fn is_of_reading(self) -> bool {
        matches!(self, Self::Everything | Self::Page)
    }

    /// The name in the log.
    pub fn name(self) -> &'static str {
        match self {
            Self::Categories => "categories",
            Self::Preview => "preview",
            Self::Listing => "listing",
            Self::Category => "category",
            Self::Search => "search",
            Self::Product => "product",
            Self::Section => "section",
            Self::Everything => "everything",
            Self::Page => "page",
        }
    }
}

/// All categories, in the catalogue's order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Categories;

impl Query for Categories {
    type Answer = Arc<[Category]>;

    fn kind(&self) -> QueryKind {
        QueryKind::Categories
    }
}

/// What a category's card shows; empty for an unknown category.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Preview(pub Slug);

impl Query for Preview {
    type Answer = CategoryPreview;

    fn kind(&self) -> QueryKind {
        QueryKind::Preview
    }
}

/// The products of a listing.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Listing {
    All,
    /// The products of a category; empty for an unknown one.
    Category(Slug),
    /// The products that the service finds for a text: it searches titles and descriptions.
    Search(Box<str>),
}

impl Query for Listing {
    type Answer = Arc<ProductSet>;

    fn kind(&self) -> QueryKind {
        match self {
            Self::All => QueryKind::Listing,
            Self::Category(_) => QueryKind::Category,
            Self::Search(_) => QueryKind::Search,
        }
    }
}

/// One product; `None` if the catalogue has no such id.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ProductById(pub ProductKey);

impl Query for ProductById {
    type Answer = Option<Arc<Product>>;

    fn kind(&self) -> QueryKind {
        QueryKind::Product
    }
}
