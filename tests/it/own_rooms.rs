//! A shop of an operator's own products links to no page that would be empty, and shows no link that leads nowhere.

use std::fs;
use std::path::Path;

use axum::http::header;

use crate::common::days::get;
use crate::common::pages::{body, data, text};
use crate::common::program::{Program, check_file, file_with};
use crate::common::until::until;

/// The pages about what products may have, and the feed.
const ABOUT: [&str; 6] = ["/brands", "/sale", "/deals", "/new-arrivals", "/best-sellers", "/feed.xml"];

const BARE: &str = "id,title,category,price\nlamp,Lamp,Living,5\ncup,Cup,Kitchen,6\nbowl,Bowl,Kitchen,7\n";
const FULL: &str = "id,title,category,brand,price,list_price,added\nlamp,Lamp,Living,Hall,5,,2026-03-01\n\
    cup,Cup,Kitchen,Oslo,6,9,2026-12-01\nbowl,Bowl,Kitchen,,7,,\ntray,Tray,Kitchen,,8,,31.5.2026\n";

#[tokio::test(flavor = "multi_thread")]
async fn pages_about_what_no_product_has_are_linked_nowhere() {
    let (_folder, file) = file_with("products.csv", BARE);
    let shop = Program::of_file(&file, &[]);
    for path in [
        "/",
        "/products",
        "/product/lamp",
        "/categories",
        "/missing",
        "/sitemap.xml",
        "/llms.txt",
        "/robots.txt",
    ] {
        let text = body(shop.address, path).await;
        let linked = ABOUT.iter().find(|about| {
            [format!("href=\"{about}\""), format!("{about}<"), format!("{about})")]
                .iter()
                .any(|link| text.contains(link))
        });
        assert_eq!(linked, None, "{path}: {text}");
    }
    // They answer as ever, but search engines do not list them.
    for (path, status) in [
        ("/brands", 200),
        ("/sale", 200),
        ("/deals", 200),
        ("/new-arrivals", 200),
        ("/best-sellers", 404),
        ("/feed.xml", 200),
    ] {
        let answer = get(shop.address, path).await;
        assert_eq!(answer.status, status, "{path}");
        let is_listed = !answer
            .headers
            .get("x-robots-tag")
            .is_some_and(|value| value.to_str().unwrap().contains("noindex"));
        assert_eq!(is_listed, path == "/feed.xml", "{path}");
    }
    assert_eq!(data(shop.address, "/").await["content"].get("newArrivals"), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_about_what_products_have_are_linked_and_the_newest_come_first() {
    let (_folder, file) = file_with("products.csv", FULL);
    let shop = Program::of_file(&file, &[]);
    let home = text(shop.address, "/").await;
    for about in ABOUT {
        assert_eq!(home.contains(&format!("href=\"{about}\"")), about != "/best-sellers", "{about}");
    }
    let newest = data(shop.address, "/new-arrivals").await["content"]["products"].clone();
    let titles: Vec<&str> =
        newest.as_array().unwrap().iter().map(|card| card["title"].as_str().unwrap()).collect();
    assert_eq!(titles, ["Cup", "Tray", "Lamp", "Bowl"]);
    let feed = text(shop.address, "/feed.xml").await;
    assert!(feed.contains("<updated>2026-05-31T00:00:00Z</updated>") && !feed.contains("Bowl"), "{feed}");
    assert!(text(shop.address, "/sitemap.xml").await.contains("/new-arrivals</loc>"));
    assert!(get(shop.address, "/new-arrivals").await.headers.get("x-robots-tag").is_none());
    // What the table says late is a change like any other.
    fs::write(&file, BARE).unwrap();
    until("a shop without dates", async || !text(shop.address, "/products").await.contains("/new-arrivals"))
        .await;
}

/// A German shop file beside the table.
fn shop_file(folder: &Path) -> String {
    let file = folder.join("shop.toml");
    let text = r#"
        language = "de"
        [navigation]
        links = [
          { text = "Sträuße", to = "/category/straeusse" },
          { text = "Angebote", to = "/sale" },
          { text = "Früher", to = "/product/gone" },
          { text = "Marke", to = "/products?brand=Hall" },
          { text = "Suche", to = "/search/rot" },
        ]
        categories = [{ category = "Kränze" }, { category = "sträuße", text = "Unsere Sträuße" }, { category = "Vasen" }]
        [[legal]]
        text = "Nirgends"
        to = "/nirgends"
        [[legal]]
        text = "Anderswo"
        to = "https://elsewhere.example/"
    "#;
    fs::write(&file, text).unwrap();
    file.display().to_string()
}

const FLORIST: &str = "id,title,category,price\nStrauß 1,Rosenstrauß,Sträuße,5\nKranz,Kranz,Kränze,6\n";

#[tokio::test(flavor = "multi_thread")]
async fn links_and_categories_of_the_shop_s_file_that_lead_nowhere_are_hidden_and_named_once() {
    let (folder, file) = file_with("products.csv", FLORIST);
    let flags = ["--shop", &shop_file(folder.path()), "--render-ahead", "off"].map(str::to_owned);
    let flags = flags.each_ref().map(String::as_str);
    let shop = Program::of_file(&file, &flags);
    // Before any page is asked for.
    let message = "a link of the shop's file leads nowhere, and is not shown";
    let named: Vec<_> = (0..5).map(|_| shop.logged(message)["to"].clone()).collect();
    assert_eq!(named, ["/sale", "/product/gone", "/products?brand=Hall", "/nirgends", "Vasen"]);
    let page = data(shop.address, "/").await;
    let names = |list: &serde_json::Value, field: &str| -> Vec<String> {
        list.as_array().into_iter().flatten().map(|link| link[field].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(&page["shop"]["links"], "text"), ["Sträuße", "Suche"]);
    assert_eq!(names(&page["shop"]["legal"], "text"), ["Anderswo"]);
    assert_eq!(names(&page["categories"], "name"), ["Kränze", "Unsere Sträuße"]);
    text(shop.address, "/products").await;
    text(shop.address, "/product/Kranz").await;
    // The catalogue changes, and the links with it.
    fs::write(&file, FLORIST.replace("Kranz,Kranz", "gone,Vase").replace("Kränze", "Vasen")).unwrap();
    until("the link", async || {
        names(&data(shop.address, "/products").await["shop"]["links"], "text")
            == ["Sträuße", "Früher", "Suche"]
    })
    .await;
    assert_eq!(shop.logged(message)["to"], "Kränze", "the others were named before");
}

#[test]
fn a_check_fails_for_links_that_lead_nowhere_and_says_what_to_write() {
    let (folder, file) = file_with("products.csv", FLORIST);
    let (code, said) = check_file(&file, &["--shop", &shop_file(folder.path())]);
    assert_eq!(code, Some(1), "{said}");
    for part in [
        "navigation.links: the link `Früher` to /product/gone is not shown, because there is no such product",
        "navigation.links: the link `Angebote` to /sale is not shown, because no product has what this page is about",
        "navigation.categories: the category `Vasen` is not shown",
        "legal: the link `Nirgends` to /nirgends is not shown, because the shop has no such page",
        "nothing leads to Brands: no product has a brand; the column `brand` names them",
        "nothing leads to New Arrivals and the feed: no product has a date; the column `added`",
        "2 of 2 products have no barcode, by which merchants know them: the column `gtin` (Rosenstrauß, Kranz)",
        "2 of 2 products have no text: the column `description`",
    ] {
        assert!(said.contains(part), "{part} in:\n{said}");
    }
    let shop = folder.path().join("shop.toml");
    let link = "[[legal]]\ntext = \"Hearts\"\nto = \"/saved\"";
    for (without, status) in [("saved = false\n", Some(1)), ("", Some(0))] {
        fs::write(&shop, format!("{without}{link}")).unwrap();
        let (code, said) = check_file(&file, &["--shop", &shop.display().to_string()]);
        let dead = said.contains("to /saved is not shown, because the shop has no such page");
        assert_eq!((code, dead), (status, status == Some(1)), "{said}");
    }
    let link = "[[legal]]\ntext = \"Roses\"\nto = \"/category/rosen\"";
    fs::write(&shop, format!("language = \"de\"\n{link}")).unwrap();
    let (_, said) = check_file(&file, &["--shop", &shop.display().to_string()]);
    assert!(
        said.contains("write one such as /category/straeusse (Sträuße), /category/kraenze (Kränze), or"),
        "{said}"
    );
}

#[test]
fn a_check_names_a_logo_and_a_colour_that_are_hard_to_see() {
    let (folder, file) = file_with("products.csv", FLORIST);
    let shop = folder.path().join("shop.toml");
    fs::write(&shop, "logo = \"dark.svg\"\nlogo_dark = \"dark.svg\"\naccent = \"#ffee00\"").unwrap();
    let check = |colour: &str| {
        let drawing = format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 30"><circle cx="45" cy="15" r="12" fill="{colour}"/></svg>"#
        );
        fs::write(folder.path().join("dark.svg"), drawing).unwrap();
        check_file(&file, &["--shop", &shop.display().to_string()]).1
    };
    let (light, dark) = (
        "of the light theme, so that it stands on a plate",
        "of the dark theme, so that it stands on a plate",
    );
    for (colour, is_faint) in
        [("#111111", [false, true]), ("#808080", [false, false]), ("#ffffff", [true, false])]
    {
        let said = check(colour);
        assert_eq!([light, dark].map(|theme| said.contains(theme)), is_faint, "{said}");
        assert!(said.contains("accent: #ffee00 would not be readable on the shop's grounds"), "{said}");
    }
}

#[test]
fn a_check_names_a_shop_s_file_that_nothing_names_and_moved_addresses_of_no_use() {
    let (folder, file) = file_with("products.csv", FLORIST);
    let shop = folder.path().join("shop.toml");
    fs::write(&shop, "redirects = \"moved.csv\"").unwrap();
    fs::write(
        folder.path().join("moved.csv"),
        "from,to\n/a,/product/Kranz\n/b,/nowhere\n/products,/categories\n/c,/b\n",
    )
    .unwrap();
    let (code, said) = check_file(&file, &[]);
    let named = format!(
        "{path} lies beside the catalogue and is not used: start the shop with --shop {path}",
        path = shop.display()
    );
    assert!(code == Some(0) && said.contains(&named), "{said}");
    let (code, said) = check_file(&file, &["--shop", &shop.display().to_string()]);
    assert_eq!(code, Some(1), "{said}");
    for part in [
        "redirects: 4 addresses have moved",
        "redirects: 1 address leads to a page that the shop does not have: /b to /nowhere: correct `to`",
        "redirects: 1 line has no effect, because the shop has a page there: /products: remove them",
    ] {
        assert!(said.contains(part) && !said.contains("lies beside"), "{part} in:\n{said}");
    }
    fs::write(folder.path().join("moved.csv"), "from,to\n/a,/b\n/b,/a\n").unwrap();
    let (code, said) = check_file(&file, &["--shop", &shop.display().to_string()]);
    assert!(code == Some(1) && said.contains("leads to itself in the end"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn addresses_of_a_german_shop_have_its_letters_and_other_spellings_lead_to_them() {
    let (folder, file) = file_with("products.csv", FLORIST);
    let flags = ["--shop", &shop_file(folder.path())].map(str::to_owned);
    let flags = flags.each_ref().map(String::as_str);
    let shop = Program::of_file(&file, &flags);
    let slug = vitrine::catalogue::Slug::of("Sträuße").unwrap();
    let key = vitrine::catalogue::ProductKey::of("Strauß 1");
    for (path, to) in [
        (format!("/category/{slug}"), "/category/straeusse"),
        (format!("/category/{slug}?sort=price-asc"), "/category/straeusse?sort=price-asc"),
        (format!("/product/{key}"), "/product/Strauss-1"),
        ("/product/strauss-1".into(), "/product/Strauss-1"),
        ("/product/Strau%C3%9F%201?utm=a".into(), "/product/Strauss-1?utm=a"),
        ("/product/KRANZ".into(), "/product/Kranz"),
    ] {
        let answer = get(shop.address, &path).await;
        assert_eq!(answer.status, 308, "{path}");
        assert_eq!(answer.headers[header::LOCATION], to, "{path}");
    }
    for path in ["/category/straeusse", "/category/kraenze", "/product/Strauss-1"] {
        assert_eq!(get(shop.address, path).await.status, 200, "{path}");
    }
    assert_eq!(get(shop.address, "/product/strauss-2").await.status, 404);
    // Opened again, the shop's own table has the same addresses.
    fs::write(&file, text(shop.address, "/products.csv").await).unwrap();
    let again = Program::of_file(&file, &flags);
    for path in ["/category/straeusse", "/product/Strauss-1"] {
        assert_eq!(get(again.address, path).await.status, 200, "{path}");
    }
}
