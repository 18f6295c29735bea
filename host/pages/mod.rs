//! The URL table, and the way from a matched path to an answer.
//!
//! A row turns path and query into a typed [`Address`] (`address.rs`), or into a redirect. The
//! address is the key under which finished pages are remembered; only when the memory has none,
//! the address asks the catalogue (`queries.rs`) for a [`Draft`]: content and status, decided
//! before anything is rendered. `view.rs` completes it to a page and makes the document, or the
//! same page's JSON for client-side navigation.

mod address;
mod brands;
mod cards;
mod categories;
mod draft;
mod failing;
#[cfg(any(test, feature = "fuzzing"))]
mod fuzzing;
mod home;
mod listing;
mod product;
mod queries;
mod query;
mod relief;
mod view;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use axum::Router;
use axum::extract::{OriginalUri, RawPathParams, RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

use crate::catalogue::Catalogue;
use crate::error::AppError;
use crate::memory::{Ages, Failure, Made, Memory};
use crate::pressure::Pressure;
use crate::render::Renderer;
use crate::representation::Caching;
use crate::request_log::PageLog;
use crate::seldom::Seldom;
use crate::seo::discovery;
use crate::site::Site;
use address::{Address, Located};
use draft::Draft;
use failing::Failing;
#[cfg(feature = "fuzzing")]
pub use fuzzing::check_address;
use listing::Preset;
pub use view::{Making, RETRY_AFTER, View};

/// Home's six categories are drawn this many times a day; visits take turns.
const DRAWINGS: u64 = 8;
/// A remembered page is compared with its data at most this often.
const COMPARED_AFTER: Duration = Duration::from_secs(5);
/// The longest that a request waits for its answer.
const DEADLINE: Duration = Duration::from_secs(8);
/// The part of it in which the catalogue may answer; what is left is for rendering and compressing.
const CATALOGUE_TIME: Duration = Duration::from_secs(7);

/// What the requests share.
pub struct Shop {
    catalogue: Arc<dyn Catalogue>,
    renderer: Renderer,
    site: Site,
    settings: ShopSettings,
    views: Memory<String, Arc<View>, std::convert::Infallible>,
    failing: Failing,
    pressure: Pressure,
    seldom: Seldom,
    visits: AtomicU64,
}

/// What an operator can turn about the pages.
#[derive(Clone, Debug)]
pub struct ShopSettings {
    /// An operator's own robots.txt.
    pub robots: Option<String>,
    /// When the process started (RFC 3339).
    pub started: String,
    /// How long data, and so pages, are fresh, and how long they are served when there is nothing
    /// newer. Nothing is remembered when they are never fresh.
    pub ages: Ages,
    /// Most bytes of remembered pages.
    pub page_memory: u64,
    /// Says when no new page may be made.
    pub pressure: Pressure,
}

impl Shop {
    pub fn new(
        catalogue: Arc<dyn Catalogue>,
        renderer: Renderer,
        site: Site,
        settings: ShopSettings,
    ) -> Self {
        let Ages { fresh, stale } = settings.ages;
        let ages = Ages { fresh: fresh.min(COMPARED_AFTER), stale };
        let weigh =
            |key: &String, view: &Arc<View>| u32::try_from(key.len() + view.weight()).unwrap_or(u32::MAX);
        let views = Memory::new(ages, settings.page_memory, weigh);
        let (failing, seldom, visits) = (Failing::default(), Seldom::default(), AtomicU64::new(0));
        let pressure = settings.pressure.clone();
        Self { catalogue, renderer, site, settings, views, failing, pressure, seldom, visits }
    }

    pub fn catalogue(&self) -> &dyn Catalogue {
        &*self.catalogue
    }

    pub fn site(&self) -> &Site {
        &self.site
    }

    /// Keeps a bad day's log short.
    pub fn seldom(&self) -> &Seldom {
        &self.seldom
    }

    pub fn settings(&self) -> &ShopSettings {
        &self.settings
    }

    /// What shared caches may do with a whole page.
    fn caching(&self) -> Caching {
        let Ages { fresh, stale } = self.settings.ages;
        Caching::Shared { fresh, stale }
    }

    /// The next drawing of home's categories. They change from visit to visit and from day to day,
    /// but there are only a few a day, so that each can be remembered, here and by every replica.
    fn next_drawing(&self) -> u64 {
        let today = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs() / 86_400;
        today * DRAWINGS + self.visits.fetch_add(1, Ordering::Relaxed) % DRAWINGS
    }

    /// When a request that comes now has to be answered.
    pub fn deadline() -> Instant {
        Instant::now() + DEADLINE
    }

    /// Answers from the memory, or lets one request `make` the view while the others wait, until
    /// `deadline`.
    pub async fn remembered<F>(
        self: &Arc<Self>,
        key: String,
        request: &HeaderMap,
        deadline: Instant,
        make: impl Fn(Arc<Self>, Option<Arc<View>>) -> F,
    ) -> Result<(Arc<View>, Response), AppError>
    where
        F: Future<Output = Made<Arc<View>>> + Send + 'static,
    {
        let answered = async {
            let made = self.views.get(key, |last| {
                let view = make(Arc::clone(self), last);
                async { Ok(view.await) }
            });
            let served = match made.await {
                Ok(served) => served,
                Err(Failure::Died) => return Err(AppError::Died),
                Err(Failure::Error(never)) => match never {},
            };
            let mut response = served.value.answer(request).await;
            response.extensions_mut().insert(PageLog::new(served.value.making, served.age, served.stale));
            Ok((served.value, response))
        };
        tokio::time::timeout_at(deadline.into(), answered).await.unwrap_or(Err(AppError::Deadline))
    }

    async fn show(
        self: Arc<Self>,
        form: Form,
        located: Located,
        raw_query: &str,
        request: &HeaderMap,
    ) -> Response {
        let address = match located {
            Located::Page(address) => address,
            Located::Moved(to) => return redirect(form, StatusCode::PERMANENT_REDIRECT, &to),
            Located::SeeOther(to) => return redirect(form, StatusCode::SEE_OTHER, &to),
        };
        let deadline = Self::deadline();
        let (view, response) = match self.page(form, &address, request, deadline).await {
            Ok(answered) => answered,
            Err(error) => return error.into_response(),
        };
        let has_one_spelling = view.is_signpost() || address.is_listing() && view.status == StatusCode::OK;
        if has_one_spelling
            && view.path.len() <= LONGEST_LOCATION
            && query::is_misspelled(raw_query, &view.path)
        {
            return redirect(form, StatusCode::PERMANENT_REDIRECT, &view.path);
        }
        if !view.is_signpost() {
            return response;
        }
        // A visitor with a campaign's parameters keeps them, and sees the page that is meant.
        match self.page(form, &address.within(&view.path), request, deadline).await {
            Ok((meant, _)) if meant.is_signpost() => {
                redirect(form, StatusCode::PERMANENT_REDIRECT, &meant.path)
            }
            Ok((_, response)) => response,
            Err(error) => error.into_response(),
        }
    }

    /// The page of an address, from the memory where it is there.
    async fn page(
        self: &Arc<Self>,
        form: Form,
        address: &Address,
        request: &HeaderMap,
        deadline: Instant,
    ) -> Result<(Arc<View>, Response), AppError> {
        let key = format!("{}{}", form.prefix(), address.key());
        let make = |shop: Arc<Self>, last| {
            let address = address.clone();
            async move { view::make(&shop, form, &address, last).await }
        };
        self.remembered(key, request, deadline, make).await
    }
}

/// The URL table: every page, as a document and, below `/_data`, as its data.
pub fn routes() -> Router<Arc<Shop>> {
    pages(Form::Document).merge(pages(Form::Data)).merge(discovery::routes()).fallback(unmatched)
}

fn pages(form: Form) -> Router<Arc<Shop>> {
    let page = |locate| row(form, locate);
    let table: [(_, Locate); 12] = [
        ("/", |shop, _, _| Some(Located::Page(Address::Home { drawing: shop.next_drawing() }))),
        ("/categories", |_, _, query| Some(categories::locate(query))),
        ("/brands", |_, _, _| Some(Located::Page(Address::Brands))),
        ("/products", |_, _, query| Some(listing::locate_preset(Preset::All, query))),
        ("/sale", |_, _, query| Some(listing::locate_preset(Preset::Sale, query))),
        ("/new-arrivals", |_, _, query| Some(listing::locate_preset(Preset::NewArrivals, query))),
        ("/best-sellers", |_, _, query| Some(listing::locate_preset(Preset::BestSellers, query))),
        ("/deals", |_, _, query| Some(listing::locate_preset(Preset::Deals, query))),
        ("/category/{slug}", |_, slug, query| listing::locate_category(slug, query)),
        ("/search", |_, _, query| Some(listing::locate_search_form(query))),
        ("/search/{text}", |_, text, query| listing::locate_search(text, query)),
        ("/product/{id}", |_, id, query| Some(product::locate(id, query))),
    ];
    table.into_iter().fold(Router::new(), |router, (path, locate)| {
        let path = format!("{}{path}", form.prefix());
        let slashed = format!("{path}/");
        let router = router.route(&path, page(locate));
        if path.ends_with('/') { router } else { router.route(&slashed, get(without_slash)) }
    })
}

/// What a row makes of the path's parameter and the raw query; nothing when no page is there.
type Locate = fn(&Shop, &str, &str) -> Option<Located>;

fn row(form: Form, locate: Locate) -> MethodRouter<Arc<Shop>> {
    get(
        async move |State(shop): State<Arc<Shop>>,
                    uri: OriginalUri,
                    parameters: Parameter,
                    query: RawQuery,
                    request: HeaderMap| {
            let query = query.0.unwrap_or_default();
            // A path that is not UTF-8 names nothing.
            let located = parameters.ok().and_then(|parameters| {
                let parameter = parameters.iter().next().map_or("", |(_, value)| value);
                locate(&shop, parameter, &query)
            });
            let located = located.unwrap_or_else(|| nowhere(&uri));
            shop.show(form, located, &query, &request).await
        },
    )
}

type Parameter = Result<RawPathParams, axum::extract::rejection::RawPathParamsRejection>;

async fn unmatched(State(shop): State<Arc<Shop>>, uri: OriginalUri, request: HeaderMap) -> Response {
    let form = if page_path(&uri) == uri.path() { Form::Document } else { Form::Data };
    shop.show(form, nowhere(&uri), "", &request).await
}

fn nowhere(uri: &OriginalUri) -> Located {
    Located::Page(Address::Nowhere(page_path(uri).into()))
}

/// The path of the page that an address is about, be it as a document or as data.
fn page_path(uri: &OriginalUri) -> &str {
    let path = uri.path();
    path.strip_prefix(Form::Data.prefix()).filter(|rest| rest.starts_with('/')).unwrap_or(path)
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

/// 308 to the same address without the slash at its end.
async fn without_slash(uri: OriginalUri) -> Response {
    let path = uri.path().trim_end_matches('/');
    let query = uri.query().map(|query| format!("?{query}")).unwrap_or_default();
    // The path already carries its prefix.
    redirect(Form::Document, StatusCode::PERMANENT_REDIRECT, &format!("{path}{query}"))
}

/// What a request target may hold but an address should not. HTTP parsers let these bytes through,
/// and a client may read them as it likes: browsers take `\` for `/`.
const UNSAFE: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'<')
    .add(b'>')
    .add(b'\\')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');
/// Everybody is asked to support addresses of this length (RFC 9110, section 4.1), in bytes.
const LONGEST_LOCATION: usize = 8_000;

fn redirect(form: Form, status: StatusCode, to: &str) -> Response {
    let location = format!("{}{}", form.prefix(), utf8_percent_encode(to, UNSAFE));
    if location.len() > LONGEST_LOCATION {
        return (StatusCode::URI_TOO_LONG, "The address is too long.").into_response();
    }
    match HeaderValue::try_from(location) {
        Ok(location) => {
            // Where a page is may change with the catalogue, so nobody keeps the answer for ever.
            let no_cache = (header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
            (status, [(header::LOCATION, location), no_cache]).into_response()
        }
        // Encoded addresses are ASCII, so this is a defect of ours rather than bad input.
        Err(error) => AppError::Location(error).into_response(),
    }
}
