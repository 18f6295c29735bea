//! Makes the answer for an address: draft, page, head, markup, document.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use twox_hash::XxHash3_128;

use super::answer::{Kind, Made, PageAnswer};
use super::key::Form;
use super::tags::Tags;
use crate::cache::{Ages, Outcome};
use crate::catalogue::{Category, ProductKey, Stock};
use crate::contract::{Content, Page, PageJson};
use crate::document::head::Head;
use crate::document::html::Document;
use crate::document::texts::TextsFile;
use crate::document::{Agents, ScreenKind, markdown};
use crate::http::answer_log::Timing;
use crate::http::caching::Caching;
use crate::http::compression::Effort;
use crate::http::representation::Representation;
use crate::observe::{Bounded, ErrorChain};
use crate::pages;
use crate::pages::address::{Address, empty_pages};
use crate::pages::cards;
use crate::pages::draft::Draft;
use crate::pages::elsewhere::show_copies;
use crate::pages::enquiry::enquiry;
use crate::pages::questions::Questions;
use crate::profile::{BannerPicture, TextNode};
use crate::render::{Refusal, RenderError, Rendered};
use crate::shop::error::AppError;
use crate::shop::{Frame, Shop};

const HTML: &str = "text/html; charset=utf-8";
const JSON: &str = "application/json";
/// Values of `robots`: whether search engines may list the page.
const INDEX: &str = "index,follow,max-image-preview:large";
const NO_INDEX: &str = "noindex,follow";
const NO_INDEX_ERROR: &str = "noindex";

/// Time budget of the catalogue queries; the rest of the request's time is for rendering and
/// compression.
const CATALOGUE_TIME: Duration = Duration::from_secs(7);
/// How long 404s and limited addresses are cached: long enough for a burst of requests.
const ABSENCE: Ages = Ages { fresh: Duration::from_secs(10), stale: Duration::ZERO };

/// Makes the answer for an address. Reuses `last` if the catalogue or the page's data has not changed.
pub(in crate::shop) async fn make(
    shop: &Shop,
    form: Form,
    address: &Address,
    last: Option<Arc<Made>>,
) -> Outcome<Arc<Made>> {
    let stock = shop.catalogue.stock().await;
    let store = stored(shop, &stock);
    if let (Some(version), Some(last)) = (stock.version(), &last)
        && last.is_made_from(version)
    {
        return store(Arc::clone(last), true);
    }
    let started = Instant::now();
    let frame = shop.frame(stock.version());
    let questions =
        Questions::new(&stock, &shop.pool, started + CATALOGUE_TIME, &shop.throttle, &frame.profile);
    // The header's categories are requested concurrently.
    let (mut draft, categories) = tokio::join!(pages::draft(address, &questions), questions.categories());
    let mut timing = Timing { catalogue: started.elapsed(), ..Timing::of(draft.content.kind()) };
    let (status, is_complete) = (draft.status, questions.is_complete());
    // Without the products a render would only cost time that other pages need.
    let refusal = questions.was_refused().then(|| shop.renderer.refuse(Refusal::TooManyListings));
    // A page is made and cached only under its own address; `visit.rs` redirects to it or answers with it.
    if is_complete && status == StatusCode::OK && address.is_limited() && draft.address != *address {
        return Outcome::StoreFor(Arc::new(Made::limited(draft.address, timing)), ABSENCE);
    }
    if let Some(version) = stock.version() {
        show_copies(&mut draft.content, &shop.elsewhere, version, draft.metadata.product.as_deref());
    }
    let source = match PageSource::new(shop, &frame, &stock, draft, &categories.unwrap_or_default()) {
        Ok(source) => source,
        Err(error) => return failure(shop, AppError::PageJson(error)),
    };
    shop.blocked_images.note_page(&source.page.content, &shop.site);
    if let Some(last) = last.filter(|last| is_complete && source.is_that_of(last, status)) {
        last.note_made_from(stock.version());
        return store(last, true);
    }
    let (status, content_type, bytes) = match form {
        Form::Data => (status, JSON, source.json.as_bytes().to_vec()),
        Form::Document => match document(shop, address, &source, status, refusal, &mut timing).await {
            Ok((status, html)) => (status, HTML, html.into()),
            Err(error) => return failure(shop, error),
        },
    };
    // An incomplete page must not count as the page that this version gives.
    let whole = is_complete && status == StatusCode::OK && !timing.shell;
    let (caching, effort, version) = match whole {
        true => (shop.caching(), Effort::Quick, stock.version()),
        false => (Caching::Never, Effort::Fastest, None),
    };
    let body = Representation::new(content_type, bytes).with_effort(effort);
    let page = Kind::Page(source.answer(form, address));
    let made = Arc::new(Made::new(page, status, caching, body, timing, version));
    if shop.pressure.is_tight() { Outcome::Discard(made) } else { store(made, is_complete) }
}

/// The document that the shop would show at an address if it sold the products of `sample`, with the menu of `stock`; `None`
/// without its markup, which has been logged.
///
/// # Errors
/// When there is no document at all.
pub(super) async fn document_of(
    shop: &Shop,
    sample: &Stock,
    stock: &Stock,
    address: &Address,
) -> Result<Option<String>, AppError> {
    let frame = shop.frame(stock.version());
    let deadline = Instant::now() + CATALOGUE_TIME;
    let questions = Questions::new(sample, &shop.pool, deadline, &shop.throttle, &frame.profile);
    let draft = pages::draft(address, &questions).await;
    let (status, mut timing) = (draft.status, Timing::of(draft.content.kind()));
    let categories = stock.categories().await.unwrap_or_default();
    let source = PageSource::new(shop, &frame, stock, draft, &categories).map_err(AppError::PageJson)?;
    let (_, html) = document(shop, address, &source, status, None, &mut timing).await?;
    Ok(Some(html).filter(|_| !timing.shell))
}

/// Everything that a page's answer is made from.
struct PageSource {
    page: Page,
    head: Head,
    json: PageJson,
    hash: u128,
}

impl PageSource {
    fn new(
        shop: &Shop,
        frame: &Frame,
        stock: &Stock,
        draft: Draft,
        categories: &[Category],
    ) -> Result<Self, serde_json::Error> {
        let Draft { address, canonical, status, title, mut content, metadata } = draft;
        let profile = shop.profile();
        complete(&mut content, shop, &address);
        let sizes = stock.sizes().map(|sizes| &**sizes);
        let menu = cards::menu(categories, sizes, &frame.profile.navigation.categories);
        let page = Page {
            path: address.path(),
            canonical: canonical.path(),
            status: status.as_u16(),
            shop: Arc::clone(&frame.shop),
            title: if matches!(content, Content::Home(_)) { title } else { profile.title(&title) },
            robots: robots(status, metadata.is_indexable),
            categories: menu.categories,
            category_total: menu.total,
            empty: empty_pages(stock.features()).map(|path| path.trim_start_matches('/')).collect(),
            content,
        };
        let markdown = markdown_of(shop, stock, &address).filter(|_| status == StatusCode::OK);
        let head = Head { markdown, ..Head::new(&page, &metadata, &shop.site, profile)? };
        let json = PageJson::new(&page)?;
        // The rest of the head is derived from the page.
        let structured_data = head.structured_data.as_ref().map(PageJson::as_bytes).unwrap_or_default();
        let hash = hash_of(&[json.as_bytes(), structured_data]);
        Ok(Self { page, head, json, hash })
    }

    fn is_that_of(&self, made: &Made, status: StatusCode) -> bool {
        matches!(&made.kind, Kind::Page(page) if page.source == self.hash && made.status == status)
    }

    fn answer(self, form: Form, address: &Address) -> PageAnswer {
        let tags = Tags::new(&self.page.content, address);
        let screen = ScreenKind::of(&self.page.content);
        let Page { path, robots, .. } = self.page;
        let is_indexable = robots == INDEX;
        let robots = (form == Form::Document && !is_indexable).then_some(robots);
        PageAnswer { form, screen, path, robots, is_indexable, tags, source: self.hash }
    }
}

/// The address of a page as Markdown, unless it is that of another product.
fn markdown_of(shop: &Shop, stock: &Stock, page: &Address) -> Option<String> {
    let version = stock.version().filter(|_| shop.agents() == Agents::On)?;
    let is_key = |key: &ProductKey| {
        ProductKey::parse(&format!("{key}{}", markdown::ENDING)).is_some_and(|key| version.has_product(&key))
    };
    match page {
        Address::Product(key) if is_key(key) => None,
        page => markdown::address_of(page),
    }
}

/// Adds to a page what only the shop's address and the folder of pictures decide.
fn complete(content: &mut Content, shop: &Shop, address: &Address) {
    let profile = shop.profile();
    let picture = |name: &str| shop.catalogue.named_picture(name);
    match content {
        Content::Home(home) => {
            let banner = home.banner.as_mut();
            let named = banner.and_then(|banner| Some((picture(banner.picture_name.as_deref()?)?, banner)));
            if let Some((src, banner)) = named {
                banner.picture = Some(BannerPicture { src, tint: None });
            }
        }
        Content::TextPage(page) => TextNode::place_pictures(&mut page.text, &picture),
        Content::Product(page) => {
            let product = page.product.as_mut().filter(|product| product.link.is_none());
            if let (Some(link), Some(product)) = (&profile.enquiry, product) {
                let title = [Some(product.title.as_str()), product.variant.as_deref()];
                let title = title.into_iter().flatten().collect::<Vec<_>>().join(", ");
                let url = shop.site.absolute(&address.path());
                product.enquiry = Some(enquiry(link, &title, &product.sku, &url));
            }
        }
        _ => {}
    }
}

/// The hash of some texts one after the other. Only the catalogue could make two pages collide.
fn hash_of(texts: &[&[u8]]) -> u128 {
    let mut hasher = XxHash3_128::new();
    texts.iter().for_each(|text| hasher.write(text));
    hasher.finish_128()
}

/// The document, and the status to send with it. If the render fails, or is not tried because of a `refusal`, only the markup is missing:
/// the browser renders the page from the same data.
async fn document(
    shop: &Shop,
    address: &Address,
    source: &PageSource,
    status: StatusCode,
    refusal: Option<RenderError>,
    timing: &mut Timing,
) -> Result<(StatusCode, String), AppError> {
    let rendered = match refusal {
        Some(refusal) => Err(refusal),
        None => markup(shop, address, &source.json).await,
    };
    // With a 503 browsers still render the page, and crawlers retry later.
    let is_overload = matches!(rendered, Err(RenderError::Refused(refusal)) if refusal.is_overload());
    let status =
        if is_overload && status == StatusCode::OK { StatusCode::SERVICE_UNAVAILABLE } else { status };
    #[cfg(feature = "dev")]
    let failure = rendered.as_ref().err().map(ToString::to_string);
    let rendered = rendered.ok();
    timing.render = rendered.as_ref().map(|rendered| rendered.took);
    timing.shell = rendered.is_none();
    if let (Content::Error(error), None) = (&source.page.content, &rendered) {
        return Err(AppError::NoErrorPage(error.message.clone(), source.page.status));
    }
    let markup = rendered.as_ref().map(|rendered| rendered.markup.as_str());
    let PageSource { page, head, json, .. } = source;
    let (profile, service_worker) = (&**shop.profile(), shop.service_worker());
    let texts = shop.texts.as_ref().as_ref().map(TextsFile::path);
    let html = Document { profile, page, head, json, markup, service_worker, texts }.html()?;
    #[cfg(feature = "dev")]
    let html = html + &render_error(failure)?;
    Ok((status, html))
}

/// Tells the client of a build for development why there is no markup; `scripts/dev/browser.ts` shows it.
#[cfg(feature = "dev")]
fn render_error(failure: Option<String>) -> Result<String, AppError> {
    let Some(failure) = failure else { return Ok(String::new()) };
    let json = PageJson::new(&failure).map_err(AppError::PageJson)?;
    Ok(format!("<script type=\"application/json\" id=\"render-error\">{}</script>", json.as_str()))
}

/// The page's markup.
///
/// # Errors
/// When the render fails, or is not attempted: memory is short, or the page keeps failing.
async fn markup(shop: &Shop, address: &Address, json: &PageJson) -> Result<Rendered, RenderError> {
    if shop.pressure.is_tight() {
        return Err(shop.renderer.refuse(Refusal::NoMemory));
    }
    // A developer wants to see the error each time.
    if !cfg!(feature = "dev") && shop.render_failures.avoids(address) {
        shop.renderer.counters().avoided.increment();
        return Err(RenderError::Avoided);
    }
    let outcome = shop.renderer.render(json.clone()).await;
    match &outcome {
        // A refusal does not depend on the page, and the renderer has logged it.
        Ok(_) | Err(RenderError::Refused(_)) => {}
        Err(error) => {
            shop.render_failures.count(address);
            // Throttled, because each request's log line also says whether there was markup.
            if shop.throttle.allows("render") {
                let path = address.path();
                tracing::error!(
                    page = %Bounded(address.without_texts()),
                    path_length = path.len(),
                    path = shop.log_queries().shown(&path),
                    error = %ErrorChain(error),
                    "a page was not rendered"
                );
            }
        }
    }
    outcome
}

/// Decides whether the page of this stock is cached: if it is whole, with the age of its data, and briefly if it is a
/// complete 404.
fn stored(shop: &Shop, stock: &Stock) -> impl Fn(Arc<Made>, bool) -> Outcome<Arc<Made>> {
    let (ages, is_live, outdated_for) =
        (shop.settings.ages, stock.version().is_none(), shop.catalogue.outdated_for());
    move |made, is_complete| match made.status {
        // Comparing it with its data would cost as many calls as making it did.
        StatusCode::OK if made.is_stored() && is_live => Outcome::StoreFor(made, ages),
        StatusCode::OK if made.is_stored() && outdated_for.is_zero() => Outcome::Store(made),
        StatusCode::OK if made.is_stored() => Outcome::StoreFromOldData(made, outdated_for),
        StatusCode::NOT_FOUND if is_complete && !made.timing.shell => Outcome::StoreFor(made, ABSENCE),
        _ => Outcome::Discard(made),
    }
}

fn failure(shop: &Shop, error: AppError) -> Outcome<Arc<Made>> {
    let (status, html) = error.logged().page(shop.profile());
    let mut made = Made::failure("error", status, HTML, html);
    made.timing.shell = true;
    Outcome::Discard(Arc::new(made))
}

/// The value of `robots`, in the head, and as a header where it forbids something.
fn robots(status: StatusCode, is_indexable: bool) -> &'static str {
    match (status, is_indexable) {
        (StatusCode::OK, true) => INDEX,
        (StatusCode::OK, false) => NO_INDEX,
        _ => NO_INDEX_ERROR,
    }
}
