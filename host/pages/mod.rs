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
use futures_util::future::BoxFuture;

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
    let at = |path: &str| format!("{}{path}", form.prefix());
    Router::new()
        .route(&at("/"), page(form, |catalogue, _, _| Box::pin(home::page(catalogue))))
        .route(
            &at("/categories"),
            page(form, |catalogue, _, query| Box::pin(categories::page(catalogue, query))),
        )
        .route(&at("/brands"), page(form, |catalogue, _, _| Box::pin(brands::page(catalogue))))
        .route(&at("/products"), preset(Preset::All))
        .route(&at("/sale"), preset(Preset::Sale))
        .route(&at("/new-arrivals"), preset(Preset::NewArrivals))
        .route(&at("/best-sellers"), preset(Preset::BestSellers))
        .route(&at("/deals"), preset(Preset::Deals))
        .route(
            &at("/category/{slug}"),
            page(form, |catalogue, slug, query| Box::pin(listing::category(catalogue, slug, query))),
        )
        .route(
            &at("/search"),
            page(form, |_, _, query| Box::pin(std::future::ready(listing::search_form(query)))),
        )
        .route(
            &at("/search/{text}"),
            page(form, |catalogue, text, query| Box::pin(listing::search(catalogue, text, query))),
        )
        .route(
            &at("/product/{id}"),
            page(form, |catalogue, id, query| Box::pin(product::page(catalogue, id, query))),
        )
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
        Self::Moved(if raw_query.is_empty() { path } else { format!("{path}?{raw_query}") })
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
                    shop.answer(form, find(catalogue, parameter, &query)).await
                }
                // The path is not UTF-8, so it names nothing.
                Err(_) => {
                    shop.answer(form, async { Answer::Page(error_at(&uri, StatusCode::NOT_FOUND)) }).await
                }
            }
        },
    )
}

type Parameter = Result<RawPathParams, axum::extract::rejection::RawPathParamsRejection>;

/// A trailing slash moves to the one right spelling; everything else is not found.
async fn unmatched(State(shop): State<Arc<Shop>>, uri: OriginalUri) -> Response {
    let data = Form::Data.prefix();
    let (form, path) = match uri.path().strip_prefix(data) {
        Some(path) if path.starts_with('/') => (Form::Data, path),
        _ => (Form::Document, uri.path()),
    };
    let trimmed = path.trim_end_matches('/');
    // Two slashes in front would make the location another host.
    let answer = if trimmed.len() < path.len() && trimmed.starts_with('/') && !trimmed.starts_with("//") {
        Answer::moved(trimmed.into(), uri.query().unwrap_or_default())
    } else {
        Answer::Page(error_at(&uri, StatusCode::NOT_FOUND))
    };
    shop.answer(form, async { answer }).await
}

fn error_at(uri: &OriginalUri, status: StatusCode) -> Draft {
    let path = uri.path();
    Draft::error(path.strip_prefix(Form::Data.prefix()).unwrap_or(path), status)
}

impl Shop {
    async fn answer(&self, form: Form, find: impl Future<Output = Answer>) -> Response {
        let started = Instant::now();
        let (answer, categories) = tokio::join!(find, self.catalogue.categories());
        let catalogue_time = started.elapsed();
        let draft = match answer {
            Answer::Page(draft) => draft,
            Answer::NotFound => Draft::error("/404", StatusCode::NOT_FOUND),
            Answer::Moved(to) => return redirect(form, StatusCode::PERMANENT_REDIRECT, &to),
            Answer::SeeOther(to) => return redirect(form, StatusCode::SEE_OTHER, &to),
        };
        let status = draft.status;
        let product = draft.product.clone();
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
