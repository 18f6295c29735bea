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

use super::{FILES, texts};
use crate::common::pages::{attribute, body, selected};
use crate::common::{
    NoCatalogue, PATHS, real_renderer, renderer_of, sample, serve, shop_settings, shop_under, start_shop,
};

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

async fn start(catalogue: Arc<dyn Catalogue>, renderer: Renderer) -> SocketAddr {
    start_as(bare(), catalogue, renderer).await
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
fn assert_own(path: &str, text: &str) {
    assert_other(path, text);
    let html = Html::parse_document(text);
    assert_eq!(attribute(&html, "html", "lang"), "de-AT", "{path}");
    let title = selected(&html, "title").concat();
    assert!(title == "Home" || title.ends_with(&format!(" | {}", bare().name)), "{path}: {title}");
}

#[tokio::test]
async fn a_shop_with_another_profile_shows_nothing_of_the_sample_shop_s() {
    let shop = start(sample(), real_renderer(1).await).await;
    for path in PATHS.into_iter().chain(["/offline", "/product/999999"]) {
        let text = body(shop, path).await;
        assert_own(path, &text);
        let html = Html::parse_document(&text);
        assert_eq!(attribute(&html, "meta[property='og:site_name']", "content"), bare().name, "{path}");
        assert_eq!(attribute(&html, "link[rel=search]", "title"), bare().name, "{path}");
        assert_eq!(selected(&html, ".Logo").concat(), bare().name, "{path}");
        assert_eq!(selected(&html, "h1").len(), 1, "{path}");
        for missing in [
            ".PromiseStrip",
            ".Footer-newsletter",
            ".Footer-promises",
            ".Footer-end p",
            ".SaleBanner",
            ".ShopStats",
            ".ShopStory",
        ] {
            assert!(selected(&html, missing).is_empty(), "{path} has {missing}");
        }
        assert!(selected(&html, ".Footer-link").contains(&"Angebote".to_owned()), "{path}");
        assert_other(path, &body(shop, &format!("/_data{path}")).await);
    }
    let home = Html::parse_document(&body(shop, "/").await);
    assert_eq!(attribute(&home, "meta[name=description]", "content"), bare().description);
    let data: Value =
        serde_json::from_str(&selected(&home, "script[type='application/ld+json']").concat()).unwrap();
    let names: Vec<_> = data["@graph"].as_array().unwrap().iter().map(|thing| &thing["name"]).collect();
    assert_eq!(names, [&bare().name, &bare().name]);
}

#[tokio::test]
async fn its_files_have_its_name() {
    let shop = start(sample(), real_renderer(1).await).await;
    for path in FILES {
        assert_other(path, &body(shop, path).await);
    }
    let manifest: Value = serde_json::from_str(&body(shop, "/manifest.webmanifest").await).unwrap();
    assert_eq!((&manifest["name"], &manifest["short_name"]), (&bare().name.into(), &bare().name.into()));
    let text_of = |xml: &str, name: &str| {
        let document = roxmltree::Document::parse(xml).unwrap();
        let node = document.descendants().find(|node| node.tag_name().name() == name);
        node.and_then(|node| node.text()).unwrap_or_default().to_owned()
    };
    let feed = body(shop, "/feed.xml").await;
    assert_eq!(text_of(&feed, "title"), format!("{}: new arrivals", bare().name));
    assert_eq!(text_of(&feed, "name"), bare().name);
    let search = body(shop, "/opensearch.xml").await;
    assert_eq!(text_of(&search, "ShortName"), "Söhne & \"Čtečka\"", "OpenSearch allows 16 characters");
    assert_eq!(text_of(&search, "Description"), format!("Search the products of {}", bare().name));
    assert!(body(shop, "/llms.txt").await.starts_with("# Söhne \\& \"Čtečka\" \\<eins\\>\n"));
}

#[tokio::test]
async fn its_pages_of_failures_are_its_own() {
    let renderer = renderer_of(
        "globalThis.renderPage = json => { if (json.includes('/missing')) throw new Error(); return '<p>fine</p>'; };",
    )
    .await;
    let shop = start(Arc::new(NoCatalogue), renderer).await;
    for path in ["/missing", "/", "/products", "/product/1"] {
        assert_own(path, &body(shop, path).await);
    }
    assert!(body(shop, "/missing").await.contains("Oops!"), "the error page without JavaScript");
}

/// The texts are those that the shop had before it had a profile.
#[tokio::test]
async fn the_sample_shop_says_what_it_always_said() {
    let shop = start_shop(sample()).await;
    let html = Html::parse_document(&body(shop, "/").await);
    let expected: [(&str, &[&str]); 15] = [
        (".PromiseStrip-item", &["Free shipping on orders over $50", "24/7 support", "30-day returns"]),
        (".Logo", &["Vitrine"]),
        (".SaleBanner-title", &["Summer Sale Up to 50% off"]),
        (
            ".SaleBanner-text",
            &[
                "Sunny days, lighter prices. Fill your bag with favourites for the beach, the garden and the long evenings.",
            ],
        ),
        (".SummerWindow-tag text", &["50%", "OFF"]),
        (".ShopStats-stat", &["1M+ Happy customers", "50K+ Products", "24/7 Support"]),
        (".ShopStory-title", &["Only looking? Please do."]),
        (
            ".ShopStory-text",
            &[
                "A vitrine is what the French call a shop window. So that is what this shop is made of: good things on the sill, the price on the tag, and the light left on in the evening.",
            ],
        ),
        (".ShopStory-link", &["Stroll past every window"]),
        (".Footer-newsletter h2", &["First look at what is new"]),
        (".NewsletterForm-label", &["Join 50,000+ subscribers. Enter your email address:"]),
        (
            ".Footer-promises li",
            &["Free shipping on orders over $50", "Returns within 30 days", "Support day and night, 24/7"],
        ),
        (".Footer-name", &["Vitrine"]),
        (".Footer-end p", &["A sample shop. Nothing here can be bought."]),
        (".Footer-link[href='/sale']", &["Summer Sale"]),
    ];
    for (selector, texts) in expected {
        assert_eq!(selected(&html, selector), texts, "{selector}");
    }
    assert_eq!(attribute(&html, "html", "lang"), "en");
    assert_eq!(
        attribute(&html, "meta[name=description]", "content"),
        "Browse the whole shop: beauty, fashion, electronics, furniture and more. Free shipping on orders over $50, 24/7 support and 30-day returns."
    );
    let manifest = body(shop, "/manifest.webmanifest").await;
    assert!(
        manifest.starts_with("{\n  \"name\": \"Vitrine\",\n  \"short_name\": \"Vitrine\",\n"),
        "{manifest}"
    );
}
