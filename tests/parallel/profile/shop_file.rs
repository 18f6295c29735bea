//! A shop whose operator says in a file what it is called.

use std::collections::{BTreeSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};

use base64::prelude::{BASE64_STANDARD, Engine as _};
use scraper::Html;
use sha2::{Digest as _, Sha256};
use vitrine::profile::Profile;

use super::{FILES, texts};
use crate::common::client;
use crate::common::days::get;
use crate::common::pages::{attribute, attributes, selected};
use crate::common::program::{PATIENT, Program, vitrine};
use crate::common::until::until;

/// How many addresses are visited.
const VISITED: usize = 80;
const ICON: &str = "/favicon.svg";

const LOGO: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 20"><path fill="#8a3d1f" d="M0 0h60v20H0z"/></svg>"##;

/// The example of docs/shop.md in a folder, with the files that it names.
fn example(folder: &Path) -> PathBuf {
    fs::write(folder.join("logo.svg"), LOGO).unwrap();
    fs::write(folder.join("impressum.md"), "# Impressum\n\nLampenladen, [Berlin](/brands)").unwrap();
    let document = include_str!("../../../docs/shop.md");
    let (_, example) = document.split_once("```toml\n").unwrap();
    let path = folder.join("shop.toml");
    fs::write(&path, example.split_once("```").unwrap().0).unwrap();
    path
}

fn start(file: &Path, further: &[&str]) -> Program {
    Program::quiet(&[&["--shop", file.to_str().unwrap(), "--isolates", "1"], further].concat())
}

/// Where the links of a page lead within the shop.
fn links(html: &Html) -> Vec<String> {
    let paths = attributes(html, "a[href^='/']", "href");
    paths.iter().map(|path| path.split('#').next().unwrap_or_default().to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn no_address_of_the_shop_has_a_word_of_the_sample_shop_s() {
    let folder = tempfile::tempdir().unwrap();
    let shop = start(&example(folder.path()), &[]);
    let foreign = texts(&Profile::default());
    assert!(foreign.len() > 15 && foreign.contains(&"Vitrine".into()), "{foreign:?}");
    let mut waiting: VecDeque<String> = ["/", "/offline", "/product/999999", "/search/nothing-at-all"]
        .into_iter()
        .chain(FILES)
        .chain([ICON])
        .map(Into::into)
        .collect();
    let mut known: BTreeSet<String> = waiting.iter().cloned().collect();
    let mut visited = 0;
    while let Some(path) = waiting.pop_front().filter(|_| visited < VISITED) {
        visited += 1;
        let answer = get(shop.address, &path).await;
        assert!([200, 404].contains(&answer.status), "{path}: {}", answer.status);
        let text = answer.text.replace("font-family:Vitrine Display", "");
        for word in &foreign {
            assert!(!text.contains(word), "{path} has {word:?}");
        }
        if !FILES.contains(&&*path) && path != ICON {
            let html = Html::parse_document(&answer.text);
            assert_eq!(selected(&html, ".Footer-name"), ["Lampenladen"], "{path}");
            waiting.extend(links(&html).into_iter().filter(|link| known.insert(link.clone())));
        }
    }
    assert_eq!(visited, VISITED);
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_show_what_the_file_says() {
    let folder = tempfile::tempdir().unwrap();
    let shop = start(&example(folder.path()), &[]);
    let home = get(shop.address, "/").await;
    let html = Html::parse_document(&home.text);
    let shown = |selector: &str| selected(&html, selector);
    assert!(home.text.contains("<html lang=\"de\""));
    assert_eq!(shown(".PromiseStrip-item"), ["Versand frei ab 40 \u{20ac}", "30 Tage R\u{fc}ckgabe"]);
    assert_eq!(shown(".SaleBanner-title"), ["Neu im Herbst Lampen aus Papier"]);
    assert_eq!(shown(".SaleBanner-links a"), ["Ansehen", "Alle Lampen"]);
    assert_eq!(shown(".ShopStory-title"), ["Seit 1921"]);
    assert_eq!(shown(".Footer-promises li"), ["Versand in zwei Tagen", "Abholung nach Vereinbarung"]);
    assert_eq!(shown(".Footer-end p"), ["Licht f\u{fc}r lange Abende"]);
    assert_eq!(shown("a[href='mailto:laden@example.org']"), ["Schreiben Sie uns"]);
    assert_eq!(shown("a[href='/page/impressum']"), ["Impressum"]);
    assert_eq!(shown(".MainNav-links a"), ["Neu", "Marken"]);
    assert_eq!(shown(".CategoryMenu-list li:nth-child(-n+2)"), ["Sessel", "Beauty"]);
    assert_eq!(
        shown(".Footer-newsletter a[href='https://post.example/lampenladen']"),
        ["Rundbrief bestellen"]
    );
    for missing in [".SummerWindow", ".ShopStats", "form.NewsletterForm", ".HeaderActions-cart", ".Logo span"]
    {
        assert!(shown(missing).is_empty(), "{missing}");
    }
    let product = get(shop.address, "/product/1").await.text;
    assert!(product.contains(",99\u{a0}\u{20ac}") || product.contains(",49\u{a0}\u{20ac}"), "{product}");
    assert!(product.contains("\"priceCurrency\":\"EUR\"") && !product.contains("USD"));
}

/// A space too many in the document would keep the browser from applying the colours.
#[tokio::test(flavor = "multi_thread")]
async fn the_shop_s_colours_are_allowed_by_the_policy() {
    let folder = tempfile::tempdir().unwrap();
    let shop = start(&example(folder.path()), &[]);
    for path in ["/", "/products", "/offline"] {
        let answer = get(shop.address, path).await;
        let policy = answer.headers["content-security-policy"].to_str().unwrap();
        let styles = selected(&Html::parse_document(&answer.text), "style");
        assert_eq!(styles.len(), 2, "{path}");
        assert!(styles[1].contains("--colour-action:light-dark(#8a3d1f,"), "{path}: {}", styles[1]);
        for style in styles {
            let hash = BASE64_STANDARD.encode(Sha256::digest(&style));
            assert!(policy.contains(&format!("'sha256-{hash}'")), "{path}: {style:.60}");
        }
    }
    let manifest = get(shop.address, "/manifest.webmanifest").await.text;
    assert!(manifest.contains("\"theme_color\": \"#") && !manifest.contains("#16231e"), "{manifest}");
}

#[test]
fn a_file_that_cannot_be_used_is_named_with_its_mistake() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("shop.toml");
    fs::write(&file, "name = \"Lux\"\nlogo = 3\n").unwrap();
    let named = file.to_str().unwrap();
    for command in ["serve", "check"] {
        let mut command_line = vitrine();
        command_line.args([command, "--listen", "127.0.0.1:0", "--memory-limit", "4096", "--shop", named]);
        let output = command_line.args(PATIENT).output().unwrap();
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8(said).unwrap();
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(
            said.contains(named) && said.contains("line 2") && said.contains("logo"),
            "{command}: {said}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_logo_is_in_the_header_and_is_every_icon() {
    let folder = tempfile::tempdir().unwrap();
    let shop = start(&example(folder.path()), &[]);
    let home = get(shop.address, "/").await;
    let html = Html::parse_document(&home.text);
    for path in [&*attribute(&html, "img.Logo-own", "src"), "/favicon.svg"] {
        let answer = get(shop.address, path).await;
        assert_eq!(answer.text, LOGO, "{path}");
        assert_eq!(answer.headers["content-type"], "image/svg+xml");
        assert_eq!(
            answer.headers["content-security-policy"],
            "default-src 'none'; style-src 'unsafe-inline'; sandbox"
        );
    }
    for (path, side) in [("/favicon.ico", 32), ("/icons/180.png", 180_u32), ("/icons/512.png", 512)] {
        let answer = client().get(format!("http://{}{path}", shop.address)).send().await.unwrap();
        let bytes = answer.bytes().await.unwrap();
        assert_eq!(bytes[16..20], side.to_be_bytes(), "{path}");
        let of_the_sample = fs::read(format!("client/icons/{side}.png")).unwrap();
        assert!(bytes != of_the_sample, "{path}");
    }
    let former = get(shop.address, "/logo/0.svg").await;
    assert_eq!((&*former.text, &former.headers["cache-control"]), (LOGO, &"no-store".parse().unwrap()));
    assert_eq!(get(shop.address, "/icons/33.png").await.status, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn icons_without_a_logo_have_the_shop_s_colour_and_ornament() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("shop.toml");
    fs::write(&file, "accent = \"#8a3d1f\"\nornament = \"none\"").unwrap();
    let shop = start(&file, &[]);
    let icon = get(shop.address, "/favicon.svg").await.text;
    assert!(icon.contains("fill=\"#8a3d1f\"") && !icon.contains("#14503f"), "{icon}");
    let home = get(shop.address, "/").await.text;
    assert!(home.contains("--awning:var(--colour-line)"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_is_a_page_of_the_shop() {
    let folder = tempfile::tempdir().unwrap();
    let shop = start(&example(folder.path()), &[]);
    let page = get(shop.address, "/page/impressum").await;
    let html = Html::parse_document(&page.text);
    assert_eq!(selected(&html, "h1"), ["Impressum"]);
    assert_eq!(selected(&html, "title"), ["Impressum | Lampenladen"]);
    assert_eq!(selected(&html, ".TextPage a[href='/brands']"), ["Berlin"]);
    assert_eq!(get(shop.address, "/_data/page/impressum").await.status, 200);
    assert!(get(shop.address, "/sitemap.xml").await.text.contains("/page/impressum</loc>"));
    assert!(get(shop.address, "/llms.txt").await.text.contains("[Impressum]("));
    for missing in ["/page/agb", "/page/agb/"] {
        assert_eq!(get(shop.address, missing).await.status, 404, "{missing}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_of_the_file_shows_at_once_and_a_mistake_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = example(folder.path());
    let text = fs::read_to_string(&file).unwrap();
    let shop = start(&file, &[]);
    let name = async || {
        let home = get(shop.address, "/").await.text;
        selected(&Html::parse_document(&home), ".Footer-name").concat()
    };
    assert_eq!(name().await, "Lampenladen");
    fs::write(&file, text.replace("Lampenladen", "Lichthaus").replace("#8a3d1f", "#1f5d8a")).unwrap();
    shop.logged("the shop's file has changed, and the shop with it");
    until("the new name", async || name().await == "Lichthaus").await;
    let products = get(shop.address, "/products").await;
    let policy = products.headers["content-security-policy"].to_str().unwrap();
    let html = Html::parse_document(&products.text);
    let styles = selected(&html, "style");
    assert!(styles[1].contains("#1f5d8a"), "{}", styles[1]);
    assert!(policy.contains(&BASE64_STANDARD.encode(Sha256::digest(&styles[1]))));
    assert!(get(shop.address, "/manifest.webmanifest").await.text.contains("Lichthaus"));
    fs::write(&file, text.replace("ornament = ", "ornamnet = ")).unwrap();
    let mistake = shop.logged("the shop's file cannot be used; the shop stays as it was");
    assert!(mistake["error"].as_str().unwrap().contains("ornamnet"), "{mistake}");
    assert_eq!(name().await, "Lichthaus");
    // A file beside it counts too, also one that is written later.
    fs::write(&file, text.replace("impressum.md", "agb.md")).unwrap();
    let missing = shop.logged("the shop's file cannot be used; the shop stays as it was");
    assert!(missing["error"].as_str().unwrap().contains("agb.md"), "{missing}");
    fs::write(folder.path().join("agb.md"), "Wer bestellt, bezahlt.").unwrap();
    shop.logged("the shop's file has changed, and the shop with it");
    assert_eq!(get(shop.address, "/page/agb").await.status, 200);
    fs::write(&file, &text).unwrap();
    shop.logged("the shop's file has changed, and the shop with it");
    fs::write(folder.path().join("impressum.md"), "# Anbieter\n\nLampenladen").unwrap();
    shop.logged("the shop's file has changed, and the shop with it");
    until("the new text", async || {
        get(shop.address, "/page/impressum").await.text.contains("Anbieter | Lampenladen")
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
    let products = get(shop.address, "/products").await;
    let html = Html::parse_document(&products.text);
    assert_eq!(selected(&html, ".Footer-name"), ["My Shop"]);
    let pictures = BTreeSet::from_iter(attributes(&html, ".ProductCard img", "src"));
    assert_eq!(pictures.len(), 6);
    for picture in pictures {
        assert_eq!(get(shop.address, &picture).await.headers["content-type"], "image/png");
    }
    assert_eq!(get(shop.address, "/page/terms").await.status, 200);
    let again = vitrine().arg("init").arg(&own).output().unwrap();
    assert_eq!(again.status.code(), Some(1));
    assert!(String::from_utf8(again.stderr).unwrap().contains("is not empty"));
}
