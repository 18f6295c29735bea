//! Answers with suggestions while a search is typed, as JSON.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse as _, Response};

use super::missing_file::Missing;
use super::visit::{in_time, respond};
use crate::cache::Outcome;
use crate::contract::Autocomplete;
use crate::http::caching::Caching;
use crate::pages::autocomplete::{autocomplete, is_long_enough};
use crate::pages::elsewhere::show_copies_on;
use crate::pages::resolve;
use crate::process::compute::OffRuntime;
use crate::shop::Shop;
use crate::shop::making::answer::Made;
use crate::shop::making::key::Key;

pub(in crate::shop) const PATH: &str = "/_suggest";

const JSON: &str = "application/json";
/// Longest time that browsers and shared caches may use an answer.
const FRESH: Duration = Duration::from_secs(60);

/// Answers with suggestions for the text of the parameter `q`. Texts that are folded alike share an answer.
pub(in crate::shop) async fn answer(shop: &Arc<Shop>, raw_query: &str, request: &HeaderMap) -> Response {
    let text: Box<str> = resolve::typed_text(raw_query).into();
    // Without a version each letter would cost a call of the service. There may be one soon.
    if !is_long_enough(&text) || shop.catalogue.version().is_none() {
        let no_store = [(header::CACHE_CONTROL, Caching::Never.header())];
        return (no_store, Json(Autocomplete::default())).into_response();
    }
    in_time(shop, async {
        let hit = shop.cached(&shop.in_cache(Key::Suggestions(text))).await?;
        Ok(respond(shop, &hit, request).await)
    })
    .await
}

/// Makes the suggestions for a folded text. `last` is their previous version.
pub(in crate::shop) async fn make(
    shop: &Shop,
    text: Box<str>,
    last: Option<Arc<Made>>,
) -> Outcome<Arc<Made>> {
    match offered(shop, text, last).await {
        Ok(made) if shop.pressure.is_tight() => Outcome::Discard(made),
        Ok(made) => Outcome::Store(made),
        Err(missing) => Outcome::Discard(missing.answer(&shop.throttle)),
    }
}

async fn offered(shop: &Shop, text: Box<str>, last: Option<Arc<Made>>) -> Result<Arc<Made>, Missing> {
    let version = shop.catalogue.version().ok_or(Missing::NoVersion)?;
    if let Some(last) = last.as_ref().filter(|last| last.is_made_from(&version)) {
        return Ok(Arc::clone(last));
    }
    // Listings go first.
    if shop.pool.is_nearly_full() || !version.products().is_searchable() {
        return Err(Missing::Busy);
    }
    let bytes = version.products().bytes_read();
    let profile = Arc::clone(shop.profile());
    let fresh = shop.settings.ages.fresh.min(FRESH);
    let elsewhere = shop.elsewhere.clone();
    let work = move |off: &OffRuntime| {
        let (products, categories) = (version.products(), version.categories());
        let mut offered = autocomplete(off, &profile, &text, products, categories, version.sizes());
        show_copies_on(&mut offered.products, &elsewhere);
        Ok(Made::file(JSON, serde_json::to_string(&offered)?, fresh, Some(&version), last))
    };
    shop.pool.run_reading(bytes, work).await.unwrap_or(Err(Missing::Busy))
}
