//! Products with variants, through the service's form, the real router and renderer.

use std::net::SocketAddr;

use scraper::{Html, Selector};
use serde_json::{Value, json};

use crate::common::PUBLIC_URL;
use crate::common::pages::{ask, attribute, attributes, data, text, texts};
use crate::common::shops::shop_of;

fn variant(size: &str, price: f64, stock: u32) -> Value {
    json!({
        "options": [{ "name": "Size", "value": size }, { "name": "Colour", "value": "Blue" }],
        "price": price, "stock": stock, "sku": format!("SKU-{size}"),
    })
}

fn products() -> Vec<Value> {
    let product = |id: u32, price: f64, variants: Vec<Value>| {
        json!({
            "id": id, "title": format!("Product {id}"), "price": price, "category": "tops", "stock": 20,
            "variants": variants,
        })
    };
    vec![
        product(1, 30.0, vec![variant("S", 40.0, 7), variant("M", 12.0, 0), variant("<b>L", 25.5, 2)]),
        product(2, 20.0, vec![variant("S", 20.0, 7), variant("M", 20.0, 1)]),
        product(3, 10.0, vec![variant("S", 15.0, 7)]),
        product(4, 9.0, Vec::new()),
        product(5, 26.0, Vec::new()),
        product(6, 60.0, Vec::new()),
    ]
}

/// The id and the price of each card, and whether that is the lowest of several.
async fn listed(shop: SocketAddr, path: &str) -> Vec<Value> {
    let page = data(shop, path).await;
    let cards = page["content"]["products"].as_array().unwrap().iter();
    cards.map(|card| json!([card["id"], card["price"]["current"], card["price"]["from"] == true])).collect()
}

/// What a document says of its product in structured data.
fn structured(document: &str) -> Value {
    let linked = &texts(document, r#"script[type="application/ld+json"]"#)[0];
    serde_json::from_str::<Value>(linked).unwrap()["@graph"][0].clone()
}

/// The values of an option: where each leads, what it says, and whether it is chosen.
fn chips(document: &str, number: usize) -> Vec<(String, String, bool)> {
    let html = Html::parse_document(document);
    let option = Selector::parse(".ProductOptions-option").unwrap();
    let chip = Selector::parse(".ProductOptions-chip").unwrap();
    let option = html.select(&option).nth(number).unwrap();
    option
        .select(&chip)
        .map(|chip| {
            let is_chosen = chip.attr("aria-current") == Some("true");
            (chip.attr("href").unwrap_or_default().into(), chip.text().collect(), is_chosen)
        })
        .collect()
}

#[tokio::test]
async fn variants_are_chosen_by_links_and_their_pages_say_what_they_cost() {
    for most in [5_000, 0] {
        let shop = shop_of(products(), most).await;
        let document = text(shop, "/product/1").await;
        assert_eq!(texts(&document, ".ProductOptions-name"), ["Size", "Colour"]);
        assert_eq!(texts(&document, ".ProductSummary .Price"), ["From $25.50"]);
        let sizes = chips(&document, 0);
        let names: Vec<_> = sizes.iter().map(|(_, name, chosen)| (name.as_str(), *chosen)).collect();
        assert_eq!(names, [("S", false), ("M, Sold out", false), ("<b>L", false)]);
        assert_eq!(texts(&document, ".ProductOptions-only"), ["Blue"], "there is nothing to choose");
        for (number, price, stock, sku) in [
            (0, "$40.00", "In Stock", "S"),
            (1, "$12.00", "Low Stock", "M"),
            (2, "$25.50", "Low Stock", "<b>L"),
        ] {
            let address = &sizes[number].0;
            let page = text(shop, address).await;
            assert_eq!(texts(&page, ".ProductSummary .Price"), [price], "{address}");
            assert_eq!(texts(&page, ".StockBadge")[0], stock);
            assert_eq!(texts(&page, ".ProductSummary-sku"), [format!("SKU SKU-{sku}")]);
            let chosen: Vec<bool> = chips(&page, 0).into_iter().map(|(.., is_chosen)| is_chosen).collect();
            assert_eq!(chosen, [number == 0, number == 1, number == 2]);
            let html = Html::parse_document(&page);
            let canonical = attribute(&html, "link[rel=canonical]", "href");
            assert_eq!(canonical, format!("{PUBLIC_URL}/product/1"));
            assert!(texts(&page, "title")[0].starts_with("Product 1, "), "{:?}", texts(&page, "title"));
            // The same as data, for navigation in the client.
            let data = data(shop, address).await;
            assert_eq!(
                (&data["path"], &data["content"]["product"]["price"]["current"]),
                (&json!(address), &json!(price))
            );
        }
        // Equal prices are no range, and one variant leaves nothing to choose.
        let equal = text(shop, "/product/2").await;
        assert_eq!(texts(&equal, ".ProductSummary .Price"), ["$20.00"]);
        let single = text(shop, "/product/3").await;
        assert_eq!(texts(&single, ".ProductSummary .Price"), ["$15.00"]);
        assert_eq!(texts(&single, ".ProductOptions-only"), ["S", "Blue"]);
        assert!(chips(&single, 0).is_empty());
    }
}

#[tokio::test]
async fn structured_data_have_an_offer_for_each_variant_with_its_address() {
    let shop = shop_of(products(), 5_000).await;
    let document = text(shop, "/product/1").await;
    let group = structured(&document);
    assert_eq!((&group["@type"], &group["name"]), (&json!("ProductGroup"), &json!("Product 1")));
    assert_eq!(
        (&group["productGroupID"], &group["variesBy"]),
        (&json!("1"), &json!(["https://schema.org/size"]))
    );
    let variants = group["hasVariant"].as_array().unwrap();
    assert_eq!(variants.len(), 3);
    let address = &chips(&document, 0)[1].0;
    let sold_out = json!({
        "@type": "Product", "name": "Product 1, M / Blue", "sku": "SKU-M", "size": "M", "color": "Blue",
        "offers": {
            "@type": "Offer", "url": format!("{PUBLIC_URL}{address}"), "price": "12.00", "priceCurrency": "USD",
            "availability": "https://schema.org/OutOfStock",
        },
    });
    assert_eq!(variants[1], sold_out);
    // Its own page says the same of it, and of which product it is.
    let own = structured(&text(shop, address).await);
    for field in ["@type", "name", "sku", "size", "color", "offers"] {
        assert_eq!(own[field], sold_out[field], "{field}");
    }
    assert_eq!(own["isVariantOf"]["productGroupID"], "1");
    let single = structured(&text(shop, "/product/3").await);
    assert_eq!((&single["@type"], &single["offers"]["price"]), (&json!("Product"), &json!("15.00")));
}

#[tokio::test]
async fn a_product_with_very_many_variants_has_one_offer_for_all() {
    let product = |id: u32, count: u32, value: &str| {
        let variants = (0..count).map(|number| {
            json!({ "options": [{ "name": "Size", "value": format!("{value}{number}") }], "price": 5 + number, "stock": 1 })
        });
        json!({ "id": id, "title": "Rope", "price": 5, "variants": variants.collect::<Vec<_>>() })
    };
    let products = vec![product(1, 60, ""), product(2, 101, ""), product(3, 60, &"long ".repeat(20))];
    let shop = shop_of(products, 5_000).await;
    let group = structured(&text(shop, "/product/1").await);
    assert_eq!(group["hasVariant"].as_array().map(Vec::len), Some(60));
    let range = json!({
        "@type": "AggregateOffer", "url": format!("{PUBLIC_URL}/product/2"), "priceCurrency": "USD",
        "lowPrice": "5.00", "highPrice": "105.00", "offerCount": 101,
        "availability": "https://schema.org/InStock",
    });
    assert_eq!(structured(&text(shop, "/product/2").await)["offers"], range);
    assert_eq!(structured(&text(shop, "/product/3").await)["offers"]["offerCount"], 60);
}

#[tokio::test]
async fn an_unknown_variant_leads_to_the_product() {
    let shop = shop_of(products(), 5_000).await;
    let known = chips(&text(shop, "/product/1").await, 0)[0].0.clone();
    for (path, to) in [
        ("/product/1?variant=1-0123456789abcdef", "/product/1"),
        ("/product/1?variant=%3Cb%3E", "/product/1"),
        ("/product/1?utm=x&variant=zz", "/product/1?utm=x"),
        ("/product/4?variant=4-0123456789abcdef", "/product/4"),
        (&*known.replace("/product/1", "/product/2"), "/product/2"),
        (&*known.replace("/product/1", "/product/001"), &*known),
        (&*known.replace("/product/1", "/product/1/"), &*known),
        ("/_data/product/1?variant=1-0123456789abcdef", "/_data/product/1"),
    ] {
        let answer = ask(shop, path, &[]).await;
        assert_eq!(answer.status(), 308, "{path}");
        assert_eq!(answer.headers()["location"], to, "{path}");
    }
    let missing = "/product/99?variant=99-0123456789abcdef";
    assert_eq!(ask(shop, missing, &[]).await.status(), 404);
    // An empty choice of the form, and a campaign, are no other pages.
    assert_eq!(ask(shop, "/product/1?variant=", &[]).await.status(), 200);
    assert_eq!(ask(shop, &format!("{known}&utm=x"), &[]).await.status(), 200);
}

#[tokio::test]
async fn an_option_with_many_values_is_a_select_of_a_form() {
    let variants = (0..400).map(|number| {
        json!({ "options": [{ "name": "Length", "value": number }], "price": 5, "stock": number % 2 })
    });
    let product = json!({ "id": 1, "title": "Rope", "price": 5, "variants": variants.collect::<Vec<_>>() });
    let shop = shop_of(vec![product], 5_000).await;
    let document = text(shop, "/product/1").await;
    let options = texts(&document, "form[action='/product/1'][method=get] select[name=variant] option");
    assert_eq!((options.len(), &*options[0], &*options[1]), (401, "Choose", "0, Sold out"));
    assert_eq!(texts(&document, "form[action='/product/1'] button[type=submit]"), ["Choose"]);
    assert!(chips(&document, 0).is_empty());
    let html = Html::parse_document(&document);
    let id = attributes(&html, "select[name=variant] option", "value")[2].clone();
    let chosen = text(shop, &format!("/product/1?variant={id}")).await;
    assert_eq!(texts(&chosen, "select[name=variant] option[selected]"), ["1"]);
}

#[tokio::test]
async fn filters_and_sorts_use_the_price_that_is_shown() {
    let shop = shop_of(products(), 5_000).await;
    let sorted = listed(shop, "/products?sort=price-asc").await;
    let expected = [
        ("4", "$9.00", false),
        ("3", "$15.00", false),
        ("2", "$20.00", false),
        ("1", "$25.50", true),
        ("5", "$26.00", false),
        ("6", "$60.00", false),
    ];
    assert_eq!(sorted, expected.map(|card| json!(card)));
    assert_eq!(listed(shop, "/products?max=25&sort=price-asc").await, sorted[..3]);
    assert_eq!(listed(shop, "/products?max=26&sort=price-asc").await, sorted[..5]);
}
