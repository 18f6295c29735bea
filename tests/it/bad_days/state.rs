//! The saved catalogue: what a start during an outage serves, and what may replace it. What else can be in the directory is
//! in `state_directory/`.

use std::fs::{self, File};
use std::os::unix::fs::{FileExt as _, MetadataExt as _};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use vitrine::cache::Ages;
use vitrine::catalogue::{Catalogue as _, Followed, Service, StateDir, StateError};

use crate::common::days::{AGES, LIMITS, get, open, settings, unread};
use crate::common::faults::Fault;
use crate::common::program::{PATIENT, Program, vitrine};
use crate::common::queries::Sold as _;
use crate::common::real_renderer;
use crate::common::state::{healthy, moved, names, parts, saved, state, without_ages};
use crate::common::until::until;
use crate::common::upstream::Upstream;

const MOST: u64 = 5_000;
const MONTH: i64 = 30 * 86_400;

/// A new process of a shop, and whether it has loaded what is saved.
fn start(directory: &Path, upstream: &Upstream) -> (Arc<Followed<Service>>, Result<(), StateError>) {
    let catalogue = Arc::new(unread(upstream, MOST));
    let loaded = state(directory).load(&catalogue);
    (catalogue, loaded)
}

/// What is in the file.
fn content(state: &StateDir) -> Vec<u8> {
    fs::read(state.file()).unwrap()
}

/// A shop of a service that is away, with the saved catalogue if it can be used.
async fn start_during_an_outage(state: &StateDir, upstream: &Upstream, ages: Ages) -> Result<(), StateError> {
    upstream.set(Fault::RefuseConnections).await;
    let service = Service::new(upstream.base(), LIMITS).unwrap();
    let catalogue = Arc::new(Followed::new(service, ages, MOST));
    let loaded = state.load(&catalogue);
    // As a shop does every few seconds, whether or not anything is new.
    assert!(catalogue.all_products().await.is_ok() == loaded.is_ok());
    state.save(&catalogue).unwrap();
    loaded
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cold_start_during_an_outage_still_sells() {
    let (directory, upstream) = saved().await;
    upstream.set(Fault::RefuseConnections).await;
    let (catalogue, loaded) = start(directory.path(), &upstream);
    loaded.unwrap();
    let shop = open(catalogue, real_renderer(1).await, settings()).await;
    for path in ["/", "/categories", "/products", "/search/red", "/product/150"] {
        assert_eq!(get(shop, path).await.status, 200, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn details_that_are_damaged_in_the_file_are_asked_of_the_service() {
    let (directory, upstream) = saved().await;
    let state = state(directory.path());
    let (catalogue, _) = start(directory.path(), &upstream);
    let all = catalogue.all_products().await.unwrap();
    let last: u64 = all.products().last().unwrap().id.to_string().parse().unwrap();
    // The details of the last products are the last bytes of their part of the file.
    let good = content(&state);
    let at = without_ages(&good).len() - 1;
    File::options().write(true).open(state.file()).unwrap().write_all_at(&[!good[at]], at as u64).unwrap();

    assert!(catalogue.product(last).await.unwrap().is_some());
    upstream.set(Fault::RefuseConnections).await;
    let away = unread(&upstream, MOST);
    state.load(&away).unwrap();
    assert!(away.product(1).await.unwrap().is_some());
    away.product(last).await.unwrap_err();
    assert!(away.all_products().await.unwrap().products().any(|product| product.id == last.into()));

    // The next copy has the same products, and is written all the same.
    upstream.set(Fault::None).await;
    until("a file without damage", async || {
        let _ = away.read().await;
        state.save(&away).is_ok() && parts(&content(&state)).1 == parts(&good).1
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disk_that_is_full_leaves_the_old_file() {
    let (upstream, catalogue) = healthy().await;
    let directory = tempfile::tempdir().unwrap();
    let state = StateDir::new(directory.path(), upstream.base());
    state.save(&catalogue).unwrap();
    // So old that the shop asks for something new at once.
    let old = moved(&content(&state), -600);
    fs::write(state.file(), &old).unwrap();
    // Writing beyond a few kilobytes of a file fails, and the signal that announces it is ignored.
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_vitrine")]);
    command
        .args(PATIENT)
        .args(["--catalogue", upstream.base().as_str(), "--state-dir"])
        .arg(directory.path());
    let shop = Program::spawn(&mut command);
    let error = shop.logged("the catalogue's state was not saved");
    assert!(error["error"].as_str().unwrap().contains("File too large"), "{error}");
    assert_eq!(names(directory.path()).len(), 1, "what fills the disk is removed");
    assert!(content(&state) == old);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_start_with_the_wrong_service_leaves_what_is_saved_for_the_right_one() {
    let (upstream, catalogue) = healthy().await;
    for (right, wrong) in [
        ("http://catalogue.example/", "http://catalogue.exmaple/"),
        ("http://localhost:3001/", "http://127.0.0.1:3001/"),
        ("https://catalogue.example/api", "https://catalogue.example/api2"),
    ] {
        let directory = tempfile::tempdir().unwrap();
        let [right, mistyped, next] =
            [right, wrong, right].map(|address| StateDir::new(directory.path(), address));
        right.save(&catalogue).unwrap();
        let good = content(&right);
        let loaded = start_during_an_outage(&mistyped, &upstream, AGES).await;
        assert!(matches!(loaded, Err(StateError::OtherService)), "{wrong}");
        assert_eq!(content(&right), good, "{wrong}");
        assert_eq!(names(directory.path()).len(), 1, "nothing is known of {wrong}");
        // Each has a file of its own once there is something to save.
        mistyped.save(&catalogue).unwrap();
        assert_eq!(names(directory.path()).len(), 2);
        start_during_an_outage(&next, &upstream, AGES).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_catalogue_that_is_too_old_stays_for_a_start_that_takes_it() {
    let (directory, upstream) = saved().await;
    let next = || state(directory.path());
    let saved = content(&next());
    // As with a clock that is 30 days ahead.
    let old = moved(&saved, -MONTH);
    fs::write(next().file(), &old).unwrap();
    let loaded = start_during_an_outage(&next(), &upstream, AGES).await;
    assert!(matches!(loaded, Err(StateError::TooOld)), "{loaded:?}");
    assert!(content(&next()) == old);
    let longer = Ages { stale: Duration::from_secs(31 * 86_400), ..AGES };
    start_during_an_outage(&next(), &upstream, longer).await.unwrap();
    // Or the clock is right again.
    fs::write(next().file(), saved).unwrap();
    start_during_an_outage(&next(), &upstream, AGES).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn of_five_services_the_one_unused_for_longest_is_forgotten() {
    let (_upstream, catalogue) = healthy().await;
    let directory = tempfile::tempdir().unwrap();
    let service = |number: u64| StateDir::new(directory.path(), format!("http://{number}.example"));
    for number in 0..4 {
        service(number).save(&catalogue).unwrap();
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000 + number);
        File::open(service(number).file()).unwrap().set_modified(time).unwrap();
    }
    // A save counts as use, and so does a start, even if the service has nothing new.
    service(1).save(&catalogue).unwrap();
    service(0).load(&catalogue).unwrap();
    service(4).save(&catalogue).unwrap();
    let is_there = |number: u64| service(number).file().exists();
    assert_eq!([0, 1, 2, 3, 4].map(is_there), [true, true, false, true, true]);
    assert_eq!(names(directory.path()).len(), 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_that_has_not_changed_is_not_written_again_but_its_age_is() {
    const MINUTE: Duration = Duration::from_secs(60);
    let (directory, upstream) = saved().await;
    let state = state(directory.path());
    let file = state.file().to_owned();
    fs::write(&file, moved(&content(&state), -600)).unwrap();
    let catalogue = unread(&upstream, MOST);
    state.load(&catalogue).unwrap();
    state.save(&catalogue).unwrap();
    let inode = || fs::metadata(&file).unwrap().ino();
    let (written, first) = (content(&state), inode());
    let silence_after_a_start = || {
        let (next, loaded) = start(directory.path(), &upstream);
        loaded.unwrap();
        next.status().silence.unwrap()
    };
    assert!(silence_after_a_start() >= 10 * MINUTE);

    until("the new ages", async || {
        catalogue.read().await.unwrap();
        state.save(&catalogue).unwrap();
        silence_after_a_start() < MINUTE
    })
    .await;
    let confirmed = content(&state);
    let ages = confirmed.strip_prefix(without_ages(&written)).expect("the rest is as it was");
    assert!(inode() == first && ages.len() < 500, "{}", String::from_utf8_lossy(ages));
    // Ages that were not written completely do not count.
    fs::write(&file, &confirmed[..confirmed.len() - 1]).unwrap();
    assert!(silence_after_a_start() >= 10 * MINUTE);

    // Another process, or the same one after a restart, writes only the ages too.
    crate::common::state::state(directory.path()).save(&catalogue).unwrap();
    state.save(&catalogue).unwrap();
    assert!(silence_after_a_start() < MINUTE && inode() == first);
    upstream.set(Fault::Retitled(" Anew".into())).await;
    until("what is new", async || {
        catalogue.read().await.unwrap();
        state.save(&catalogue).unwrap();
        // Nothing answers at this address, so everything comes from the file.
        let away = Service::new("http://127.0.0.1:1".parse().unwrap(), LIMITS).unwrap();
        let next = Arc::new(Followed::new(away, AGES, MOST));
        crate::common::state::state(directory.path()).load(&next).unwrap();
        let all = next.all_products().await.unwrap();
        all.products().all(|product| product.title.ends_with(" Anew"))
    })
    .await;
    assert_eq!(names(directory.path()).len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_ca_certificates_the_saved_catalogue_is_sold_and_the_log_names_what_is_missing() {
    let (_upstream, catalogue) = healthy().await;
    for (base, needs_them) in [("http://catalogue.invalid", false), ("https://catalogue.invalid", true)] {
        let directory = tempfile::tempdir().unwrap();
        StateDir::new(directory.path(), base).save(&catalogue).unwrap();
        let mut command = vitrine();
        command.env("SSL_CERT_FILE", "/nowhere").env("SSL_CERT_DIR", "/nowhere").args(PATIENT);
        command.args(["--catalogue", base, "--fresh", "1", "--state-dir"]).arg(directory.path());
        let shop = Program::spawn(&mut command);
        let mut lines = String::new();
        until("a refresh that fails", async || {
            assert_eq!(get(shop.address, "/product/1").await.status, 200, "{base}");
            shop.log().for_each(|entry| lines += &entry["fields"].to_string());
            lines.contains("the catalogue was not read")
        })
        .await;
        assert_eq!(lines.contains("install the package ca-certificates"), needs_them, "{base}: {lines}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_that_is_not_wanted_is_not_sold_and_stays_for_a_start_that_takes_it() {
    for most in [0, 10] {
        let (directory, upstream) = saved().await;
        let state = state(directory.path());
        let good = content(&state);
        upstream.set(Fault::RefuseConnections).await;
        let without = unread(&upstream, most);
        let loaded = state.load(&without);
        let is_too_large = matches!(loaded, Err(StateError::TooMany(_)));
        assert_eq!(is_too_large, most != 0, "{loaded:?}");
        assert!(!without.is_stocked() && without.product(1).await.is_err());
        upstream.set(Fault::None).await;
        until("a product", async || without.product(1).await.is_ok()).await;
        state.save(&without).unwrap();
        assert!(content(&state) == good);
        start_during_an_outage(&state, &upstream, AGES).await.unwrap();
    }
}
