//! A shop whose operator says in a file what it is called.

use std::collections::BTreeSet;
use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use base64::prelude::{BASE64_STANDARD, Engine as _};
use scraper::Html;
use sha2::{Digest as _, Sha256};

use crate::common::client;
use crate::common::days::get;
use crate::common::pages::{attribute, attributes, selected, texts};
use crate::common::program::{PATIENT, Program, file_with, vitrine};
use crate::common::until::until;

const LOGO: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 20"><path fill="#8a3d1f" d="M0 0h60v20H0z"/></svg>"##;

/// The table of moved addresses in docs/shop.md, on the sample.
const MOVED: &str = "from,to\n/alte-lampen.html,/category/furniture\n/index.php?id=5,/product/1\n/shop/*,/category/*\n/blog/*,https://blog.example/*\n/product/gone,/product/2\n";

/// The example of docs/shop.md in a folder, with the files that it names.
fn example(folder: &Path) -> PathBuf {
    fs::write(folder.join("logo.svg"), LOGO).unwrap();
    fs::write(folder.join("logo-night.svg"), LOGO.replace("#8a3d1f", "#f0c9b8")).unwrap();
    fs::write(folder.join("impressum.md"), "# Impressum\n\nLampenladen, [Berlin](/brands)").unwrap();
    fs::write(folder.join("moved.csv"), MOVED).unwrap();
    let document = include_str!("../../../docs/shop.md");
    let (_, example) = document.split_once("```toml\n").unwrap();
    let path = folder.join("shop.toml");
    fs::write(&path, example.split_once("```").unwrap().0).unwrap();
    path
}

fn start(file: &Path) -> Program {
    Program::quiet(&["--shop", file.to_str().unwrap(), "--isolates", "1"])
}

#[tokio::test(flavor = "multi_thread")]
async fn the_shop_is_the_one_that_the_file_describes() {
    let folder = tempfile::tempdir().unwrap();
    let program = start(&example(folder.path()));
    let shop = program.address;
    check_texts(shop).await;
    check_colours(shop).await;
    check_logo(shop).await;
    check_page_of_text(shop).await;
    check_moved(shop).await;
}

async fn check_moved(shop: SocketAddr) {
    for (path, to) in [
        ("/alte-lampen.html", "/category/furniture"),
        ("/alte-lampen.html?utm=a", "/category/furniture?utm=a"),
        ("/index.php?id=5", "/product/1"),
        ("/shop/beauty/", "/category/beauty/"),
        ("/shop//evil.example", "/category/evil.example"),
        ("/blog/2020/a", "https://blog.example/2020/a"),
        ("/product/gone", "/product/2"),
        ("/_data/product/gone", "/_data/product/2"),
        ("/_data/alte-lampen.html", "/_data/category/furniture"),
    ] {
        let answer = get(shop, path).await;
        let location = answer.headers.get("location").map(|to| to.to_str().unwrap());
        assert_eq!((answer.status, location), (308, Some(to)), "{path}");
    }
    for path in ["/index.php", "/index.php?id=6", "/shop", "/_data/blog/a"] {
        assert_eq!(get(shop, path).await.status, 404, "{path}");
    }
}

async fn check_texts(shop: SocketAddr) {
    let home = get(shop, "/").await.text;
    assert!(home.contains("<html lang=\"de\""));
    let html = Html::parse_document(&home);
    for (selector, expected) in [
        (".Footer-name", &["Lampenladen"][..]),
        (".PromiseStrip-item", &["Versand frei ab 40 \u{20ac}", "30 Tage R\u{fc}ckgabe"]),
        (".SaleBanner-title", &["Neu im Herbst Lampen aus Papier"]),
        (".SaleBanner-text", &["Leicht, warm und jede ein Einzelst\u{fc}ck."]),
        (".SaleBanner-links a", &["Ansehen", "Alle Lampen"]),
        (".ShopStory-title", &["Seit 1921"]),
        (".ShopStory-text", &["Drei Menschen, eine Werkstatt und sehr viel Messing."]),
        (".ShopStory-link", &["Alle Regale"]),
        (".Footer-newsletter h2", &["Zuerst erfahren"]),
        (".Footer-promises li", &["Versand in zwei Tagen", "Abholung nach Vereinbarung"]),
        (".Footer-end p", &["Licht f\u{fc}r lange Abende"]),
        ("a[href='mailto:laden@example.org']", &["Schreiben Sie uns"]),
        ("a[href='/page/impressum']", &["Impressum"]),
        (".MainNav-links a", &["Neu", "Marken"]),
        (".CategoryMenu-list li:nth-child(-n+2)", &["Home Decoration", "Sessel"]),
        (".Footer-newsletter a[href='https://post.example/lampenladen']", &["Rundbrief bestellen"]),
        (".SummerWindow, .ShopStats, form.NewsletterForm, .HeaderActions-cart, .Logo span", &[]),
    ] {
        assert_eq!(selected(&html, selector), expected, "{selector}");
    }
    let product = get(shop, "/product/1").await.text;
    assert!(product.contains(",99\u{a0}\u{20ac}") || product.contains(",49\u{a0}\u{20ac}"), "{product}");
    assert!(product.contains("\"priceCurrency\":\"EUR\"") && !product.contains("USD"));
}

/// The styles of a page, which the policy has to allow: a space too many in the document would keep the browser from
/// applying them.
async fn allowed_styles(shop: SocketAddr, path: &str) -> Vec<String> {
    let answer = get(shop, path).await;
    let policy = answer.headers["content-security-policy"].to_str().unwrap();
    let styles = texts(&answer.text, "style");
    for style in &styles {
        let hash = BASE64_STANDARD.encode(Sha256::digest(style));
        assert!(policy.contains(&format!("'sha256-{hash}'")), "{path}: {style:.60}");
    }
    styles
}

async fn check_colours(shop: SocketAddr) {
    // Pages that are longer than a screen have further styles where these begin to matter.
    for (path, elements) in [("/", 3), ("/products", 3), ("/offline", 2)] {
        let styles = allowed_styles(shop, path).await;
        assert_eq!(styles.len(), elements, "{path}");
        assert!(styles[1].contains("--colour-action:light-dark(#8a3d1f,"), "{path}: {}", styles[1]);
        assert!(styles[1].contains(":root .tint-7{--tint:light-dark(#"), "{path}: {}", styles[1]);
    }
    let manifest = get(shop, "/manifest.webmanifest").await.text;
    assert!(manifest.contains("\"theme_color\": \"#") && !manifest.contains("#16231e"), "{manifest}");
}

/// The logo is in the header, and is every icon.
async fn check_logo(shop: SocketAddr) {
    let home = get(shop, "/").await.text;
    let logo = attribute(&Html::parse_document(&home), ".Logo > img", "src");
    for path in [&*logo, "/favicon.svg"] {
        let answer = get(shop, path).await;
        assert_eq!(answer.text, LOGO, "{path}");
        assert_eq!(answer.headers["content-type"], "image/svg+xml");
        let policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
        assert_eq!(answer.headers["content-security-policy"], policy);
    }
    for (path, side) in [("/favicon.ico", 32), ("/icons/180.png", 180_u32), ("/icons/512.png", 512)] {
        let answer = client().get(format!("http://{shop}{path}")).send().await.unwrap();
        let bytes = answer.bytes().await.unwrap();
        assert_eq!(bytes[16..20], side.to_be_bytes(), "{path}");
        let of_the_sample = fs::read(format!("client/icons/{side}.png")).unwrap();
        assert!(bytes != of_the_sample, "{path}");
    }
    let night = get(shop, &attribute(&Html::parse_document(&home), ".Logo > .Logo-dark", "src")).await;
    assert!(night.text.contains("#f0c9b8") && night.caching().contains("immutable"));
    assert!(home.contains(".Logo.Logo>.Logo-dark{display:none}"));
    let former = get(shop, "/logo/0.svg").await;
    assert_eq!((&*former.text, former.caching()), (LOGO, "no-store"));
    assert_eq!(get(shop, "/icons/33.png").await.status, 404);
}

async fn check_page_of_text(shop: SocketAddr) {
    let page = get(shop, "/page/impressum").await.text;
    assert_eq!(texts(&page, "h1"), ["Impressum"]);
    assert_eq!(texts(&page, "title"), ["Impressum | Lampenladen"]);
    assert_eq!(texts(&page, ".TextPage a[href='/brands']"), ["Berlin"]);
    for (path, status, part) in [
        ("/_data/page/impressum", 200, "Impressum"),
        ("/sitemap.xml", 200, "/page/impressum</loc>"),
        ("/llms.txt", 200, "[Impressum]("),
        ("/page/agb", 404, ""),
        ("/page/agb/", 404, ""),
    ] {
        let answer = get(shop, path).await;
        assert!(answer.status == status && answer.text.contains(part), "{path}: {}", answer.text);
    }
}

#[test]
fn a_file_that_cannot_be_used_is_named_with_its_mistake() {
    let (_folder, file) = file_with("shop.toml", "name = \"Lux\"\nlogo = 3\n");
    let named = file.to_str().unwrap();
    for command in ["serve", "check"] {
        let flags = [command, "--listen", "127.0.0.1:0", "--memory-limit", "4096", "--shop", named];
        let output = vitrine().args(flags).args(PATIENT).output().unwrap();
        let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!([named, "line 2", "logo"].iter().all(|part| said.contains(part)), "{command}: {said}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn icons_without_a_logo_have_the_shop_s_colour_and_ornament() {
    let (_folder, file) = file_with("shop.toml", "accent = \"#8a3d1f\"\nornament = \"none\"");
    let shop = start(&file);
    let icon = get(shop.address, "/favicon.svg").await.text;
    assert!(icon.contains("fill=\"#8a3d1f\"") && !icon.contains("#14503f"), "{icon}");
    let home = get(shop.address, "/").await.text;
    assert!(home.contains("--awning:var(--colour-line)"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_of_the_file_shows_at_once_and_a_mistake_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = example(folder.path());
    let text = fs::read_to_string(&file).unwrap();
    let program = start(&file);
    let shop = program.address;
    let name = async || texts(&get(shop, "/").await.text, ".Footer-name").concat();
    let is_taken_over = || program.logged("the shop's file has changed, and the shop with it");
    let is_refused = |reason: &str| {
        let refusal = program.logged("the shop's file cannot be used; the shop stays as it was");
        assert!(refusal["error"].as_str().unwrap().contains(reason), "{refusal}");
    };
    assert_eq!(name().await, "Lampenladen");
    fs::write(&file, text.replace("Lampenladen", "Lichthaus").replace("#8a3d1f", "#1f5d8a")).unwrap();
    is_taken_over();
    until("the new name", async || name().await == "Lichthaus").await;
    let styles = allowed_styles(shop, "/products").await;
    assert!(styles[1].contains("#1f5d8a"), "{}", styles[1]);
    assert!(get(shop, "/manifest.webmanifest").await.text.contains("Lichthaus"));
    // Header and footer are remembered by now, with the texts of another language.
    let skip = async || {
        texts(&get(shop, "/products").await.text, ".SkipLink, .CategoryMenu-trigger, #Footer-Browse")
    };
    for _ in 0..4 {
        assert_eq!(skip().await, ["Zum Inhalt springen", "Alle Kategorien", "Stöbern"]);
    }
    fs::write(
        &file,
        text.replace("Lampenladen", "Lichthaus").replace("language = \"de\"", "language = \"fr\""),
    )
    .unwrap();
    is_taken_over();
    until("the new language", async || {
        skip().await == ["Aller au contenu", "Toutes les catégories", "Explorer"]
    })
    .await;
    fs::write(&file, text.replace("ornament = ", "ornamnet = ")).unwrap();
    is_refused("ornamnet");
    assert_eq!(name().await, "Lichthaus");
    // A file beside it counts too, also one that is written later.
    fs::write(&file, text.replace("impressum.md", "agb.md")).unwrap();
    is_refused("agb.md");
    fs::write(folder.path().join("agb.md"), "Wer bestellt, bezahlt.").unwrap();
    is_taken_over();
    assert_eq!(get(shop, "/page/agb").await.status, 200);
    fs::write(&file, &text).unwrap();
    is_taken_over();
    fs::write(folder.path().join("impressum.md"), "# Anbieter\n\nLampenladen").unwrap();
    is_taken_over();
    until("the new text", async || {
        get(shop, "/page/impressum").await.text.contains("Anbieter | Lampenladen")
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shop_to_begin_with_is_opened_by_the_command_that_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("my shop");
    let output = vitrine().arg("init").arg(&own).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{said}");
    let command = said.lines().find(|line| line.contains("--catalogue")).unwrap();
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", &format!("exec {} \"$@\"", command.trim()), "sh", "--isolates", "1"]);
    let shop = Program::spawn(&mut shell);
    let html = Html::parse_document(&get(shop.address, "/products").await.text);
    assert_eq!(selected(&html, ".Footer-name"), ["My Shop"]);
    let pictures = BTreeSet::from_iter(attributes(&html, ".ProductCard img", "src"));
    assert_eq!(pictures.len(), 6);
    for picture in pictures {
        assert_eq!(get(shop.address, &picture).await.headers["content-type"], "image/png");
    }
    assert_eq!(get(shop.address, "/page/terms").await.status, 200);
}
