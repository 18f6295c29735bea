//! Texts that differ in spelling alone find each other, in searches and in filters; and a tag leads to the products
//! that carry it.

mod found;
mod real;

use std::collections::{HashMap, HashSet};
use std::net::SocketAddr;
use std::sync::Arc;

use serde_json::{Value, json};
use url::form_urlencoded::byte_serialize;
use vitrine::catalogue::Sample;

use crate::common::pages::body;
use crate::common::shops::{real_products, shop_of};
use crate::common::{client, sample, start_shop};

fn product(id: usize, title: &str, description: &str) -> Value {
    json!({
        "id": id, "title": title, "description": description, "category": "oddities",
        "price": 5, "rating": 4, "stock": 3, "tags": ["odd", title],
    })
}

/// The content of the page at `path`, after at most one redirect.
async fn content(shop: SocketAddr, path: &str) -> Value {
    let mut url = format!("http://{shop}/_data{path}");
    let mut answer = client().get(&url).send().await.unwrap();
    if let Some(location) = answer.headers().get("location") {
        url = format!("http://{shop}{}", location.to_str().unwrap());
        answer = client().get(&url).send().await.unwrap();
    }
    let mut page: Value = answer.json().await.unwrap_or_else(|error| panic!("{url}: {error}"));
    page["content"].take()
}

/// The ids of a listing's products, on all its pages, in ascending order.
async fn ids(shop: SocketAddr, path: &str) -> Vec<u64> {
    let mut ids = Vec::new();
    let separator = if path.contains('?') { '&' } else { '?' };
    for page in 1.. {
        let listing = content(shop, &format!("{path}{separator}page={page}")).await;
        ids.extend(ids_of_cards(&listing));
        if listing["pageCount"].as_u64().unwrap() <= page {
            break;
        }
    }
    ids.sort_unstable();
    ids
}

/// The ids of the products on one page of a listing, in their order.
fn ids_of_cards(listing: &Value) -> impl Iterator<Item = u64> {
    let cards = listing["products"].as_array().unwrap().iter();
    cards.map(|card| card["id"].as_str().unwrap().parse().unwrap())
}

fn escaped(text: &str) -> String {
    byte_serialize(text.as_bytes()).collect::<String>().replace('+', "%20")
}

/// A text, and texts that find it. What each character is folded to is proven in `host/search_text/text.rs`.
const SPELLINGS: [(&str, &[&str]); 5] = [
    ("Two-Tone shoes", &["two tone", "TWO\u{2011}TONE", " two  tone "]),
    ("Over ear phones", &["over-ear", "over\u{2010}ear", "Over ear"]),
    ("Women\u{2019}s coat", &["women's", "WOMEN\u{2018}S", "women`s"]),
    ("Caf\u{e9} cr\u{e8}me", &["cafe creme", "cafe\u{301} cre\u{300}me", "CAF\u{c9}"]),
    ("Fahrradbeleuchtung, wei\u{df}", &["beleuchtung", "FAHRRADBELEUCHTUNG"]),
];

#[tokio::test(flavor = "multi_thread")]
async fn searches_filters_and_offers_find_every_spelling_of_a_text() {
    // Every other text is a description.
    let product = |(index, (text, _)): (usize, &(&str, &[&str]))| match index % 2 {
        0 => product(index + 1, text, "One of a kind."),
        _ => product(index + 1, &format!("Thing {index}"), &format!("This is our {text}.")),
    };
    let copied = shop_of(SPELLINGS.iter().enumerate().map(product).collect(), 100).await;
    let plain = shop_of(SPELLINGS.iter().enumerate().map(product).collect(), 0).await;
    for (index, (text, queries)) in SPELLINGS.iter().enumerate() {
        for query in queries.iter().chain([text]) {
            let own = [index as u64 + 1];
            if index % 2 == 0 {
                assert_eq!(ids_of_cards(&offered(copied, query).await).collect::<Vec<_>>(), own, "{query}");
            }
            let query = escaped(query);
            assert_eq!(ids(copied, &format!("/search/{query}")).await, own, "{query} for {text}");
            for shop in [copied, plain] {
                assert_eq!(ids(shop, &format!("/products?q={query}")).await, own, "{query} for {text}");
            }
        }
    }
    for (words, found) in
        [("weiss fahrrad", &[5][..]), ("twotone", &[1]), ("ears", &[2]), ("shoe", &[1]), ("xyzzy", &[])]
    {
        assert_eq!(ids(copied, &format!("/search/{}", escaped(words))).await, found, "{words}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_copy_the_service_searches_nothing_is_offered_and_a_tag_filters_nothing() {
    let products = vec![product(1, "One", "Over ear."), product(2, "Two-tone", "")];
    let shop = shop_of(products, 0).await;
    // The service has a rule of its own.
    assert_eq!(ids(shop, "/search/over-ear").await, [1]);
    assert_eq!(ids(shop, "/search/two-tone").await, [0; 0]);
    assert_eq!(offered(shop, "two").await, json!({ "products": [], "categories": [], "brands": [] }));
    let page = content(shop, "/product/1").await;
    assert_eq!(page["product"]["tags"], json!([{ "name": "odd" }, { "name": "One" }]));
    let listing = content(shop, "/products?tag=odd").await;
    assert_eq!((&listing["heading"], &listing["filters"]["tag"]), (&json!("All Products"), &Value::Null));
    assert_eq!(listing["total"], 2);
}

/// A misspelled search is followed by its first suggestion.
#[tokio::test(flavor = "multi_thread")]
async fn searches_and_tags_of_the_real_catalogue_find_what_is_meant() {
    let Some(products) = real_products() else { return };
    // What people search for, with the products that they mean.
    let cases: Value = serde_json::from_str(include_str!("../../cases/searches.json")).unwrap();
    let ids = |list: &Value| serde_json::from_value::<Vec<u64>>(list.clone()).unwrap();
    let search = |case: &Value| case["search"].as_str().unwrap().to_owned();
    let mut all: Vec<(String, Vec<u64>, bool)> = Vec::new();
    for kind in ["misspelled", "words", "writing"] {
        let cases = cases[kind].as_array().unwrap().iter();
        all.extend(cases.map(|case| (search(case), ids(&case["expected"]), kind == "misspelled")));
    }
    for id in ids(&cases["articleNumbersOf"]) {
        let product = products.iter().find(|product| product["id"] == id).unwrap();
        all.push((product["sku"].as_str().unwrap().to_owned(), vec![id], false));
    }
    let shop = shop_of(products.clone(), 5_000).await;
    let mut missed = Vec::new();
    for (search, expected, is_misspelled) in &all {
        let mut listing = content(shop, &format!("/search/{}", escaped(search))).await;
        let suggested = listing["suggestions"]["words"][0].as_str().map(str::to_owned);
        if let Some(suggested) = suggested.as_ref().filter(|_| *is_misspelled) {
            listing = content(shop, &format!("/search/{}", escaped(suggested))).await;
        }
        let found: Vec<u64> = ids_of_cards(&listing).take(3).collect();
        if !expected.iter().any(|id| found.contains(id)) {
            missed.push(format!("{search}: {found:?} for {suggested:?} instead of {expected:?}"));
        }
    }
    assert_eq!(all.len(), 60);
    assert!(missed.len() <= 4, "{missed:#?}");
    println!("{} of {} found; missed: {missed:#?}", all.len() - missed.len(), all.len());
    check_tags(shop, &products).await;
}

/// What is offered while `text` is typed.
async fn offered(shop: SocketAddr, text: &str) -> Value {
    serde_json::from_str(&body(shop, &format!("/_suggest?q={}", escaped(text))).await).unwrap()
}

/// Every product that is offered is among the first results of the search, and every name leads to as many products as
/// it says.
async fn check_offers(shop: SocketAddr, products: &[Value]) {
    let words: Vec<String> = products
        .iter()
        .flat_map(|product| [&product["title"], &product["category"], &product["brand"]])
        .filter_map(|text| Some(text.as_str()?.chars().take(6).collect()))
        .collect();
    let (mut products, mut names) = (0, 0);
    for text in words.iter().step_by(3) {
        let offered = offered(shop, text).await;
        let found = content(shop, &format!("/search/{}", escaped(text))).await;
        let ids: Vec<u64> = ids_of_cards(&offered).collect();
        assert_eq!(ids, ids_of_cards(&found).take(4).collect::<Vec<_>>(), "{text}");
        products += ids.len();
        for named in ["categories", "brands"].iter().flat_map(|kind| offered[kind].as_array().unwrap()) {
            let listing = content(shop, named["href"].as_str().unwrap()).await;
            assert_eq!(listing["total"], named["count"], "{text}: {named}");
            names += 1;
        }
    }
    assert!(products > 50 && names > 50, "{products} products, {names} names");
}

/// Every tag is a link to a list that has its product.
async fn check_tags(shop: SocketAddr, products: &[Value]) {
    let mut lists = HashMap::new();
    for product in products {
        let id = product["id"].as_u64().unwrap();
        let own = product["tags"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let page = content(shop, &format!("/product/{id}")).await;
        let tags = page["product"]["tags"].as_array().unwrap();
        assert_eq!(tags.len(), own.collect::<HashSet<_>>().len(), "product {id}");
        for tag in tags {
            let href = tag["href"].as_str().unwrap_or_else(|| panic!("{tag} of product {id} is no link"));
            if !lists.contains_key(href) {
                lists.insert(href.to_owned(), ids(shop, href).await);
            }
            assert!(lists[href].contains(&id), "{href} lacks product {id}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_sample_offers_is_what_is_found() {
    let sample: Arc<Sample> = sample();
    let shop = start_shop(sample.clone()).await;
    check_offers(shop, sample.raw()).await;
    check_tags(shop, sample.raw()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tag_has_one_listing_in_the_catalogue_s_spelling() {
    let mut products = vec![product(1, "One", ""), product(2, "Two", ""), product(3, "Three", "")];
    products[0]["tags"] = json!(["T-Shirt", "<b>&", "\u{2014}", "T-Shirt"]);
    products[1]["tags"] = json!(["t shirt", "caf\u{e9}"]);
    products[2]["tags"] = json!(["shirt"]);
    let shop = shop_of(products, 100).await;
    let tags =
        |id: u64| async move { content(shop, &format!("/product/{id}")).await["product"]["tags"].take() };
    let (shirt, sign) = ("/products?tag=T-Shirt", "/products?tag=%3Cb%3E%26");
    assert_eq!(
        tags(1).await,
        json!([{ "name": "T-Shirt", "href": shirt }, { "name": "<b>&", "href": sign }, { "name": "\u{2014}" }])
    );
    assert_eq!(tags(2).await[0], json!({ "name": "t shirt", "href": shirt }));
    let listing = content(shop, "/products?tag=t%20SHIRT").await;
    assert_eq!(listing["heading"], "Products tagged \"T-Shirt\"");
    assert_eq!(listing["filters"]["tag"], "T-Shirt");
    assert_eq!(ids(shop, "/products?tag=T%E2%80%91shirt").await, [1, 2]);
    assert_eq!(ids(shop, "/category/oddities?tag=Cafe").await, [2]);
    assert_eq!(ids(shop, "/search/one?tag=t-shirt").await, [1]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_that_finds_nothing_shows_what_is_meant_and_itself_as_it_was_typed() {
    let shop = shop_of(vec![product(1, "Red lipstick", ""), product(2, "Green lamp", "")], 100).await;
    let answer = client().get(format!("http://{shop}/search/lipstik")).send().await.unwrap();
    assert_eq!(
        (answer.status().as_u16(), &answer.headers()["x-robots-tag"]),
        (200, &"noindex,follow".parse().unwrap())
    );
    let page = answer.text().await.unwrap();
    assert!(page.contains("Showing") && page.contains("/search/lipstik?typed=1"));
    let listing = content(shop, "/search/lipstik").await;
    assert_eq!(ids_of_cards(&listing).collect::<Vec<_>>(), [1]);
    assert_eq!(listing["corrected"], json!({ "text": "lipstick", "typedHref": "/search/lipstik?typed=1" }));
    assert_eq!(listing["suggestions"], Value::Null);
    let typed = content(shop, "/search/lipstik?typed=1").await;
    assert_eq!((&typed["total"], &typed["corrected"]), (&json!(0), &Value::Null));
    assert_eq!(typed["suggestions"]["words"], json!(["lipstick"]));
    // Neither nothing that resembles it nor filters that leave nothing make another search.
    assert_eq!(content(shop, "/search/xyzzy").await["suggestions"]["words"], json!([]));
    let filtered = content(shop, "/search/lipstick?q=nowhere").await;
    assert_eq!((&filtered["total"], &filtered["corrected"]), (&json!(0), &Value::Null));
    assert_eq!(offered(shop, "lipstik").await["products"][0]["id"], "1");
    assert_eq!(offered(shop, "").await["categories"][0]["href"], "/category/oddities");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_price_in_words_becomes_the_filter_unless_it_is_in_a_title() {
    let titles = [("Red lamp", 5), ("Blue lamp", 50), ("Rug under 30", 40)];
    let products = (1..).zip(titles).map(|(id, (title, price))| {
        let mut product = product(id, title, "");
        product["price"] = price.into();
        product
    });
    let shop = shop_of(products.collect(), 100).await;
    let listing = content(shop, "/search/lamp%20under%20%2430").await;
    assert_eq!((&listing["source"]["text"], &listing["filters"]["max"]), (&json!("lamp"), &json!(30)));
    assert_eq!(ids_of_cards(&listing).collect::<Vec<_>>(), [1]);
    let listing = content(shop, "/search/lamp%20over%2030").await;
    assert_eq!((&listing["source"]["text"], &listing["filters"]["min"]), (&json!("lamp"), &json!(30)));
    assert_eq!((&listing["facets"]["min"]["text"], &listing["total"]), (&json!("$30"), &json!(1)));
    let listing = content(shop, "/search/lamp%20%245-30").await;
    assert_eq!((&listing["filters"]["min"], &listing["filters"]["max"]), (&json!(5), &json!(30)));
    assert_eq!(ids_of_cards(&listing).collect::<Vec<_>>(), [1]);
    let rug = content(shop, "/search/rug%20under%2030").await;
    assert_eq!((&rug["source"]["text"], &rug["total"]), (&json!("rug under 30"), &json!(1)));
}

/// Whatever is searched for, the answer comes and other pages are answered.
#[tokio::test(flavor = "multi_thread")]
async fn long_and_many_words_are_searched() {
    let shop = shop_of(vec![product(1, "Red lipstick", "")], 100).await;
    let texts = [
        "a ".repeat(60),
        "red ".repeat(60),
        "x".repeat(300),
        "lip stick ".repeat(30),
        "\u{8336}".repeat(300),
    ];
    for text in texts {
        // Longer ones are redirected to their beginning.
        let beginning: String = text.chars().take(199).collect();
        let address = format!("http://{shop}/search/{}", escaped(beginning.trim()));
        assert_eq!(client().get(address).send().await.unwrap().status().as_u16(), 200, "{text}");
        offered(shop, &text).await;
    }
}
