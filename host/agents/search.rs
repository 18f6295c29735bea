//! Finds products as the search page does, or lists those that filters leave.

use std::collections::HashSet;
use std::sync::Arc;

use blake3::Hash;

use super::answer::{Answer, Content, Message, Page};
use super::cursor::Cursor;
use super::product::{BRIEF, featured, told};
use super::refusal::Refusal;
use super::request::{Call, PriceFilter, Search};
use crate::catalogue::columns::Column;
use crate::catalogue::{ProductSet, Version};
use crate::exports::{About, Format};
use crate::pages::listing::meant_price;
use crate::process::compute::OffRuntime;
use crate::profile::{Money, Profile};

/// After this many products a search ends.
const MOST: usize = 10_000;

/// The results of a request.
struct Found {
    set: ProductSet,
    /// The products that fit, in order.
    matches: Vec<u32>,
}

/// What products have to fit beside a text.
#[derive(Default)]
struct Bounds {
    /// Numbers of the names of categories; `None` if any will do.
    categories: Option<HashSet<u32>>,
    lowest: Option<Money>,
    highest: Option<Money>,
}

/// Answers a search in a version of the catalogue.
///
/// # Errors
/// When the cursor is of another request, or products cannot be read.
pub(super) fn search(
    off: &OffRuntime,
    about: &About,
    version: &Version,
    request: &Search,
) -> Result<Answer, Refusal> {
    let unread = |_| Refusal::unavailable("catalog_unreadable", "The catalogue cannot be read.");
    let (hash, digest) = (request.hash(), version.digest().map_err(unread)?);
    let mut messages = Vec::new();
    let skipped = match &request.pagination.cursor {
        None => 0,
        Some(text) => {
            let cursor = Cursor::read(text, &hash)
                .ok_or_else(|| Refusal::invalid("`pagination.cursor` is damaged, or of another request."))?;
            if !cursor.is_of(&digest) {
                messages.push(Message::info(
                    "catalog_changed",
                    "The catalogue has changed since the first page: products may be missing or come twice.",
                ));
            }
            cursor.skipped as usize
        }
    };
    let Found { set, matches } = found(off, &about.profile, version, request, &mut messages);
    let end = matches.len().min(MOST);
    let shown = skipped.min(end)..skipped.saturating_add(request.limit()).min(end);
    let has_next_page = shown.end < end;
    if !has_next_page && matches.len() > MOST {
        let exports = Format::EVERY.map(|format| about.site.absolute(format.path())).join(", ");
        let text = format!("A search ends after {MOST} products. All products are in {exports}.");
        messages.push(Message::info("results_limited", text));
    }
    let whole = matches[shown.clone()].iter().filter_map(|&position| set.whole_at(position));
    let products = whole.map(|product| told(BRIEF, &product, featured(&product).into_iter(), about));
    let next = u32::try_from(shown.end).unwrap_or(u32::MAX);
    let content = Content::Found {
        products: products.filter(|product| !product.variants.is_empty()).collect(),
        pagination: Page {
            has_next_page,
            cursor: has_next_page.then(|| Cursor::new(next, &digest).write(&hash)),
            total_count: matches.len(),
        },
    };
    Ok(Answer::new(Call::Search, content, messages))
}

fn found(
    off: &OffRuntime,
    profile: &Profile,
    version: &Version,
    request: &Search,
    messages: &mut Vec<Message>,
) -> Found {
    let mut bounds = bounds(profile, version, request, messages);
    let (all, mut text) = (version.products(), request.text());
    let is_priced = bounds.lowest.or(bounds.highest).is_some();
    if let Some(priced) = (!is_priced).then(|| meant_price(off, profile, all, &text)).flatten() {
        let amount = |units| profile.numbers.currency().whole(units);
        bounds = Bounds { lowest: priced.least.map(amount), highest: priced.most.map(amount), ..bounds };
        text = priced.rest;
    }
    let mut set = with_text(all, &text, profile);
    if set.is_empty() && !text.is_empty() {
        let meant = all.corrections(off, &text, &profile.searches, 1).into_iter().next();
        if let Some(meant) = meant {
            set = with_text(all, &meant, profile);
            let content = format!("Nothing was found for the query. These are the results for: {meant}");
            messages.push(Message::info("query_corrected", content));
        }
    }
    let matches = set.positions().iter().copied().filter(|&position| bounds.allow(&set, position)).collect();
    Found { matches: set.sort(None, matches), set }
}

fn with_text(all: &ProductSet, text: &str, profile: &Profile) -> ProductSet {
    if text.is_empty() { all.clone() } else { all.containing(text, &Arc::clone(&profile.searches)) }
}

/// The bounds that the filters of a request set. What is ignored is said.
fn bounds(profile: &Profile, version: &Version, request: &Search, messages: &mut Vec<Message>) -> Bounds {
    let Some(filters) = &request.filters else { return Bounds::default() };
    if !filters.unknown.is_empty() {
        messages.push(Message::info(
            "filter_ignored",
            "Only the filters `categories` and `price` are known; all others are ignored.",
        ));
    }
    let categories = filters.categories.as_ref().map(|wanted| {
        let called = version.categories_called(wanted.iter().map(String::as_str));
        if called.is_empty() {
            let content = "No category of the catalogue has one of these slugs or names.";
            messages.push(Message::info("category_not_found", content));
        }
        let number = |slug: &crate::catalogue::Slug| {
            version.products().store().number(Column::Category, slug.as_str())
        };
        called.values().filter_map(number).collect()
    });
    let own = profile.numbers.currency();
    let price = filters.price.filter(|price| {
        let is_own = request.context.currency.as_deref() == Some(own.code());
        if !is_own && (price.min.is_some() || price.max.is_some()) {
            let content = format!(
                "The price filter is ignored, because `context.currency` is not {}, the currency of all prices.",
                own.code()
            );
            messages.push(Message::warning("price_filter_ignored", content));
        }
        is_own
    });
    let PriceFilter { min, max } = price.unwrap_or_default();
    Bounds { categories, lowest: min.map(Money::from_minor), highest: max.map(Money::from_minor) }
}

impl Bounds {
    fn allow(&self, set: &ProductSet, position: u32) -> bool {
        let (store, price) = (set.store(), set.store().price(position));
        let category = |known: &HashSet<u32>| known.contains(&store.name(Column::Category, position));
        self.categories.as_ref().is_none_or(category)
            && self.lowest.is_none_or(|lowest| price >= lowest)
            && self.highest.is_none_or(|highest| price <= highest)
    }
}

impl Search {
    /// A hash of everything that decides the results and their order.
    fn hash(&self) -> Hash {
        let mut hasher = blake3::Hasher::new();
        let mut part = |text: &str| {
            hasher.update(&(text.len() as u64).to_le_bytes());
            hasher.update(text.as_bytes());
        };
        part(&self.text());
        part(self.context.currency.as_deref().unwrap_or_default());
        if let Some(filters) = &self.filters {
            let PriceFilter { min, max } = filters.price.unwrap_or_default();
            part(&format!("{min:?} {max:?}"));
            let mut categories: Vec<&String> = filters.categories.iter().flatten().collect();
            categories.sort();
            part(&format!("{categories:?}"));
        }
        hasher.finalize()
    }
}
