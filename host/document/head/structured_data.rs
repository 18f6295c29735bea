//! Structured data as JSON-LD, according to schema.org and Google's rules for product snippets. It
//! contains only what the page shows, as those rules require.

use serde::Serialize;

use crate::catalogue::variant::offered;
use crate::catalogue::{self, Availability, Product as CatalogueProduct};
use crate::contract::{Category, Content, Listing, ListingSource, Page};
use crate::document::site::Site;
use crate::pages::address;
use crate::profile::{Currency, Profile, plain_rating};
use crate::texts::{Key, Texts};

/// The range of ratings, in stars.
const BEST: u8 = 5;
const WORST: u8 = 1;

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
    Breadcrumbs(BreadcrumbList),
    Items(ItemList),
    Organization(Organization),
    WebSite(WebSite),
}

#[derive(Debug, Serialize)]
#[serde(tag = "@type", rename_all = "camelCase")]
struct Product {
    name: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    description: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    sku: String,
    #[serde(flatten)]
    gtin: Option<Gtin>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mpn: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    image: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    brand: Option<Brand>,
    offers: Offers,
    #[serde(skip_serializing_if = "Option::is_none")]
    aggregate_rating: Option<AggregateRating>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    review: Vec<Review>,
}

/// A barcode, whose property depends on its length.
#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
enum Gtin {
    Gtin8(String),
    Gtin12(String),
    Gtin13(String),
    Gtin14(String),
}

#[derive(Debug, Serialize)]
#[serde(tag = "@type")]
struct Brand {
    name: String,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Offers {
    One(Offer),
    /// The variants on offer, if their prices differ.
    Several(AggregateOffer),
}

#[derive(Debug, Serialize)]
#[serde(tag = "@type", rename_all = "camelCase")]
struct AggregateOffer {
    url: String,
    low_price: String,
    high_price: String,
    offer_count: usize,
    price_currency: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    availability: Option<&'static str>,
}

#[derive(Debug, Serialize)]
#[serde(tag = "@type", rename_all = "camelCase")]
struct Offer {
    url: String,
    price: String,
    price_currency: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    availability: Option<&'static str>,
}

#[derive(Debug, Serialize)]
#[serde(tag = "@type", rename_all = "camelCase")]
struct AggregateRating {
    rating_value: String,
    best_rating: u8,
    worst_rating: u8,
    review_count: usize,
}

#[derive(Debug, Serialize)]
#[serde(tag = "@type", rename_all = "camelCase")]
struct Review {
    author: Person,
    date_published: String,
    review_body: String,
    review_rating: Rating,
}

#[derive(Debug, Serialize)]
#[serde(tag = "@type")]
struct Person {
    name: String,
}

#[derive(Debug, Serialize)]
#[serde(tag = "@type", rename_all = "camelCase")]
struct Rating {
    rating_value: u8,
    best_rating: u8,
    worst_rating: u8,
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
    /// The structured data of `page`; `None` unless its status is 200 and there is something to state.
    pub(super) fn of(
        page: &Page,
        product: Option<&CatalogueProduct>,
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
                vec![
                    Thing::Product(Box::new(product_thing(page, product, site, profile))),
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

fn product_thing(page: &Page, product: &CatalogueProduct, site: &Site, profile: &Profile) -> Product {
    let summary = &product.summary;
    let reviews = product.reviews.as_deref().unwrap_or_default();
    let currency = profile.numbers.currency();
    Product {
        name: summary.title.clone(),
        description: summary.description.clone(),
        sku: product.sku.clone(),
        gtin: product.gtin.as_ref().map(gtin),
        mpn: product.mpn.clone(),
        image: product.images.iter().map(|image| site.picture(image)).collect(),
        brand: summary.brand.clone().map(|name| Brand { name }),
        offers: offers(product, currency, site.absolute(&page.canonical)),
        // Google requires reviews for an aggregate rating.
        aggregate_rating: summary
            .rating
            .filter(|rating| !reviews.is_empty() && *rating >= f64::from(WORST))
            .map(|rating| AggregateRating {
                rating_value: plain_rating(rating),
                best_rating: BEST,
                worst_rating: WORST,
                review_count: reviews.len(),
            }),
        review: reviews
            .iter()
            .map(|review| Review {
                author: Person { name: review.reviewer_name.clone() },
                date_published: review.date.as_str().chars().take(10).collect(),
                review_body: review.comment.clone(),
                review_rating: Rating { rating_value: review.rating, best_rating: BEST, worst_rating: WORST },
            })
            .collect(),
    }
}

fn gtin(gtin: &catalogue::Gtin) -> Gtin {
    let property = match gtin.as_str().len() {
        8 => Gtin::Gtin8,
        12 => Gtin::Gtin12,
        13 => Gtin::Gtin13,
        _ => Gtin::Gtin14,
    };
    property(gtin.as_str().into())
}

fn offers(product: &CatalogueProduct, currency: Currency, url: String) -> Offers {
    let summary = &product.summary;
    let (price_currency, availability) = (currency.code().into(), schema_name(summary.availability));
    match product.price_range() {
        None => {
            let price = currency.plain(summary.price);
            Offers::One(Offer { url, price, price_currency, availability })
        }
        Some((lowest, highest)) => Offers::Several(AggregateOffer {
            url,
            low_price: currency.plain(lowest),
            high_price: currency.plain(highest),
            offer_count: offered(&product.variants).count(),
            price_currency,
            availability,
        }),
    }
}

/// The availability's name in schema.org (`ItemAvailability`).
fn schema_name(availability: Availability) -> Option<&'static str> {
    match availability {
        Availability::InStock(_) => Some("https://schema.org/InStock"),
        Availability::PreOrder => Some("https://schema.org/PreOrder"),
        Availability::BackOrder => Some("https://schema.org/BackOrder"),
        Availability::SoldOut => Some("https://schema.org/OutOfStock"),
        Availability::Unknown => None,
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Summary;
    use crate::profile::Money;

    #[test]
    fn an_offer_has_the_price_that_shoppers_pay_and_not_the_struck_one() {
        let summary = Summary {
            price: Money::from_minor(1_250),
            list_price: Some(Money::from_minor(2_000)),
            ..Summary::default()
        };
        let product = CatalogueProduct { summary, ..CatalogueProduct::default() };
        let offers = offers(&product, Currency::default(), "https://shop.example/product/1".into());
        let offer = serde_json::to_value(&offers).unwrap();
        assert_eq!((&offer["price"], &offer["priceCurrency"]), (&"12.50".into(), &"USD".into()));
    }
}
