//! Orders to forget what is remembered. An order reaches one worker; during a replacement there are two, so
//! it is written to their journal, which each of them reads.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;

use super::{Admin, journal_line, plain};
use crate::catalogue::{Outdated, PurgeMode};
use crate::observe::ErrorChain;
use crate::process::journal::{LONGEST_LINE, Line, News};
use crate::share::OrderId;
use crate::shop::{PurgeOrder, PurgeScope};

/// Time between two looks at what other workers purge.
const LOOK: Duration = Duration::from_millis(200);
/// Longest order; its line in the journal has a number too.
const LONGEST_ORDER: usize = LONGEST_LINE - 32;

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
        Err(error) => return plain(StatusCode::BAD_REQUEST, format!("The order is wrong: {error}.\n")),
    };
    let id = admin.share.is_some().then(OrderId::new);
    // First, so that a worker that starts now does not miss it.
    if let Some(journal) = &admin.journal
        && let Err(error) = journal.lock().write(&journal_line::line(&query, id))
    {
        tracing::error!(error = %ErrorChain(&error), "other workers do not learn of a purge");
    }
    if let (Some(share), Some(id)) = (&admin.share, id)
        && !share.publish(&query, id).await
    {
        tracing::error!("other replicas learn of a purge later: the shared server is in trouble");
    }
    let (scope, mode) = (order.scope.name(), order.mode.name());
    match purge(Arc::clone(&admin), order, Duration::ZERO).await {
        Ok(pages) => plain(StatusCode::OK, format!("Purged: {scope}, {mode}; {pages} pages and files.\n")),
        Err(error) => {
            tracing::error!(error = %ErrorChain(&error), "a purge was not carried out");
            plain(StatusCode::INTERNAL_SERVER_ERROR, "The purge was not carried out.\n".into())
        }
    }
}

/// Carries out an order that was given `ago`. Returns the number of pages and files.
async fn purge(admin: Arc<Admin>, order: PurgeOrder, ago: Duration) -> io::Result<usize> {
    let purged = tokio::task::spawn_blocking(move || {
        admin.purges.of(order.mode).increment();
        let pages = admin.shop.purge(&order, ago);
        // Last, because until now these could be remembered again.
        if let Some(recent) = admin.app.recent() {
            recent.forget();
        }
        tracing::info!(scope = order.scope.name(), mode = order.mode.name(), pages, "purged");
        pages
    });
    Ok(purged.await?)
}

/// Carries out what other workers were ordered, for as long as the runtime lives.
pub(crate) async fn follow(admin: Arc<Admin>) {
    while catch_up(&admin).await {
        tokio::time::sleep(LOOK).await;
    }
}

/// Carries out what other workers were ordered since the last time. A new worker does so before it serves: it
/// may have restored what was purged before its start. Returns whether there may be more.
pub(crate) async fn catch_up(admin: &Arc<Admin>) -> bool {
    let Some(journal) = &admin.journal else { return false };
    let news = journal.lock().news();
    match news {
        Ok(News::Lines(lines)) => {
            for Line { ago, text } in lines {
                let Some(text) = journal_line::text_of(&text, admin.share.as_ref()) else { continue };
                // The worker that wrote it has parsed it.
                if let Ok(order) = PurgeOrder::parse(text) {
                    carry_out(admin, order, ago).await;
                }
            }
        }
        Ok(News::TooMuch) => {
            let scope = PurgeScope::Catalogue(Outdated::Everything);
            carry_out(admin, PurgeOrder { scope, mode: PurgeMode::Soft }, Duration::ZERO).await;
        }
        Err(error) => {
            tracing::error!(error = %ErrorChain(&error), "other workers' purges cannot be read");
            return false;
        }
    }
    true
}

pub(super) async fn carry_out(admin: &Arc<Admin>, order: PurgeOrder, ago: Duration) {
    if let Err(error) = purge(Arc::clone(admin), order, ago).await {
        tracing::error!(error = %ErrorChain(&error), "a purge was not carried out");
    }
}
