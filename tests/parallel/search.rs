//! Texts that differ in spelling alone find each other, in searches and in filters; and a tag leads to the products
//! that carry it.

use std::net::SocketAddr;
use std::sync::Arc;

use serde_json::{Value, json};
use url::form_urlencoded::byte_serialize;
use vitrine::catalogue::{MirrorPolicy, Sample};

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

/// A text, and texts that find it.
const SPELLINGS: [(&str, &[&str]); 15] = [
    ("Two-Tone shoes", &["two-tone", "two tone", "TWO\u{2011}TONE", "two\u{2013}tone", " two  tone "]),
    ("Over ear phones", &["over-ear", "over\u{2010}ear", "Over ear"]),
    ("Over\u{2010}Knee socks", &["over-knee", "over knee", "OVER\u{2212}KNEE"]),
    ("Women\u{2019}s coat", &["women's", "women\u{2019}s", "WOMEN\u{2018}S", "women\u{b4}s", "women`s"]),
    ("Men's hat", &["men\u{2019}s hat", "men's  hat"]),
    ("Caf\u{e9} cr\u{e8}me", &["cafe creme", "cafe\u{301} cre\u{300}me", "CAF\u{c9}"]),
    ("Pure\u{301}e sieve", &["pur\u{e9}e", "puree"]),
    ("\u{130}zmir bowl", &["izmir", "\u{130}ZM\u{130}R", "i\u{307}zmir", "IZMIR", "\u{131}zmir"]),
    ("\u{39f}\u{394}\u{39f}\u{3a3}", &["\u{3bf}\u{3b4}\u{3bf}\u{3c2}", "\u{3bf}\u{3b4}\u{3cc}\u{3c3}"]),
    ("Fu\u{df}ball", &["fussball", "FUSSBALL", "fu\u{df}", "FU\u{1e9e}BALL"]),
    ("GROSSE Tasse", &["gro\u{df}e", "grosse"]),
    ("\u{ff34}\u{ff45}\u{ff41}\u{3000}\u{ff30}\u{ff4f}\u{ff54}", &["tea pot", "\u{ff54}\u{ff25}\u{ff21}"]),
    ("Oxford shirt", &["\u{ff4f}xford", "oxford\u{3000}shirt", "oxf\u{ad}ord"]),
    ("Water\u{ad}proof \u{fb01}lm", &["waterproof film", "water\u{200b}proof"]),
    ("Smørrebrød board", &["smorrebrod", "SM\u{d8}RREBR\u{d8}D"]),
];

#[tokio::test(flavor = "multi_thread")]
async fn searches_and_filters_find_every_spelling_of_a_text() {
    // Every other text is a description.
    let product = |(index, (text, _)): (usize, &(&str, &[&str]))| match index % 2 {
        0 => product(index + 1, text, "One of a kind."),
        _ => product(index + 1, &format!("Thing {index}"), &format!("This is our {text}.")),
    };
    let copied = shop_of(SPELLINGS.iter().enumerate().map(product).collect(), MirrorPolicy::UpTo(100)).await;
    let plain = shop_of(SPELLINGS.iter().enumerate().map(product).collect(), MirrorPolicy::Never).await;
    for (index, (text, queries)) in SPELLINGS.iter().enumerate() {
        for query in queries.iter().chain([text]) {
            let own = [index as u64 + 1];
            let query = escaped(query);
            assert_eq!(ids(copied, &format!("/search/{query}")).await, own, "{query} for {text}");
            for shop in [copied, plain] {
                assert_eq!(ids(shop, &format!("/products?q={query}")).await, own, "{query} for {text}");
            }
        }
    }
    // Without a copy the service searches, by its own rule.
    assert_eq!(ids(plain, "/search/over-ear").await, [2]);
    assert_eq!(ids(plain, "/search/two-tone").await, [0; 0]);
    for nothing in ["twotone", "ears", "women\"t"] {
        assert_eq!(ids(copied, &format!("/search/{}", escaped(nothing))).await, [0; 0], "{nothing}");
    }
}

/// The ids of the first three results of a search.
async fn first_three(shop: SocketAddr, search: &str) -> Vec<u64> {
    let listing = content(shop, &format!("/search/{}", escaped(search))).await;
    ids_of_cards(&listing).take(3).collect()
}

/// What people search for in the real catalogue, with the products that they mean.
#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct Searches {
    misspelled: Vec<Meant>,
    words: Vec<Meant>,
    writing: Vec<Meant>,
    article_numbers_of: Vec<u64>,
}

#[derive(serde::Deserialize)]
struct Meant {
    search: String,
    expected: Vec<u64>,
}

/// A misspelled search is followed by its first suggestion.
#[tokio::test(flavor = "multi_thread")]
async fn searches_of_the_real_catalogue_find_what_is_meant() {
    let Some(products) = real_products() else { return };
    let cases = include_str!("../cases/searches.json");
    let Searches { misspelled, mut words, writing, article_numbers_of } =
        serde_json::from_str(cases).unwrap();
    let number = |id: u64| products.iter().find(|product| product["id"] == id).unwrap()["sku"].as_str();
    words.extend(writing);
    words.extend(
        article_numbers_of
            .into_iter()
            .map(|id| Meant { search: number(id).unwrap().to_owned(), expected: vec![id] }),
    );
    let shop = shop_of(products.clone(), MirrorPolicy::UpTo(5_000)).await;
    let (count, mut missed) = (misspelled.len() + words.len(), Vec::new());
    for Meant { search, expected } in &words {
        let found = first_three(shop, search).await;
        if !expected.iter().any(|id| found.contains(id)) {
            missed.push(format!("{search}: {found:?} instead of {expected:?}"));
        }
    }
    for Meant { search, expected } in &misspelled {
        let listing = content(shop, &format!("/search/{}", escaped(search))).await;
        let suggested = listing["suggestions"]["words"][0].as_str().unwrap_or(search);
        let found = first_three(shop, suggested).await;
        if !expected.iter().any(|id| found.contains(id)) {
            missed.push(format!("{search}: {found:?} for {suggested:?} instead of {expected:?}"));
        }
    }
    assert_eq!(count, 60);
    assert!(missed.len() <= 4, "{missed:#?}");
    println!("{} of {count} found; missed: {missed:#?}", count - missed.len());
}

/// What is offered while `text` is typed.
async fn offered(shop: SocketAddr, text: &str) -> Value {
    let url = format!("http://{shop}/_suggest?q={}", escaped(text));
    client().get(url).send().await.unwrap().json().await.unwrap()
}

/// Every product that is offered is among the first results of the search, and every name leads to as many products as
/// it says.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_offered_while_typing_is_what_is_found() {
    let sample: Arc<Sample> = sample();
    let words: Vec<String> = sample
        .raw()
        .iter()
        .flat_map(|product| [&product["title"], &product["category"], &product["brand"]])
        .filter_map(|text| Some(text.as_str()?.chars().take(6).collect()))
        .collect();
    let shop = start_shop(sample).await;
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

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_offered_without_a_copy_of_the_catalogue() {
    let shop = shop_of(vec![product(1, "Red cup", "A cup.")], MirrorPolicy::Never).await;
    assert_eq!(offered(shop, "red").await, json!({ "products": [], "categories": [], "brands": [] }));
}

/// Titles in several languages, each with searches that find it.
const LANGUAGES: [(&str, &[&str]); 8] = [
    ("Fahrradbeleuchtung, wei\u{df}", &["beleuchtung", "weiss fahrrad", "FAHRRADBELEUCHTUNG"]),
    ("L\u{2019}eau d\u{2019}\u{e9}t\u{e9}", &["l'eau", "eau", "ete", "\u{c9}T\u{c9}", "ete eau"]),
    ("\u{130}pek \u{15f}al k\u{131}rm\u{131}z\u{131}", &["ipek", "IPEK", "sal", "kirmizi", "KIRMIZI ipek"]),
    ("\u{17d}lu\u{165}ou\u{10d}k\u{fd} hrnek", &["zlutoucky", "hrnek", "hrnek zlut"]),
    ("\u{141}\u{f3}\u{17c}ko d\u{119}bowe", &["lozko", "debowe lozko", "\u{142}\u{f3}\u{17c}"]),
    (
        "\u{643}\u{64f}\u{648}\u{628} \u{634}\u{627}\u{64a}",
        &["\u{643}\u{648}\u{628}", "\u{634}\u{627}\u{64a}"],
    ),
    (
        "\u{767d}\u{8272}\u{8336}\u{676f}",
        &["\u{8336}\u{676f}", "\u{767d}\u{8272}", "\u{8336}\u{676f} \u{767d}\u{8272}"],
    ),
    (
        "\u{41b}\u{430}\u{43c}\u{43f}\u{430} \u{43d}\u{430}\u{441}\u{442}\u{43e}\u{43b}\u{44c}\u{43d}\u{430}\u{44f}",
        &[
            "\u{43b}\u{430}\u{43c}\u{43f}",
            "\u{41d}\u{410}\u{421}\u{422}\u{41e}\u{41b} \u{43b}\u{430}\u{43c}\u{43f}\u{430}",
        ],
    ),
];

#[tokio::test(flavor = "multi_thread")]
async fn searches_in_other_languages_find_what_they_show() {
    let product = |(id, (title, _)): (usize, &(&str, &[&str]))| product(id, title, "-");
    let shop = shop_of((1..).zip(&LANGUAGES).map(product).collect(), MirrorPolicy::UpTo(100)).await;
    for (id, (title, searches)) in (1_u64..).zip(LANGUAGES) {
        for search in searches.iter().chain([&title]) {
            assert_eq!(ids(shop, &format!("/search/{}", escaped(search))).await, [id], "{search}");
            assert_eq!(ids_of_cards(&offered(shop, search).await).collect::<Vec<_>>(), [id], "{search}");
        }
    }
}

/// How many tags of a shop's products are links. Each must lead to a list that has the tag's product.
async fn tag_links(shop: SocketAddr, products: &[u64]) -> usize {
    let mut lists = std::collections::HashMap::new();
    let mut links = 0;
    for &id in products {
        let page = content(shop, &format!("/product/{id}")).await;
        for tag in page["product"]["tags"].as_array().unwrap() {
            let Some(href) = tag["href"].as_str() else { continue };
            if !lists.contains_key(href) {
                lists.insert(href.to_owned(), ids(shop, href).await);
            }
            assert!(lists[href].contains(&id), "{href} lacks product {id}");
            links += 1;
        }
    }
    links
}

fn ids_of(products: &[Value]) -> Vec<u64> {
    products.iter().map(|product| product["id"].as_u64().unwrap()).collect()
}

fn tags_of(products: &[Value]) -> usize {
    let distinct = |product: &Value| {
        let tags = product["tags"].as_array().into_iter().flatten().filter_map(Value::as_str);
        tags.collect::<std::collections::HashSet<_>>().len()
    };
    products.iter().map(distinct).sum()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_tag_of_the_sample_leads_to_a_list_with_its_product() {
    let sample: Arc<Sample> = sample();
    let raw = sample.raw().to_vec();
    assert_eq!(tag_links(start_shop(sample).await, &ids_of(&raw)).await, tags_of(&raw));
}

#[tokio::test(flavor = "multi_thread")]
async fn every_tag_of_the_real_catalogue_leads_to_a_list_with_its_product() {
    let Some(products) = real_products() else { return };
    let shop = shop_of(products.clone(), MirrorPolicy::UpTo(5_000)).await;
    assert_eq!(tag_links(shop, &ids_of(&products)).await, tags_of(&products));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tag_has_one_listing_in_the_catalogue_s_spelling() {
    let mut products = vec![product(1, "One", ""), product(2, "Two", ""), product(3, "Three", "")];
    products[0]["tags"] = json!(["T-Shirt", "<b>&", "\u{2014}", "T-Shirt"]);
    products[1]["tags"] = json!(["t shirt", "caf\u{e9}"]);
    products[2]["tags"] = json!(["shirt"]);
    let shop = shop_of(products, MirrorPolicy::UpTo(100)).await;
    let tags =
        |id: u64| async move { content(shop, &format!("/product/{id}")).await["product"]["tags"].take() };
    let (shirt, sign) = ("/products?tag=T-Shirt", "/products?tag=%3Cb%3E%26");
    assert_eq!(
        tags(1).await,
        json!([{ "name": "T-Shirt", "href": shirt }, { "name": "<b>&", "href": sign }, { "name": "\u{2014}" }])
    );
    assert_eq!(tags(2).await[0], json!({ "name": "t shirt", "href": shirt }));
    for spelling in ["T-Shirt", "t%20SHIRT", "T%E2%80%91shirt"] {
        let listing = content(shop, &format!("/products?tag={spelling}")).await;
        assert_eq!(listing["heading"], "Products tagged \"T-Shirt\"", "{spelling}");
        assert_eq!(listing["filters"]["tag"], "T-Shirt", "{spelling}");
        assert_eq!(ids(shop, &format!("/products?tag={spelling}")).await, [1, 2], "{spelling}");
    }
    assert_eq!(ids(shop, "/category/oddities?tag=Cafe").await, [2]);
    assert_eq!(ids(shop, "/search/one?tag=t-shirt").await, [1]);
    let purged = client().get(format!("http://{shop}/products?tag=T-Shirt")).send().await.unwrap();
    assert_eq!(purged.headers()["cache-tag"], "page-listing product-1 product-2 category-oddities");
    let page = purged.text().await.unwrap();
    assert!(
        page.contains(r#"<input type="hidden" name="tag" value="T-Shirt"/>"#),
        "the form forgets the tag"
    );
    assert!(page.contains("Tagged &quot;T-Shirt&quot;"), "the tag has no chip");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_copy_a_tag_is_no_link_and_filters_nothing() {
    let products = vec![product(1, "One", ""), product(2, "Two", "")];
    let shop = shop_of(products, MirrorPolicy::Never).await;
    let page = content(shop, "/product/1").await;
    assert_eq!(page["product"]["tags"], json!([{ "name": "odd" }, { "name": "One" }]));
    let listing = content(shop, "/products?tag=odd").await;
    assert_eq!((&listing["heading"], &listing["filters"]["tag"]), (&json!("All Products"), &Value::Null));
    assert_eq!(listing["total"], 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn brands_have_one_order_on_their_page_and_in_the_filter() {
    let brands = ["Zed", "\u{c9}clat", "apple", "Edel", "eau", "\u{d8}rn", "Orange", "Oscar", "3M"];
    let branded = |(index, brand): (usize, &&str)| {
        let mut product = product(index + 1, "Thing", "");
        product["brand"] = json!(brand);
        product
    };
    let shop = shop_of(brands.iter().enumerate().map(branded).collect(), MirrorPolicy::UpTo(100)).await;
    let texts = |list: &Value, field: &str| -> Vec<String> {
        list.as_array().unwrap().iter().map(|brand| brand[field].as_str().unwrap().to_owned()).collect()
    };
    let ordered = ["3M", "apple", "eau", "\u{c9}clat", "Edel", "Orange", "\u{d8}rn", "Oscar", "Zed"];
    assert_eq!(texts(&content(shop, "/brands").await["brands"], "name"), ordered);
    assert_eq!(texts(&content(shop, "/products").await["facets"]["brand"]["choices"], "value"), ordered);
    assert_eq!(ids(shop, "/products?brand=%C3%89clat&brand=apple").await, [2, 3]);
}

/// The engine's own functions fold these names: few categories are filtered where they are drawn.
#[tokio::test(flavor = "multi_thread")]
async fn categories_are_found_in_every_spelling_without_a_script() {
    let shop = start_shop(sample()).await;
    let drawn = async |query: &str| {
        let answer =
            client().get(format!("http://{shop}/categories?q={}", escaped(query))).send().await.unwrap();
        let page = answer.text().await.unwrap();
        let (_, root) = page.split_once("<div id=\"root\">").unwrap();
        root.split_once("page-data").unwrap().0.matches("class=\"CategoryTile ").count()
    };
    let (all, plain) = (drawn("").await, drawn("mens-s").await);
    assert!(0 < plain && plain < all, "{plain} of {all}");
    for query in ["MENS S", "m\u{c9}ns\u{2010}s", "\u{ff2d}\u{ff45}\u{ff4e}\u{ff53} s", "me\u{301}ns\u{a0}s"]
    {
        assert_eq!(drawn(query).await, plain, "{query}");
    }
}
