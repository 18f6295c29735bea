//! The table of `docs/http.md`, row by row, against running shops.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::http::{HeaderMap, HeaderName, Method, header};
use base64::Engine as _;
use reqwest::Response;
use scraper::Html;
use sha2::{Digest as _, Sha256};

use vitrine::document::{Agents, ServiceWorker};
use vitrine::exports::Exports;
use vitrine::profile::Profile;
use vitrine::server;
use vitrine::shop::ShopSettings;
use vitrine::texts::{Texts, Words};

use crate::common::pages::{attribute, text};
use crate::common::{
    NoCatalogue, client, real_renderer, renderer_of, sample, serve, shop_settings, shop_under, start_shop,
    start_shop_with,
};

const TABLE: &str = include_str!("../../docs/http.md");

struct Row<'a> {
    catalogue: &'a str,
    method: Method,
    path: &'a str,
    status: u16,
    caching: &'a str,
    further: BTreeSet<&'a str>,
}

/// The text between the first two backticks.
fn code(cell: &str) -> &str {
    cell.split('`').nth(1).unwrap_or_default()
}

fn rows() -> Vec<Row<'static>> {
    let lines = TABLE.lines().filter(|line| line.starts_with("| ") && line.contains('`'));
    let row = |line: &'static str| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [request, status, caching, further] = cells[..] else { panic!("{line} has other columns") };
        let (method, path) = code(request).split_once(' ').unwrap();
        let catalogue = request.strip_prefix('[').and_then(|rest| rest.split_once(']'));
        Row {
            catalogue: catalogue.map_or("", |(name, _)| name),
            method: method.parse().unwrap(),
            path,
            status: status.parse().unwrap(),
            caching: code(caching),
            further: further.split(", ").filter(|part| !part.is_empty()).collect(),
        }
    };
    lines.map(row).collect()
}

/// The interface speaks German.
fn german() -> ShopSettings {
    let texts = Arc::new(Texts::new("de", &Words::default()));
    ShopSettings { profile: Arc::new(Profile { texts, ..Profile::default() }), ..shop_settings() }
}

/// Build and hash of the script with its texts.
async fn names_of_texts(shop: SocketAddr) -> (String, String) {
    let document = Html::parse_document(&text(shop, "/products").await);
    let address = attribute(&document, "#texts", "href");
    let name = address.strip_prefix("/texts/").unwrap().strip_suffix(".js").unwrap();
    let (build, hash) = name.split_once('-').unwrap();
    (build.into(), hash.into())
}

/// The service worker is switched off.
fn without_worker() -> ShopSettings {
    ShopSettings { service_worker: ServiceWorker::Off, ..shop_settings() }
}

async fn start_shop_under(settings: ShopSettings) -> SocketAddr {
    serve(server::router(shop_under(sample(), real_renderer(1).await, settings)).unwrap()).await
}

async fn ask(shop: SocketAddr, row: &Row<'_>, headers: HeaderMap) -> Response {
    let request = client().request(row.method.clone(), format!("http://{shop}{}", row.path));
    request.headers(headers).send().await.unwrap()
}

/// A client that already has the answer gets a 304 with the same headers.
async fn check_conditions(shop: SocketAddr, row: &Row<'_>, answered: &HeaderMap) {
    // The home page has several choices of categories, which take turns.
    if row.path == "/" {
        return;
    }
    let name = format!("{} {}", row.method, row.path);
    let is_page = answered[&header::CONTENT_TYPE].to_str().unwrap().starts_with("text/html");
    assert!(!is_page || !answered.contains_key(header::LAST_MODIFIED), "{name}: a page has no date");
    for (condition, validator) in
        [(header::IF_NONE_MATCH, header::ETAG), (header::IF_MODIFIED_SINCE, header::LAST_MODIFIED)]
    {
        let Some(known) = answered.get(&validator) else { continue };
        let condition = HeaderMap::from_iter([(condition, known.clone())]);
        let response = ask(shop, row, condition).await;
        assert_eq!(response.status(), 304, "{name} with its {validator}");
        for kept in
            ["etag", "last-modified", "cache-control", "content-security-policy", "vary", "vitrine-build"]
        {
            assert_eq!(response.headers().get(kept), answered.get(kept), "{name}: {kept} of the 304");
        }
        assert!(response.bytes().await.unwrap().is_empty(), "{name}: a 304 has no body");
    }
    let other = HeaderMap::from_iter([(header::IF_NONE_MATCH, "\"other\"".parse().unwrap())]);
    assert_eq!(ask(shop, row, other).await.status(), 200, "{name} with another tag");
}

async fn check(shop: SocketAddr, row: &Row<'_>) {
    let name = format!("[{}] {} {}", row.catalogue, row.method, row.path);
    let response = ask(shop, row, HeaderMap::new()).await;
    let headers = response.headers().clone();
    assert_eq!(response.status(), row.status, "{name}");
    assert_eq!(headers[header::CACHE_CONTROL], row.caching, "{name}");
    assert_eq!(headers.contains_key(header::RETRY_AFTER), row.status == 503, "{name}");
    assert_eq!(headers.contains_key(header::LOCATION), matches!(row.status, 303 | 307 | 308), "{name}");
    assert_eq!(headers.contains_key(header::ETAG), row.further.contains("tagged"), "{name}");
    for further in &row.further {
        match *further {
            "tagged" => check_conditions(shop, row, &headers).await,
            "no body" => {}
            location if location.starts_with('→') => {
                assert_eq!(headers[header::LOCATION], code(location), "{name}")
            }
            expected => {
                let (expected_name, value) = code(expected).split_once(": ").unwrap();
                assert_eq!(headers[expected_name.parse::<HeaderName>().unwrap()], value, "{name}");
            }
        }
    }
    for always in ["content-security-policy", "x-content-type-options", "permissions-policy"] {
        assert!(headers.contains_key(always), "{name} lacks {always}");
    }
    let announced: Option<usize> =
        headers.get(header::CONTENT_LENGTH).map(|length| length.to_str().unwrap().parse().unwrap());
    let body = response.bytes().await.unwrap();
    if row.method == Method::HEAD {
        let whole = client().get(format!("http://{shop}{}", row.path)).send().await.unwrap();
        assert_eq!(headers.get(header::ETAG), whole.headers().get(header::ETAG), "{name}");
        assert_eq!(announced, Some(whole.bytes().await.unwrap().len()), "{name} tells the length");
        assert!(body.is_empty(), "{name} has no body");
    } else {
        // A 204 has no length (RFC 9110, section 8.6).
        assert_eq!(announced, (row.status != 204).then_some(body.len()), "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_documented_table_is_what_the_shop_answers() {
    let working = start_shop(sample()).await;
    let without_catalogue = start_shop(Arc::new(NoCatalogue)).await;
    let broken = "let cold = true; globalThis.renderPage = () => { if (cold) { cold = false; return 'warm'; } throw 1; };";
    let without_renderer = start_shop_with(sample(), renderer_of(broken).await).await;
    let without_worker = start_shop_under(without_worker()).await;
    let without_exports = start_shop_under(ShopSettings { exports: Exports::Off, ..shop_settings() }).await;
    let without_agents = start_shop_under(ShopSettings { agents: Agents::Off, ..shop_settings() }).await;
    let german = start_shop_under(german()).await;
    let (build, hash) = names_of_texts(german).await;
    let rows = rows();
    assert!(rows.len() > 40, "only {} rows were found", rows.len());
    for row in rows {
        let path = row.path.replace("BUILD", &build).replace("HASH", &hash);
        let row = &Row { path: &path, ..row };
        let shop = match row.catalogue {
            "German" => german,
            "" => working,
            "no catalogue" => without_catalogue,
            "no renderer" => without_renderer,
            "no worker" => without_worker,
            "no exports" => without_exports,
            "no agents" => without_agents,
            other => panic!("what is a shop with {other}?"),
        };
        check(shop, row).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_policy_allows_the_styles_that_documents_carry_and_nothing_waits_in_their_heads() {
    let shop = start_shop(sample()).await;
    let mut kinds = BTreeSet::new();
    for path in ["/", "/products", "/sale", "/product/1", "/categories", "/brands", "/offline", "/missing"] {
        let answered = client().get(format!("http://{shop}{path}")).send().await.unwrap();
        let policy = answered.headers()[header::CONTENT_SECURITY_POLICY].to_str().unwrap().to_owned();
        let styles_allowed =
            policy.split("; ").find(|directive| directive.starts_with("style-src ")).unwrap();
        assert!(!styles_allowed.contains("unsafe"), "{policy}");
        let document = answered.text().await.unwrap();
        let (head, body) = document.split_once("</head>").unwrap();
        let carried =
            document.split("<style>").skip(1).map(|styles| styles.split_once("</style>").unwrap().0);
        for styles in carried {
            let digest = base64::engine::general_purpose::STANDARD.encode(Sha256::digest(styles));
            assert!(styles_allowed.contains(&format!("'sha256-{digest}'")), "{path}: {policy}");
        }
        let (_, first) = head.split_once("<style>").unwrap();
        kinds.insert(first.split_once("</style>").unwrap().0.to_owned());
        for blocking in ["stylesheet", " src=", "preload"] {
            assert!(!head.contains(blocking), "{path} has {blocking}");
        }
        let (_, after_markup) = body.split_once(r#"id="page-data""#).unwrap();
        assert_eq!(after_markup.matches(r#"<link rel="stylesheet""#).count(), 1, "{path}");
    }
    assert_eq!(kinds.len(), 5, "each kind of page has its own styles");
}

/// The content of the `meta` element with this name.
fn meta(document: &str, name: &str) -> String {
    attribute(&Html::parse_document(document), &format!("meta[name={name}]"), "content")
}

#[tokio::test(flavor = "multi_thread")]
async fn documents_and_data_name_the_build_of_the_service_worker() {
    let shop = start_shop(sample()).await;
    let document = text(shop, "/products").await;
    let build = meta(&document, "vitrine-build");
    assert_eq!(meta(&document, "service-worker"), "/service-worker.js");
    assert!(!build.is_empty() && text(shop, "/service-worker.js").await.contains(&build));
    for path in ["/products", "/_data/products", "/offline"] {
        let answered = client().get(format!("http://{shop}{path}")).send().await.unwrap();
        assert_eq!(answered.headers()["vitrine-build"], build, "{path}");
    }
    // Without the worker no page asks for it, and the client compares builds all the same.
    let document = text(start_shop_under(without_worker()).await, "/products").await;
    assert!(meta(&document, "service-worker").is_empty() && !meta(&document, "vitrine-build").is_empty());
}
