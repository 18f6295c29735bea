//! Answers a resolved request: from the cache, or with a redirect.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use tokio::time::timeout;

use super::prefetch::{self, Admission};
use super::redirect::{redirect, redirect_elsewhere};
use crate::cache::Hit;
use crate::http::answer_log::AnswerLog;
use crate::http::compression::Accepted;
use crate::http::exchange::{Exchange, Repeatable};
use crate::http::recent_answers::REPEATED_FOR;
use crate::pages::address::{Address, LONGEST_LOCATION};
use crate::pages::listing_query::is_not_canonical;
use crate::pages::resolve::{Resolved, without_variant};
use crate::render::Refusal;
use crate::shop::error::AppError;
use crate::shop::making::answer::{Kind, Made};
use crate::shop::making::key::{CacheKey, Form, Key};
use crate::shop::{HOME_SEEDS_PER_DAY, Shop};

/// Longest time that a request waits for its answer.
const DEADLINE: Duration = Duration::from_secs(8);

/// Awaits a response until the request's deadline. A failure is answered with the error page.
pub(in crate::shop) async fn in_time(
    shop: &Shop,
    response: impl Future<Output = Result<Response, AppError>>,
) -> Response {
    let response = timeout(DEADLINE, response).await.unwrap_or(Err(AppError::Deadline));
    response.unwrap_or_else(|error| error.respond(shop.profile()))
}

/// The response with a cached answer, and its log entry, for a request with these headers.
pub(in crate::shop) async fn respond(shop: &Shop, hit: &Hit<Arc<Made>>, request: &HeaderMap) -> Response {
    let mut response = hit.value.respond(request, shop.catalogue.changes_in()).await;
    let log = AnswerLog {
        timing: hit.value.timing,
        age: hit.age,
        fresh: shop.compared_after(),
        stale: hit.stale,
        stored: hit.value.is_stored(),
    };
    let exchange = Exchange::of_mut(&mut response);
    exchange.answer = Some(log);
    if hit.value.is_popular()
        && let Some(sent) = exchange.sent.as_ref().filter(|sent| sent.variant.coding().is_some())
        && let Some(variants) = sent.variants.upgrade()
    {
        shop.finish_later(&variants, Accepted::by(request));
    }
    response
}

/// Answers a request that a row of the URL table has resolved.
pub(in crate::shop) async fn visit(
    shop: &Arc<Shop>,
    form: Form,
    resolved: Resolved,
    raw_query: &str,
    request: &HeaderMap,
) -> Response {
    let response = async {
        match with_its_name(shop, resolved, raw_query) {
            Resolved::Page(address @ Address::UnknownPath(_)) => match moved(shop, form, &address, raw_query)
            {
                Some(redirect) => redirect,
                None => show(shop, form, &address, raw_query, request).await,
            },
            Resolved::Page(address) => show(shop, form, &address, raw_query, request).await,
            Resolved::Moved(to) => redirect(form, StatusCode::PERMANENT_REDIRECT, &to),
            Resolved::SeeOther(to) => redirect(form, StatusCode::SEE_OTHER, &to),
        }
    };
    in_time(shop, response).await
}

/// The redirect to a category or product that has another address now, or else what was resolved.
fn with_its_name(shop: &Shop, resolved: Resolved, raw_query: &str) -> Resolved {
    let Resolved::Page(address) = &resolved else { return resolved };
    let respelled = |written: &str| shop.catalogue.respelled(written).map(Address::Product);
    let own = match address {
        Address::Category(slug, query) => {
            shop.catalogue.renamed(slug).map(|slug| Address::Category(slug, query.clone()))
        }
        Address::Product(key) | Address::Variant(key, _) if key.number().is_none() => {
            respelled(&key.to_string())
        }
        Address::InvalidProduct(text) => respelled(text),
        _ => None,
    };
    own.map(|address| Resolved::moved(&address, raw_query)).unwrap_or(resolved)
}

/// The redirect from an address that the shop no longer has, if the operator's table says where it leads.
fn moved(shop: &Shop, form: Form, address: &Address, raw_query: &str) -> Option<Result<Response, AppError>> {
    let redirects = &shop.profile().redirects;
    if redirects.is_empty() {
        return None;
    }
    let path = address.base_path();
    let to = redirects.find(&if raw_query.is_empty() { path } else { format!("{path}?{raw_query}") })?;
    match (to.starts_with('/'), form) {
        (true, _) => Some(redirect(form, StatusCode::PERMANENT_REDIRECT, &to)),
        (false, Form::Document) => Some(redirect_elsewhere(&to)),
        // A page elsewhere has no data.
        (false, Form::Data) => None,
    }
}

/// Answers with the page of an address, or with a redirect to its canonical URL.
async fn show(
    shop: &Arc<Shop>,
    form: Form,
    address: &Address,
    raw_query: &str,
    request: &HeaderMap,
) -> Result<Response, AppError> {
    let needs_redirect = |path: &str| {
        form.prefix().len() + path.len() <= LONGEST_LOCATION && is_not_canonical(raw_query, path)
    };
    let key = shop.in_cache(Key::Page(form, address.clone()));
    // The place of a prefetch is held until there is an answer.
    let admission = admit(shop, form, &key, request);
    if matches!(admission, Admission::Refused) {
        return Ok(prefetch::refusal());
    }
    if has_to_wait(shop, form, address, &key) {
        shop.renderer.refuse(Refusal::Crowd);
        return Ok(shop.crowd.turn_away(request).await);
    }
    // Only a wrong spelling stays wrong. What today's data lacks may be in tomorrow's.
    let to = |path: &str| {
        let is_spelling = path == address.path();
        let status =
            if is_spelling { StatusCode::PERMANENT_REDIRECT } else { StatusCode::TEMPORARY_REDIRECT };
        redirect(form, status, path)
    };
    let hit = shop.cached(&key).await?;
    match &hit.value.kind {
        Kind::Page(page)
            if address.is_listing() && hit.value.status == StatusCode::OK && needs_redirect(&page.path) =>
        {
            to(&page.path)
        }
        Kind::Page(_)
            if hit.value.status == StatusCode::NOT_FOUND
                && let Some(redirect) = moved(shop, form, address, raw_query) =>
        {
            redirect
        }
        Kind::Limited(_) if let Address::Variant(key, _) = address => {
            redirect(form, StatusCode::PERMANENT_REDIRECT, &without_variant(key, raw_query))
        }
        Kind::Limited(limited) => {
            let path = limited.path();
            if needs_redirect(&path) {
                return to(&path);
            }
            // A visitor with unknown parameters, such as a campaign's, keeps them and gets the limited page.
            let hit = shop.cached(&shop.in_cache(Key::Page(form, limited.clone()))).await?;
            match &hit.value.kind {
                Kind::Limited(further) => to(&further.path()),
                _ => Ok(respond(shop, &hit, request).await),
            }
        }
        _ => {
            let mut response = respond(shop, &hit, request).await;
            Exchange::of_mut(&mut response).repeatable = repeatable(shop, address, &hit);
            Ok(response)
        }
    }
}

/// Whether a request for the page of an address may be answered. Data is made without a render.
pub(in crate::shop) fn admit<'a>(
    shop: &'a Shop,
    form: Form,
    key: &CacheKey,
    request: &HeaderMap,
) -> Admission<'a> {
    let is_ready = || form == Form::Data || shop.answers.has_settled(key);
    let is_quiet = || shop.renderer.has_free_isolate() && !shop.pressure.is_tight();
    shop.prefetches.admit(request, is_ready, is_quiet)
}

/// Whether a visitor is turned away because of a crowd: the document would have to be made, its listing or its
/// render would probably be refused, and enough of those have been made this second. Data is made without a render.
/// In a small shop, where listings need no thread, only a crowd of searches that find nothing fills the pool's queue.
fn has_to_wait(shop: &Shop, form: Form, address: &Address, key: &CacheKey) -> bool {
    form == Form::Document
        && (shop.renderer.is_nearly_full() || (address.is_listing() && shop.pool.is_nearly_full()))
        && !shop.answers.has_or_makes(key)
        && !shop.crowd.has_room()
}

/// For how long an answer may be repeated: while its page is fresh, if it is a whole page. Where no page is kept
/// one can still be in memory for a moment, because another thread compresses it.
fn repeatable(shop: &Shop, address: &Address, hit: &Hit<Arc<Made>>) -> Option<Repeatable> {
    let fresh = shop.compared_after().saturating_sub(hit.age);
    let is_repeatable =
        shop.keeps_pages() && hit.value.is_stored() && !hit.stale && !hit.refresh_failed && !fresh.is_zero();
    let turn = match address {
        Address::Home { seed } => seed % HOME_SEEDS_PER_DAY,
        _ => 0,
    };
    is_repeatable.then(|| Repeatable { until: Instant::now() + fresh.min(REPEATED_FOR), turn })
}
