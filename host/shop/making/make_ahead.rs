//! Makes the pages that every shop has before somebody asks for them: after the start, and again when there
//! is a new copy of the catalogue.

use std::ptr;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use clap::ValueEnum;

use super::answer::Kind;
use super::dictionary::renew_dictionary;
use super::key::{Form, Key};
use crate::catalogue::Version;
use crate::http::compression::Accepted;
use crate::http::dictionaries::OfferDictionaries;
use crate::pages::address::{Address, Preset};
use crate::pages::listing_query::ListingQuery;
use crate::shop::Shop;

/// Most pages that are made ahead, the ones that most visitors see first.
const MOST_PAGES: usize = 1_000;
/// Time between two looks for a new copy of the catalogue.
const PERIOD: Duration = Duration::from_secs(1);
/// Pause after each page, and between two looks whether the shop is idle.
const PAUSE: Duration = Duration::from_millis(5);

/// Shortest time between two dictionaries: browsers fetch each of them.
const RENEWED_AFTER: Duration = Duration::from_secs(24 * 3_600);

/// Whether known pages are made before somebody asks for them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum RenderAhead {
    #[default]
    On,
    Off,
}

/// Makes known pages ahead for as long as the runtime lives, one at a time, while nothing else is rendered; before them
/// the dictionary that they are compressed with, and again with a new version after a day.
///
/// Only the pages of a version are made: they need no call of the service.
pub async fn make_ahead(shop: Arc<Shop>) {
    let mut last = Weak::<Version>::new();
    let mut renewed = None::<Instant>;
    loop {
        if let Some(version) =
            shop.catalogue.version().filter(|new| !ptr::eq(last.as_ptr(), Arc::as_ptr(new)))
        {
            last = Arc::downgrade(&version);
            let is_due = renewed.is_none_or(|renewed| renewed.elapsed() >= RENEWED_AFTER);
            if is_due && shop.settings.dictionaries == OfferDictionaries::On {
                until_idle(&shop).await;
                renew_dictionary(&shop, &version).await;
                renewed = Some(Instant::now());
            }
            let addresses = known_pages(&shop, &version);
            drop(version);
            let pages = make_all(&shop, addresses).await;
            tracing::debug!(pages, "known pages were made ahead of their visitors");
        }
        tokio::time::sleep(PERIOD).await;
    }
}

/// Makes or compares every one of these pages; returns how many were made.
async fn make_all(shop: &Arc<Shop>, addresses: Vec<Address>) -> usize {
    let mut made = 0;
    for address in addresses {
        until_idle(shop).await;
        // The other half of the memory is for pages that visitors ask for.
        if shop.answers.weight() > shop.settings.page_memory / 2 {
            break;
        }
        made += usize::from(make_one(shop, address).await);
        tokio::time::sleep(PAUSE).await;
    }
    made
}

/// Waits while there is something to do that somebody waits for, or too little memory.
async fn until_idle(shop: &Shop) {
    while !shop.renderer.is_idle() || shop.pressure.is_tight() || shop.is_behind_with_variants() {
        tokio::time::sleep(PAUSE).await;
    }
}

/// Makes a page unless it is cached and its data has not changed. Returns whether it was made.
async fn make_one(shop: &Arc<Shop>, address: Address) -> bool {
    let key = shop.in_cache(Key::Page(Form::Document, address));
    // A page that was not made has been logged.
    let Ok(hit) = shop.cached(&key).await else { return false };
    if matches!(hit.value.kind, Kind::Page(_)) && hit.value.is_stored() {
        shop.finish_later(hit.value.body.variants(), Accepted::ALL);
    }
    let is_new = hit.age.is_zero();
    if is_new {
        shop.renderer.counters().ahead.increment();
    }
    is_new
}

/// The pages that every visitor may come to without typing anything, in the order of their use.
fn known_pages(shop: &Shop, version: &Version) -> Vec<Address> {
    let listing = |preset| Address::Preset(preset, ListingQuery::default());
    let mut pages: Vec<_> = shop.home_seeds_of_today().map(|seed| Address::Home { seed }).collect();
    pages.push(listing(Preset::All));
    pages.push(Address::Categories { query: String::new(), page: 1 });
    let category = |slug| Address::Category(slug, ListingQuery::default());
    pages.extend(version.categories().iter().map(|known| category(known.slug.clone())));
    let exists = |preset: &Preset| *preset != Preset::All && preset.is_linked(version.features());
    pages.extend(Preset::EVERY.into_iter().filter(exists).map(listing));
    if version.features().brands {
        pages.push(Address::Brands { page: 1 });
    }
    pages.extend(version.products().keys().take(MOST_PAGES).map(Address::Product));
    pages.truncate(MOST_PAGES);
    pages
}
