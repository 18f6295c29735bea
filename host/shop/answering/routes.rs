//! The URL table.

use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{OriginalUri, Path, RawPathParams, RawQuery, State};
use axum::http::{HeaderMap, Method};
use axum::response::Response;
use axum::routing::{MethodRouter, get};

use super::exports;
use super::files;
use super::other_pictures;
use super::own_pictures;
use super::saved_cards;
use super::suggest;
use super::visit::visit;
use crate::document::Agents;
use crate::document::speculation_rules::{self, SpeculationRules};
use crate::exports::{Exports, Format};
use crate::http::dictionaries;
use crate::pages::address::{Address, Preset};
use crate::pages::resolve::{self, Resolved};
use crate::shop::Shop;
use crate::shop::making::key::{File, Form};

/// Every page. Each is served as a document, and below `/_data` as JSON.
pub(in crate::shop) const PAGES: [(&str, Resolve); 15] = [
    // `known` chooses the seed.
    ("/", |_, _| Some(Resolved::Page(Address::Home { seed: 0 }))),
    ("/categories", |_, query| Some(resolve::categories(query))),
    ("/brands", |_, query| Some(resolve::brands(query))),
    ("/products", |_, query| Some(resolve::preset(Preset::All, query))),
    ("/sale", |_, query| Some(resolve::preset(Preset::Sale, query))),
    ("/new-arrivals", |_, query| Some(resolve::preset(Preset::NewArrivals, query))),
    ("/best-sellers", |_, query| Some(resolve::preset(Preset::BestSellers, query))),
    ("/deals", |_, query| Some(resolve::preset(Preset::Deals, query))),
    ("/category/{slug}", resolve::category),
    ("/search", |_, query| Some(resolve::search_form(query))),
    ("/search/{text}", resolve::search),
    ("/saved", |_, _| Some(Resolved::Page(Address::Saved))),
    ("/page/{slug}", |slug, _| Some(Resolved::Page(Address::TextPage(slug.into())))),
    ("/offline", |_, _| Some(Resolved::Page(Address::Offline))),
    ("/product/{id}", |id, query| Some(resolve::product(id, query))),
];

/// Every file for crawlers and browsers, except for the parts of the sitemap.
pub(in crate::shop) const FILES: [(&str, File); 10] = [
    ("/sitemap.xml", File::Sitemap),
    ("/robots.txt", File::Robots),
    ("/feed.xml", File::Feed),
    ("/opensearch.xml", File::OpenSearch),
    ("/manifest.webmanifest", File::Manifest),
    ("/llms.txt", File::Llms),
    ("/agents.md", File::Agents),
    (Format::Merchant.path(), File::Export(Format::Merchant)),
    (Format::Lines.path(), File::Export(Format::Lines)),
    (Format::Table.path(), File::Export(Format::Table)),
];

/// The path of a file.
pub(in crate::shop) fn path_of_file(file: File) -> String {
    match (file, FILES.iter().find(|(_, known)| *known == file)) {
        (_, Some((path, _))) => (*path).into(),
        (File::SitemapPart(number), None) => format!("/sitemap/{number}.xml"),
        (_, None) => String::new(),
    }
}

/// Pages not to load ahead: one is for the service worker, one redirects, one shows nothing without the client, and the
/// operator's texts are rarely read.
const NOT_PREFETCHED: [&str; 4] = ["/offline", "/search", "/saved", "/page/{slug}"];

/// What browsers may load before the client is there: pages of the table, and nothing else.
static RULES: LazyLock<SpeculationRules> = LazyLock::new(|| {
    let pages = PAGES.iter().filter(|(path, _)| !NOT_PREFETCHED.contains(path));
    SpeculationRules::new(&pages.map(|(path, _)| url_pattern(path)).collect::<Vec<_>>())
});

/// A row's path in the syntax of the URL Pattern standard, which is also the client's.
fn url_pattern(path: &str) -> String {
    path.replace('{', ":").replace('}', "")
}

/// Resolves the path parameter and the raw query string of a row; `None` if there is no such page.
type Resolve = fn(&str, &str) -> Option<Resolved>;

/// The table as a router.
pub(crate) fn routes() -> Router<Arc<Shop>> {
    let files =
        FILES.into_iter().fold(Router::new(), |router, (path, file)| router.route(path, file_row(file)));
    pages(Form::Document)
        .merge(pages(Form::Data))
        .merge(files)
        .route("/sitemap/{part}", get(sitemap_part))
        .route(suggest::PATH, get(suggestions))
        .route(saved_cards::PATH, get(cards))
        .route("/images/{name}", get(own_pictures::show))
        .route("/pictures/{key}/{name}", get(other_pictures::show))
        .route("/favicon.svg", get(favicon))
        .route("/favicon.ico", get(favicon))
        .route("/icons/{name}", get(icon))
        .route("/logo/{name}", get(logo))
        .route("/texts/{name}", get(texts))
        .route(dictionaries::PATH, get(async |State(shop): State<Arc<Shop>>| shop.dictionaries.lead()))
        .route(&format!("{}/{{name}}", dictionaries::PATH), get(dictionary))
        .route(speculation_rules::PATH, get(async |request: HeaderMap| RULES.show(&request).await))
        .fallback(unmatched)
}

fn pages(form: Form) -> Router<Arc<Shop>> {
    PAGES.into_iter().fold(Router::new(), |router, (path, resolve)| {
        let path = format!("{}{path}", form.prefix());
        let slashed = format!("{path}/");
        let router = router.route(&path, page_row(form, resolve, Slash::None));
        if path.ends_with('/') {
            router
        } else {
            router.route(&slashed, page_row(form, resolve, Slash::Added))
        }
    })
}

/// Whether a path has a slash at its end that its row of the table does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slash {
    None,
    Added,
}

fn page_row(form: Form, resolve: Resolve, slash: Slash) -> MethodRouter<Arc<Shop>> {
    get(
        async move |State(shop): State<Arc<Shop>>,
                    uri: OriginalUri,
                    parameters: Result<RawPathParams, RawPathParamsRejection>,
                    RawQuery(query): RawQuery,
                    request: HeaderMap| {
            let query = query.unwrap_or_default();
            // A path parameter that is not UTF-8 is an unknown path.
            let resolved = parameters.ok().and_then(|parameters| {
                let parameter = parameters.iter().next().map_or("", |(_, value)| value);
                known(&shop, resolve(parameter, &query)?)
            });
            let resolved = match (resolved, slash) {
                (None, _) => unknown_path(&uri),
                (Some(resolved), Slash::None) => resolved,
                (Some(resolved), Slash::Added) => resolved.without_slash(&query),
            };
            visit(&shop, form, resolved, &query, &request).await
        },
    )
}

/// What was resolved, as this shop has it. Texts and the saved list are the operator's choice; without them their addresses
/// are unknown paths.
fn known(shop: &Shop, resolved: Resolved) -> Option<Resolved> {
    match resolved {
        Resolved::Page(Address::Home { .. }) => {
            Some(Resolved::Page(Address::Home { seed: shop.next_home_seed() }))
        }
        Resolved::Page(Address::TextPage(slug)) if shop.profile().text_page(&slug).is_none() => None,
        Resolved::Page(Address::Saved) if !shop.profile().has_saved() => None,
        resolved => Some(resolved),
    }
}

fn file_row(file: File) -> MethodRouter<Arc<Shop>> {
    get(async move |State(shop): State<Arc<Shop>>, method: Method, uri: OriginalUri, request: HeaderMap| {
        match file {
            File::Export(_) if shop.settings.exports == Exports::Off => {
                unmatched(State(shop), uri, request).await
            }
            File::Agents if shop.agents() == Agents::Off => unmatched(State(shop), uri, request).await,
            File::Export(format) => exports::answer(&shop, format, &method, &request).await,
            file => files::answer(&shop, file, &request).await,
        }
    })
}

async fn favicon(State(shop): State<Arc<Shop>>, uri: OriginalUri, request: HeaderMap) -> Response {
    shop.icons.show(uri.path(), &request).await
}

async fn icon(State(shop): State<Arc<Shop>>, Path(name): Path<String>, request: HeaderMap) -> Response {
    shop.icons.show(&format!("/icons/{name}"), &request).await
}

async fn logo(State(shop): State<Arc<Shop>>, uri: OriginalUri, request: HeaderMap) -> Response {
    match shop.icons.logo(uri.path()) {
        Some(logo) => logo.show(uri.path(), &request).await,
        None => unmatched(State(shop), uri, request).await,
    }
}

async fn texts(State(shop): State<Arc<Shop>>, uri: OriginalUri, request: HeaderMap) -> Response {
    if let Some(texts) = &*shop.texts
        && let Some(script) = texts.show(uri.path(), &request).await
    {
        return script;
    }
    unmatched(State(shop), uri, request).await
}

async fn dictionary(State(shop): State<Arc<Shop>>, uri: OriginalUri, request: HeaderMap) -> Response {
    match shop.dictionaries.show(uri.path(), &request).await {
        Some(dictionary) => dictionary,
        None => unmatched(State(shop), uri, request).await,
    }
}

async fn suggestions(
    State(shop): State<Arc<Shop>>,
    RawQuery(query): RawQuery,
    request: HeaderMap,
) -> Response {
    suggest::answer(&shop, query.as_deref().unwrap_or_default(), &request).await
}

async fn cards(
    State(shop): State<Arc<Shop>>,
    RawQuery(query): RawQuery,
    uri: OriginalUri,
    request: HeaderMap,
) -> Response {
    if shop.profile().has_saved() {
        saved_cards::answer(&shop, query.as_deref().unwrap_or_default(), &request).await
    } else {
        unmatched(State(shop), uri, request).await
    }
}

/// Only the parsed number becomes a cache key, so that invented names cannot fill the cache.
async fn sitemap_part(
    State(shop): State<Arc<Shop>>,
    Path(name): Path<String>,
    request: HeaderMap,
) -> Response {
    let number = name.strip_suffix(".xml").and_then(|number| number.parse().ok()).unwrap_or_default();
    files::answer(&shop, File::SitemapPart(number), &request).await
}

async fn unmatched(State(shop): State<Arc<Shop>>, uri: OriginalUri, request: HeaderMap) -> Response {
    let form = if page_path(&uri) == uri.path() { Form::Document } else { Form::Data };
    visit(&shop, form, unknown_path(&uri), uri.query().unwrap_or_default(), &request).await
}

fn unknown_path(uri: &OriginalUri) -> Resolved {
    Resolved::Page(Address::UnknownPath(page_path(uri).into()))
}

/// The path of the page, without the prefix of the data form.
fn page_path(uri: &OriginalUri) -> &str {
    let path = uri.path();
    path.strip_prefix(Form::Data.prefix()).filter(|rest| rest.starts_with('/')).unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::generated::compare;

    /// The client uses the same table to choose what it shows while a page loads.
    #[test]
    fn the_client_s_table_has_these_rows() {
        let row = |(path, _): &(&str, Resolve)| format!("  \"{}\",\n", url_pattern(path));
        let rows: String = PAGES.iter().map(row).collect();
        let generated = format!(
            "// Generated from host/shop/answering/routes.rs; never edited.\n\nexport const ROUTE_PATHS = [\n{rows}] as const;\n"
        );
        compare("client/routes.gen.ts", "the URL table", &generated);
    }

    #[test]
    fn every_preset_has_a_row() {
        for preset in Preset::EVERY {
            assert!(PAGES.iter().any(|(path, _)| *path == preset.path()), "{preset:?}");
        }
    }
}
