//! The saved catalogue: a cold start during an outage, and a disk that is full, read-only or damaged.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use vitrine::catalogue::{MirrorPolicy, Remembered, Service, StateDir, StateError};

use crate::common::days::{get, open, remembered, settings, until_mirrored};
use crate::common::faults::Fault;
use crate::common::queries::Queries as _;
use crate::common::real_renderer;
use crate::common::until::until;
use crate::common::upstream::Upstream;

const SERVICE: &str = "http://catalogue.example/";

/// A directory with the state of the sample's service, and that service.
async fn saved(mirror: MirrorPolicy) -> (tempfile::TempDir, Upstream) {
    let upstream = Upstream::start().await;
    let catalogue = remembered(&upstream, mirror);
    // A busy machine may answer too late at first.
    until("the catalogue's answers", async || {
        catalogue.warm_up().await;
        let Ok(categories) = catalogue.categories().await else { return false };
        catalogue.all_products().await.is_ok()
            && catalogue.category_products(&categories[0].slug).await.is_ok()
            && catalogue.product(1).await.is_ok()
    })
    .await;
    if mirror != MirrorPolicy::Never {
        until_mirrored(&catalogue).await;
    }
    let directory = tempfile::tempdir().unwrap();
    StateDir::new(directory.path(), SERVICE).save(&catalogue).unwrap();
    (directory, upstream)
}

fn load(directory: &Path, catalogue: &Arc<Remembered<Service>>) -> Result<(), StateError> {
    StateDir::new(directory, SERVICE).load(catalogue)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cold_start_during_an_outage_still_sells() {
    for (mirror, pages) in [
        (
            MirrorPolicy::UpTo(5_000),
            ["/", "/categories", "/products", "/search/red", "/product/150"].as_slice(),
        ),
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
    let (directory, upstream) = saved(MirrorPolicy::UpTo(5_000)).await;
    let file = directory.path().join("catalogue.state");
    let good = fs::read(&file).unwrap();
    let mut damaged: Vec<(String, Vec<u8>)> = vec![
        ("empty".into(), Vec::new()),
        ("no line end".into(), b"vitrine-catalogue-1 ".to_vec()),
        ("another format".into(), b"{}".to_vec()),
        ("cut short".into(), good[..good.len() / 2].to_vec()),
        ("one byte more".into(), [good.as_slice(), b" "].concat()),
        ("not UTF-8".into(), [good.as_slice(), &[0xff]].concat()),
    ];
    for at in (0..good.len()).step_by(good.len() / 50) {
        let mut flipped = good.clone();
        flipped[at] ^= 1;
        damaged.push((format!("a bit of byte {at}"), flipped));
    }
    for (name, bytes) in damaged {
        fs::write(&file, bytes).unwrap();
        let catalogue = remembered(&upstream, MirrorPolicy::UpTo(5_000));
        assert!(matches!(load(directory.path(), &catalogue), Err(StateError::Damaged)), "{name}");
        assert!(catalogue.last_mirror().is_none(), "{name}");
    }
    fs::write(&file, good).unwrap();
    let catalogue = remembered(&upstream, MirrorPolicy::UpTo(5_000));
    let other = StateDir::new(directory.path(), "http://other.example/");
    assert!(matches!(other.load(&catalogue), Err(StateError::OtherService)));
    assert!(load(directory.path(), &catalogue).is_ok());
    assert!(load(Path::new("/nowhere/at/all"), &catalogue).is_ok(), "no file is no error");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disk_that_is_full_or_read_only_leaves_the_old_file() {
    let (directory, upstream) = saved(MirrorPolicy::UpTo(5_000)).await;
    let file = directory.path().join("catalogue.state");
    let good = fs::read(&file).unwrap();
    let catalogue = remembered(&upstream, MirrorPolicy::UpTo(5_000));
    load(directory.path(), &catalogue).unwrap();
    let state = StateDir::new(directory.path(), SERVICE);

    // This device is always full.
    let part = directory.path().join(format!("catalogue.part-{}", std::process::id()));
    std::os::unix::fs::symlink("/dev/full", &part).unwrap();
    assert!(matches!(state.save(&catalogue), Err(StateError::Io(_))));
    assert!(!part.exists(), "what fills the disk is removed");
    assert_eq!(fs::read(&file).unwrap(), good);

    // A folder in its place cannot be written, not even by root.
    fs::create_dir(&part).unwrap();
    assert!(matches!(state.save(&catalogue), Err(StateError::Io(_))));
    assert_eq!(fs::read(&file).unwrap(), good);
    fs::remove_dir(&part).unwrap();
    state.save(&catalogue).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_that_jumps_does_not_make_the_saved_catalogue_unusable() {
    let (directory, upstream) = saved(MirrorPolicy::UpTo(5_000)).await;
    let file = directory.path().join("catalogue.state");
    let text = fs::read_to_string(&file).unwrap();
    let body = text.split_once('\n').unwrap().1;
    let saved: serde_json::Value = serde_json::from_str(body).unwrap();
    let day = 86_400;
    for at in [saved["at"].as_u64().unwrap() + day, saved["at"].as_u64().unwrap() - 1_800] {
        let moved = serde_json::to_string(
            &serde_json::json!({ "at": at, "service": saved["service"], "mirror": saved["mirror"],
            "categories": [], "previews": [], "listings": [], "products": [], "sections": [] }),
        )
        .unwrap();
        fs::write(&file, format!("vitrine-catalogue-1 {}\n{moved}", sha256(&moved))).unwrap();
        upstream.set(Fault::RefuseConnections).await;
        let catalogue = remembered(&upstream, MirrorPolicy::UpTo(5_000));
        load(directory.path(), &catalogue).unwrap();
        assert!(catalogue.product(1).await.unwrap().is_some(), "saved at {at}");
    }
}

fn sha256(text: &str) -> String {
    use sha2::Digest as _;
    sha2::Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}
