//! The list of products that a shopper saves, in a shop of an operator's own products, and where such a shop sends questions.

use scraper::Html;
use serde_json::Value;

use crate::common::days::get;
use crate::common::pages::{attribute, selected};
use crate::common::program::Program;

const PRODUCTS: &str =
    "id,title,price,stock,link\nlamp,Oak Lamp,5.00 EUR,3,https://market.example/lamp\ncup,Cup,4.00 EUR,0,\n";
const ENQUIRY: &str =
    "[enquiry]\ntext = \"Ask\"\nto = \"https://wa.me/49123\"\n[[promises]]\ntext = \"Sent today\"\n";

/// A shop of two products, with this file.
fn start(shop: &str) -> (tempfile::TempDir, Program) {
    let folder = tempfile::tempdir().unwrap();
    let [products, file] = [("products.csv", PRODUCTS), ("shop.toml", shop)].map(|(name, text)| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    });
    let catalogue = format!("file:{products}");
    let program = Program::quiet(&["--catalogue", &catalogue, "--shop", &file, "--isolates", "1"]);
    (folder, program)
}

#[tokio::test(flavor = "multi_thread")]
async fn cards_are_answered_as_they_are_today_and_hostile_questions_are_refused() {
    let (_folder, program) = start("name = \"Lux\"");
    let shop = program.address;
    let answer = get(shop, "/_cards?keys=cup,gone,lamp").await;
    assert_eq!((answer.status, answer.caching()), (200, "public, max-age=60"));
    let cards: Value = serde_json::from_str(&answer.text).unwrap();
    let texts: Vec<_> = cards["products"].as_array().unwrap().iter().map(|card| &card["title"]).collect();
    assert_eq!(texts, ["Cup", "Oak Lamp"]);
    assert_eq!(cards["products"][0]["availability"]["text"], "Sold out");
    let many = (1..=61).map(|key| key.to_string()).collect::<Vec<_>>().join(",");
    let long = "a".repeat(5_000);
    for hostile in [
        "",
        "keys=",
        "keys=a,a",
        "keys=%00",
        "keys=../x",
        "keys=a&b=c",
        "other=1",
        &format!("keys={many}"),
        &format!("keys={long}"),
    ] {
        let refused = get(shop, &format!("/_cards?{hostile}")).await;
        assert_eq!((refused.status, refused.caching()), (400, "no-store"), "{hostile:.40}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_saved_page_is_for_people_alone_and_can_be_switched_off() {
    let (_folder, program) = start("name = \"Lux\"");
    let page = get(program.address, "/saved").await;
    assert_eq!((page.status, page.headers["x-robots-tag"].to_str().unwrap()), (200, "noindex,follow"));
    assert!(!get(program.address, "/sitemap.xml").await.text.contains("/saved"));
    let listing = get(program.address, "/products").await.text;
    assert_eq!(selected(&Html::parse_document(&listing), ".WishlistButton").len(), 2);
    assert!(!listing.contains("aria-label=\"Account\""));
    let (_folder, without) = start("saved = false");
    assert_eq!(get(without.address, "/saved").await.status, 404);
    assert_eq!(get(without.address, "/_cards?keys=cup").await.status, 404);
    let listing = get(without.address, "/products").await.text;
    assert!(!listing.contains("WishlistButton\"") && !listing.contains("/saved"), "{listing}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_sold_nowhere_else_is_asked_for_with_its_name_and_address() {
    let (_folder, program) = start(ENQUIRY);
    let cup = Html::parse_document(&get(program.address, "/product/cup").await.text);
    let href = attribute(&cup, ".ProductEnquiry > a", "href");
    let address = format!("http%3A%2F%2F{}%2Fproduct%2Fcup", program.address.to_string().replace(':', "%3A"));
    assert_eq!(href, format!("https://wa.me/49123?text=Cup%0A{address}"));
    assert_eq!(selected(&cup, ".ProductEnquiry-promise"), ["Sent today"]);
    assert_eq!(selected(&cup, ".ProductEnquiry > a.button--quiet"), ["Ask"], "it is sold out");
    let lamp = get(program.address, "/product/lamp").await.text;
    assert!(!lamp.contains("ProductEnquiry\""), "it has a link");
}
