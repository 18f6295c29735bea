//! Structured data as JSON-LD, according to schema.org and Google's rules for product snippets. It
//! contains only what the page shows, as those rules require.

mod offer;
mod product;

use serde::Serialize;

use self::product::{About, Product, ProductGroup};
use crate::catalogue::{Product as CatalogueProduct, Variant};
use crate::contract::{Category, Content, Listing, ListingSource, Page};
use crate::document::site::Site;
use crate::pages::address;
use crate::profile::Profile;
use crate::texts::{Key, Texts};

/// The structured data of one page.
#[derive(Debug, Serialize)]
pub(super) struct StructuredData {
    #[serde(rename = "@context")]
    context: &'static str,
    #[serde(rename = "@graph")]
    graph: Vec<Thing>,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Thing {
    Product(Box<Product>),
    Group(Box<ProductGroup>),
    Breadcrumbs(BreadcrumbList),
    Items(ItemList),
    Organization(Organization),
    WebSite(WebSite),
}

#[derive(Debug, Serialize)]
#[serde(tag = "@type", rename_all = "camelCase")]
struct BreadcrumbList {
    item_list_element: Vec<Crumb>,
}

#[derive(Debug, Serialize)]
#[serde(tag = "@type", rename = "ListItem")]
struct Crumb {
    position: usize,
    name: String,
    item: String,
}

#[derive(Debug, Serialize)]
#[serde(tag = "@type", rename_all = "camelCase")]
struct ItemList {
    name: String,
    item_list_element: Vec<ListItem>,
}

#[derive(Debug, Serialize)]
#[serde(tag = "@type")]
struct ListItem {
    position: usize,
    name: String,
    url: String,
}

#[derive(Debug, Serialize)]
#[serde(tag = "@type")]
struct Organization {
    name: String,
    url: String,
    logo: String,
}

#[derive(Debug, Serialize)]
#[serde(tag = "@type", rename_all = "camelCase")]
struct WebSite {
    name: String,
    url: String,
    potential_action: SearchAction,
}

#[derive(Debug, Serialize)]
#[serde(tag = "@type")]
struct SearchAction {
    target: EntryPoint,
    #[serde(rename = "query-input")]
    query_input: &'static str,
}

#[derive(Debug, Serialize)]
#[serde(tag = "@type", rename_all = "camelCase")]
struct EntryPoint {
    url_template: String,
}

impl StructuredData {
    /// The structured data of `page`, which may be about a product or its chosen variant; `None` unless its status is 200 and there is something to state.
    pub(super) fn of(
        page: &Page,
        (product, variant): (Option<&CatalogueProduct>, Option<&Variant>),
        site: &Site,
        profile: &Profile,
    ) -> Option<Self> {
        if page.status != 200 {
            return None;
        }
        let graph = match (&page.content, product) {
            (Content::Home(_), _) => home(site, profile),
            (Content::Listing(listing), _) => listing_things(listing, site, &profile.texts),
            (Content::Product(content), Some(product)) => {
                let category = content.product.as_ref().and_then(|product| product.category.as_ref());
                let about = About { site, currency: profile.numbers.currency() };
                vec![
                    about.product(product, variant),
                    Thing::Breadcrumbs(product_trail(page, product, category, site, &profile.texts)),
                ]
            }
            _ => Vec::new(),
        };
        (!graph.is_empty()).then_some(Self { context: "https://schema.org", graph })
    }
}

fn home(site: &Site, profile: &Profile) -> Vec<Thing> {
    let url = site.absolute(address::HOME);
    vec![
        Thing::Organization(Organization {
            name: profile.name.clone(),
            url: url.clone(),
            logo: site.absolute("/icons/512.png"),
        }),
        Thing::WebSite(WebSite {
            name: profile.name.clone(),
            url,
            potential_action: SearchAction {
                target: EntryPoint { url_template: site.absolute(address::SEARCH_FORM) },
                query_input: "required name=search_term_string",
            },
        }),
    ]
}

fn listing_things(listing: &Listing, site: &Site, texts: &Texts) -> Vec<Thing> {
    let items = (listing.before + 1..)
        .zip(&listing.products)
        .map(|(position, product)| ListItem {
            position,
            name: product.title.clone(),
            url: site.absolute(&address::product(&product.id)),
        })
        .collect::<Vec<_>>();
    let mut things = Vec::new();
    if !items.is_empty() {
        things.push(Thing::Items(ItemList { name: listing.heading.clone(), item_list_element: items }));
    }
    if let ListingSource::Category { .. } = listing.source {
        let trail = [
            (texts.text(Key::Home), address::HOME),
            (texts.text(Key::Categories), address::CATEGORIES),
            (listing.heading.as_str(), listing.base_path.as_str()),
        ];
        things.push(Thing::Breadcrumbs(breadcrumbs(&trail, site)));
    }
    things
}

fn product_trail(
    page: &Page,
    product: &CatalogueProduct,
    category: Option<&Category>,
    site: &Site,
    texts: &Texts,
) -> BreadcrumbList {
    let of_category = category.map(|category| (category.name.as_str(), address::category(&category.slug)));
    let mut trail = vec![(texts.text(Key::Home), address::HOME)];
    if let Some((name, path)) = &of_category {
        trail.push((name, path));
    }
    trail.push((&product.summary.title, &page.canonical));
    breadcrumbs(&trail, site)
}

fn breadcrumbs(trail: &[(&str, &str)], site: &Site) -> BreadcrumbList {
    let crumbs = trail.iter().enumerate().map(|(index, (name, path))| Crumb {
        position: index + 1,
        name: (*name).to_owned(),
        item: site.absolute(path),
    });
    BreadcrumbList { item_list_element: crumbs.collect() }
}
