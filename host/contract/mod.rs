//! The contract: the only types that cross from Rust into JavaScript.
//!
//! A [`Page`] is everything that one URL shows. It is serialised once; the same bytes are rendered by
//! an isolate, inlined in the document, and sent for client-side navigation. The TypeScript types
//! (`client/contract.gen.ts`) are generated from this folder, including the docs of fields; a test fails
//! when they differ.
//!
//! Field names are camelCase in JSON. What is shown with separators or units is already formatted, because a
//! single formatter in Rust cannot differ between server and browser.
//! `docs/decisions/0002-contract-carries-formatted-values.md` says why.

mod category;
mod facets;
mod filters;
#[cfg(test)]
pub(crate) mod generated;
mod page_json;
mod product;
mod shop;

use std::sync::Arc;

use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;

pub use category::{Category, CategoryCard};
pub use facets::{
    Choice, ChoiceFacets, FacetGroup, Facets, PriceFacets, RatingFacet, RatingFacets, WholePrice,
};
pub use filters::{FilterValue, Filters, Sort};
pub use page_json::PageJson;
pub use product::{
    AvailabilityLabel, AvailabilityTone, Fact, FactIcon, OptionValue, Price, Product, ProductCard,
    ProductDetail, ProductLink, ProductOption, Rating, Review, Tag,
};
pub use shop::{Shop, ShopLogo};

use crate::profile::{Banner, Figure, Story, TextNode};

/// What one URL shows.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct Page {
    /// Canonical path and query, percent-encoded; the router on both sides starts from it.
    pub path: String,
    /// Site-relative address that stands for every spelling of this page, without filters.
    pub canonical: String,
    /// HTTP status of the document, decided before rendering.
    pub status: u16,
    /// What the shop says of itself on every page.
    pub shop: Arc<Shop>,
    /// The document's title, complete (`Home`, or `{title} | {name of the shop}`).
    pub title: String,
    /// What search engines may do with the page: the value of its `robots` element.
    pub robots: &'static str,
    /// The categories of the header's menu: all, or of many the largest. Empty when the catalogue could
    /// not name them.
    pub categories: Vec<Category>,
    /// How many categories there are, if the menu does not have them all.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub category_total: Option<u32>,
    /// The pages that would be empty, so that nothing links to them: their paths without the slash.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<String>>"))]
    pub empty: Vec<&'static str>,
    /// What the page shows below the header.
    pub content: Content,
}

/// The content of one kind of page, tagged with its `kind`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Content {
    Home(Box<Home>),
    Categories(Categories),
    Brands(Brands),
    Listing(Box<Listing>),
    Product(Box<Product>),
    Saved(Saved),
    TextPage(TextPageContent),
    Offline(Offline),
    Error(ErrorContent),
}

impl Content {
    /// The cards of categories, and those of products, in their order.
    pub(crate) fn cards(&self) -> (&[CategoryCard], impl Iterator<Item = &ProductCard>) {
        let none: &[ProductCard] = &[];
        let (categories, products) = match self {
            Self::Home(home) => {
                let Home { categories, featured, best_sellers, new_arrivals, .. } = &**home;
                let best_sellers = best_sellers.as_ref().map_or(none, |section| &section.products);
                let new_arrivals = new_arrivals.as_ref().map_or(none, |section| &section.products);
                (&**categories, [&*featured.products, best_sellers, new_arrivals])
            }
            Self::Categories(page) => (&*page.categories, [none; 3]),
            Self::Listing(listing) => {
                let popular = listing.suggestions.as_ref().map_or(none, |suggestions| &suggestions.popular);
                (&[][..], [&*listing.products, popular, none])
            }
            Self::Product(page) => (&[][..], [&*page.related, none, none]),
            Self::Brands(_) | Self::Saved(_) | Self::TextPage(_) | Self::Offline(_) | Self::Error(_) => {
                (&[][..], [none; 3])
            }
        };
        (categories, products.into_iter().flatten())
    }

    /// [`Self::cards`], to change them.
    pub(crate) fn cards_mut(&mut self) -> (&mut [CategoryCard], impl Iterator<Item = &mut ProductCard>) {
        let mut tiles: &mut [CategoryCard] = &mut [];
        let mut products: [&mut [ProductCard]; 3] = Default::default();
        match self {
            Self::Home(home) => {
                let Home { categories, featured, best_sellers, new_arrivals, .. } = &mut **home;
                tiles = categories;
                let best_sellers = best_sellers.as_mut().map(|section| &mut *section.products);
                let new_arrivals = new_arrivals.as_mut().map(|section| &mut *section.products);
                products = [
                    &mut featured.products,
                    best_sellers.unwrap_or_default(),
                    new_arrivals.unwrap_or_default(),
                ];
            }
            Self::Categories(page) => tiles = &mut page.categories,
            Self::Listing(listing) => {
                let popular = listing.suggestions.as_mut().map(|suggestions| &mut *suggestions.popular);
                products = [&mut listing.products, popular.unwrap_or_default(), &mut []];
            }
            Self::Product(page) => products[0] = &mut page.related,
            Self::Brands(_) | Self::Saved(_) | Self::TextPage(_) | Self::Offline(_) | Self::Error(_) => {}
        }
        (tiles, products.into_iter().flatten())
    }

    /// The name of the kind in the log.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Home(_) => "home",
            Self::Categories(_) => "categories",
            Self::Brands(_) => "brands",
            Self::Listing(_) => "listing",
            Self::Product(_) => "product",
            Self::Saved(_) => "saved",
            Self::TextPage(_) => "text-page",
            Self::Offline(_) => "offline",
            Self::Error(_) => "error",
        }
    }
}

/// `/`
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct Home {
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub banner: Option<Banner>,
    /// The shop in figures.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<Figure>>"))]
    pub figures: Vec<Figure>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub story: Option<Story>,
    /// Six categories, chosen at random in Rust.
    pub categories: Vec<CategoryCard>,
    pub featured: Section,
    /// Absent where no product has a rating.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub best_sellers: Option<Section>,
    /// Absent where the shop does not say when products were added.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub new_arrivals: Option<Section>,
}

/// One of the home page's product sections. Each may fail independently of the others.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct Section {
    pub products: Vec<ProductCard>,
    /// The catalogue did not answer for this section.
    pub failed: bool,
}

/// `/categories`
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct Categories {
    /// The text filter as given in the URL (`?q=`), trimmed.
    pub query: String,
    /// All categories, which the page filters by `query`; of many, one page of those that match it.
    pub categories: Vec<CategoryCard>,
    /// Present if the categories are divided into pages.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub pages: Option<Pages>,
    /// The catalogue did not answer.
    pub failed: bool,
}

/// Which page of many categories or brands is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct Pages {
    /// How many entries there are, over all pages; of categories, only those that match the text filter.
    pub total: u32,
    /// Page number, from 1.
    pub page: u32,
    /// Number of pages, at least 1.
    pub page_count: u32,
}

/// `/brands`
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct Brands {
    /// In alphabetical order; of many, one page.
    pub brands: Vec<Brand>,
    /// Present if the brands are divided into pages.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub pages: Option<Pages>,
    /// Present while the catalogue is being read, if brands are not known before.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub reading: Option<Reading>,
    /// They are not known: the catalogue did not answer, or is being read.
    pub failed: bool,
}

/// A brand and how many products carry it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct Brand {
    pub name: String,
    pub count: u32,
    /// Site-relative address of the listing filtered to this brand.
    pub href: String,
}

/// How far the catalogue is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Reading {
    /// How many products have been read.
    pub read: u32,
    /// How many there are; 0 if that is not known.
    pub total: u32,
}

/// A listing of products: all, a preset, a category or a search.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct Listing {
    pub source: ListingSource,
    /// The visible heading.
    pub heading: String,
    /// The category's tint, in the listing of a category.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub tint: Option<u8>,
    /// Path of the listing without its query: the target of the filter form.
    pub base_path: String,
    /// The products of this page of the result.
    pub products: Vec<ProductCard>,
    /// How many products match the filters, over all pages.
    pub total: u32,
    /// Page number, from 1.
    pub page: u32,
    /// Number of pages, at least 1.
    pub page_count: u32,
    /// How many products the pages before this one have; not part of the page's data.
    #[serde(skip)]
    #[cfg_attr(test, ts(skip))]
    pub before: usize,
    #[cfg_attr(test, ts(type = "Filters"))]
    pub filters: Filters,
    #[cfg_attr(test, ts(type = "Facets"))]
    pub facets: Facets,
    /// A few filters above the products, in the order of the occasion; each would leave fewer products, but some.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<QuickFilter>>"))]
    pub quick: Vec<QuickFilter>,
    /// The figures of the listing without its filters; absent when it is empty or the catalogue did not answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub figures: Option<ListingFigures>,
    /// Present while the catalogue is being read, if the listing is not known before.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub reading: Option<Reading>,
    /// It is not known: the catalogue did not answer, or is being read.
    pub failed: bool,
    /// Present when the search itself finds nothing, whatever the filters, and another one is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub corrected: Option<Corrected>,
    /// Present when the search itself finds nothing, whatever the filters, and none that may be meant does.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub suggestions: Option<Suggestions>,
}

/// The search that is shown in place of one that finds nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct Corrected {
    /// In lower case.
    pub text: String,
    /// Site-relative address of the search as it was typed.
    pub typed_href: String,
}

/// Where to go from a search that finds nothing.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct Suggestions {
    /// Categories and brands that the search names, the best match first.
    pub named: Vec<Named>,
    /// Searches that resemble this one and find something, in lower case, the most similar first.
    pub words: Vec<String>,
    /// Other categories: those with similar names, then the largest.
    pub categories: Vec<Category>,
    /// The best rated products in stock.
    pub popular: Vec<ProductCard>,
}

/// What is offered while a search is typed, the best first.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct Autocomplete {
    pub products: Vec<ProductCard>,
    pub categories: Vec<Named>,
    pub brands: Vec<Named>,
}

/// A category or brand that a search names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct Named {
    pub name: String,
    /// How many products it has.
    pub count: u32,
    /// Site-relative address of the listing of its products.
    pub href: String,
}

/// Figures of a listing without its filters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct ListingFigures {
    /// What it has, in one line, such as `5 brands, from $9.99`.
    pub story: String,
    /// The deepest discount that its cards show, in whole percent; absent when they show none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub deepest_discount: Option<u8>,
}

/// A filter that is one click away.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct QuickFilter {
    /// What is shown, such as `Up to $50`.
    pub label: String,
    /// What it adds to the filters: exactly one is set.
    #[cfg_attr(test, ts(type = "Filters"))]
    pub adds: Filters,
}

/// Where a listing's products come from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum ListingSource {
    /// `/products`
    #[default]
    All,
    /// `/sale`: discounted products, deepest discount first.
    Sale,
    /// `/new-arrivals`: newest id first.
    NewArrivals,
    /// `/best-sellers`: best rated first.
    BestSellers,
    /// `/deals`: the deepest discounts.
    Deals,
    /// `/category/{slug}`
    Category { slug: String },
    /// `/search/{text}`
    Search { text: String },
}

/// A text of the operator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct TextPageContent {
    pub title: String,
    pub text: Vec<TextNode>,
}

/// `/saved`: the products that a shopper saves. The browser keeps their list, and the page brings the texts that only it has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct Saved {
    pub title: String,
    pub introduction: String,
    pub needs_script: String,
    /// Shown for an empty list.
    pub nothing: String,
    /// The heading of those products that are gone.
    pub gone: String,
}

/// Products of a saved list as they are today, in the order of their keys; those that are gone are left out.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct SavedCards {
    pub products: Vec<ProductCard>,
}

/// The page that the service worker answers with when it has nothing else.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct Offline {
    /// Pages that the browser has stored; the service worker fills this in.
    pub stored: Vec<StoredPage>,
}

/// A link to a page that the browser has stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct StoredPage {
    pub href: String,
    pub title: String,
}

/// The route error page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct ErrorContent {
    /// Status text or message, such as `Not Found`.
    pub message: String,
}

#[cfg(test)]
mod tests {
    use super::generated::compare;
    use super::*;
    use crate::profile::{
        BannerPicture, ElementName, Newsletter, PromiseIcon, ShopLink, ShopPromise, TextElement,
    };

    macro_rules! declarations {
        ($($type:ty),+ $(,)?) => {{
            let config = ts_rs::Config::default();
            [$(format!("export {}\n", <$type>::decl(&config))),+].concat()
        }};
    }

    /// The declarations of all types, in their order in the file.
    #[expect(clippy::too_many_lines, reason = "a list with a line for each type")]
    fn declarations() -> String {
        declarations![
            Page,
            Shop,
            ShopLogo,
            ShopPromise,
            ShopLink,
            PromiseIcon,
            Newsletter,
            Banner,
            BannerPicture,
            Figure,
            Story,
            Content,
            Category,
            CategoryCard,
            Home,
            Section,
            Categories,
            Pages,
            Brands,
            Brand,
            Reading,
            Listing,
            QuickFilter,
            ListingFigures,
            Corrected,
            Suggestions,
            Autocomplete,
            Named,
            ListingSource,
            Sort,
            PriceFacets,
            WholePrice,
            RatingFacets,
            RatingFacet,
            ChoiceFacets,
            Choice,
            ProductCard,
            Rating,
            AvailabilityLabel,
            AvailabilityTone,
            Price,
            Product,
            Fact,
            FactIcon,
            ProductDetail,
            ProductLink,
            ProductOption,
            OptionValue,
            Tag,
            Review,
            Saved,
            SavedCards,
            TextPageContent,
            TextNode,
            TextElement,
            ElementName,
            Offline,
            StoredPage,
            ErrorContent,
        ]
    }

    #[test]
    fn the_typescript_types_are_up_to_date() {
        let generated = format!(
            "// Generated from host/contract/; never edited.\n\nimport type {{ FACETS }} from \"./facets.gen\";\n{}\n{}",
            facets::TYPESCRIPT,
            declarations(),
        );
        compare("client/contract.gen.ts", "host/contract/mod.rs", &generated);
    }
}
