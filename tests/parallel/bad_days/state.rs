//! The saved catalogue: what a start during an outage serves, and what may replace it. What else can be
//! in the directory is in `state_directory/`.

use std::fs::{self, File};
use std::os::unix::fs::{FileExt as _, MetadataExt as _, PermissionsExt as _};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use vitrine::cache::Ages;
use vitrine::catalogue::{Catalogue as _, MirrorPolicy, Remembered, Service, StateDir, StateError};

use crate::common::days::{AGES, LIMITS, get, open, remembered, settings};
use crate::common::faults::Fault;
use crate::common::program::{PATIENT, Program, vitrine};
use crate::common::queries::Queries as _;
use crate::common::real_renderer;
use crate::common::state::{
    file as file_of, healthy, json, moved, names, parts, saved, state, unprivileged, without_ages,
};
use crate::common::until::until;
use crate::common::upstream::Upstream;

const MIRRORED: MirrorPolicy = MirrorPolicy::UpTo(5_000);
const DAY: i64 = 86_400;

fn load(directory: &Path, catalogue: &Arc<Remembered<Service>>) -> Result<(), StateError> {
    state(directory).load(catalogue)
}

/// A shop of a service that is away, with the saved catalogue if it can be used.
async fn start_during_an_outage(
    state: &StateDir,
    upstream: &Upstream,
    ages: Ages,
) -> (Arc<Remembered<Service>>, Result<(), StateError>) {
    upstream.set(Fault::RefuseConnections).await;
    let service = Service::new(upstream.base(), LIMITS).unwrap();
    let catalogue = Arc::new(Remembered::new(service, ages, MIRRORED));
    let loaded = state.load(&catalogue);
    // As a shop does every few seconds, whether or not anything is new.
    assert!(catalogue.all_products().await.is_ok() == loaded.is_ok());
    state.save(&catalogue).unwrap();
    (catalogue, loaded)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cold_start_during_an_outage_still_sells() {
    for (mirror, pages) in [
        (MIRRORED, ["/", "/categories", "/products", "/search/red", "/product/150"].as_slice()),
        (MirrorPolicy::Never, ["/products", "/product/1"].as_slice()),
    ] {
        let (directory, upstream) = saved(mirror).await;
        upstream.set(Fault::RefuseConnections).await;
        let catalogue = remembered(&upstream, mirror);
        load(directory.path(), &catalogue).unwrap();
        let shop = open(catalogue, real_renderer(1).await, settings()).await;
        for path in pages {
            assert_eq!(get(shop, path).await.status, 200, "{path} with {mirror:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_file_is_refused_as_a_whole() {
    let (directory, upstream) = saved(MIRRORED).await;
    let file = state(directory.path()).file().to_owned();
    let good = fs::read(&file).unwrap();
    let products = parts(&good).1.len();
    assert!(products > 10_000);
    // Details are not read at a start. They come last, and are more than two thirds of the products.
    let read_whole = good.len() - products * 2 / 3;
    for at in (0..read_whole).step_by(good.len() / 50) {
        let mut flipped = good.clone();
        flipped[at] ^= 1;
        fs::write(&file, flipped).unwrap();
        let catalogue = remembered(&upstream, MIRRORED);
        assert!(matches!(load(directory.path(), &catalogue), Err(StateError::Damaged)), "byte {at}");
        assert!(catalogue.last_mirror().is_none(), "byte {at}");
    }
    fs::write(&file, good).unwrap();
    let catalogue = remembered(&upstream, MIRRORED);
    let other = StateDir::new(directory.path(), "http://other.example/");
    assert!(matches!(other.load(&catalogue), Err(StateError::OtherService)));
    assert!(load(directory.path(), &catalogue).is_ok());
    assert!(load(Path::new("/nowhere/at/all"), &catalogue).is_ok(), "no file is no error");
}

#[tokio::test(flavor = "multi_thread")]
async fn details_that_are_damaged_in_the_file_are_asked_of_the_service() {
    let (directory, upstream) = saved(MIRRORED).await;
    let file = state(directory.path()).file().to_owned();
    let catalogue = remembered(&upstream, MIRRORED);
    load(directory.path(), &catalogue).unwrap();
    let all = catalogue.all_products().await.unwrap();
    let last: u64 = all.products().last().unwrap().id.to_string().parse().unwrap();
    // The details of the last products are the last bytes of their part of the file.
    let good = fs::read(&file).unwrap();
    let at = without_ages(&good).len() - 1;
    let damaged = [&good[..at], &[!good[at]], &good[at + 1..]].concat();
    File::options().write(true).open(&file).unwrap().write_all_at(&damaged, 0).unwrap();

    assert!(catalogue.product(last).await.unwrap().is_some());
    upstream.set(Fault::RefuseConnections).await;
    let away = remembered(&upstream, MIRRORED);
    let again = state(directory.path());
    again.load(&away).unwrap();
    assert!(away.product(1).await.unwrap().is_some());
    away.product(last).await.unwrap_err();
    assert!(away.all_products().await.unwrap().products().any(|product| product.id == last.into()));

    // The next copy has the same products, and is written all the same.
    upstream.set(Fault::None).await;
    until("a file without damage", async || {
        let _ = away.all_products().await;
        again.save(&away).is_ok() && parts(&fs::read(&file).unwrap()).1 == parts(&good).1
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disk_that_is_read_only_leaves_the_old_file() {
    let (directory, upstream) = saved(MIRRORED).await;
    let good = fs::read(state(directory.path()).file()).unwrap();
    let catalogue = remembered(&upstream, MIRRORED);
    load(directory.path(), &catalogue).unwrap();
    let state = state(directory.path());
    let set_mode = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    set_mode(directory.path(), 0o500);
    set_mode(state.file(), 0o400);
    let (clone, source) = (state.clone(), Arc::clone(&catalogue));
    let saved = unprivileged(move || clone.save(&source)).await;
    assert!(matches!(saved, Err(StateError::Io(_))));
    assert_eq!(fs::read(state.file()).unwrap(), good);
    set_mode(directory.path(), 0o700);
    state.save(&catalogue).unwrap();
    assert_eq!(names(directory.path()).len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disk_that_is_full_leaves_the_old_file() {
    let (upstream, catalogue) = healthy(MIRRORED).await;
    let directory = tempfile::tempdir().unwrap();
    let state = StateDir::new(directory.path(), upstream.base());
    state.save(&catalogue).unwrap();
    // So old that the shop asks for something new at once.
    let old = moved(&fs::read(state.file()).unwrap(), -600);
    fs::write(state.file(), &old).unwrap();
    // Writing beyond a few kilobytes of a file fails, and the signal that announces it is ignored.
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_vitrine")]);
    command
        .args(["--catalogue", upstream.base().as_str(), "--state-dir"])
        .arg(directory.path())
        .args(PATIENT);
    let shop = Program::spawn(&mut command);
    let error = shop.logged("the catalogue's state was not saved");
    assert!(error["error"].as_str().unwrap().contains("File too large"), "{error}");
    assert_eq!(names(directory.path()).len(), 1, "what fills the disk is removed");
    assert!(fs::read(state.file()).unwrap() == old);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_that_jumps_does_not_make_the_saved_catalogue_unusable() {
    let (directory, upstream) = saved(MIRRORED).await;
    let file = state(directory.path()).file().to_owned();
    let good = fs::read(&file).unwrap();
    for seconds in [DAY, -1_800, 30 * DAY, i64::MAX] {
        fs::write(&file, moved(&good, seconds)).unwrap();
        upstream.set(Fault::RefuseConnections).await;
        let catalogue = remembered(&upstream, MIRRORED);
        load(directory.path(), &catalogue).unwrap();
        assert!(catalogue.product(1).await.unwrap().is_some(), "saved {seconds} seconds from now");
    }
    // Until the machine is restarted, the time since its start tells how old the file is.
    let mut body = json(&good);
    for at in [0, body["at"].as_u64().unwrap() - 30 * DAY as u64] {
        body["at"] = at.into();
        fs::write(&file, file_of(&body.to_string(), parts(&good).1)).unwrap();
        let catalogue = remembered(&upstream, MIRRORED);
        load(directory.path(), &catalogue).unwrap();
        assert!(catalogue.product(1).await.unwrap().is_some(), "saved at {at}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_start_with_the_wrong_service_leaves_what_is_saved_for_the_right_one() {
    for (right, wrong) in [
        ("http://catalogue.example/", "http://catalogue.exmaple/"),
        ("http://localhost:3001/", "http://127.0.0.1:3001/"),
        ("https://catalogue.example/api", "https://catalogue.example/api2"),
    ] {
        let (upstream, catalogue) = healthy(MIRRORED).await;
        let directory = tempfile::tempdir().unwrap();
        let state = StateDir::new(directory.path(), right);
        state.save(&catalogue).unwrap();
        let good = fs::read(state.file()).unwrap();
        let mistyped = StateDir::new(directory.path(), wrong);
        let (_, loaded) = start_during_an_outage(&mistyped, &upstream, AGES).await;
        assert!(matches!(loaded, Err(StateError::OtherService)), "{wrong}");
        assert_eq!(fs::read(state.file()).unwrap(), good, "{wrong}");
        assert_eq!(names(directory.path()).len(), 1, "nothing is known of {wrong}");
        // Each has a file of its own once there is something to save.
        mistyped.save(&catalogue).unwrap();
        assert_eq!(names(directory.path()).len(), 2);
        let (_, loaded) =
            start_during_an_outage(&StateDir::new(directory.path(), right), &upstream, AGES).await;
        assert!(loaded.is_ok(), "{right} after {wrong}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_catalogue_that_is_too_old_stays_for_a_start_that_takes_it() {
    let (directory, upstream) = saved(MIRRORED).await;
    let file = state(directory.path()).file().to_owned();
    let saved = fs::read(&file).unwrap();
    // As with a clock that is 30 days ahead.
    let old = moved(&saved, -30 * DAY);
    fs::write(&file, &old).unwrap();
    let (_, loaded) = start_during_an_outage(&state(directory.path()), &upstream, AGES).await;
    assert!(matches!(loaded, Err(StateError::TooOld)), "{loaded:?}");
    assert!(fs::read(&file).unwrap() == old);
    let longer = Ages { stale: Duration::from_secs(31 * 86_400), ..AGES };
    let (_, loaded) = start_during_an_outage(&state(directory.path()), &upstream, longer).await;
    assert!(loaded.is_ok(), "{loaded:?}");
    // Or the clock is right again.
    fs::write(&file, saved).unwrap();
    let (_, loaded) = start_during_an_outage(&state(directory.path()), &upstream, AGES).await;
    assert!(loaded.is_ok(), "{loaded:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_page_of_a_service_does_not_replace_its_whole_catalogue() {
    let (directory, upstream) = saved(MirrorPolicy::Never).await;
    let state = state(directory.path());
    let old = moved(&fs::read(state.file()).unwrap(), -30 * DAY);
    fs::write(state.file(), &old).unwrap();
    let catalogue = remembered(&upstream, MirrorPolicy::Never);
    assert!(matches!(state.load(&catalogue), Err(StateError::TooOld)));
    assert!(catalogue.product(1).await.unwrap().is_some());
    state.save(&catalogue).unwrap();
    assert!(fs::read(state.file()).unwrap() == old);
    catalogue.all_products().await.unwrap();
    state.save(&catalogue).unwrap();
    assert!(fs::read(state.file()).unwrap() != old);
    let after = remembered(&upstream, MirrorPolicy::Never);
    assert!(load(directory.path(), &after).is_ok());
}

#[tokio::test(flavor = "multi_thread")]
async fn of_five_services_the_one_unused_for_longest_is_forgotten() {
    let (_upstream, catalogue) = healthy(MIRRORED).await;
    let directory = tempfile::tempdir().unwrap();
    let service = |number: u64| StateDir::new(directory.path(), format!("http://{number}.example"));
    let used_at = |number: u64, seconds: u64| {
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000 + seconds);
        File::open(service(number).file()).unwrap().set_modified(time).unwrap();
    };
    for number in 0..4 {
        service(number).save(&catalogue).unwrap();
        used_at(number, number);
    }
    // A start counts as use, even if the service has nothing new.
    service(0).load(&catalogue).unwrap();
    service(4).save(&catalogue).unwrap();
    let is_there = |number: u64| service(number).file().exists();
    assert_eq!([0, 1, 2, 3, 4].map(is_there), [true, false, true, true, true]);
    for number in [0, 2, 3, 4] {
        used_at(number, 10 - number);
    }
    service(4).save(&catalogue).unwrap();
    service(5).save(&catalogue).unwrap();
    assert_eq!([0, 2, 3, 4, 5].map(is_there), [true, true, false, true, true]);
    assert_eq!(names(directory.path()).len(), 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_that_have_not_changed_are_not_written_again_but_their_ages_are() {
    const MINUTE: Duration = Duration::from_secs(60);
    for mirror in [MIRRORED, MirrorPolicy::Never] {
        let (directory, upstream) = saved(mirror).await;
        let state = state(directory.path());
        let file = state.file().to_owned();
        fs::write(&file, moved(&fs::read(&file).unwrap(), -600)).unwrap();
        let catalogue = remembered(&upstream, mirror);
        state.load(&catalogue).unwrap();
        state.save(&catalogue).unwrap();
        let inode = || fs::metadata(&file).unwrap().ino();
        let (written, first) = (fs::read(&file).unwrap(), inode());
        let silence_after_a_start = || {
            let next = remembered(&upstream, mirror);
            load(directory.path(), &next).unwrap();
            next.staleness().silence().unwrap()
        };
        assert!(silence_after_a_start() >= 10 * MINUTE);

        until("the new ages", async || {
            let _ = catalogue.all_products().await;
            state.save(&catalogue).unwrap();
            silence_after_a_start() < MINUTE
        })
        .await;
        let confirmed = fs::read(&file).unwrap();
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
            let _ = catalogue.all_products().await;
            state.save(&catalogue).unwrap();
            // Nothing answers at this address, so every answer comes from the file.
            let away = Service::new("http://127.0.0.1:1".parse().unwrap(), LIMITS).unwrap();
            let next = Arc::new(Remembered::new(away, AGES, mirror));
            load(directory.path(), &next).unwrap();
            let all = next.all_products().await.unwrap();
            all.products().all(|product| product.title.ends_with(" Anew"))
        })
        .await;
        assert_eq!(names(directory.path()).len(), 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_ca_certificates_the_saved_catalogue_is_sold_and_the_log_names_what_is_missing() {
    let (_upstream, catalogue) = healthy(MIRRORED).await;
    for (base, needs_them) in [("http://catalogue.invalid", false), ("https://catalogue.invalid", true)] {
        let directory = tempfile::tempdir().unwrap();
        StateDir::new(directory.path(), base).save(&catalogue).unwrap();
        let mut command = vitrine();
        command.env("SSL_CERT_FILE", "/nowhere").env("SSL_CERT_DIR", "/nowhere");
        command
            .args(["--catalogue", base, "--fresh", "1", "--state-dir"])
            .arg(directory.path())
            .args(PATIENT);
        let shop = Program::spawn(&mut command);
        let mut lines = String::new();
        until("a refresh that fails", async || {
            assert_eq!(get(shop.address, "/product/1").await.status, 200, "{base}");
            shop.log().for_each(|entry| lines += &entry["fields"].to_string());
            lines.contains("the catalogue gives no new answer")
        })
        .await;
        assert_eq!(lines.contains("install the package ca-certificates"), needs_them, "{base}: {lines}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_that_is_switched_off_is_not_sold_and_stays_for_a_start_that_takes_it() {
    let (directory, upstream) = saved(MIRRORED).await;
    let state = state(directory.path());
    upstream.set(Fault::RefuseConnections).await;
    let without = remembered(&upstream, MirrorPolicy::Never);
    state.load(&without).unwrap();
    assert!(!without.is_stocked() && without.product(1).await.is_err());
    upstream.set(Fault::None).await;
    assert!(without.product(1).await.unwrap().is_some());
    state.save(&without).unwrap();
    upstream.set(Fault::RefuseConnections).await;
    let (_, loaded) = start_during_an_outage(&state, &upstream, AGES).await;
    assert!(loaded.is_ok(), "{loaded:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_that_memory_does_not_allow_stays_for_a_start_with_more() {
    let (directory, upstream) = saved(MIRRORED).await;
    let state = state(directory.path());
    let good = fs::read(state.file()).unwrap();
    let little = remembered(&upstream, MirrorPolicy::UpTo(10));
    assert!(matches!(state.load(&little), Err(StateError::TooMany(_))));
    assert!(little.product(1).await.unwrap().is_some());
    state.save(&little).unwrap();
    assert!(fs::read(state.file()).unwrap() == good);
}
