//! What a start during an outage finds in the state directory, one row for each state (`states.rs`): what
//! it serves, what it leaves there, and what is there once the service has answered again. No state makes
//! it hang.

mod states;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::Path;
use std::sync::Arc;

use sha2::{Digest as _, Sha256};
use vitrine::catalogue::{StateDir, StateError};
use vitrine::render::Renderer;

use self::states::{HUGE, PART, Place, STATES, set_mode};
use crate::common::days::{get, open, settings, unread};
use crate::common::faults::Fault;
use crate::common::real_renderer;
use crate::common::state::{healthy, state, unprivileged};
use crate::common::until::until;
use crate::common::upstream::Upstream;

const MOST: u64 = 5_000;

type Listing = BTreeMap<String, String>;

/// What is in a folder, if it is one.
fn listing(folder: &Path) -> Listing {
    let Ok(entries) = fs::read_dir(folder) else { return Listing::default() };
    let entries = entries.map(Result::unwrap);
    entries.map(|entry| (entry.file_name().into_string().unwrap(), describe(&entry.path()))).collect()
}

/// A description of what is at a path: its kind, its length, and the content of a link, or of a file that is not huge.
fn describe(path: &Path) -> String {
    let metadata = fs::symlink_metadata(path).unwrap();
    let (kind, length, link) = (metadata.mode() & 0o170_000, metadata.len(), fs::read_link(path).ok());
    let is_read = metadata.is_file() && length < HUGE / 2;
    let content = is_read.then(|| fs::read(path).map(|bytes| format!("{:x?}", &Sha256::digest(bytes)[..8])));
    format!("{kind:o} {length} {link:?} {content:?}")
}

/// A start, and what it served.
async fn start(state: &StateDir, upstream: &Upstream, renderer: &Renderer) -> (Result<(), StateError>, u16) {
    let catalogue = Arc::new(unread(upstream, MOST));
    let (clone, target) = (state.clone(), Arc::clone(&catalogue));
    let loaded = unprivileged(move || clone.load(&target)).await;
    let shop = open(catalogue.clone(), renderer.clone(), settings()).await;
    let answer = get(shop, "/product/1").await;
    // As a shop does every few seconds. Whether the file can be written is asserted by the caller.
    let clone = state.clone();
    let _ = unprivileged(move || clone.save(&catalogue)).await;
    (loaded, answer.status)
}

#[tokio::test(flavor = "multi_thread")]
async fn every_state_of_the_directory_is_survived_and_nothing_of_worth_is_lost() {
    let (upstream, catalogue) = healthy().await;
    let folder = tempfile::tempdir().unwrap();
    state(folder.path()).save(&catalogue).unwrap();
    let good = fs::read(state(folder.path()).file()).unwrap();
    upstream.set(Fault::RefuseConnections).await;
    let renderer = real_renderer(1).await;
    let is_root = rustix::process::geteuid().is_root();
    for &(name, arrange, says, status, is_saved) in STATES {
        if name == "another user's file" && !is_root {
            // Only root can give a file away.
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        let place = Place::new(folder.path(), &good);
        arrange(&place);
        let (before, beside) = (listing(&place.directory), listing(&place.beside));
        let state = state(&place.directory);

        let (loaded, answered) = start(&state, &upstream, &renderer).await;
        assert!(says(&loaded), "{name}: {loaded:?}");
        assert_eq!(answered, status, "{name}");
        let own = place.file.file_name().unwrap().to_str().unwrap().to_owned();
        let (mut after, mut stays) = (listing(&place.directory), before.clone());
        stays.retain(|name, _| name != PART && !name.ends_with(".pages"));
        // A catalogue that is sold may be saved again at once.
        if status == 200 && is_saved {
            assert!(after.remove(&own).is_some_and(|thing| thing.starts_with("100000 ")), "{name}");
            stays.remove(&own);
        }
        assert_eq!(after, stays, "{name}");

        // The service answers again.
        let (clone, source) = (state.clone(), Arc::clone(&catalogue));
        let saved = unprivileged(move || clone.save(&source)).await;
        assert_eq!(saved.is_ok(), is_saved, "{name}: {saved:?}");
        if is_saved {
            let mode = |path: &Path| fs::symlink_metadata(path).unwrap().permissions().mode() & 0o7777;
            assert_eq!((mode(&place.directory), mode(&place.file)), (0o700, 0o600), "{name}");
            let (loaded, status) = start(&state, &upstream, &renderer).await;
            assert!(loaded.is_ok() && status == 200, "{name}: {loaded:?}, {status}");
        } else {
            assert_eq!(listing(&place.directory), before, "{name}");
        }
        assert_eq!(listing(&place.beside), beside, "{name}: what it pointed to");
        if place.directory.is_dir() {
            // So that it can be removed.
            set_mode(&place.directory, 0o700);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_directory_that_holds_something_else_keeps_its_rights() {
    let (_upstream, catalogue) = healthy().await;
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("something else"), "").unwrap();
    set_mode(folder.path(), 0o777);
    let state = state(folder.path());
    state.load(&catalogue).unwrap();
    state.save(&catalogue).unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(folder.path()), mode(state.file())), (0o777, 0o600));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_temporary_file_that_is_being_written_stays() {
    let (_upstream, catalogue) = healthy().await;
    let folder = tempfile::tempdir().unwrap();
    let part = folder.path().join(PART);
    let writer = File::create(&part).unwrap();
    writer.lock().unwrap();
    state(folder.path()).load(&catalogue).unwrap();
    assert!(part.exists());
    drop(writer);
    // A process that another test starts at this moment inherits the lock until its program runs.
    until("the end of an abandoned file", async || {
        state(folder.path()).load(&catalogue).unwrap();
        !part.exists()
    })
    .await;
}
