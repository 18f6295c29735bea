//! What the program may do with files, in a process of its own.

use std::fs::{self, DirEntry};
use std::io;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::time::Duration;

use vitrine::process::sandbox::{AllowedPaths, Enforcement, restrict};

use crate::common::days::get;
use crate::common::operators::Socket;
use crate::common::pages::data;
use crate::common::program::{PATIENT, Program, check};
use crate::common::until::{blocking_until, until};
use crate::common::upstream::Upstream;

/// How this kernel enforces a sandbox, looked up on a thread that ends afterwards.
fn enforcement() -> Enforcement {
    std::thread::spawn(|| restrict(&AllowedPaths::default()).files.unwrap()).join().unwrap()
}

/// How many filters restrict each thread of a process, as the kernel reports them.
fn filters(process: u64) -> Vec<u32> {
    let threads = fs::read_dir(format!("/proc/{process}/task")).unwrap();
    // A thread may have ended meanwhile.
    let statuses = threads.filter_map(|thread| fs::read_to_string(thread.ok()?.path().join("status")).ok());
    let filters = statuses.filter_map(|status| {
        let line = status.lines().find_map(|line| line.strip_prefix("Seccomp_filters:"))?;
        line.trim().parse().ok()
    });
    filters.collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_thread_of_a_worker_is_restricted_and_its_supervisor_is_not() {
    let upstream = Upstream::start().await;
    let folder = tempfile::tempdir().unwrap();
    let (base, state) = (upstream.base(), folder.path().join("state"));
    let flags = ["--supervise", "--catalogue", base.as_str(), "--state-dir", state.to_str().unwrap()];
    let shop = Program::start(&[&PATIENT[..], &flags].concat());
    let line = shop.logged("the process is restricted to what it needs");
    assert_eq!(line["sandbox"], enforcement().text());
    let worker = shop.ready();
    // The tests may run under filters themselves.
    let own = filters(std::process::id().into())[0];
    assert!(filters(shop.id().into()).iter().all(|filters| *filters == own));
    let workers = filters(worker);
    assert!(workers.len() > 2 && workers.iter().all(|filters| *filters == own + 1), "{workers:?}");
    blocking_until("the state to be saved", || is_saved_in(&state));
    let free = Program::start(&[&PATIENT[..], &["--sandbox", "off"]].concat());
    assert!(filters(free.id().into()).iter().all(|filters| *filters == own), "without a sandbox");
}

/// Whether the state of a service is in this folder.
fn is_saved_in(state: &Path) -> bool {
    let is_saved = |file: io::Result<DirEntry>| file.unwrap().path().extension() == Some("state".as_ref());
    fs::read_dir(state).unwrap().any(is_saved)
}

/// Writes a catalogue of six products with this title, and a picture for them.
fn fill(catalogue: &Path, pictures: &Path, title: &str) {
    for folder in [catalogue, pictures] {
        fs::create_dir_all(folder).unwrap();
    }
    let rows: String = (1..=6).map(|id| format!("{id},{title} {id},5,lamp.gif\n")).collect();
    fs::write(catalogue.join("products.csv"), format!("id,title,price,image\n{rows}")).unwrap();
    fs::write(pictures.join("lamp.gif"), format!("GIF89a {title}")).unwrap();
}

/// The flags of a shop that sells what [`fill`] has written.
fn of_files(folder: &Path) -> Vec<String> {
    let (file, pictures) = (folder.join("shop/products.csv"), folder.join("pictures"));
    let values = [format!("file:{}", file.display()), pictures.display().to_string()];
    ["--catalogue", &values[0], "--images", &values[1]].map(str::to_owned).into()
}

/// The address of the picture of the first product, and what is there.
async fn picture(shop: &Program) -> (String, String) {
    let product = data(shop.address, "/product/1").await;
    let address = product["content"]["product"]["images"][0].as_str().unwrap().to_owned();
    let content = get(shop.address, &address).await.text;
    (address, content)
}

#[tokio::test(flavor = "multi_thread")]
async fn folders_that_others_take_the_place_of_are_read_by_another_worker() {
    if !matches!(enforcement(), Enforcement::Full | Enforcement::Partial) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fill(&at("one/shop"), &at("pictures"), "Cup");
    symlink(at("one/shop"), at("shop")).unwrap();
    let flags = of_files(folder.path());
    let (shop, _) = Program::supervised(&flags.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(picture(&shop).await.1, "GIF89a Cup");
    // A link that is moved, and a folder that is moved away.
    fill(&at("two/shop"), &at("new pictures"), "Bowl");
    symlink(at("two/shop"), at("link")).unwrap();
    fs::rename(at("link"), at("shop")).unwrap();
    fs::rename(at("pictures"), at("old pictures")).unwrap();
    fs::rename(at("new pictures"), at("pictures")).unwrap();
    assert_eq!(picture(&shop).await.1, "GIF89a Cup", "the last good ones stay on sale");
    shop.logged(
        "the sandbox does not know what is now at this path; the supervisor is asked for another worker",
    );
    shop.ready();
    until("the new products", async || get(shop.address, "/products").await.text.contains("Bowl 6")).await;
    until("their pictures", async || picture(&shop).await.1 == "GIF89a Bowl").await;
    // Not again and again.
    fs::rename(at("pictures"), at("former pictures")).unwrap();
    fs::rename(at("old pictures"), at("pictures")).unwrap();
    shop.logged(
        "the sandbox does not know what is now at this path; the supervisor is asked for another worker",
    );
    assert_eq!(shop.logged_within("replacing the worker", Duration::from_secs(2)), None);
    assert_eq!(picture(&shop).await.1, "GIF89a Bowl");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_folders_of_the_state_and_of_the_shop_s_file_may_be_moved_too() {
    if !matches!(enforcement(), Enforcement::Full | Enforcement::Partial) {
        return;
    }
    let upstream = Upstream::start().await;
    for moved in ["state", "shop"] {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let describe = |name: &str, shop: &str| {
            fs::create_dir(at(name)).unwrap();
            fs::write(at(name).join("shop.toml"), format!("name = \"{shop}\"\n")).unwrap();
        };
        describe("shop", "Former");
        let (base, state, file) = (upstream.base(), at("state"), at("shop/shop.toml"));
        let [state, file] = [&state, &file].map(|path| path.to_str().unwrap());
        let flags = ["--catalogue", base.as_str(), "--state-dir", state, "--shop", file];
        let (shop, _) = Program::supervised(&flags);
        blocking_until("the state to be saved", || is_saved_in(&at("state")));
        assert!(get(shop.address, "/").await.text.contains("Former"));
        match moved {
            "state" => fs::create_dir(at("new")).unwrap(),
            _ => describe("new", "Latter"),
        }
        fs::rename(at(moved), at("old")).unwrap();
        fs::rename(at("new"), at(moved)).unwrap();
        let asked = shop.logged(
            "the sandbox does not know what is now at this path; the supervisor is asked for another worker",
        );
        assert!(asked["path"].as_str().unwrap().starts_with(at(moved).to_str().unwrap()), "{asked}");
        shop.ready();
        match moved {
            "state" => blocking_until("the state to be saved again", || is_saved_in(&at("state"))),
            _ => until("the new name", async || get(shop.address, "/").await.text.contains("Latter")).await,
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_supervisor_an_operator_is_told_and_the_last_pictures_stay() {
    if !matches!(enforcement(), Enforcement::Full | Enforcement::Partial) {
        return;
    }
    let (folder, socket) = (tempfile::tempdir().unwrap(), Socket::new());
    let at = |name: &str| folder.path().join(name);
    fill(&at("shop"), &at("pictures"), "Cup");
    let mut flags = of_files(folder.path());
    let (_, said) = check(&flags);
    assert!(said.contains("with --supervise the shop starts another worker by itself"), "{said}");
    flags.extend(["--isolates", "1", "--admin", &socket.address()].map(str::to_owned));
    let shop = Program::quiet(&flags.iter().map(String::as_str).collect::<Vec<_>>());
    let (address, _) = picture(&shop).await;
    fs::rename(at("pictures"), at("old pictures")).unwrap();
    // A file that has changed would lose every picture.
    fill(&at("shop"), &at("pictures"), "Bowl");
    let error = &shop.logged("the file is not used; what was read before stays on sale")["error"];
    assert!(error.as_str().unwrap().contains("the sandbox does not know the folder"), "{error}");
    shop.logged(
        "the sandbox does not know what is now at this path: start the shop again, or use --supervise",
    );
    let status = socket.ask("GET /status");
    let path = at("pictures").display().to_string();
    assert!(status.contains(&path) && status.contains("use --supervise"), "{status}");
    assert_eq!(picture(&shop).await, (address, "GIF89a Cup".into()));
}
