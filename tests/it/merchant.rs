//! Every item of `/merchant.xml` against the page that it links to: Google compares them, and refuses what differs.

use std::collections::BTreeMap;

use scraper::Html;
use serde_json::{Value, json};

use crate::common::PUBLIC_URL;
use crate::common::pages::{attributes, data, selected, text, texts};
use crate::common::program::{Program, check_file, file_with};

const FASHION: &str = "id,group,title,price,list_price,stock,images,image,options,gtin\n\
    s-r,shirt,Linen Shirt,30.00 EUR,40.00 EUR,4,https://cdn.example/s.webp,https://cdn.example/red.webp,Größe: S; Farbe: Rot,4006381333931\n\
    m-r,shirt,Linen Shirt,32.00 EUR,,0,,https://cdn.example/red.webp,Größe: M; Farbe: Rot,\n\
    m-b,shirt,Linen Shirt,30.00 EUR,,2,,https://cdn.example/blue.webp,Größe: M; Farbe: Blau,\n\
    hat,,Straw Hat,12.00 EUR,,,https://cdn.example/hat.webp,,,\n\
    cap,,Cap,9.00 EUR,,3,https://cdn.example/cap.webp,,,\n";
const PHONES: &str = "id,group,title,price,availability,condition,images,options\n\
    a64,phone-a,Phone A,199.00 EUR,in stock,used,https://cdn.example/a.webp,Storage: 64 GB\n\
    a128,phone-a,Phone A,249.00 EUR,in stock,refurbished,,Storage: 128 GB\n\
    b,,Phone B,99.00 EUR,in stock,gebraucht,https://cdn.example/b.webp,\n\
    c,,Phone C,599.00 EUR,preorder,new,https://cdn.example/c.webp,\n";
const GROCERIES: &str = "id,group,title,price,availability,images,unit_pricing_measure,unit_pricing_base_measure,minimum_age,options\n\
    c250,coffee,Coffee,9.95 EUR,in stock,https://cdn.example/c.webp,250 g,100 g,,Weight: 250 g\n\
    c1000,coffee,Coffee,32.00 EUR,in stock,,1 kg,100 g,,Weight: 1 kg\n\
    oil,,Olive Oil,2.99 EUR,in stock,https://cdn.example/o.webp,750 ml,,,\n\
    gin,,Gin,20.00 EUR,in stock,https://cdn.example/g.webp,0.7 l,,18,\n";
const PAINT: &str = "id,group,title,price,availability,images,unit_pricing_measure,lowest_price,list_price,options\n\
    p1,paint,Wall Paint,12.00 EUR,in stock,https://cdn.example/p.webp,1 l,15.00 EUR,19.00 EUR,Size: 1 l; Colour: #ffeedd\n\
    p5,paint,Wall Paint,45.00 EUR,in stock,,5 l,40.00 EUR,60.00 EUR,Size: 5 l; Colour: #ffeedd\n\
    brush,,Brush,4.00 EUR,in stock,https://cdn.example/b.webp,,,5.00 EUR,\n";
const JEWELLERY: &str = "id,group,title,price,stock,images,image,options,energy_efficiency_class\n\
    r52,ring,Ring,250.00 EUR,1,https://cdn.example/r.webp,,Size: 52; Material: Gold,\n\
    r54,ring,Ring,260.00 EUR,0,,https://cdn.example/r54.webp,Size: 54; Material: Gold,\n\
    lamp,,Jeweller's Lamp,80.00 EUR,3,https://cdn.example/l.webp,,,C\n";

/// The elements of each item, by their names.
fn items(xml: &str) -> Vec<BTreeMap<String, String>> {
    let document = roxmltree::Document::parse(xml).unwrap();
    let items = document.descendants().filter(|node| node.has_tag_name("item"));
    let fields = |item: roxmltree::Node| {
        let fields = item.children().filter(roxmltree::Node::is_element);
        let field = |own: roxmltree::Node| {
            (own.tag_name().name().to_owned(), own.text().unwrap_or_default().to_owned())
        };
        // The first picture counts; further ones have another name.
        fields.map(field).collect()
    };
    items.map(fields).collect()
}

/// The product of a page in its structured data.
fn product(document: &str) -> Value {
    let linked = &texts(document, r#"script[type="application/ld+json"]"#)[0];
    serde_json::from_str::<Value>(linked).unwrap()["@graph"][0].clone()
}

async fn compare(shop: &Program, item: &BTreeMap<String, String>) {
    let (link, id) = (&item["link"], &item["id"]);
    let page = text(shop.address, link.strip_prefix(PUBLIC_URL).unwrap()).await;
    let product = product(&page);
    let offer = &product["offers"];
    let paid = item.get("sale_price").unwrap_or(&item["price"]);
    let amount = paid.strip_suffix(" EUR").unwrap();
    assert_eq!((&offer["price"], &offer["priceCurrency"]), (&json!(amount), &json!("EUR")), "{id}");
    assert_eq!(offer["url"], json!(link), "{id}");
    let html = Html::parse_document(&page);
    let shown = &selected(&html, ".ProductSummary .Price-current")[0];
    assert_eq!(shown.trim_start_matches('€'), amount, "{id}");
    let struck = selected(&html, ".ProductSummary .Price-original").concat();
    let before = item.get("sale_price").map(|_| item["price"].trim_end_matches(" EUR"));
    match before {
        Some(before) => assert!(struck.ends_with(before), "{id}: {struck}"),
        None => assert_eq!(struck, "", "{id}"),
    }
    let availability = match &*item["availability"] {
        "in_stock" => "InStock",
        "out_of_stock" => "OutOfStock",
        "preorder" => "PreOrder",
        other => panic!("{other}"),
    };
    assert_eq!(offer["availability"], json!(format!("https://schema.org/{availability}")), "{id}");
    assert_eq!(texts(&page, ".StockBadge").concat() == "Sold out", availability == "OutOfStock", "{id}");
    let condition = item.get("condition").map(|word| match &**word {
        "new" => ("NewCondition", "New"),
        "used" => ("UsedCondition", "Used"),
        _ => ("RefurbishedCondition", "Refurbished"),
    });
    let name = condition.map(|(name, _)| json!(format!("https://schema.org/{name}")));
    assert_eq!(offer.get("itemCondition"), name.as_ref(), "{id}");
    if let Some((_, word)) = condition {
        assert!(texts(&page, ".ProductFacts").concat().contains(&format!("Condition{word}")), "{id}");
    }
    let picture = &item["image_link"];
    assert_eq!(&product["image"][0], picture, "{id}");
    assert_eq!(&attributes(&html, ".GalleryStage img", "src")[0], picture, "{id}");
    let unit = item.get("unit_pricing_measure").map(|measure| {
        let quantity = &offer["priceSpecification"]["referenceQuantity"];
        assert!(measure.starts_with(quantity["value"].as_str().unwrap()), "{id}: {quantity}");
    });
    assert_eq!(offer.get("priceSpecification").is_some(), unit.is_some(), "{id}");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_item_of_merchant_data_says_what_its_page_says() {
    for (products, count) in [(FASHION, 4), (PHONES, 4), (GROCERIES, 4), (PAINT, 3), (JEWELLERY, 3)] {
        let (_folder, file) = file_with("products.csv", products);
        let shop = Program::of_file(&file, &["--public-url", PUBLIC_URL]);
        let items = items(&text(shop.address, "/merchant.xml").await);
        assert_eq!(items.len(), count, "{products}");
        for item in &items {
            compare(&shop, item).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_must_stand_beside_a_price_does() {
    let (_folder, file) = file_with("products.csv", GROCERIES);
    let terms = "[price_note]\ntext = \"incl. VAT, plus shipping\"\nto = \"https://shop.example/terms\"\n";
    let (_other, shop_file) = file_with("shop.toml", terms);
    let shop = Program::of_file(&file, &["--shop", shop_file.to_str().unwrap()]);
    let unit = async |path: &str| texts(&text(shop.address, path).await, ".ProductSummary .Price-unit");
    assert_eq!(unit("/product/coffee").await, ["€3.98\u{a0}/ 100\u{a0}g"]);
    assert_eq!(unit("/product/oil").await, ["€3.99\u{a0}/ l"]);
    let cards = texts(&text(shop.address, "/products").await, ".ProductCard .Price-unit");
    assert_eq!(cards.len(), 3, "{cards:?}");
    let gin = text(shop.address, "/product/gin").await;
    assert!(texts(&gin, ".ProductFacts").concat().contains("Minimum age18 years"));
    assert_eq!(product(&gin)["audience"]["suggestedMinAge"], 18);
    let html = Html::parse_document(&gin);
    assert_eq!(selected(&html, "a.Price-note"), ["incl. VAT, plus shipping"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn with_lowest_prices_as_reference_nothing_else_is_struck() {
    let (folder, file) = file_with("products.csv", PAINT);
    let options = folder.path().join("products.csv.toml");
    std::fs::write(options, "reference_price = \"lowest\"\n").unwrap();
    let shop = Program::of_file(&file, &[]);
    let price = async |path: &str| data(shop.address, path).await["content"]["product"]["price"].clone();
    let paint = price("/product/paint").await;
    assert_eq!((&paint["original"], &paint["percentOff"]), (&json!("€15.00"), &json!(20)));
    assert_eq!(paint["originalNote"], "Lowest price of the last 30 days");
    assert_eq!(price("/product/brush").await["original"], Value::Null);
    let sale = data(shop.address, "/sale").await;
    let titles: Vec<&Value> =
        sale["content"]["products"].as_array().unwrap().iter().map(|card| &card["title"]).collect();
    assert_eq!(titles, ["Wall Paint"]);
}

#[test]
fn what_is_not_understood_beside_a_price_is_named() {
    let table = "id,title,price,condition,unit_pricing_measure,energy_efficiency_class,minimum_age\n\
        1,Cup,5 EUR,mint,,,\n2,Tea,5 EUR,,a bag,,\n3,Lamp,5 EUR,,,H,\n4,Gin,5 EUR,,,,adult\n5,Jug,5 EUR,new,1 l,A,16\n";
    let (_folder, file) = file_with("products.csv", table);
    let (_, said) = check_file(&file, &[]);
    let named = "4 with a condition, measure, lowest price, energy class or age that is not understood";
    assert!(said.contains(named), "{said}");
}
