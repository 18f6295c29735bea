//! Finds products by what they are called: key, variant, address of the page, article number or barcode.

use super::answer::{Answer, Content, Input, Message, Product};
use super::plain::plain;
use super::product::{BRIEF, featured, told};
use super::request::{Call, Lookup};
use crate::catalogue::search::fold;
use crate::catalogue::store::squeezed;
use crate::catalogue::{self, Gtin, OfferId, ProductKey, Version};
use crate::exports::{About, Offer};
use crate::pages::address;
use crate::process::compute::OffRuntime;

/// Most products that one article number leads to.
const MOST_OF_A_NUMBER: usize = 10;
/// Longest id that is looked for, in bytes.
const LONGEST_ID: usize = 2_000;

/// A product that an id leads to.
#[derive(Debug)]
pub(super) struct Hit {
    pub(super) product: catalogue::Product,
    /// The id of the variant that is meant; `None` if the product as a whole is.
    pub(super) variant: Option<String>,
}

/// Answers a lookup in a version of the catalogue.
pub(super) fn lookup(off: &OffRuntime, about: &About, version: &Version, request: &Lookup) -> Answer {
    let mut messages = Vec::new();
    if request.filters.is_some() {
        messages.push(Message::info("filter_ignored", "A lookup has no filters; they are ignored."));
    }
    // Each product once, with the variants that are meant, in the order of the ids.
    let mut products: Vec<(catalogue::Product, Vec<(String, Input)>)> = Vec::new();
    let mut asked: Vec<&str> = Vec::new();
    for id in &request.ids {
        if asked.contains(&id.as_str()) {
            continue;
        }
        asked.push(id);
        let hits = find(off, about, version, id);
        if hits.is_empty() {
            messages.push(Message::info("not_found", format!("There is no product called {}", shown(id))));
        }
        for Hit { product, variant } in hits {
            let found = if variant.is_some() { "exact" } else { "featured" };
            let input = Input { id: id.clone(), found };
            let Some(meant) = variant.or_else(|| Some(featured(&product)?.id().into())) else { continue };
            let key = &product.summary.id;
            match products.iter_mut().find(|(known, _)| known.summary.id == *key) {
                Some((_, inputs)) => inputs.push((meant, input)),
                None => products.push((product, vec![(meant, input)])),
            }
        }
    }
    let products = products.iter().map(|(product, inputs)| meant(product, inputs, about)).collect();
    Answer::new(Call::Lookup, Content::Known { products }, messages)
}

/// An id in a message.
pub(super) fn shown(id: &str) -> String {
    plain(id, 100)
}

/// A product with the variants that are meant by these inputs.
fn meant(product: &catalogue::Product, inputs: &[(String, Input)], about: &About) -> Product {
    let is_meant = |offer: &Offer<'_>| inputs.iter().any(|(variant, _)| variant == offer.id().as_str());
    let mut answer = told(BRIEF, product, Offer::all_of(product).filter(is_meant), about);
    for variant in &mut answer.variants {
        let own = inputs.iter().filter(|(meant, _)| *meant == variant.id);
        variant.inputs = own.map(|(_, input)| input.clone()).collect();
    }
    answer
}

/// The products that an id leads to, most often one.
pub(super) fn find(off: &OffRuntime, about: &About, version: &Version, id: &str) -> Vec<Hit> {
    if id.len() > LONGEST_ID {
        return Vec::new();
    }
    let id = key_of_address(about, id).unwrap_or(id);
    let by_key = ProductKey::parse(id).and_then(|key| version.read(off, &key)).map(|product| {
        // A product without variants is its own only one.
        let variant = product.variants.is_empty().then(|| id.to_owned());
        Hit { product, variant }
    });
    if let Some(hit) = by_key.or_else(|| by_variant(off, version, id)) {
        return vec![hit];
    }
    by_number(off, version, id)
}

/// The key in the address of a product's page.
fn key_of_address<'a>(about: &About, id: &'a str) -> Option<&'a str> {
    let path = match id.strip_prefix(about.site.origin()) {
        Some(path) => path,
        None => id.starts_with('/').then_some(id)?,
    };
    let path = path.split(['?', '#']).next()?;
    path.strip_prefix(&address::product(""))
}

/// The variant with this id: the beginning of its product's key, and a hash.
fn by_variant(off: &OffRuntime, version: &Version, id: &str) -> Option<Hit> {
    let meant = OfferId::parse(id)?;
    let (beginning, may_be_longer) = meant.beginning_of_key();
    let is_meant = |product: &catalogue::Product| Offer::all_of(product).any(|offer| offer.id() == meant);
    let own = ProductKey::parse(beginning).and_then(|key| version.read(off, &key)).filter(is_meant);
    let product = own.or_else(|| {
        // Only a key that is too long for an id is cut.
        let mut keys = may_be_longer.then(|| version.products().keys()).into_iter().flatten();
        keys.find_map(|key| {
            let is_cut = key.number().is_none() && key.to_string().starts_with(beginning);
            is_cut.then(|| version.read(off, &key).filter(is_meant))?
        })
    })?;
    Some(Hit { product, variant: Some(id.to_owned()) })
}

/// The products or variants with this article number or barcode.
fn by_number(off: &OffRuntime, version: &Version, number: &str) -> Vec<Hit> {
    let same = |other: &str| !other.is_empty() && squeezed(&fold(other)) == squeezed(&fold(number));
    let products = version.products();
    let mut hits = Vec::new();
    for position in products.numbered(off, number).into_iter().take(MOST_OF_A_NUMBER) {
        let Some(product) = products.whole_at(position) else { continue };
        let is_meant =
            |offer: &Offer<'_>| same(offer.sku) || offer.gtin.is_some_and(|gtin| same(gtin.as_str()));
        let variant = Offer::all_of(&product).find(is_meant).map(|offer| offer.id().into());
        let is_own = same(&product.sku) || product.gtin.as_ref().map(Gtin::as_str).is_some_and(same);
        if variant.is_some() || is_own {
            hits.push(Hit { product, variant });
        }
    }
    hits
}
