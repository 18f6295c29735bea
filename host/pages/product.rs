//! `/product/{id}`, and the same with a chosen variant

use std::collections::HashSet;
use std::sync::Arc;

use url::Url;

use super::address::{Address, Preset};
use super::availability;
use super::cards;
use super::draft::{Draft, Metadata};
use super::facts;
use super::listing_query::ListingQuery;
use super::prices;
use super::questions::Questions;
use super::tint;
use super::variants;
use crate::catalogue::{self, Listing, OfferId, Product, ProductKey, ProductSet, Slug, Summary, Variant};
use crate::contract::{
    Category, Content, FilterValue, Filters, Price, Product as ProductContent, ProductCard, ProductDetail,
    ProductLink, Review, Tag,
};
use crate::facets;
use crate::profile::{OriginalPrice, Profile};
use crate::texts::{Key, Texts};

/// Number of related products.
const RELATED: usize = 8;

/// The page of a product, or of its variant with this id. If there is no such variant, it is the product's.
pub(crate) async fn draft(questions: &Questions<'_>, key: ProductKey, variant: Option<&OfferId>) -> Draft {
    let address = match variant {
        Some(id) => Address::Variant(key.clone(), id.clone()),
        None => Address::Product(key.clone()),
    };
    match questions.product(&key).await {
        None => without_product(questions.texts(), address, true).unavailable(),
        Some(None) => missing(questions.texts(), address),
        Some(Some(product)) => {
            let related = related(questions, &product);
            // Links of tags and namesakes are known with the first version.
            let all =
                questions.stock.version().map(|version| Arc::clone(version.products())).unwrap_or_default();
            let chosen = variant.and_then(|id| id.find(&key, &product.variants));
            let title = title(&product, &all, chosen);
            let detail = detail(questions.profile, &product, &all, chosen);
            let metadata = Metadata {
                picture: detail.images.first().or(detail.thumbnail.as_ref()).cloned(),
                variant: chosen.cloned(),
                product: Some(Arc::clone(&product)),
                ..Metadata::new(description(questions.texts(), &detail))
            };
            let content = ProductContent { product: Some(detail), failed: false, related };
            let address = if chosen.is_some() { address } else { Address::Product(key.clone()) };
            let draft = Draft::new(address, title, Content::Product(Box::new(content)), metadata);
            Draft { canonical: Address::Product(key), ..draft }
        }
    }
}

/// The page of a product that does not exist.
pub(crate) fn missing(texts: &Texts, address: Address) -> Draft {
    without_product(texts, address, false).not_found()
}

fn without_product(texts: &Texts, address: Address, failed: bool) -> Draft {
    let content = ProductContent { product: None, failed, related: Vec::new() };
    let (title, description) = if failed {
        (Key::ProductCouldNotBeLoaded, Key::CouldNotReach)
    } else {
        (Key::ProductNotFound, Key::ProductDoesNotExist)
    };
    let (title, description) = (texts.text(title), texts.text(description));
    Draft::new(address, title, Content::Product(Box::new(content)), Metadata::new(description))
}

/// The page's title, with the values of the chosen variant. If an earlier product has the same title, the category is
/// appended, so that search engines can distinguish the pages.
fn title(product: &Product, all: &ProductSet, chosen: Option<&Variant>) -> String {
    let Summary { id, title, category, .. } = &product.summary;
    let title = match category {
        Some(category) if all.has_earlier_namesake(title, id) => format!("{title} ({})", category.title()),
        _ => title.clone(),
    };
    match chosen {
        Some(variant) => format!("{title}, {}", variants::name(variant)),
        None => title,
    }
}

/// The next products of the category, wrapping around at its end, so that every product is linked from others. Before
/// the first version there are none: each page would cost a list of the whole category.
fn related(questions: &Questions<'_>, product: &Product) -> Vec<ProductCard> {
    let (Some(category), Some(version)) = (&product.summary.category, questions.stock.version()) else {
        return Vec::new();
    };
    let category = version.listing(&Listing::Category(category.clone()));
    cards::product_cards(questions.profile, category.others(&product.summary.id).take(RELATED))
}

/// The price, and the product's description if it has one.
fn description(texts: &Texts, ProductDetail { title, price, description, .. }: &ProductDetail) -> String {
    let from = if price.from { texts.with(Key::FromPrice, &[&price.current]) } else { price.current.clone() };
    format!("{from}: {}", if description.is_empty() { title } else { description })
}

/// The product's tags, each once. A tag is a link to the products that carry it if they are known and this product is
/// among them.
fn tags(product: &Product, all: &ProductSet) -> Vec<Tag> {
    let href = |name: &str| {
        let tag = all.tag_of(&product.summary.id, name)?;
        let filters = Filters::default().with(facets::TAG, FilterValue::Text(tag.into()));
        Some(ListingQuery { filters, ..ListingQuery::default() }.href(Preset::All.path()))
    };
    let mut seen = HashSet::new();
    let names = product.tags.iter().filter(|name| seen.insert(*name));
    names.map(|name| Tag { name: name.clone(), href: href(name) }).collect()
}

fn detail(profile: &Profile, product: &Product, all: &ProductSet, chosen: Option<&Variant>) -> ProductDetail {
    let terms = product.terms_of(chosen);
    let summary = match chosen {
        Some(variant) => product.summary_of(variant),
        None => Summary { content: terms.content, ..product.summary.clone() },
    };
    let summary = &summary;
    let link_of = chosen.and_then(|variant| variant.link.as_ref()).or(product.link.as_ref());
    ProductDetail {
        no_cart: !profile.cart,
        id: summary.id.to_string(),
        title: summary.title.clone(),
        description: summary.description.clone(),
        category: summary
            .category
            .as_ref()
            .map(|slug| Category { slug: slug.to_string(), name: Slug::title(slug) }),
        brand: summary.brand.clone(),
        sku: chosen.map_or(&product.sku, |variant| &variant.sku).clone(),
        tags: tags(product, all),
        price: Price {
            from: chosen.is_none() && product.price_range().is_some(),
            unit: prices::unit(profile, summary),
            original_note: terms
                .lowest
                .filter(|lowest| summary.list_price == Some(*lowest))
                .map(|_| profile.texts.text(Key::LowestPrice).into()),
            ..prices::of(&profile.numbers, summary, OriginalPrice::Exact)
        },
        rating: summary.rating.map(|rating| prices::rating(&profile.numbers, rating)),
        availability: availability::on_page(profile, summary.availability),
        minimum_order_quantity: product.minimum_order_quantity,
        minimum_order_total: prices::total(&profile.numbers, summary.price, product.minimum_order_quantity),
        facts: facts::facts(profile, product, terms.condition),
        images: variants::images(product, chosen),
        thumbnail: summary.thumbnail.clone(),
        tint: tint::of_product(summary),
        reviews: product
            .reviews
            .as_ref()
            .map(|reviews| reviews.iter().map(|given| review(profile, given)).collect()),
        options: variants::options(profile, product, chosen),
        variant: chosen.map(variants::name),
        link: link_of.filter(|_| profile.links).and_then(|href| link(href)),
        enquiry: None,
        price_note: profile.price_note.clone(),
    }
}

/// A link that names the host it leads to; `None` for an address without one.
fn link(href: &str) -> Option<ProductLink> {
    let url = Url::parse(href).ok()?;
    let host = url.host_str()?;
    Some(ProductLink { href: href.into(), host: host.strip_prefix("www.").unwrap_or(host).into() })
}

fn review(profile: &Profile, review: &catalogue::Review) -> Review {
    let date = &review.date;
    Review {
        reviewer_name: review.reviewer_name.clone(),
        rating: review.rating,
        rating_text: profile.numbers.rating(review.rating.into()),
        date: date.as_str().into(),
        date_text: profile.numbers.date(date.year(), date.month(), date.day()),
        comment: review.comment.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::generated::compare;
    use crate::profile::Currency;

    /// The client's tests show a product that was made as every product is.
    #[test]
    fn the_client_s_example_is_made_like_every_product() {
        let profile = Profile { cart: true, ..Profile::default() };
        let product = catalogue::example_product();
        let all = ProductSet::of(std::iter::once(&product), Currency::default());
        let detail = serde_json::to_string_pretty(&detail(&profile, &product, &all, None)).unwrap();
        let generated = format!(
            "// Generated from the example in host/catalogue/service/wire/product.rs; never edited.\n\n\
             import type {{ ProductDetail }} from \"../contract.gen\";\n\n\
             export const EXAMPLE_PRODUCT: ProductDetail = {detail};\n"
        );
        compare("client/test/product.gen.ts", "the product page", &generated);
    }
}
