//! Copies of the pictures that lie beside a file of products.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use reqwest::header;
use serde_json::Value;
use tempfile::TempDir;

use crate::common::client;
use crate::common::days::{Answer, get};
use crate::common::operators::Socket;
use crate::common::pages::data;
use crate::common::program::{Program, check, vitrine};
use crate::common::until::until;

const FOR_EVER: &str = "public, max-age=31536000, immutable";

/// A PNG of this size, with so much detail that a copy of the same width is smaller.
pub(crate) fn png(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    let noise = (0..width * height).flat_map(|at| {
        let (x, y) = (at % width, at / width);
        [x * 255 / width, y * 255 / height, at.wrapping_mul(2_654_435_761) >> 28]
            .map(|value| value.to_le_bytes()[0])
    });
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&noise.collect::<Vec<_>>()).unwrap();
    writer.finish().unwrap();
    bytes
}

fn real(name: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/pictures").join(name)).unwrap()
}

/// A folder with a table and its pictures: a large one, one for print, and one whose content is cut.
fn filled() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("pictures")).unwrap();
    let table =
        "id,title,price,images\nlamp,Oak Lamp,5,lamp.png\nprint,Print,5,cmyk.jpg\ncut,Cut,5,cut.png\n";
    let lamp = png(700, 500);
    for (name, content) in [
        ("products.csv", table.as_bytes()),
        ("pictures/lamp.png", &lamp),
        ("pictures/cmyk.jpg", &real("cmyk.jpg")),
        ("pictures/cut.png", &png(690, 500)[..2_000]),
    ] {
        fs::write(folder.path().join(name), content).unwrap();
    }
    folder
}

/// A shop of the folder. Nothing is made ahead: tests would have to wait for it.
fn start(folder: &Path, flags: &[&str]) -> Program {
    let images = folder.join("pictures").display().to_string();
    let state = folder.join("state").display().to_string();
    let own = ["--images", &images, "--state-dir", &state, "--render-ahead", "off"];
    Program::of_file(&folder.join("products.csv"), &[&own, flags].concat())
}

async fn picture(shop: &Program, key: &str) -> String {
    let product: Value = data(shop.address, &format!("/product/{key}")).await["content"]["product"].clone();
    product["images"][0].as_str().unwrap().to_owned()
}

/// The address of a copy.
fn copy_of(address: &str, copy: &str) -> String {
    let (name, _) = address.split_once(".").unwrap();
    format!("{name}-{copy}")
}

fn described(answer: &Answer) -> (u16, &str, &str) {
    (answer.status, answer.headers[header::CONTENT_TYPE].to_str().unwrap(), answer.caching())
}

pub(crate) async fn bytes(shop: &Program, address: &str) -> Vec<u8> {
    let answer = client().get(format!("http://{}{address}", shop.address)).send().await.unwrap();
    answer.bytes().await.unwrap().to_vec()
}

/// Waits for a copy: a request waits for five seconds, which is not enough while many tests run.
pub(crate) async fn until_copied(shop: &Program, address: &str) {
    until("a copy", async || is_whole(&bytes(shop, address).await)).await;
}

/// The files of copies.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let copies = folder.join("state/pictures/1");
    let folders = fs::read_dir(copies).into_iter().flatten().flatten();
    let files = folders.flat_map(|folder| fs::read_dir(folder.path()).into_iter().flatten().flatten());
    let mut files: Vec<_> = files.map(|file| file.path()).collect();
    files.retain(|file| !file.to_string_lossy().ends_with("-fit"));
    files.sort();
    files
}

/// The value of a metric.
pub(crate) fn metric(socket: &Socket, name: &str) -> u64 {
    let text = socket.ask("GET /metrics");
    let line = text.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
    line.trim().parse().unwrap_or_default()
}

#[tokio::test(flavor = "multi_thread")]
async fn pictures_beside_a_file_are_sent_as_small_as_they_are_shown() {
    let (folder, socket) = (filled(), Socket::new());
    let shop = start(folder.path(), &["--admin", &socket.address()]);
    let lamp = picture(&shop, "lamp").await;
    assert!(lamp.contains(".png#700x500"), "{lamp}");
    let page = get(shop.address, "/product/lamp").await.text;
    let srcset = [copy_of(&lamp, "480.webp 480w"), copy_of(&lamp, "800.webp 700w\"")].join(",");
    assert!(page.contains(&srcset), "{page}");
    assert!(page.contains("width=\"700\" height=\"500\""), "{page}");

    let copy = copy_of(&lamp, "480.webp");
    until_copied(&shop, &copy).await;
    let answer = get(shop.address, &copy).await;
    assert_eq!(described(&answer), (200, "image/webp", FOR_EVER));
    let copy = bytes(&shop, &copy).await;
    assert_eq!((&copy[8..15], u16::from_le_bytes([copy[26], copy[27]])), (&b"WEBPVP8"[..], 480));
    assert_eq!(files(folder.path()).len(), 3, "and the smaller ones");
    assert_eq!(metric(&socket, "vitrine_picture_copies_total{outcome=\"made\"}"), 3);
    assert!(metric(&socket, "vitrine_picture_copies_total{outcome=\"sent\"}") >= 2);
    assert!(metric(&socket, "vitrine_picture_copies_kept_bytes") > copy.len() as u64);

    let preview = copy_of(&lamp, "preview.jpg");
    let is_made = async || get(shop.address, &preview).await.headers[header::CONTENT_TYPE] == "image/jpeg";
    until("a preview", is_made).await;
    assert!(
        page.contains(&format!("{preview}\">\n<meta property=\"og:image:width\" content=\"1200\">")),
        "{page}"
    );
    assert_eq!(described(&get(shop.address, &preview).await), (200, "image/jpeg", FOR_EVER));
    let lines = get(shop.address, "/products.jsonl").await.text;
    assert!(lines.contains("/images/lamp-") && !lines.contains('#'), "{lines}");
    assert!(!get(shop.address, "/merchant.xml").await.text.contains("#700x500"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_is_kept_for_the_next_start_and_made_again_where_its_file_is_wrong() {
    let (folder, socket) = (filled(), Socket::new());
    let shop = start(folder.path(), &[]);
    let copy = copy_of(&picture(&shop, "lamp").await, "320.webp");
    until_copied(&shop, &copy).await;
    let made = bytes(&shop, &copy).await;
    drop(shop);
    let file = files(folder.path())
        .into_iter()
        .find(|file| file.ends_with("320") || file.to_string_lossy().ends_with("-320"));
    let file = file.unwrap();
    let shop = start(folder.path(), &["--admin", &socket.address()]);
    assert!(bytes(&shop, &copy).await == made);
    assert_eq!(metric(&socket, "vitrine_picture_copies_total{outcome=\"made\"}"), 0);
    for wrong in [Vec::new(), made[..made.len() / 2].to_vec()] {
        fs::write(&file, wrong).unwrap();
        until("the copy as it was", async || bytes(&shop, &copy).await == made).await;
    }
    assert_eq!(metric(&socket, "vitrine_picture_copies_total{outcome=\"made\"}"), 4, "two widths, twice");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_picture_that_cannot_be_copied_is_sent_as_it_is() {
    let (folder, socket) = (filled(), Socket::new());
    let shop = start(folder.path(), &["--admin", &socket.address()]);
    let print = picture(&shop, "print").await;
    assert!(print.ends_with(".jpg"), "{print}");
    assert!(!get(shop.address, "/product/print").await.text.contains("srcSet=\"/images/cmyk"));
    assert_eq!(get(shop.address, &copy_of(&print, "160.webp")).await.status, 404);
    let cut = copy_of(&picture(&shop, "cut").await, "160.webp");
    let failed = || metric(&socket, "vitrine_picture_copies_total{outcome=\"failed\"}");
    let mut times = Vec::new();
    for _ in 0..2 {
        let answer = get(shop.address, &cut).await;
        assert_eq!(described(&answer), (200, "image/png", "public, max-age=60"));
        times.push(failed());
    }
    // In the background it is found out how the picture fits, which fails too.
    assert!(times[0] >= 1 && times[1] <= 2, "it is not tried again: {times:?}");
    shop.logged("a picture is sent as it is");
}

#[tokio::test(flavor = "multi_thread")]
async fn made_up_addresses_cost_nothing() {
    let (folder, socket) = (filled(), Socket::new());
    let shop = start(folder.path(), &["--admin", &socket.address()]);
    // How each picture fits is found out in the background.
    until("the pictures are known", async || {
        metric(&socket, "vitrine_picture_copies_total{outcome=\"failed\"}") == 1
            && picture(&shop, "lamp").await.contains('#')
    })
    .await;
    let lamp = picture(&shop, "lamp").await;
    for other in
        ["1600.webp", "481.webp", "0480.webp", "480.jpg", "480.webp.webp", "preview.webp", "-480.webp", "fit"]
    {
        assert_eq!(get(shop.address, &copy_of(&lamp, other)).await.status, 404, "{other}");
    }
    let (client, address) = (client(), shop.address);
    let askers: Vec<_> = (0..8)
        .map(|first| {
            let client = client.clone();
            tokio::spawn(async move {
                for number in (first..10_000_u32).step_by(8) {
                    let address = format!("http://{address}/images/lamp-{number:032x}-480.webp");
                    assert_eq!(client.get(address).send().await.unwrap().status(), 404);
                }
            })
        })
        .collect();
    for asker in askers {
        asker.await.unwrap();
    }
    assert_eq!(files(folder.path()).len(), 0);
    assert_eq!(metric(&socket, "vitrine_picture_copies_total{outcome=\"made\"}"), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn how_pictures_fit_is_found_out_and_shown_and_known_after_a_start() {
    let folder = filled();
    let white = real("baseline.jpg");
    fs::write(folder.path().join("pictures/cut.png"), white).unwrap();
    fs::write(folder.path().join("pictures/cmyk.jpg"), real("alpha.png")).unwrap();
    let shop = start(folder.path(), &[]);
    assert!(picture(&shop, "print").await.ends_with("#96x64c"), "its header says that it is transparent");
    let known = folder.path().join("state/pictures/fits");
    until("what was found out is kept", async || known.exists()).await;
    until("pages say it", async || picture(&shop, "print").await.ends_with("#96x64c")).await;
    drop(shop);
    let before = fs::metadata(&known).unwrap().modified().unwrap();
    let shop = start(folder.path(), &[]);
    assert!(picture(&shop, "lamp").await.ends_with("#700x500f"));
    assert_eq!(fs::metadata(&known).unwrap().modified().unwrap(), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn copies_can_be_turned_off() {
    let folder = filled();
    let shop = start(folder.path(), &["--pictures", "off"]);
    let lamp = picture(&shop, "lamp").await;
    assert!(lamp.ends_with(".png"), "{lamp}");
    assert!(!get(shop.address, "/product/lamp").await.text.contains("480.webp"));
    assert_eq!(get(shop.address, &copy_of(&lamp, "480.webp")).await.status, 404);
    assert!(!folder.path().join("state/pictures").exists());
}

#[test]
fn check_names_what_is_not_copied_and_says_what_copies_save() {
    let folder = filled();
    let catalogue = format!("file:{}", folder.path().join("products.csv").display());
    let images = folder.path().join("pictures").display().to_string();
    let (code, said) = check(["--catalogue", &catalogue, "--images", &images]);
    for part in [
        "1 picture is sent as it is, because its colours are for print (CMYK): cmyk.jpg",
        "the 3 pictures of the first products have 0.",
        " MB as copies",
    ] {
        assert!(said.contains(part), "{part}\n{said}");
    }
    assert_eq!(code, Some(0), "{said}");
}

/// A folder with this many pictures of their own content.
fn with_pictures(count: u32) -> TempDir {
    let folder = filled();
    let rows: String =
        (0..count).map(|number| format!("p{number},Lamp {number},5,p{number}.png\n")).collect();
    fs::write(folder.path().join("products.csv"), format!("id,title,price,images\n{rows}")).unwrap();
    for number in 0..count {
        fs::write(folder.path().join(format!("pictures/p{number}.png")), png(500 + number, 400)).unwrap();
    }
    folder
}

/// Whether it is a whole WebP.
fn is_whole(copy: &[u8]) -> bool {
    copy.starts_with(b"RIFF")
        && copy.get(4..8).is_some_and(|length| {
            u32::from_le_bytes([length[0], length[1], length[2], length[3]]) as usize + 8 == copy.len()
        })
}

/// A disk without room is stood in for by a limit of each file's length, which is a failed write too. The signal that comes with
/// it is ignored, as programs do.
#[tokio::test(flavor = "multi_thread")]
async fn on_a_full_disk_copies_are_made_and_sent_and_it_is_said_once() {
    let folder = with_pictures(3);
    let (images, state) = (folder.path().join("pictures"), folder.path().join("state"));
    let mut shell = Command::new("sh");
    shell.args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\""]).arg(vitrine().get_program());
    shell.args(["--catalogue", &format!("file:{}", folder.path().join("products.csv").display())]);
    shell
        .args(["--isolates", "1", "--render-ahead", "off"])
        .arg("--images")
        .arg(images)
        .arg("--state-dir")
        .arg(state);
    let shop = Program::spawn(&mut shell);
    for number in 0..3 {
        let copy = copy_of(&picture(&shop, &format!("p{number}")).await, "480.webp");
        until_copied(&shop, &copy).await;
        assert!(is_whole(&bytes(&shop, &copy).await), "{number}, from memory");
    }
    let message = "copies of pictures are kept in memory until the next start";
    shop.logged(message);
    assert!(shop.logged_within(message, Duration::from_secs(1)).is_none());
    assert_eq!(get(shop.address, "/products").await.status, 200);
    let left = fs::read_dir(folder.path().join("state/pictures/1")).into_iter().flatten().flatten();
    assert!(!left.into_iter().any(|entry| entry.file_name().to_string_lossy().starts_with("part-")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shop_that_is_killed_while_it_makes_copies_has_whole_ones_afterwards() {
    const PICTURES: u32 = 12;
    let folder = with_pictures(PICTURES);
    let mut copies = Vec::new();
    for round in 0..4_u64 {
        let shop = start(folder.path(), &[]);
        if copies.is_empty() {
            for number in 0..PICTURES {
                copies.push(copy_of(&picture(&shop, &format!("p{number}")).await, "480.webp"));
            }
        }
        let asking: Vec<_> = copies
            .iter()
            .map(|copy| tokio::spawn(client().get(format!("http://{}{copy}", shop.address)).send()))
            .collect();
        tokio::time::sleep(Duration::from_millis(40 + 90 * round)).await;
        // It is killed.
        drop(shop);
        asking.iter().for_each(tokio::task::JoinHandle::abort);
    }
    let shop = start(folder.path(), &[]);
    for copy in &copies {
        until_copied(&shop, copy).await;
    }
    for file in files(folder.path()) {
        let content = fs::read(&file).unwrap();
        let (copy, _) = content.split_at(content.len() - 16);
        assert!(copy.is_empty() || is_whole(copy), "{}", file.display());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn replicas_may_share_a_folder() {
    let (folder, socket) = (with_pictures(4), Socket::new());
    let (one, other) = (start(folder.path(), &[]), start(folder.path(), &["--admin", &socket.address()]));
    for number in 0..4 {
        let copy = copy_of(&picture(&one, &format!("p{number}")).await, "320.webp");
        until_copied(&one, &copy).await;
        let made = bytes(&one, &copy).await;
        assert!(bytes(&other, &copy).await == made);
    }
    assert_eq!(
        metric(&socket, "vitrine_picture_copies_total{outcome=\"made\"}"),
        0,
        "the other has made them"
    );
    assert!(metric(&socket, "vitrine_picture_copies_kept_bytes") > 0);
}
