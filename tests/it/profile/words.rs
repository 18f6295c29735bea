//! A shop in which each text of the interface stands in brackets, and everything else is Greek: a Latin letter outside of
//! brackets is a text that no operator can translate. What only the browser shows is in `browser/specialShops/bracketed.spec.ts`.

use std::fmt::Write as _;
use std::net::SocketAddr;
use std::sync::Arc;

use scraper::{Html, Node};
use serde_json::Value;
use vitrine::catalogue::{
    Availability, Catalogue, Category, Dimensions, Product, Review, ReviewDate, Sample, Slug, Summary,
    Variant, VariantOption,
};
use vitrine::profile::{Currency, Money, Profile, ShopFile};
use vitrine::texts::{Texts, Words};

use super::other_shop::start_as;
use crate::common::days::get;
use crate::common::pages::{attribute, body};
use crate::common::{NoCatalogue, real_renderer, renderer_of, sample};

const ENGLISH: &str = include_str!("../../../client/texts/en.json");

/// Every text of the interface in brackets, as an operator writes it.
fn words() -> String {
    let sections: Value = serde_json::from_str(ENGLISH).unwrap();
    let quoted = |text: &Value| Value::from(format!("⟦{}⟧", text.as_str().unwrap())).to_string();
    let mut words = String::from("[words]\n");
    for (key, text) in sections.as_object().unwrap().values().flat_map(|texts| texts.as_object().unwrap()) {
        match text {
            Value::Object(forms) => {
                let form = |form: &str| format!("{form} = {}", quoted(&forms[form]));
                writeln!(words, "{key} = {{ {}, {} }}", form("one"), form("other")).unwrap();
            }
            text => writeln!(words, "{key} = {}", quoted(text)).unwrap(),
        }
    }
    words
}

fn profile(more: &str) -> Profile {
    let file = format!("name = \"Λάμπα\"\nlanguage = \"el\"\n{more}\n{}", words());
    let beside = |_: &str, _: u64| unreachable!("the file names none");
    let profile = ShopFile::parse(&file, &beside).unwrap().profile(Currency::parse("EUR").unwrap());
    Profile { links: true, ..profile }
}

fn product(number: u32) -> Product {
    let availability = match number {
        1 => Availability::SoldOut,
        2 => Availability::of_stock(3),
        3 => Availability::PreOrder,
        4 => Availability::BackOrder,
        _ => Availability::of_stock(50),
    };
    let price = Money::from_minor(u64::from(number) * 100);
    let variant = |value: &str, price| Variant {
        options: vec![VariantOption { name: "Χρώμα".into(), value: value.into() }],
        price,
        list_price: None,
        availability,
        sku: String::new(),
        gtin: None,
        picture: None,
        link: None,
        terms: vitrine::catalogue::Terms::default(),
    };
    let review = |rating| Review {
        reviewer_name: "Ελένη".into(),
        rating,
        date: ReviewDate::parse("2026-05-03").unwrap(),
        comment: "Ωραία".into(),
    };
    let summary = Summary {
        id: u64::from(number).into(),
        title: format!("Λάμπα {number}"),
        description: "Φως".into(),
        category: Slug::parse(if number.is_multiple_of(2) { "22" } else { "11" }),
        brand: (number != 5)
            .then(|| if number.is_multiple_of(3) { "Ήλιος".into() } else { "Άστρο".into() }),
        price,
        discount_percentage: if number.is_multiple_of(4) { 20.0 } else { 0.0 },
        rating: (number != 6).then(|| f64::from(number % 5) + 0.5),
        availability,
        is_from: number == 7,
        ..Summary::default()
    };
    Product {
        summary,
        tags: vec!["νέο".into()],
        sku: "Α-1".into(),
        weight: Some(2.0),
        dimensions: Some(Dimensions { width: 1.0, height: 2.0, depth: 3.0 }),
        warranty: "Δύο έτη".into(),
        shipping: "Αύριο".into(),
        returns: "Ναι".into(),
        minimum_order_quantity: if number == 8 { 3 } else { 1 },
        images: if number == 9 { vec!["/α.png".into(), "/β.png".into()] } else { Vec::new() },
        link: (number == 10).then(|| "https://1.2.3.4/".into()),
        reviews: (number != 11).then(|| (0..number % 3).map(|_| review(4)).collect()),
        variants: if number == 7 {
            vec![variant("α", price), variant("β", Money::from_minor(9_900))]
        } else {
            Vec::new()
        },
        ..Product::default()
    }
}

fn catalogue() -> Arc<Sample> {
    let products: Vec<Product> = (1..=60).map(product).collect();
    let category = |slug: &str| Category { slug: Slug::parse(slug).unwrap(), name: slug.into() };
    Arc::new(Sample::of(
        &products,
        vec![category("11"), category("22")].into(),
        Currency::parse("EUR").unwrap(),
    ))
}

/// Checks a text in which `depth` brackets are open: one with elements in it is several texts. Units are the same in all
/// languages.
fn check_text(path: &str, text: &str, depth: &mut usize) {
    let mut outside = String::new();
    for letter in text.chars() {
        match letter {
            '⟦' => *depth += 1,
            '⟧' => {
                *depth = depth.checked_sub(1).unwrap_or_else(|| panic!("{path}: no bracket before {text:?}"))
            }
            letter if *depth == 0 => outside.push(letter),
            _ => {}
        }
    }
    let rest = outside.replace(" cm", "").replace(" kg", "");
    assert!(!rest.contains(|letter: char| letter.is_ascii_alphabetic()), "{path} says {text:?}");
}

/// Checks a text that is whole.
fn assert_translated(path: &str, text: &str) {
    let mut depth = 0;
    check_text(path, text, &mut depth);
    assert_eq!(depth, 0, "{path}: no bracket after {text:?}");
}

/// Checks all texts of a document, and of the attributes that are texts. Returns how many there are.
fn check(path: &str, document: &str) -> usize {
    const ATTRIBUTES: [&str; 5] = ["aria-label", "aria-valuetext", "alt", "placeholder", "title"];
    const DESCRIPTIONS: [Option<&str>; 3] = [Some("description"), Some("og:title"), Some("og:description")];
    let html = Html::parse_document(document);
    let (mut count, mut depth) = (0, 0);
    for node in html.tree.root().descendants() {
        match node.value() {
            Node::Text(text) => {
                let parent = node.parent().and_then(|parent| Some(parent.value().as_element()?.name()));
                if parent == Some("noscript") {
                    // With scripts on, its content is one text.
                    count += check(path, text);
                } else if !matches!(parent, Some("script" | "style")) {
                    check_text(path, text, &mut depth);
                    count += usize::from(text.contains('⟦'));
                }
            }
            Node::Element(element) => {
                let name = element.attr("name").or(element.attr("property"));
                let content =
                    element.attr("content").filter(|_| DESCRIPTIONS.contains(&name) && name.is_some());
                let attributes = ATTRIBUTES.iter().filter_map(|attribute| element.attr(attribute));
                attributes.chain(content).for_each(|text| assert_translated(path, text));
            }
            _ => {}
        }
    }
    assert_eq!(depth, 0, "{path}: a bracket stays open");
    count
}

async fn start(catalogue: Arc<dyn Catalogue>) -> SocketAddr {
    start_as(profile(""), catalogue, real_renderer(1).await).await
}

/// Every kind of page in every state.
const PATHS: [&str; 29] = [
    "/",
    "/categories",
    "/categories?q=%CE%B1",
    "/brands",
    "/products",
    "/products?page=2",
    "/products?q=%CE%B6%CE%B6%CE%B6",
    "/products?max=20&rating=4&category=11&brand=%CE%86%CF%83%CF%84%CF%81%CE%BF&stock=1&sort=price-asc",
    "/products?tag=%CE%BD%CE%AD%CE%BF",
    "/sale",
    "/new-arrivals",
    "/best-sellers",
    "/deals",
    "/category/11",
    "/category/33",
    "/search/%CE%BB%CE%AC%CE%BC%CF%80%CE%B1",
    "/search/%CE%BB%CE%AC%CE%BC%CF%80%CE%B5%CF%82",
    "/search/%CE%B6%CE%B6%CE%B6%CE%B6",
    "/product/1",
    "/product/2",
    "/product/7",
    "/product/8",
    "/product/9",
    "/product/10",
    "/product/11",
    "/product/999",
    "/product/%CE%B1",
    "/missing",
    "/offline",
];

#[tokio::test(flavor = "multi_thread")]
async fn no_text_of_a_page_stands_outside_the_table_of_texts() {
    let shop = start(catalogue()).await;
    for path in PATHS {
        let page = body(shop, path).await;
        let count = check(path, &page);
        assert!(count > 20, "{path} has {count} texts: {page}");
    }
    for (path, start) in [("/opensearch.xml", "<Description>⟦"), ("/feed.xml", "<title>⟦")] {
        let file = body(shop, path).await;
        assert!(file.contains(start), "{path}: {file}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_failures_say_nothing_outside_the_table_of_texts() {
    let shop = start(Arc::new(NoCatalogue)).await;
    for path in ["/", "/categories", "/brands", "/products", "/category/11", "/search/%CE%B1", "/product/1"] {
        assert!(check(path, &body(shop, path).await) > 10, "{path}");
    }
    let broken = renderer_of(
        "globalThis.renderPage = json => {
           if (json.includes('/missing') || json.includes('/brands')) throw new Error('broken component');
           return '<p>1</p>';
         };",
    )
    .await;
    let shop = start_as(profile(""), Arc::new(NoCatalogue), broken).await;
    assert_eq!(check("/missing", &body(shop, "/missing").await), 5, "the title and what the page says");
    assert!(check("/brands", &body(shop, "/brands").await) >= 2);
}

/// The shop in this language, with the sample's products.
async fn start_in(language: &str) -> SocketAddr {
    let texts = Arc::new(Texts::new(language, &Words::default()));
    let profile = Profile { language: language.into(), texts, ..Profile::neutral(Currency::default()) };
    start_as(profile, sample(), real_renderer(1).await).await
}

#[tokio::test]
async fn the_texts_of_another_language_come_as_one_script_that_documents_name() {
    let (english, german, swedish) = (start_in("en").await, start_in("de").await, start_in("sv").await);
    let link =
        async |shop| attribute(&Html::parse_document(&body(shop, "/products").await), "#texts", "href");
    assert_eq!(link(english).await, "");
    let path = link(german).await;
    let script = get(german, &path).await;
    assert_eq!(script.headers["content-type"], "text/javascript; charset=utf-8");
    assert!(script.headers["cache-control"].to_str().unwrap().contains("immutable"));
    assert!(script.text.starts_with("export default [\"101\",[") && script.text.contains("In den Warenkorb"));
    let (build, _) = path.rsplit_once('-').unwrap();
    let other = get(german, &format!("{build}-0.js")).await;
    assert_eq!(
        (other.text == script.text, &other.headers["cache-control"]),
        (true, &"no-store".parse().unwrap())
    );
    for (shop, path) in [(german, "/texts/0-0.js"), (german, "/texts/x"), (english, &*path)] {
        assert_eq!(get(shop, path).await.status, 404, "{path}");
    }
    let document = Html::parse_document(&body(swedish, "/products").await);
    assert_eq!(attribute(&document, "html", "lang"), "sv");
    assert_eq!(attribute(&document, ".SearchBox", "lang"), "en", "the program says it in English");
    assert!(get(swedish, &link(swedish).await).await.text.contains("Add to Cart"));
    let document = Html::parse_document(&body(german, "/products").await);
    assert_eq!(attribute(&document, ".SearchBox", "lang"), "");
}
