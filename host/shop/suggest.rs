//! Answers with what is offered while a search is typed, as JSON.

use std::sync::Arc;
use std::time::Duration;

use axum::http::HeaderMap;
use axum::response::Response;

use super::Shop;
use super::answer::Made;
use super::key::Key;
use super::made_from::MadeFrom;
use super::missing_file::Missing;
use super::visit::{in_time, respond};
use crate::cache::Outcome;
use crate::catalogue::{Categories, Listing};
use crate::contract::Autocomplete;
use crate::pages::autocomplete::autocomplete;
use crate::pages::resolve;

pub(super) const PATH: &str = "/_suggest";

const JSON: &str = "application/json";
/// Longest time that browsers and shared caches may use an answer.
const FRESH: Duration = Duration::from_secs(60);

/// Answers with what is offered for the text of the parameter `q`. Texts that are folded alike share an answer.
pub(super) async fn answer(shop: &Arc<Shop>, raw_query: &str, request: &HeaderMap) -> Response {
    let text: Box<str> = resolve::typed_text(raw_query).into();
    let make = |shop: Arc<Shop>, last| {
        let text = text.clone();
        async move { make(&shop, text, last).await }
    };
    in_time(shop, async {
        let hit = shop.cached(Key::Suggestions(text.clone()), make).await?;
        Ok(respond(shop, &hit, request).await)
    })
    .await
}

async fn make(shop: &Shop, text: Box<str>, last: Option<Arc<Made>>) -> Outcome<Arc<Made>> {
    match offered(shop, text, last).await {
        Ok(made) if shop.pressure.is_tight() => Outcome::Discard(made),
        Ok(made) => Outcome::Store(made),
        Err(missing) => Outcome::Discard(missing.answer(&shop.throttle)),
    }
}

async fn offered(shop: &Shop, text: Box<str>, last: Option<Arc<Made>>) -> Result<Arc<Made>, Missing> {
    let fresh = shop.settings.ages.fresh.min(FRESH);
    // Without a copy of the catalogue each letter would cost a call of the service.
    if shop.catalogue.category_sizes().is_none() {
        let nothing = serde_json::to_string(&Autocomplete::default())?;
        return Ok(Made::file(JSON, nothing, fresh, None, last));
    }
    let categories = shop.catalogue.ask(&Categories).await?;
    let products = shop.catalogue.ask(&Listing::All).await?;
    let source = MadeFrom::new(&categories, &products);
    if let Some(last) = last.as_ref().filter(|last| last.is_made_from(&source)) {
        return Ok(Arc::clone(last));
    }
    let bytes = products.bytes_read();
    let numbers = Arc::clone(&shop.profile().numbers);
    let work = move || {
        let offered = serde_json::to_string(&autocomplete(&numbers, &text, &products))?;
        Ok(Made::file(JSON, offered, fresh, Some(source), last))
    };
    shop.pool.run_reading(bytes, work).await.unwrap_or(Err(Missing::Busy))
}
