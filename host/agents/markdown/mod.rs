//! Pages as Markdown: below addresses of their own, and at a page's address for who would rather have Markdown than HTML.

mod accept;
mod page;
mod text_nodes;

use std::sync::Arc;
use std::time::Instant;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;

use self::accept::wants_markdown;
use super::refusal::Refusal;
use super::{Agents, DEADLINE};
use crate::catalogue::{ProductKey, Stock, Version};
use crate::document::markdown::{ENDING, HOME};
use crate::http::caching::Caching;
use crate::http::representation::Representation;
use crate::pages::address::{self, Address, Preset};
use crate::pages::questions::Questions;
use crate::pages::resolve::{self, Resolved};

const MARKDOWN: &str = "text/markdown; charset=utf-8";

/// Answers a request with a page as Markdown, if that is asked for; otherwise `next` does.
pub(super) async fn answer(State(agents): State<Agents>, request: Request, next: Next) -> Response {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return next.run(request).await;
    }
    let uri = request.uri().clone();
    let (path, query) = (uri.path(), uri.query().unwrap_or_default());
    let page = match path {
        HOME => Some(address::HOME),
        _ => path.strip_suffix(ENDING).filter(|page| *page != address::HOME),
    };
    if let Some(page) = page.and_then(|page| page_at(page, query)) {
        return match agents.version().await {
            // It may be the page of a product whose key ends like this.
            Ok(version) if has_ending(&version, path) => next.run(request).await,
            Ok(version) => agents.page(&version, &page, request.headers()).await,
            Err(refusal) => refusal.respond(),
        };
    }
    // Most requests want HTML, whose address is read once, by its own route.
    let wanted = wants_markdown(request.headers()).then(|| page_at(path, query)).flatten();
    if let Some(page) = wanted
        && let Ok(version) = agents.version().await
    {
        let response = agents.page(&version, &page, request.headers()).await;
        // A page that is not there may have another address.
        if response.status() != StatusCode::NOT_FOUND {
            return for_one_client(response);
        }
    }
    next.run(request).await
}

/// The address of a page that has a form as Markdown, if a path is spelled as it should be.
fn page_at(path: &str, query: &str) -> Option<Address> {
    let below = |folder: String| path.strip_prefix(&folder).filter(|name| !name.contains('/'));
    let resolved = match path {
        address::HOME => Resolved::Page(Address::Home { seed: 0 }),
        address::CATEGORIES => resolve::categories(query),
        path if path == Preset::All.path() => resolve::preset(Preset::All, query),
        _ => {
            if let Some(slug) = below(address::category("")) {
                resolve::category(slug, query)?
            } else if let Some(slug) = below(address::text_page("")) {
                Resolved::Page(Address::TextPage(slug.into()))
            } else {
                resolve::product(below(address::product(""))?, query)
            }
        }
    };
    match resolved {
        Resolved::Page(Address::InvalidProduct(_)) => None,
        Resolved::Page(page) => Some(page),
        Resolved::Moved(_) | Resolved::SeeOther(_) => None,
    }
}

/// Whether a path is the address of a product whose key ends like Markdown.
fn has_ending(version: &Version, path: &str) -> bool {
    let key = path.strip_prefix(&address::product("")).and_then(ProductKey::parse);
    key.is_some_and(|key| version.has_product(&key))
}

impl Agents {
    async fn page(&self, version: &Arc<Version>, page: &Address, request: &HeaderMap) -> Response {
        let about = &self.about;
        let (stock, deadline) = (Stock::from(Arc::clone(version)), Instant::now() + DEADLINE);
        let questions = Questions::new(&stock, &self.pool, deadline, &self.throttle, &about.profile);
        let is_missing = matches!(page, Address::TextPage(slug) if about.profile.text_page(slug).is_none());
        let unknown = Address::UnknownPath(page.path());
        let draft = crate::pages::draft(if is_missing { &unknown } else { page }, &questions).await;
        if !questions.is_complete() {
            return Refusal::busy().respond();
        }
        let caching = match draft.status {
            StatusCode::OK => Caching::Revalidated,
            _ => Caching::Never,
        };
        let body = Representation::new(MARKDOWN, page::markdown(&draft, about));
        let mut response = body.answer(request, draft.status, caching).await;
        let headers = response.headers_mut();
        headers.insert(HeaderName::from_static("x-robots-tag"), HeaderValue::from_static("noindex"));
        let canonical = about.site.absolute(&draft.canonical.path());
        if let Ok(link) = HeaderValue::try_from(format!("<{canonical}>; rel=\"canonical\"")) {
            headers.insert(header::LINK, link);
        }
        response
    }
}

/// Keeps caches from showing Markdown to people: some ignore `Vary`.
fn for_one_client(mut response: Response) -> Response {
    let headers = response.headers_mut();
    if headers.get(header::CACHE_CONTROL).is_some_and(|caching| caching != "no-store") {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    }
    headers.append(header::VARY, HeaderValue::from_static("accept"));
    response
}
