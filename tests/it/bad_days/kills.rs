//! A process that is killed at any moment, also while a version takes the place of another or is being written, leaves a
//! catalogue that the next start sells.

use std::collections::HashSet;
use std::env;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use crate::common::days::unread;
use crate::common::faults::Fault;
use crate::common::queries::Sold as _;
use crate::common::sample;
use crate::common::state::{names, state};
use crate::common::until::until;
use crate::common::upstream::Upstream;

/// The variable with the folder that a writer saves in.
const FOLDER: &str = "SAVED_IN";
/// The variable with the number of processes that are killed.
const KILLS: &str = "KILLS";

#[tokio::test(flavor = "multi_thread")]
async fn a_process_that_is_killed_at_any_moment_leaves_products_to_sell() {
    let kills = env::var(KILLS).map_or(20, |kills| kills.parse().unwrap());
    let (directory, away) = (tempfile::tempdir().unwrap(), Upstream::start().await);
    let all = sample().all_products().await.unwrap().len();
    away.set(Fault::RefuseConnections).await;
    let (mut editions, mut unfinished) = (HashSet::new(), 0);
    for number in 0..kills {
        let mut writer = writer(directory.path());
        let before = state(directory.path()).file().metadata().ok().map(|file| file.modified().unwrap());
        until("a file of this writer", async || {
            let now = state(directory.path()).file().metadata().ok().map(|file| file.modified().unwrap());
            now != before
        })
        .await;
        tokio::time::sleep(Duration::from_micros(fastrand::u64(0..100_000))).await;
        writer.kill().unwrap();
        writer.wait().unwrap();
        unfinished += usize::from(names(directory.path()).len() > 1);

        let next = unread(&away, 5_000);
        state(directory.path()).load(&next).unwrap();
        let products = next.all_products().await.unwrap();
        let found: HashSet<String> =
            products.products().map(|product| product.title.rsplit(' ').next().unwrap().to_owned()).collect();
        assert_eq!((products.len(), found.len()), (all, 1), "kill {number}: one version and all of it");
        let last = products.products().last().unwrap().id.to_string().parse().unwrap();
        assert!(next.product(last).await.unwrap().is_some(), "kill {number}: with its details");
        editions.extend(found);
    }
    println!("{kills} kills, {unfinished} while a file was written, {} editions", editions.len());
    assert!(editions.len() > 1 && names(directory.path()).len() <= 2, "{:?}", names(directory.path()));
}

/// A process that reads and saves one version after the other.
fn writer(directory: &Path) -> Child {
    Command::new(env::current_exe().unwrap())
        .args(["bad_days::kills::versions_are_saved_without_end", "--exact", "--ignored"])
        .env(FOLDER, directory)
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "it is the process that another test kills"]
async fn versions_are_saved_without_end() {
    let upstream = Upstream::start().await;
    let catalogue = Arc::new(unread(&upstream, 5_000));
    let state = state(Path::new(&env::var_os(FOLDER).unwrap()));
    loop {
        upstream.set(Fault::Retitled(format!(" {}", fastrand::u64(..)))).await;
        catalogue.read().await.unwrap();
        state.save(&catalogue).unwrap();
    }
}
