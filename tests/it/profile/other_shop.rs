//! A shop with another profile, through the real router and renderer; and the sample shop's own.

use std::net::SocketAddr;
use std::sync::Arc;

use scraper::Html;
use serde_json::Value;
use vitrine::catalogue::Catalogue;
use vitrine::profile::{Currency, Profile};
use vitrine::render::Renderer;
use vitrine::server;
use vitrine::shop::ShopSettings;

use super::texts;
use crate::common::days::get;
use crate::common::pages::{attribute, body, selected};
use crate::common::{
    NoCatalogue, PATHS, real_renderer, renderer_of, sample, serve, shop_settings, shop_under, start_shop,
};

/// Files that name the shop.
const FILES: [&str; 7] = [
    "/manifest.webmanifest",
    "/opensearch.xml",
    "/feed.xml",
    "/llms.txt",
    "/robots.txt",
    "/sitemap.xml",
    "/merchant.xml",
];

const OPEN_SEARCH: &str = "application/opensearchdescription+xml";

/// A shop of which nothing is known but its name, which has characters with a meaning in HTML, XML and JSON.
pub(super) fn bare() -> Profile {
    Profile {
        name: "Söhne & \"Čtečka\" <eins>".into(),
        language: "de-AT".into(),
        sale: "Angebote".into(),
        description: "Lampen und Tische.".into(),
        cart: true,
        links: true,
        ..Profile::neutral(Currency::default())
    }
}

/// The shop with this profile.
pub(super) async fn start_as(
    profile: Profile,
    catalogue: Arc<dyn Catalogue>,
    renderer: Renderer,
) -> SocketAddr {
    let settings = ShopSettings { profile: Arc::new(profile), ..shop_settings() };
    serve(server::app(shop_under(catalogue, renderer, settings)).unwrap()).await
}

/// The text has nothing of the sample shop but the typeface's name in styles.
fn assert_other(path: &str, text: &str) {
    let text = text.replace("font-family:Vitrine Display", "");
    for word in texts(&Profile::default()) {
        assert!(!text.contains(&word), "{path} has {word:?}");
    }
}

/// The document is in the shop's language, and has its name and nothing of the sample shop's texts.
fn assert_own(path: &str, text: &str) -> Html {
    assert_other(path, text);
    let html = Html::parse_document(text);
    assert_eq!(attribute(&html, "html", "lang"), "de-AT", "{path}");
    let title = selected(&html, "title").concat();
    assert!(title == "Home" || title.ends_with(&format!(" | {}", bare().name)), "{path}: {title}");
    html
}

#[tokio::test]
async fn a_shop_with_another_profile_shows_nothing_of_the_sample_shop_s() {
    let shop = start_as(bare(), sample(), real_renderer(1).await).await;
    let name = bare().name;
    for path in PATHS.into_iter().chain(["/offline", "/product/999999"]) {
        let html = assert_own(path, &body(shop, path).await);
        assert_eq!(attribute(&html, "meta[property='og:site_name']", "content"), name, "{path}");
        assert_eq!(attribute(&html, "link[rel=search]", "title"), name, "{path}");
        assert_eq!(selected(&html, ".Logo").concat(), name, "{path}");
        assert_eq!(selected(&html, "h1").len(), 1, "{path}");
        let promises = ".PromiseStrip, .Footer-newsletter, .Footer-promises, .Footer-end p, .SaleBanner, \
                        .ShopStats, .ShopStory";
        assert_eq!(selected(&html, promises), [""; 0], "{path}");
        assert!(selected(&html, ".Footer-link").contains(&"Angebote".to_owned()), "{path}");
        assert_other(path, &body(shop, &format!("/_data{path}")).await);
    }
    let home = Html::parse_document(&body(shop, "/").await);
    assert_eq!(attribute(&home, "meta[name=description]", "content"), bare().description);
    let data: Value =
        serde_json::from_str(&selected(&home, "script[type='application/ld+json']").concat()).unwrap();
    let names: Vec<_> = data["@graph"].as_array().unwrap().iter().map(|thing| &thing["name"]).collect();
    assert_eq!(names, [&name, &name]);
    check_files(shop, &name).await;
}

/// The files have the shop's name.
async fn check_files(shop: SocketAddr, name: &str) {
    for path in FILES {
        assert_other(path, &body(shop, path).await);
    }
    let manifest: Value = serde_json::from_str(&body(shop, "/manifest.webmanifest").await).unwrap();
    assert_eq!((&manifest["name"], &manifest["short_name"]), (&name.into(), &name.into()));
    assert!(body(shop, "/llms.txt").await.starts_with("# Söhne \\& \"Čtečka\" \\<eins\\>\n"));
    for (path, content_type, element, text) in [
        ("/feed.xml", "application/atom+xml", "title", &*format!("{name}: new arrivals")),
        ("/feed.xml", "application/atom+xml", "name", name),
        // OpenSearch allows 16 characters.
        ("/opensearch.xml", OPEN_SEARCH, "ShortName", "Söhne & \"Čtečka\""),
        ("/opensearch.xml", OPEN_SEARCH, "Description", &format!("Search the products of {name}")),
    ] {
        let answer = get(shop, path).await;
        assert_eq!(answer.headers["content-type"], content_type);
        let document = roxmltree::Document::parse(&answer.text).unwrap();
        let node = document.descendants().find(|node| node.tag_name().name() == element).unwrap();
        assert_eq!(node.text(), Some(text), "{element} of {path}");
    }
}

#[tokio::test]
async fn its_pages_of_failures_are_its_own() {
    let renderer = renderer_of(
        "globalThis.renderPage = json => {
           if (json.includes('/missing')) throw new Error('broken component');
           return '<p>fine</p>';
         };",
    )
    .await;
    let shop = start_as(bare(), Arc::new(NoCatalogue), renderer).await;
    for (path, part) in [
        ("/missing", "Sorry, an unexpected error has occurred."),
        ("/product/missing", r#"<div id="root"></div>"#),
        ("/product/missing", r#"id="page-data">{"path":"/product/missing","#),
        ("/", "<p>fine</p>"),
        ("/products", "<p>fine</p>"),
        ("/product/1", "<p>fine</p>"),
    ] {
        let page = body(shop, path).await;
        assert_own(path, &page);
        assert!(page.contains(part), "{path} lacks {part}: {page}");
        assert!(!page.contains("broken component"), "the cause stays in the log");
    }
    assert!(!body(shop, "/missing").await.contains("page-data"), "the error page needs no client");
}

/// Its other texts are asserted in `browser/journeys/home.spec.ts`, `header.spec.ts` and `footer.spec.ts`.
#[tokio::test]
async fn the_sample_shop_s_window_says_how_much_is_off() {
    let home = body(start_shop(sample()).await, "/").await;
    assert_eq!(selected(&Html::parse_document(&home), ".SummerWindow-tag text"), ["50%", "OFF"]);
}
