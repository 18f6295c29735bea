//! Pictures that lie beside a file of products.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use reqwest::header;
use serde_json::Value;
use tempfile::TempDir;

use crate::common::client;
use crate::common::days::get;
use crate::common::pages::{ask, data};
use crate::common::program::{Program, check, vitrine};
use crate::common::until::until;

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n and what follows";
const GIF: &[u8] = b"GIF89a and what follows";

/// A picture that is larger than what is read at once.
fn large() -> Vec<u8> {
    let mut picture = b"RIFF\0\0\0\0WEBP".to_vec();
    picture.extend((0..700_000_u32).map(|number| (number * 7 % 251) as u8));
    picture
}

/// A folder with a table, with pictures, and with files that are no pictures.
fn filled() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let pictures = folder.path().join("pictures");
    fs::create_dir_all(pictures.join("sub")).unwrap();
    for (name, content) in [
        ("pictures/lamp.webp", &*large()),
        ("pictures/sub/Lamp 2.jpg", PNG),
        ("pictures/small.gif", GIF),
        ("pictures/drawing.png", b"<svg xmlns='http://www.w3.org/2000/svg'/>"),
        ("secret.gif", GIF),
        ("products.csv", TABLE.as_bytes()),
    ] {
        fs::write(folder.path().join(name), content).unwrap();
    }
    symlink("../secret.gif", pictures.join("link.gif")).unwrap();
    symlink("small.gif", pictures.join("inside.gif")).unwrap();
    assert!(Command::new("mkfifo").arg(pictures.join("pipe.gif")).status().unwrap().success());
    folder
}

const TABLE: &str = "id,group,title,price,images,image,options\n\
    lamp-s,lamp,Oak Lamp,5,lamp.webp|missing.webp|https://cdn.example/lamp.webp,small.gif,Size: S\n\
    lamp-m,lamp,Oak Lamp,6,,small.gif,Size: M\n\
    cup,,Cup,5,drawing.png|link.gif|pipe.gif|sub|../secret.gif|/secret.gif|//a.example/b.gif,,\n\
    bowl,,Bowl,5,inside.gif,,\n";

fn flags(folder: &Path, name: &str) -> [String; 4] {
    let file = format!("file:{}", folder.join(name).display());
    ["--catalogue".into(), file, "--images".into(), folder.join("pictures").display().to_string()]
}

fn start(folder: &Path, name: &str) -> Program {
    Program::spawn(vitrine().args(["--isolates", "1"]).args(flags(folder, name)))
}

async fn product(shop: &Program, key: &str) -> Value {
    data(shop.address, &format!("/product/{key}")).await["content"]["product"].clone()
}

async fn images(shop: &Program, key: &str) -> Vec<String> {
    serde_json::from_value(product(shop, key).await["images"].clone()).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn pictures_beside_a_file_are_shown() {
    let folder = filled();
    let shop = start(folder.path(), "products.csv");
    let lamp = images(&shop, "lamp").await;
    assert_eq!(lamp.len(), 3, "{lamp:?}");
    assert_eq!(lamp[1], "https://cdn.example/lamp.webp");
    assert!(lamp[2].starts_with("/images/small-"), "the picture of both variants: {lamp:?}");
    assert!(lamp[0].starts_with("/images/lamp-") && lamp[0].ends_with(".webp"), "{lamp:?}");
    let cup = images(&shop, "cup").await;
    assert_eq!(
        cup,
        ["/secret.gif", "https://a.example/b.gif"],
        "a path on the shop's own host is an address"
    );
    let listed = get(shop.address, "/products").await.text;
    assert!(listed.contains(&format!("src=\"{}\"", lamp[0])), "{listed}");

    let answer = ask(shop.address, &lamp[0], &[("if-none-match", "\"other\"")]).await;
    let headers = answer.headers().clone();
    for (name, expected) in [
        (header::CONTENT_TYPE, "image/webp"),
        (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::CONTENT_LENGTH, "700012"),
    ] {
        assert_eq!(headers[&name], expected, "{name}");
    }
    assert!(answer.bytes().await.unwrap() == large(), "in several parts");
    let head = client().head(format!("http://{}{}", shop.address, lamp[0])).send().await.unwrap();
    for name in [header::CONTENT_TYPE, header::CONTENT_LENGTH, header::ETAG] {
        assert_eq!(head.headers()[&name], headers[&name], "{name} of HEAD");
    }
    let known = [("if-none-match", headers[header::ETAG].to_str().unwrap())];
    let unchanged = ask(shop.address, &lamp[0], &known).await;
    assert_eq!(unchanged.status(), 304);
    assert_eq!(unchanged.headers()[header::ETAG], headers[header::ETAG]);

    let small = get(shop.address, &images(&shop, "bowl").await[0]).await;
    assert_eq!(small.headers[header::CONTENT_TYPE], "image/gif");
    assert_eq!(small.text.as_bytes(), GIF);
    let other = lamp[0].replace("/images/lamp-", "/images/lamp-0");
    for unknown in [&*other, "/images/small.gif", "/images/..%2fsecret.gif", "/images/"] {
        let answer = get(shop.address, unknown).await;
        assert_eq!((answer.status, answer.caching()), (404, "no-store"), "{unknown}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn products_of_json_have_such_pictures_too_and_one_that_was_replaced_has_another_address() {
    let folder = filled();
    let json = r#"[{ "id": 1, "title": "Lamp", "price": 5, "thumbnail": "small.gif", "images": ["sub/Lamp 2.jpg", "pipe.gif"],
        "variants": [{ "options": [{ "name": "Size", "value": "S" }], "image": "lamp.webp" }] }]"#;
    fs::write(folder.path().join("products.json"), json).unwrap();
    let shop = start(folder.path(), "products.json");
    let pictures = images(&shop, "1").await;
    assert!(pictures.len() == 1 && pictures[0].starts_with("/images/lamp-2-"), "{pictures:?}");
    let png = get(shop.address, &pictures[0]).await;
    assert_eq!(png.status, 200);
    assert_eq!(png.headers[header::CONTENT_TYPE], "image/png");
    let thumbnail = async || product(&shop, "1").await["thumbnail"].as_str().unwrap_or_default().to_owned();
    let old = thumbnail().await;
    assert!(old.starts_with("/images/small-"), "{old}");
    fs::write(folder.path().join("pictures/small.gif"), [GIF, b" another"].concat()).unwrap();
    assert_eq!(get(shop.address, &old).await.status, 404, "an address has one content for ever");
    until("pages with the new address", async || ![&*old, ""].contains(&&*thumbnail().await)).await;
    assert!(get(shop.address, &thumbnail().await).await.text.ends_with(" another"));
}

#[test]
fn check_names_pictures_that_are_not_shown() {
    let folder = filled();
    let flags = flags(folder.path(), "products.csv");
    let (code, said) = check(&flags);
    for part in [
        "pictures that are not shown (6): missing.webp (No such file or directory",
        "drawing.png (no JPEG, PNG, WebP, GIF or AVIF)",
        "link.gif (",
        "pipe.gif (not a regular file)",
        "sub (not a regular file), …",
    ] {
        assert!(said.contains(part), "{part}\n{said}");
    }
    assert_eq!(code, Some(0), "the products are sold: {said}");
    let (code, said) = check(&flags[..2]);
    let expected =
        "(9), because --images does not say in which folder they are: small.gif, lamp.webp, missing.webp, ";
    assert!(code == Some(0) && said.contains(expected), "{said}");
}
