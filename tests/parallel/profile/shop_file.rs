//! A shop whose operator says in a file what it is called.

use std::collections::{BTreeSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};

use base64::prelude::{BASE64_STANDARD, Engine as _};
use scraper::{Html, Selector};
use sha2::{Digest as _, Sha256};
use vitrine::profile::Profile;

use super::texts;
use crate::common::days::get;
use crate::common::program::{PATIENT, Program, vitrine};

/// How many addresses are visited.
const VISITED: usize = 80;
const FILES: [&str; 6] =
    ["/manifest.webmanifest", "/opensearch.xml", "/feed.xml", "/llms.txt", "/robots.txt", "/sitemap.xml"];

/// The example of docs/shop.md in a folder.
fn example(folder: &Path) -> PathBuf {
    let document = include_str!("../../../docs/shop.md");
    let (_, example) = document.split_once("```toml\n").unwrap();
    let path = folder.join("shop.toml");
    fs::write(&path, example.split_once("```").unwrap().0).unwrap();
    path
}

fn start(file: &Path, further: &[&str]) -> Program {
    Program::quiet(&[&["--shop", file.to_str().unwrap(), "--isolates", "1"], further].concat())
}

fn selected(html: &Html, selector: &str) -> Vec<String> {
    let selector = Selector::parse(selector).unwrap();
    html.select(&selector).map(|element| element.text().collect::<String>().trim().to_owned()).collect()
}

/// Where the links of a page lead within the shop.
fn links(html: &Html) -> Vec<String> {
    let selector = Selector::parse("a[href^='/']").unwrap();
    let paths = html.select(&selector).filter_map(|link| link.attr("href"));
    paths.map(|path| path.split('#').next().unwrap_or_default().to_owned()).collect()
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
        if !FILES.contains(&&*path) {
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
    assert_eq!(shown("a[href='https://example.org/impressum']"), ["Impressum"]);
    for missing in [".SummerWindow", ".ShopStats", ".Footer-newsletter", ".HeaderActions-cart"] {
        assert!(shown(missing).is_empty(), "{missing}");
    }
    let product = get(shop.address, "/product/1").await.text;
    assert!(product.contains(",99\u{a0}\u{20ac}") || product.contains(",49\u{a0}\u{20ac}"), "{product}");
    assert!(product.contains("\"priceCurrency\":\"EUR\"") && !product.contains("USD"));
}

/// A space too much in the document would keep the browser from applying them.
#[tokio::test(flavor = "multi_thread")]
async fn the_shop_s_colours_are_allowed_by_the_policy() {
    let folder = tempfile::tempdir().unwrap();
    let shop = start(&example(folder.path()), &[]);
    for path in ["/", "/products", "/offline"] {
        let answer = get(shop.address, path).await;
        let policy = answer.headers["content-security-policy"].to_str().unwrap();
        let html = Html::parse_document(&answer.text);
        let selector = Selector::parse("style").unwrap();
        let styles: Vec<String> = html.select(&selector).map(|style| style.text().collect()).collect();
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
