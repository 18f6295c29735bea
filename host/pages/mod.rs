//! The URL table, and the way from a matched address to an answer.
//!
//! Each page's module turns parameters into queries and their results into a [`Draft`]: content
//! and status, decided before anything is rendered. [`Shop::answer`] completes the draft to a
//! [`Page`] and answers it as a document, or as the same JSON for client-side navigation.

mod brands;
mod cards;
mod categories;
mod home;
mod listing;
mod product;
mod query;

use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::extract::{OriginalUri, RawPathParams, RawQuery, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get};
use futures_util::future::{BoxFuture, Either, select};

use crate::catalogue::{self, Catalogue, Product};
use crate::contract::{Content, ErrorContent, Page};
use crate::document::Document;
use crate::error::AppError;
use crate::page_json::PageJson;
use crate::render::Renderer;
use crate::request_log::PageLog;
use crate::seo::{Head, discovery};
use crate::site::Site;
use listing::Preset;

/// What the requests share.
pub struct Shop {
    pub catalogue: Arc<dyn Catalogue>,
    pub renderer: Renderer,
    pub site: Site,
    /// An operator's own robots.txt.
    pub robots: Option<String>,
    /// When the process started (RFC 3339).
    pub started: String,
}

/// The URL table: every page, as a document and, below `/_data`, as its data.
pub fn routes() -> Router<Arc<Shop>> {
    pages(Form::Document).merge(pages(Form::Data)).merge(discovery::routes()).fallback(unmatched)
}

fn pages(form: Form) -> Router<Arc<Shop>> {
    let preset = |preset: Preset| {
        page(form, move |catalogue, _, query| Box::pin(listing::preset(catalogue, preset, query)))
    };
    let table = [
        ("/", page(form, |catalogue, _, _| Box::pin(home::page(catalogue)))),
        ("/categories", page(form, |catalogue, _, query| Box::pin(categories::page(catalogue, query)))),
        ("/brands", page(form, |catalogue, _, _| Box::pin(brands::page(catalogue)))),
        ("/products", preset(Preset::All)),
        ("/sale", preset(Preset::Sale)),
        ("/new-arrivals", preset(Preset::NewArrivals)),
        ("/best-sellers", preset(Preset::BestSellers)),
        ("/deals", preset(Preset::Deals)),
        (
            "/category/{slug}",
            page(form, |catalogue, slug, query| Box::pin(listing::category(catalogue, slug, query))),
        ),
        ("/search", page(form, |_, _, query| Box::pin(std::future::ready(listing::search_form(query))))),
        (
            "/search/{text}",
            page(form, |catalogue, text, query| Box::pin(listing::search(catalogue, text, query))),
        ),
        ("/product/{id}", page(form, |catalogue, id, query| Box::pin(product::page(catalogue, id, query)))),
    ];
    table.into_iter().fold(Router::new(), |router, (path, page)| {
        let path = format!("{}{path}", form.prefix());
        let slashed = format!("{path}/");
        let router = router.route(&path, page);
        if path.ends_with('/') { router } else { router.route(&slashed, get(without_slash)) }
    })
}

/// 308 to the same address without the slash at its end.
async fn without_slash(uri: OriginalUri) -> Response {
    let to = Answer::moved(uri.path().trim_end_matches('/').into(), uri.query().unwrap_or_default());
    match to {
        // The path already carries its prefix.
        Answer::Moved(to) => redirect(Form::Document, StatusCode::PERMANENT_REDIRECT, &to),
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

/// How a page is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// HTML.
    Document,
    /// The page's JSON, for client-side navigation.
    Data,
}

impl Form {
    fn prefix(self) -> &'static str {
        match self {
            Self::Document => "",
            Self::Data => "/_data",
        }
    }
}

/// What a page's module makes of an address.
enum Answer {
    Page(Draft),
    NotFound,
    /// 308: the one right spelling of this address.
    Moved(String),
    /// 303: where a form's answer is.
    SeeOther(String),
}

impl Answer {
    fn moved(path: String, raw_query: &str) -> Self {
        let separator = if path.contains('?') { '&' } else { '?' };
        Self::Moved(if raw_query.is_empty() { path } else { format!("{path}{separator}{raw_query}") })
    }
}

/// A page without what all pages have.
struct Draft {
    path: String,
    canonical: String,
    /// The product that the page is about, with what only machines read.
    product: Option<Arc<Product>>,
    status: StatusCode,
    title: String,
    content: Content,
}

impl Draft {
    fn new(path: impl Into<String>, title: impl Into<String>, content: Content) -> Self {
        let path = path.into();
        let canonical = path.clone();
        Self { path, canonical, product: None, status: StatusCode::OK, title: title.into(), content }
    }

    fn error(path: impl Into<String>, status: StatusCode) -> Self {
        let message = status.canonical_reason().unwrap_or("Unknown error");
        let content = Content::Error(ErrorContent { message: message.into() });
        Self { status, ..Self::new(path, message, content) }
    }

    fn not_found(self) -> Self {
        Self { status: StatusCode::NOT_FOUND, ..self }
    }

    /// The catalogue did not answer for what matters on this page.
    fn unavailable(self) -> Self {
        Self { status: StatusCode::SERVICE_UNAVAILABLE, ..self }
    }

    fn complete(self, categories: &[catalogue::Category]) -> Page {
        let title = match &self.content {
            Content::Home(_) => self.title,
            _ => format!("{} | Vitrine", self.title),
        };
        Page {
            path: self.path,
            canonical: self.canonical,
            status: self.status.as_u16(),
            title,
            categories: categories.iter().map(cards::category).collect(),
            content: self.content,
        }
    }
}

/// The catalogue's answer, or nothing once its failure is logged: this is where it is handled.
fn or_logged<T>(query: &str, answer: catalogue::Result<T>) -> Option<T> {
    answer
        .inspect_err(|error| {
            tracing::warn!(query, error = error as &dyn Error, "the catalogue did not answer");
        })
        .ok()
}

/// A row of the table. The function gets the catalogue, the path's parameter and the raw query.
fn page<F>(form: Form, find: F) -> MethodRouter<Arc<Shop>>
where
    F: for<'a> Fn(&'a dyn Catalogue, &'a str, &'a str) -> BoxFuture<'a, Answer>,
    F: Clone + Send + Sync + 'static,
{
    get(
        async move |State(shop): State<Arc<Shop>>,
                    uri: OriginalUri,
                    parameters: Parameter,
                    query: RawQuery| {
            let query = query.0.unwrap_or_default();
            match parameters {
                Ok(parameters) => {
                    let parameter = parameters.iter().next().map_or("", |(_, value)| value);
                    let catalogue = &*shop.catalogue;
                    shop.answer(form, &uri, find(catalogue, parameter, &query)).await
                }
                // The path is not UTF-8, so it names nothing.
                Err(_) => shop.answer(form, &uri, async { Answer::NotFound }).await,
            }
        },
    )
}

type Parameter = Result<RawPathParams, axum::extract::rejection::RawPathParamsRejection>;

async fn unmatched(State(shop): State<Arc<Shop>>, uri: OriginalUri) -> Response {
    let form = if page_path(&uri) == uri.path() { Form::Document } else { Form::Data };
    shop.answer(form, &uri, async { Answer::NotFound }).await
}

/// The path of the page that an address is about, be it as a document or as data.
fn page_path(uri: &OriginalUri) -> &str {
    let path = uri.path();
    path.strip_prefix(Form::Data.prefix()).filter(|rest| rest.starts_with('/')).unwrap_or(path)
}

impl Shop {
    async fn answer(&self, form: Form, uri: &OriginalUri, find: impl Future<Output = Answer>) -> Response {
        let started = Instant::now();
        // The header's categories are asked for alongside, but a redirect does not wait for them.
        let mut categories = std::pin::pin!(self.catalogue.categories());
        let (answer, known) = match select(std::pin::pin!(find), &mut categories).await {
            Either::Left((answer, _)) => (answer, None),
            Either::Right((categories, find)) => (find.await, Some(categories)),
        };
        let draft = match answer {
            Answer::Page(draft) => draft,
            Answer::NotFound => Draft::error(page_path(uri), StatusCode::NOT_FOUND),
            Answer::Moved(to) => return redirect(form, StatusCode::PERMANENT_REDIRECT, &to),
            Answer::SeeOther(to) => return redirect(form, StatusCode::SEE_OTHER, &to),
        };
        let status = draft.status;
        let product = draft.product.clone();
        let categories = match known {
            Some(categories) => categories,
            None => categories.await,
        };
        let catalogue_time = started.elapsed();
        let categories = or_logged("categories", categories);
        let page = draft.complete(categories.as_deref().unwrap_or_default());
        let mut log = PageLog::new(&page.content, catalogue_time);
        let mut response = match form {
            Form::Document => self.document(&page, product.as_deref(), &mut log).await,
            Form::Data => data(&page),
        }
        .unwrap_or_else(IntoResponse::into_response);
        if response.status().is_success() {
            *response.status_mut() = status;
        }
        let headers = response.headers_mut();
        if status == StatusCode::SERVICE_UNAVAILABLE {
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static(RETRY_AFTER_SECONDS));
        }
        let cacheable = status == StatusCode::OK && !log.is_shell();
        headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static(if cacheable {
            "no-cache"
        } else {
            "no-store"
        }));
        response.extensions_mut().insert(log);
        response
    }

    /// The page as HTML. A render that fails costs only the markup: the browser draws the page
    /// from the same data.
    async fn document(
        &self,
        page: &Page,
        product: Option<&Product>,
        log: &mut PageLog,
    ) -> Result<Response, AppError> {
        let head = Head::new(page, product, &self.site)?;
        let json = PageJson::new(page)?;
        let markup = match self.renderer.render(json.clone()).await {
            Ok(rendered) => {
                log.rendered(rendered.took);
                Some(rendered.markup)
            }
            Err(error) => {
                tracing::error!(path = page.path, error = &error as &dyn Error, "a page was not rendered");
                log.shell();
                None
            }
        };
        match (&page.content, markup) {
            (Content::Error(error), None) => Err(AppError::NoErrorPage(error.message.clone(), page.status)),
            (_, markup) => {
                Ok(Document { page, head: &head, json: &json, markup: markup.as_deref() }.answer()?)
            }
        }
    }
}

/// How long a client waits before it asks again for what the catalogue did not answer.
const RETRY_AFTER_SECONDS: &str = "10";

fn data(page: &Page) -> Result<Response, AppError> {
    let json = PageJson::new(page)?;
    Ok(([(header::CONTENT_TYPE, "application/json")], json.as_str().to_owned()).into_response())
}

fn redirect(form: Form, status: StatusCode, to: &str) -> Response {
    let location = format!("{}{to}", form.prefix());
    match HeaderValue::try_from(location) {
        Ok(location) => {
            // Where a page is may change with the catalogue, so nobody keeps the answer for ever.
            let no_cache = (header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
            (status, [(header::LOCATION, location), no_cache]).into_response()
        }
        // Addresses are percent-encoded, so this is a defect of ours rather than bad input.
        Err(error) => AppError::Location(error).into_response(),
    }
}
