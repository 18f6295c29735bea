//! A shop of the products in a file of the operator's own.

use std::fs;
use std::path::Path;
use std::time::Duration;

use serde_json::Value;

use crate::common::days::get;
use crate::common::pages::data;
use crate::common::program::{Program, check_file, file_with, vitrine};
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

/// What merchant data cannot have, and what is said of it.
const LACKING: &str = "id,title,price,stock,images\n1,Cup,5,3,https://cdn.example/a.webp\n2,Bowl,5,,https://cdn.example/b.webp\n\
    3,Tray,5,3,\n4,Jug,free,3,https://cdn.example/c.webp\n5,Mug,5,,\n";
const LACKS: &str = "/merchant.xml leaves 4 products out: 2 without a known availability, 1 without a price above zero, \
    1 without a picture";

/// The titles on the cards of a listing.
async fn titles(shop: &Program, path: &str) -> Vec<String> {
    let page = data(shop.address, path).await;
    let cards = page["content"]["products"].as_array().unwrap().iter();
    cards.map(|card| card["title"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_of_a_spreadsheet_is_a_shop() {
    let (_folder, file) = file_with("products.csv", OWN);
    let shop = Program::of_file(&file, &[]);
    assert_eq!(titles(&shop, "/products").await, ["Oak Lamp", "Cup"]);
    let lamp = data(shop.address, "/product/lamp").await["content"]["product"].clone();
    assert_eq!((&lamp["title"], &lamp["brand"]), (&"Oak Lamp".into(), &"Söhne".into()));
    assert_eq!(lamp["description"], "Warm & bright.\n\"Soft\" light.");
    assert_eq!((&lamp["category"]["name"], &lamp["noCart"]), (&"Lamps".into(), &true.into()));
    assert_eq!(lamp["images"].as_array().unwrap().len(), 2);
    let html = get(shop.address, "/product/lamp").await;
    assert!(html.text.contains("1,249.50"), "the price of the smaller one, which there is");
    let policy = html.headers["content-security-policy"].to_str().unwrap();
    assert!(policy.contains("https://cdn.example"), "{policy}");
    // The shop promises nothing that its operator has not said.
    const PROMISES: [&str; 7] =
        ["Add to Cart", "Cart: ", "Notifications", "Free shipping", "Summer Sale", "subscribers", "Vitrine"];
    for path in ["/", "/products", "/product/cup"] {
        // The name of a typeface is not the shop's.
        let text = get(shop.address, path).await.text.replace("Vitrine Display", "");
        assert_eq!(PROMISES.iter().find(|promise| text.contains(**promise)), None, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn categories_with_one_name_are_told_apart_and_the_old_address_leads_to_the_larger_one() {
    let table = "id,title,category,price,sku\n1,Boot,Men > Shoes,50,a\n2,Pump,Women > Shoes,60,b\n\
        3,Clog,Women > Shoes,40,c\n4,Cup,Home > Kitchen,5,d\n";
    let (_folder, file) = file_with("products.csv", table);
    let shop = Program::of_file(&file, &[]);
    assert_eq!(titles(&shop, "/category/men-shoes").await, ["Boot"]);
    assert_eq!(data(shop.address, "/category/women-shoes").await["content"]["heading"], "Shoes (Women)");
    assert_eq!(titles(&shop, "/category/kitchen").await, ["Cup"]);
    for (path, leads_to) in [
        ("/category/shoes", "/category/women-shoes"),
        ("/category/shoes?sort=price-asc&utm=a", "/category/women-shoes?sort=price-asc&utm=a"),
        ("/category/Shoes", "/category/shoes"),
    ] {
        let answer = get(shop.address, path).await;
        let location = answer.headers["location"].to_str().unwrap();
        assert_eq!((answer.status, location), (308, leads_to), "{path}");
    }
    let category = data(shop.address, "/product/1").await["content"]["product"]["category"].clone();
    assert_eq!((&category["name"], &category["slug"]), (&"Shoes (Men)".into(), &"men-shoes".into()));
    // Opened again, the shop's own table has the same addresses.
    fs::write(&file, get(shop.address, "/products.csv").await.text).unwrap();
    let again = Program::of_file(&file, &[]);
    assert_eq!(titles(&again, "/category/women-shoes").await, ["Pump", "Clog"]);
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
        let shirt = data(shop.address, "/product/shirt").await["content"]["product"].clone();
        let lengths = ["images", "options"].map(|list| shirt[list].as_array().unwrap().len());
        assert_eq!(lengths, [4, 1], "{shirt}");
        let names = ["/options/0/name", "/category/name", "/tags/1/name"];
        let names = names.map(|name| shirt.pointer(name).and_then(Value::as_str));
        assert_eq!(names, ["Size", "Shirts", "summer"].map(Some), "{shirt}");
        let html = get(shop.address, "/product/shirt").await.text;
        assert!(["SH-S", "SH-M", "BackOrder"].iter().all(|part| html.contains(part)), "{html}");
        let card = get(shop.address, "/product/card").await.text;
        assert!(!card.contains("Default Title") && card.contains("InStock"), "a stock that nobody counts");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_changes_is_read_again_unless_it_is_broken() {
    let folder = tempfile::tempdir().unwrap();
    let [file, next] = ["products.jsonl", "next"].map(|name| folder.path().join(name));
    let line = |id: u32, title: &str| format!("{{\"id\":{id},\"title\":\"{title} {id}\",\"price\":5}}\n");
    let all = |title: &str, count| (1..=count).map(|id| line(id, title)).collect::<String>();
    fs::write(&file, all("Cup", 6)).unwrap();
    let shop = Program::of_file(&file, &[]);
    let are = async |title: &str, count: usize| {
        let titles = titles(&shop, "/products").await;
        titles.len() == count && titles.iter().all(|own| own.starts_with(title))
    };
    assert!(are("Cup", 6).await);
    // As editors and deployments replace files.
    fs::write(&next, all("Bowl", 5)).unwrap();
    fs::rename(&next, &file).unwrap();
    until("the new version", async || are("Bowl", 5).await).await;
    // A file that is replaced more often than it is looked at.
    let mut number = 0;
    until("a version of a restless file", async || {
        number += 1;
        fs::write(&next, all(&format!("Vase {number} of"), 5)).unwrap();
        fs::rename(&next, &file).unwrap();
        tokio::time::sleep(Duration::from_millis(200)).await;
        are("Vase", 5).await
    })
    .await;
    fs::write(&next, all("Bowl", 5)).unwrap();
    fs::rename(&next, &file).unwrap();
    until("the version after it", async || are("Bowl", 5).await).await;
    // Fewer than half of the products, a file that is cut, and none at all.
    for broken in [Some(all("Tray", 2)), Some(all("Tray", 5) + "{\"id\":"), None] {
        let said = match &broken {
            Some(text) => fs::write(&file, text).map(|()| "is not used").unwrap(),
            None => fs::remove_file(&file).map(|()| "the file is gone").unwrap(),
        };
        let says_so =
            |entry: Value| entry["fields"]["message"].as_str().is_some_and(|text| text.contains(said));
        until(said, async || shop.log().any(says_so)).await;
        assert!(are("Bowl", 5).await, "{broken:?}");
    }
    fs::write(&file, all("Plate", 6)).unwrap();
    until("the file that is back", async || are("Plate", 6).await).await;
}

#[test]
fn check_says_what_was_taken_and_what_was_left_out() {
    let (_folder, file) = file_with("products.csv", OWN);
    for (text, flags, expected, lines) in [
        (
            OWN,
            &[][..],
            1,
            &[
                "a table of products: 6 rows, 2 products, 2 variants",
                "read as UTF-8, with semicolons between its cells",
                "prices are in EUR, as a code in the file says",
                "prices have a comma before their decimals",
                "left out: 1 not for sale (line 5)",
                "left out: 1 without a price above zero (line 6)",
                "left out: 1 with a price in another currency (line 7)",
            ][..],
        ),
        // What is not for sale is no fault.
        (SHOPIFY[0], &["--currency", "EUR"], 0, &["Shopify's products: 5 rows, 2 products, 2 variants"]),
        (LACKING, &[], 0, &[LACKS]),
    ] {
        fs::write(&file, text).unwrap();
        let (code, said) = check_file(&file, flags);
        assert_eq!(code, Some(expected), "{said}");
        assert!(lines.iter().all(|line| said.contains(line)), "{said}");
    }
    assert!(!check_file(&file, &["--exports", "off"]).1.contains("/merchant.xml"));
}

#[test]
fn check_writes_the_rows_that_are_left_out_but_never_over_the_catalogue() {
    let folder = tempfile::tempdir().unwrap();
    let [file, rejected, other, options, typo] =
        ["products.csv", "rejected.csv", "letter.csv", "products.csv.toml", "typo.csv"]
            .map(|name| folder.path().join(name));
    fs::write(&file, OWN).unwrap();
    fs::write(&other, "Dear reader").unwrap();
    let check = |file: &Path, rejected: &Path| {
        let (code, said) = check_file(file, &["--rejected", rejected.to_str().unwrap()]);
        assert_eq!(code, Some(1), "{said}");
        said
    };
    // An earlier table is replaced.
    for _ in 0..2 {
        let said = check(&file, &rejected);
        let line = format!("3 rows of those that are left out written to {}", rejected.display());
        assert!(said.contains(&line), "{said}");
        assert_eq!(fs::read_to_string(&rejected).unwrap().lines().count(), 1 + 3);
    }
    let of_the_catalogue = "is a file of the catalogue, and is not written over";
    for (catalogue, rejected, refusal) in [
        (&file, &file, of_the_catalogue),
        (&file, &options, of_the_catalogue),
        (&file, &other, "is no table of rows that are left out, and is not written over"),
        // Nothing is touched if the catalogue cannot be read.
        (&typo, &file, "cannot be read"),
    ] {
        let said = check(catalogue, rejected);
        assert!(said.contains(refusal) && !said.contains("written to"), "{said}");
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), OWN);
    assert_eq!(fs::read_to_string(&other).unwrap(), "Dear reader");
    assert!(!options.exists());
}

#[test]
fn check_proposes_options_for_a_table_of_no_known_form() {
    let table = "Artikelnummer;Bezeichnung;VK brutto\n1;Tasse;12,50\n2;Schale;7,90\n";
    let (_folder, file) = file_with("products.csv", table);
    let options = file.with_file_name("products.csv.toml");
    let command = format!("`vitrine check --catalogue file:{} --propose` writes a proposal", file.display());
    let written = format!("{} is written for ", options.display());
    let known = "needs none: its columns are known, as those of a table of products";
    for (flags, code, expected) in [
        (&[][..], 1, &["no column says which is the id, which the title, which the price", &*command][..]),
        (&["--propose"], 0, &[&*written, "look at it, then run `vitrine check` again"]),
        (&["--propose"], 0, &[known, "a table of products: 2 rows, 2 products"]),
        (&[], 0, &["a table of products: 2 rows, 2 products"]),
    ] {
        let (ended, said) = check_file(&file, flags);
        assert_eq!(ended, Some(code), "{said}");
        assert!(expected.iter().all(|line| said.contains(line)), "{said}");
    }
    assert!(
        fs::read_to_string(&options)
            .unwrap()
            .contains("price = \"VK brutto\"  # its name; such as \"12,50\"")
    );
    // Without a price, and over no file.
    fs::write(&file, "Artikelnummer;Bezeichnung;EK\n1;Tasse;5,00\n").unwrap();
    let (code, said) = check_file(&file, &["--propose"]);
    assert!(code == Some(1) && said.contains("which are not written over"), "{said}");
    fs::remove_file(&options).unwrap();
    let (code, said) = check_file(&file, &["--propose"]);
    let lacking =
        "and lacks something: its columns are of no known form: no column says which is the price: split";
    assert!(code == Some(1) && said.contains(&written) && said.contains(lacking), "{said}");
}

#[test]
fn a_start_without_a_usable_file_says_what_to_do() {
    let (_folder, file) = file_with("products.csv", OWN);
    let catalogue = format!("file:{}", file.display());
    for (content, expected) in [
        ("PK\x03\x04 with [Content_Types].xml", "save it as CSV UTF-8"),
        ("PK\x03\x04 with products.csv", "it is a ZIP archive"),
        ("<!doctype html><title>Sign in</title>", "it is a web page"),
        (
            "name,cost\ncup,5\n",
            "no column says which is the id, which the price: split at `,` it has: name, cost: ",
        ),
        ("id,title,price\n1,\"Cup,5\n", "a cell in line 2 is not closed"),
        ("id,title,price\n1,Cup,\n", "it has no product that can be sold"),
    ] {
        fs::write(&file, content).unwrap();
        let (code, said) = check_file(&file, &[]);
        assert!(code == Some(1) && said.contains(expected), "{said}");
        let started =
            vitrine().args(["--listen", "127.0.0.1:0", "--catalogue", &catalogue]).output().unwrap();
        let said = String::from_utf8_lossy(&started.stderr);
        assert!(!started.status.success() && said.contains(expected), "{said}");
    }
}
