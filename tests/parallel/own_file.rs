//! A shop of the products in a file of the operator's own.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::common::days::get;
use crate::common::program::{Program, check_file, vitrine};
use crate::common::until::until;

/// What a spreadsheet saves in much of Europe.
const OWN: &str = "\u{feff}id;group;title;description;category;brand;price;list_price;stock;images;options;status\r\n\
    lamp-s;lamp;Oak Lamp;\"<p>Warm &amp; bright.<br>\"\"Soft\"\" light.</p>\";Living > Lamps;Söhne;1.249,50 EUR;1.500,00 EUR;3;https://cdn.example/l1.webp https://cdn.example/l2.webp;Size: S;active\r\n\
    lamp-m;lamp;Oak Lamp;;;;1.349,50 EUR;;0;;Size: M;active\r\n\
    cup;;Cup;Red cup;Kitchen;;12,90 EUR;;;;;active\r\n\
    bowl;;Bowl;Blue bowl;Kitchen;;14,90 EUR;;7;;;draft\r\n\
    tray;;Tray;;Kitchen;;;;;;;active\r\n\
    mug;;Mug;;Kitchen;;9,90 USD;;;;;active\r\n";

/// What Shopify exports, before and since 2024.
const SHOPIFY: [&str; 2] = [
    "Handle,Title,Body (HTML),Vendor,Type,Tags,Published,Option1 Name,Option1 Value,Variant SKU,Variant Grams,Variant Inventory Tracker,Variant Inventory Qty,Variant Inventory Policy,Variant Price,Variant Compare At Price,Variant Barcode,Image Src,Image Position,Variant Image,Status\n\
    shirt,Linen Shirt,<p>Cool.</p>,Hall,Shirts,\"linen, summer\",true,Size,S,SH-S,200,shopify,4,deny,30.00,40.00,,https://cdn.example/a.webp,1,,active\n\
    shirt,,,,,,,,M,SH-M,200,shopify,0,continue,32.00,,,https://cdn.example/b.webp,2,https://cdn.example/m.webp,\n\
    shirt,,,,,,,,,,,,,,,,,https://cdn.example/c.webp,3,,\n\
    card,Gift Card,,Hall,Cards,,true,Title,Default Title,,,,,deny,10.00,,,,,,active\n\
    old,Old Shirt,,Hall,Shirts,,true,Title,Default Title,,,shopify,5,deny,10.00,,,,,,archived\n",
    "Title,URL handle,Description,Vendor,Product category,Type,Tags,Published on online store,Status,SKU,Barcode,Option1 name,Option1 value,Price,Compare-at price,Inventory tracker,Inventory quantity,Continue selling when out of stock,Weight value (grams),Product image URL,Image position,Variant image URL\n\
    Linen Shirt,shirt,<p>Cool.</p>,Hall,,Shirts,\"linen, summer\",TRUE,Active,SH-S,,Size,S,30.00,40.00,shopify,4,DENY,200,https://cdn.example/a.webp,1,\n\
    ,shirt,,,,,,,,SH-M,,,M,32.00,,shopify,0,CONTINUE,200,https://cdn.example/b.webp,2,https://cdn.example/m.webp\n\
    ,shirt,,,,,,,,,,,,,,,,,,https://cdn.example/c.webp,3,\n\
    Gift Card,card,,Hall,,Cards,,TRUE,Active,,,Title,Default Title,10.00,,,,DENY,,,,\n\
    Old Shirt,old,,Hall,,Shirts,,TRUE,Archived,,,Title,Default Title,10.00,,shopify,5,DENY,,,,\n",
];

async fn page(shop: &Program, path: &str) -> Value {
    let answer = get(shop.address, &format!("/_data{path}")).await;
    assert_eq!(answer.status, 200, "{path}");
    serde_json::from_str(&answer.text).unwrap()
}

/// The titles on the cards of a listing.
async fn titles(shop: &Program, path: &str) -> Vec<String> {
    let page = page(shop, path).await;
    let cards = page["content"]["products"].as_array().unwrap().iter();
    cards.map(|card| card["title"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_of_a_spreadsheet_is_a_shop() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("products.csv");
    fs::write(&file, OWN).unwrap();
    let shop = Program::of_file(&file, &[]);
    assert_eq!(titles(&shop, "/products").await, ["Oak Lamp", "Cup"]);
    let lamp = page(&shop, "/product/lamp").await["content"]["product"].clone();
    assert_eq!((&lamp["title"], &lamp["brand"]), (&"Oak Lamp".into(), &"Söhne".into()));
    assert_eq!(lamp["description"], "Warm & bright. \"Soft\" light.");
    assert_eq!((&lamp["category"]["name"], &lamp["noCart"]), (&"Lamps".into(), &true.into()));
    assert_eq!(lamp["images"].as_array().unwrap().len(), 2);
    let html = get(shop.address, "/product/lamp").await;
    assert!(html.text.contains("1,249.50"), "the price of the smaller one, which there is");
    let policy = html.headers["content-security-policy"].to_str().unwrap();
    assert!(policy.contains("https://cdn.example"), "{policy}");
    // The shop promises nothing that its operator has not said.
    for path in ["/", "/products", "/product/cup"] {
        // The name of a typeface is not the shop's.
        let text = get(shop.address, path).await.text.replace("Vitrine Display", "");
        for word in [
            "Add to Cart",
            "Cart: ",
            "Notifications",
            "Free shipping",
            "Summer Sale",
            "subscribers",
            "Vitrine",
        ] {
            assert!(!text.contains(word), "{path} has {word}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_shopify_exports_is_a_shop() {
    let folder = tempfile::tempdir().unwrap();
    let lines: Vec<&str> = SHOPIFY[0].lines().collect();
    // Rows of one product may be in any order.
    let sorted = [lines[0], lines[2], lines[3], lines[1], lines[4], lines[5], ""].join("\n");
    for text in SHOPIFY.into_iter().chain([&*sorted]) {
        let file = folder.path().join("products_export.csv");
        fs::write(&file, text).unwrap();
        let shop = Program::of_file(&file, &[]);
        assert_eq!(titles(&shop, "/products").await, ["Linen Shirt", "Gift Card"]);
        let shirt = page(&shop, "/product/shirt").await["content"]["product"].clone();
        assert_eq!(shirt["images"].as_array().unwrap().len(), 3, "{shirt}");
        assert_eq!(shirt["options"].as_array().unwrap().len(), 1, "{shirt}");
        assert_eq!(shirt["options"][0]["name"], "Size", "{shirt}");
        assert_eq!(
            (&shirt["category"]["name"], &shirt["tags"][1]["name"]),
            (&"Shirts".into(), &"summer".into())
        );
        let html = get(shop.address, "/product/shirt").await.text;
        assert!(html.contains("SH-S") && html.contains("SH-M") && html.contains("Back order"), "{html}");
        let card = get(shop.address, "/product/card").await.text;
        assert!(!card.contains("Default Title") && card.contains("InStock"), "a stock that nobody counts");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_changes_is_read_again_unless_it_is_broken() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("products.jsonl");
    let line = |id: u32, title: &str| format!("{{\"id\":{id},\"title\":\"{title} {id}\",\"price\":5}}\n");
    let all = |title: &str, count| (1..=count).map(|id| line(id, title)).collect::<String>();
    fs::write(&file, all("Cup", 6)).unwrap();
    let shop = Program::spawn(
        vitrine()
            .args(["--isolates", "1", "--admin", "127.0.0.1:0", "--admin-token", "a-token-of-many-letters"])
            .args(["--catalogue", &format!("file:{}", file.display())]),
    );
    assert_eq!(titles(&shop, "/products").await.len(), 6);
    let until_titled = async |title: &str, count: usize| {
        until(title, async || {
            let titles = titles(&shop, "/products").await;
            titles.len() == count && titles.iter().all(|own| own.starts_with(title))
        })
        .await;
    };
    let until_said = async |part: &str| {
        let mut said = false;
        until("a line that says so", async || {
            let says_so =
                |entry: Value| entry["fields"]["message"].as_str().unwrap_or_default().contains(part);
            said |= shop.log().any(says_so);
            said
        })
        .await;
    };
    // As editors and deployments replace files.
    let next = folder.path().join("next");
    fs::write(&next, all("Bowl", 5)).unwrap();
    fs::rename(&next, &file).unwrap();
    until_titled("Bowl", 5).await;
    for broken in [all("Tray", 2), "\"".repeat(3), all("Tray", 5) + "{\"id\":", String::new()] {
        fs::write(&file, broken).unwrap();
        until_said("is not used").await;
        until_titled("Bowl", 5).await;
    }
    fs::remove_file(&file).unwrap();
    until_said("the file is gone").await;
    until_titled("Bowl", 5).await;
    fs::write(&file, all("Plate", 6)).unwrap();
    until_titled("Plate", 6).await;
}

#[test]
fn check_says_what_was_taken_and_what_was_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("products.csv");
    fs::write(&file, OWN).unwrap();
    let (code, said) = check_file(&file, &[]);
    for line in [
        "a table of products: 6 rows, 2 products, 2 variants",
        "left out: 1 not for sale (line 5)",
        "left out: 1 without a price above zero (line 6)",
        "left out: 1 with a price in another currency (line 7)",
    ] {
        assert!(said.contains(line), "{line}\n{said}");
    }
    assert_eq!(code, Some(1), "{said}");
    fs::write(&file, SHOPIFY[0]).unwrap();
    let (code, said) = check_file(&file, &["--currency", "EUR"]);
    assert_eq!(code, Some(0), "what is not for sale is no fault: {said}");
    assert!(said.contains("Shopify's products: 5 rows, 2 products, 2 variants"), "{said}");
}

#[test]
fn check_writes_the_rows_that_are_left_out_but_never_over_the_catalogue() {
    let folder = tempfile::tempdir().unwrap();
    let [file, rejected] = ["products.csv", "rejected.csv"].map(|name| folder.path().join(name));
    fs::write(&file, OWN).unwrap();
    let (code, said) = check_file(&file, &["--rejected", rejected.to_str().unwrap()]);
    assert_eq!(code, Some(1), "{said}");
    let written_to = |path: &Path| format!("3 rows of those that are left out written to {}", path.display());
    assert!(said.contains(&written_to(&rejected)), "{said}");
    let written = fs::read_to_string(&rejected).unwrap();
    let rows: Vec<&str> = written.lines().map(|line| line.split(';').nth(2).unwrap()).collect();
    assert_eq!(rows, ["id", "bowl", "tray", "mug"], "{written}");

    let (_, said) = check_file(&file, &["--rejected", rejected.to_str().unwrap()]);
    assert!(said.contains(&written_to(&rejected)), "an earlier table is replaced: {said}");

    let other = folder.path().join("letter.csv");
    fs::write(&other, "Dear reader").unwrap();
    let options = folder.path().join("products.csv.toml");
    for (path, refusal) in [
        (&file, "is a file of the catalogue, and is not written over"),
        (&options, "is a file of the catalogue, and is not written over"),
        (&other, "is no table of rows that are left out, and is not written over"),
    ] {
        let (code, said) = check_file(&file, &["--rejected", path.to_str().unwrap()]);
        assert_eq!(code, Some(1), "{said}");
        assert!(said.contains(refusal) && !said.contains("written to"), "{said}");
    }
    // Nothing is touched if the catalogue cannot be read.
    let (_, said) = check_file(&folder.path().join("typo.csv"), &["--rejected", file.to_str().unwrap()]);
    assert!(said.contains("cannot be read"), "{said}");
    assert_eq!(fs::read_to_string(&file).unwrap(), OWN);
    assert_eq!(fs::read_to_string(&other).unwrap(), "Dear reader");
    assert!(!options.exists());
}

#[test]
fn a_start_without_a_usable_file_says_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("products.csv");
    for (content, expected) in [
        (&b"PK\x03\x04 a workbook"[..], "save it as CSV UTF-8"),
        (b"name,cost\ncup,5\n", "It has: name, cost"),
        (b"id,title,price\n1,\"Cup,5\n", "a cell in line 2 is not closed"),
        (b"id,title,price\n1,Cup,\n", "it has no product that can be sold"),
    ] {
        fs::write(&file, content).unwrap();
        let (code, said) = check_file(&file, &[]);
        assert!(code == Some(1) && said.contains(expected), "{said}");
        let output = vitrine()
            .args(["--listen", "127.0.0.1:0", "--catalogue"])
            .arg(format!("file:{}", file.display()))
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && said.contains(expected), "{said}");
    }
}
