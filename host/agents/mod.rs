//! The catalogue for assistants that shop for people: search, lookup and product by the Universal Commerce Protocol and by
//! the Model Context Protocol, over one implementation.
//!
//! It promises that assistants are told what pages say, and nothing that is not known; that answers come from the copy of
//! the catalogue, without a render, a call of the service or a request to anybody; and that pages wait for no assistant.
//! `docs/decisions/0056-agents.md` says why.
//!
//! `request.rs` and `answer.rs` have the protocol's types, `search.rs`, `lookup.rs` and `detail.rs` the three calls,
//! `rest.rs` and `mcp/` the two transports.

mod answer;
mod cursor;
mod detail;
mod discovery;
mod limits;
mod lookup;
mod markdown;
mod mcp;
mod plain;
mod product;
mod refusal;
mod request;
mod rest;
mod search;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::routing::get;
use tokio::time::timeout;

use self::refusal::Refusal;
use self::request::Request;

use crate::catalogue::{Catalogue, Version};
use crate::document;
use crate::exports::About;
use crate::observe::LogThrottle;
use crate::process::compute::{BACKGROUND, ComputePool, OffRuntime};
use crate::process::priority::lower_priority;

/// Adds what assistants are answered to the routes of pages.
pub(crate) fn routes(agents: Agents, pages: Router) -> Router {
    let own = [document::markdown::HOME, "/products.md", "/categories.md"];
    // Their layer answers these, unless it has nothing to answer with.
    let pages = own.into_iter().fold(pages, |pages, path| pages.route(path, get(StatusCode::NOT_FOUND)));
    let pages = pages.layer(from_fn_with_state(agents.clone(), markdown::answer));
    pages.merge(rest::routes(agents))
}

/// Longest time that a call waits for its answer.
const DEADLINE: Duration = Duration::from_secs(5);

/// What answers assistants. Clones share it.
#[derive(Clone)]
pub(crate) struct Agents {
    catalogue: Arc<dyn Catalogue>,
    about: Arc<About>,
    /// Their own places: pages wait for no call.
    pool: Arc<ComputePool>,
    throttle: Arc<LogThrottle>,
}

impl Agents {
    pub(crate) fn new(catalogue: Arc<dyn Catalogue>, about: About, pool: Arc<ComputePool>) -> Self {
        Self { catalogue, about: Arc::new(about), pool, throttle: Arc::default() }
    }

    /// The version of the catalogue that answers are made from.
    async fn version(&self) -> Result<Arc<Version>, Refusal> {
        let stock = self.catalogue.stock().await;
        let version = stock.version().filter(|version| !version.products().is_empty()).map(Arc::clone);
        let content = "Answers are made from the whole catalogue, which has not been read yet.";
        version.ok_or_else(|| Refusal::unavailable("catalog_unavailable", content))
    }

    /// The answer to a request, as JSON.
    async fn call(&self, request: Request) -> Result<String, Refusal> {
        let version = self.version().await?;
        if request.needs_index() && !version.products().is_searchable() {
            let content = "The index for searches is being made.";
            return Err(Refusal::unavailable("catalog_unavailable", content));
        }
        let about = Arc::clone(&self.about);
        let work = move |off: &OffRuntime| {
            // Pages come first when every processor is busy.
            lower_priority(BACKGROUND);
            answer(off, &about, &version, &request)
        };
        let answered = timeout(DEADLINE, self.pool.run(work)).await;
        answered.ok().and_then(Result::ok).unwrap_or_else(|| Err(Refusal::busy()))
    }
}

fn answer(off: &OffRuntime, about: &About, version: &Version, request: &Request) -> Result<String, Refusal> {
    let answer = match request {
        Request::Search(request) => search::search(off, about, version, request)?,
        Request::Lookup(request) => lookup::lookup(off, about, version, request),
        Request::Product(request) => detail::product(off, about, version, request),
    };
    serde_json::to_string(&answer).map_err(|error| {
        Refusal::unavailable("not_serialised", format!("The answer cannot be written: {error}"))
    })
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;
    use std::sync::mpsc;

    use super::*;
    use crate::catalogue::Sample;
    use crate::document::Site;
    use crate::process::compute::off_runtime;
    use crate::profile::Profile;

    #[tokio::test]
    async fn a_call_that_finds_no_place_is_refused_at_once() {
        let pool = Arc::new(ComputePool::start("test", NonZeroUsize::MIN, 1, None).unwrap());
        let site = Site::new(&"https://shop.example".parse().unwrap(), Vec::new());
        let about = About { profile: Arc::new(Profile::default()), site };
        let sample = off_runtime(|| Sample::load().unwrap()).await;
        let agents = Agents::new(Arc::new(sample), about, Arc::clone(&pool));
        let request = || request::Call::Product.read(br#"{"id":"1"}"#).unwrap();
        assert!(agents.call(request()).await.unwrap().contains("price_range"));
        let (release, released) = mpsc::channel::<()>();
        let (begun, begins) = mpsc::channel();
        let busy = Arc::clone(&pool);
        let long = move || {
            begun.send(()).unwrap();
            released.recv()
        };
        let first = tokio::spawn(async move { busy.run(long).await });
        while begins.try_recv().is_err() {
            tokio::task::yield_now().await;
        }
        let waiting = agents.clone();
        let second = tokio::spawn(async move { waiting.call(request()).await });
        while !pool.is_nearly_full() {
            tokio::task::yield_now().await;
        }
        assert_eq!(agents.call(request()).await.unwrap_err().code, "busy");
        drop(release);
        assert!(first.await.unwrap().unwrap().is_err());
        assert!(second.await.unwrap().is_ok());
    }
}
