//! Orders to forget what is remembered. An order reaches one worker; during a replacement there are two, so
//! it is written to the journal that both read. With replicas each line has the order's number: a worker also learns of
//! orders from the server that replicas share, and must not carry out an order twice.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;

use super::{Admin, plain};
use crate::catalogue::{Outdated, PurgeMode};
use crate::observe::ErrorChain;
use crate::observe::counters::Counter;
use crate::process::journal::{LONGEST_LINE, Line, News};
use crate::share::{OrderId, Share};
use crate::shop::{GivenOrder, PurgeError, PurgeOrder, PurgeScope};

/// Time between two looks at the orders that other workers received.
const LOOK: Duration = Duration::from_millis(200);
/// Longest order, in bytes. Its line in the journal also has a number.
const LONGEST_ORDER: usize = LONGEST_LINE - 32;

/// Orders that were carried out, by mode.
#[derive(Debug, Default)]
pub(super) struct PurgeCounters {
    soft: Counter,
    hard: Counter,
}

impl PurgeCounters {
    pub(super) fn of(&self, mode: PurgeMode) -> &Counter {
        match mode {
            PurgeMode::Soft => &self.soft,
            PurgeMode::Hard => &self.hard,
        }
    }
}

/// Carries out the order of a request that presents the token.
pub(super) async fn order(
    State(admin): State<Arc<Admin>>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let Some(token) = &admin.token else {
        let text = "No purge is allowed: the shop was started without --admin-token.\n";
        return plain(StatusCode::FORBIDDEN, text.into());
    };
    if !token.is_presented(&headers) {
        let text = "A purge needs the header `Authorization: Bearer` with the shop's token.\n";
        let mut response = plain(StatusCode::UNAUTHORIZED, text.into());
        let challenge = HeaderValue::from_static("Bearer realm=\"vitrine\"");
        response.headers_mut().insert(header::WWW_AUTHENTICATE, challenge);
        return response;
    }
    let query = query.unwrap_or_default();
    if query.len() > LONGEST_ORDER {
        return plain(StatusCode::BAD_REQUEST, "The order is too long.\n".into());
    }
    let order = match PurgeOrder::parse(&query) {
        Ok(order) => order,
        Err(error @ PurgeError::NoSuchAddress { .. }) => {
            return plain(StatusCode::NOT_FOUND, format!("0 pages and files purged: {error}.\n"));
        }
        Err(error) => return plain(StatusCode::BAD_REQUEST, format!("The order is wrong: {error}.\n")),
    };
    // In a task of its own, because a client that goes away must not end it half-way.
    match tokio::spawn(give(admin, query, order)).await {
        Ok(response) => response,
        Err(error) => not_carried_out(&error.into()),
    }
}

/// Passes the order on to other workers and replicas, and carries it out.
async fn give(admin: Arc<Admin>, query: String, order: PurgeOrder) -> Response {
    let id = admin.share.is_some().then(OrderId::new);
    // First, so that a worker that starts now does not miss it.
    if let Some(journal) = &admin.journal
        && let Err(error) = journal.lock().write(&line_of(&query, id))
    {
        tracing::error!(error = %ErrorChain(&error), "other workers do not learn of a purge");
    }
    if let (Some(share), Some(id)) = (&admin.share, id)
        && !share.publish(&query, id).await
    {
        tracing::error!("other replicas learn of a purge later: the shared server is in trouble");
    }
    let (scope, mode) = (order.scope.name(), order.mode.name());
    admin.purges.of(order.mode).increment();
    match purge(Arc::clone(&admin), vec![GivenOrder { order, ago: Duration::ZERO }]).await {
        Ok(pages) => plain(StatusCode::OK, format!("{pages} pages and files purged: {scope}, {mode}.\n")),
        Err(error) => not_carried_out(&error),
    }
}

fn not_carried_out(error: &io::Error) -> Response {
    tracing::error!(error = %ErrorChain(error), "a purge was not carried out");
    plain(StatusCode::INTERNAL_SERVER_ERROR, "The purge was not carried out.\n".into())
}

/// Carries out orders. Returns the number of purged pages and files.
async fn purge(admin: Arc<Admin>, orders: Vec<GivenOrder>) -> io::Result<usize> {
    let purged = tokio::task::spawn_blocking(move || {
        let pages = admin.shop.purge(&orders);
        // Last, because until now answers from before the purge could be remembered.
        if let Some(recent) = admin.app.recent() {
            recent.forget();
        }
        for GivenOrder { order, .. } in &orders {
            tracing::info!(scope = order.scope.name(), mode = order.mode.name(), pages, "purged");
        }
        pages
    });
    Ok(purged.await?)
}

/// Carries out the orders that other workers receive, until the journal cannot be read.
pub(crate) async fn follow(admin: Arc<Admin>) {
    loop {
        tokio::time::sleep(LOOK).await;
        let Some(orders) = news(&admin) else { return };
        for GivenOrder { order, .. } in &orders {
            admin.purges.of(order.mode).increment();
        }
        carry_out(&admin, orders).await;
    }
}

/// Carries out the orders that other workers received before this one serves: it may have restored what was
/// purged before its start. They are not counted again. Returns whether more orders can come.
pub(crate) async fn catch_up(admin: &Arc<Admin>) -> bool {
    let Some(orders) = news(admin) else { return false };
    carry_out(admin, orders).await;
    true
}

/// The orders that other workers received since the last call; `None` without a journal that can be read.
fn news(admin: &Admin) -> Option<Vec<GivenOrder>> {
    let given = |Line { ago, text }: Line| {
        let text = text_of(&text, ago, admin.share.as_ref())?;
        // The worker that wrote it has parsed it.
        Some(GivenOrder { order: PurgeOrder::parse(text).ok()?, ago })
    };
    match admin.journal.as_ref()?.lock().news() {
        Ok(News::Lines(lines)) => Some(lines.into_iter().filter_map(given).collect()),
        Ok(News::TooMuch) => {
            let scope = PurgeScope::Catalogue(Outdated::Everything);
            Some(vec![GivenOrder { order: PurgeOrder { scope, mode: PurgeMode::Soft }, ago: Duration::ZERO }])
        }
        Err(error) => {
            tracing::error!(error = %ErrorChain(&error), "other workers' purges cannot be read");
            None
        }
    }
}

/// The line of an order: its text and, if it has a number, a space, which no text contains, and the number.
fn line_of(text: &str, id: Option<OrderId>) -> String {
    id.map_or_else(|| text.to_owned(), |id| format!("{text} {id}"))
}

/// The text in such a line, which was written this long `ago`; `None` if the order has been carried out. If the
/// worker that received a new order has died, the other replicas may not have it either, so it is passed on.
fn text_of<'a>(line: &'a str, ago: Duration, share: Option<&Share>) -> Option<&'a str> {
    let Some((text, id)) = line.split_once(' ') else { return Some(line) };
    if let (Some(share), Ok(id)) = (share, id.parse()) {
        if !share.is_new(id) {
            return None;
        }
        share.inherit(text, id, ago);
    }
    Some(text)
}

pub(super) async fn carry_out(admin: &Arc<Admin>, orders: Vec<GivenOrder>) {
    if orders.is_empty() {
        return;
    }
    if let Err(error) = purge(Arc::clone(admin), orders).await {
        tracing::error!(error = %ErrorChain(&error), "a purge was not carried out");
    }
}
