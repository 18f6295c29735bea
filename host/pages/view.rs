//! A page ready to be answered, and how it becomes that: data, head, markup, document.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;

use super::address::Address;
use super::queries::Queries;
use super::{CATALOGUE_TIME, Form, Shop};
use crate::causes::Causes;
use crate::contract::{Content, Page};
use crate::document::Document;
use crate::error::AppError;
use crate::memory::Made;
use crate::page_json::PageJson;
use crate::render::RenderError;
use crate::representation::{Caching, Representation};
use crate::seo::{self, Head};

const ROBOTS: HeaderName = HeaderName::from_static("x-robots-tag");
/// How long a client waits before it asks again for what could not be answered now, in seconds.
pub const RETRY_AFTER: HeaderValue = HeaderValue::from_static("10");
/// How long it is remembered that a page does not exist, or is elsewhere: long enough for a burst of
/// requests.
const NOWHERE_FRESH: Duration = Duration::from_secs(10);

/// So much of an address is logged, in bytes.
const LONGEST_LOGGED: usize = 300;

const HTML: &str = "text/html; charset=utf-8";
const JSON: &str = "application/json";

/// A page, or a file for crawlers, ready to be answered.
#[derive(Debug)]
pub struct View {
    /// The page's own spelling of its address.
    pub path: String,
    pub status: StatusCode,
    caching: Caching,
    robots: Option<&'static str>,
    /// Whether search engines may list the page. One that they may not is seldom asked for twice.
    pub is_indexable: bool,
    body: Representation,
    /// A hash of everything that a page's body is made of.
    source: Option<blake3::Hash>,
    pub making: Making,
}

/// How a view was made, for the log.
#[derive(Clone, Copy, Debug)]
pub struct Making {
    /// Kind of page.
    pub kind: &'static str,
    /// Time that its data took.
    pub catalogue: Duration,
    /// Time inside the isolate.
    pub render: Option<Duration>,
    /// There is no markup; the browser draws the page.
    pub shell: bool,
}

impl View {
    /// A file that is not a page.
    pub fn file(content_type: &'static str, text: String, fresh: Duration) -> Self {
        let body = Representation::new(content_type, text);
        Self {
            path: String::new(),
            status: StatusCode::OK,
            caching: Caching::For(fresh),
            robots: None,
            is_indexable: true,
            source: None,
            body,
            making: Making::of("file"),
        }
    }

    /// A failure, in words for people.
    pub fn failure(status: StatusCode, content_type: &'static str, text: String) -> Self {
        let caching = Caching::Never;
        Self { status, caching, ..Self::file(content_type, text, Duration::ZERO) }
    }

    /// What is said under an address that asks for more than there is: `path` does not.
    fn signpost(path: String, making: Making) -> Self {
        let status = StatusCode::PERMANENT_REDIRECT;
        Self { path, status, making, ..Self::failure(status, HTML, String::new()) }
    }

    /// Whether it only tells the right address.
    pub fn is_signpost(&self) -> bool {
        self.status == StatusCode::PERMANENT_REDIRECT
    }

    fn error(error: &AppError) -> Self {
        let (status, html) = error.page();
        Self { making: Making { shell: true, ..Making::of("error") }, ..Self::failure(status, HTML, html) }
    }

    /// The answer to a request with these headers.
    pub async fn answer(&self, request: &HeaderMap) -> Response {
        let mut response = self.body.answer(request, self.status, self.caching).await;
        let headers = response.headers_mut();
        if let Some(robots) = self.robots {
            headers.insert(ROBOTS, HeaderValue::from_static(robots));
        }
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            headers.insert(header::RETRY_AFTER, RETRY_AFTER);
        }
        response
    }

    /// About how much memory it takes, in bytes.
    pub fn weight(&self) -> usize {
        self.body.weight() + self.path.len() + size_of::<Self>()
    }

    /// Whether it is a file with this text.
    pub fn has_text(&self, text: &str) -> bool {
        self.body.identity() == text.as_bytes()
    }

    /// Whether it is the whole page, and nothing but the page.
    fn is_whole(&self) -> bool {
        self.caching != Caching::Never && !self.making.shell
    }

    /// Only what is whole is remembered, and what does not exist for a moment. A page is as old as
    /// what it is made of.
    fn keep(self: Arc<Self>, complete: bool, outdated_for: Duration) -> Made<Arc<Self>> {
        match self.status {
            StatusCode::OK if self.is_whole() && outdated_for.is_zero() => Made::Keep(self),
            StatusCode::OK if self.is_whole() => Made::KeepAged(self, outdated_for),
            StatusCode::NOT_FOUND if complete && !self.making.shell => Made::KeepFor(self, NOWHERE_FRESH),
            StatusCode::PERMANENT_REDIRECT if complete => Made::KeepFor(self, NOWHERE_FRESH),
            _ => Made::Pass(self),
        }
    }
}

impl Making {
    fn of(kind: &'static str) -> Self {
        Self { kind, catalogue: Duration::ZERO, render: None, shell: false }
    }
}

/// Makes the view of an address. One whose data is still the same as the last one's is the last one.
pub async fn make(shop: &Shop, form: Form, address: &Address, last: Option<Arc<View>>) -> Made<Arc<View>> {
    let started = Instant::now();
    let queries = Queries::new(&*shop.catalogue, started + CATALOGUE_TIME, &shop.seldom);
    // The header's categories are asked for alongside.
    let (draft, categories) =
        tokio::join!(address.draft(&queries), queries.ask("categories", queries.catalogue.categories()));
    let (status, product) = (draft.status, draft.product.clone());
    let page = draft.complete(categories.as_deref().unwrap_or_default());
    let (complete, outdated_for) = (queries.is_complete(), shop.catalogue.outdated_for());
    let mut making = Making { catalogue: started.elapsed(), ..Making::of(kind(&page.content)) };
    // Nobody is shown a page under an address that is not its own, so none is made.
    if complete && status == StatusCode::OK && address.is_listing() && page.path != address.key() {
        return Arc::new(View::signpost(page.path, making)).keep(complete, outdated_for);
    }

    let ready =
        Head::new(&page, product.as_deref(), &shop.site).and_then(|head| Ok((head, PageJson::new(&page)?)));
    let (head, json) = match ready {
        Ok(ready) => ready,
        Err(error) => return Made::Pass(Arc::new(View::error(&AppError::PageJson(error).logged()))),
    };
    let source = Some(source(&head, &json));
    if let Some(last) = last.filter(|last| last.source == source && last.status == status && complete) {
        return last.keep(complete, outdated_for);
    }

    let mut caching = if complete && status == StatusCode::OK { shop.caching() } else { Caching::Never };
    let mut answered = status;
    let body = match form {
        Form::Data => Representation::new(JSON, json.as_bytes().to_vec()),
        Form::Document => {
            let markup = match markup(shop, address, &json).await {
                Ok(rendered) => {
                    making.render = Some(rendered.took);
                    Some(rendered.markup)
                }
                Err(error) => {
                    making.shell = true;
                    caching = Caching::Never;
                    if matches!(error, RenderError::QueueFull) && status == StatusCode::OK {
                        // The browser can draw the page; everybody else comes back later.
                        answered = StatusCode::SERVICE_UNAVAILABLE;
                    }
                    None
                }
            };
            match document(&page, &head, &json, markup.as_deref()) {
                Ok(html) => Representation::new(HTML, html),
                Err(error) => return Made::Pass(Arc::new(View::error(&error.logged()))),
            }
        }
    };
    let is_indexable = seo::is_indexable(page.robots);
    let robots = (form == Form::Document && !is_indexable).then_some(page.robots);
    let body = match caching {
        Caching::Never => body.for_one(),
        _ if !is_indexable => body.for_few(),
        _ => body,
    };
    let (path, status) = (page.path, answered);
    let view = Arc::new(View { path, status, caching, robots, is_indexable, body, source, making });
    if shop.pressure.is_tight() { Made::Pass(view) } else { view.keep(complete, outdated_for) }
}

/// The page's markup. A render that fails costs only the markup: the browser draws the page from
/// the same data.
async fn markup(
    shop: &Shop,
    address: &Address,
    json: &PageJson,
) -> Result<crate::render::Rendered, RenderError> {
    let key = address.key();
    if shop.pressure.is_tight() {
        return Err(RenderError::QueueFull);
    }
    if shop.failing.is_avoided(&key) {
        shop.renderer.counters().avoided.increment();
        return Err(RenderError::Avoided);
    }
    let outcome = shop.renderer.render(json.clone()).await;
    match &outcome {
        // Says nothing of the page, and a crowd's worth of such lines would say nothing new.
        Ok(_) | Err(RenderError::QueueFull) => {}
        Err(error) => {
            shop.failing.count(&key);
            // Each request's own line says whether there was markup.
            if shop.seldom.is_time_for("render") {
                // Keys are ASCII, and as long as a request may be.
                let path = key.get(..LONGEST_LOGGED).unwrap_or(&key);
                tracing::error!(path, error = %Causes(error), "a page was not rendered");
            }
        }
    }
    outcome
}

fn document(page: &Page, head: &Head, json: &PageJson, markup: Option<&str>) -> Result<String, AppError> {
    match (&page.content, markup) {
        (Content::Error(error), None) => Err(AppError::NoErrorPage(error.message.clone(), page.status)),
        (_, markup) => Ok(Document { page, head, json, markup }.html()?),
    }
}

fn source(head: &Head, json: &PageJson) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    hasher.update(json.as_bytes());
    // The head is made of the page, but for what only machines read.
    hasher.update(head.structured_data.as_ref().map(PageJson::as_bytes).unwrap_or_default());
    hasher.finalize()
}

fn kind(content: &Content) -> &'static str {
    match content {
        Content::Home(_) => "home",
        Content::Categories(_) => "categories",
        Content::Brands(_) => "brands",
        Content::Listing(_) => "listing",
        Content::Product(_) => "product",
        Content::Error(_) => "error",
    }
}
