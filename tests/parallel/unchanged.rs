//! Unchanged data costs nothing: what the service sends again, or says to be the same, is neither parsed nor saved.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::sync::Arc;
use std::time::Duration;

use vitrine::cache::Ages;
use vitrine::catalogue::{
    CallOutcome, Catalogue as _, CataloguePurge, MirrorPolicy, Outdated, PurgeMode, Remembered, Service,
    StateDir,
};

use crate::common::client::service_at;
use crate::common::days::{AGES, LIMITS, grow_stale, until_mirrored};
use crate::common::queries::Queries as _;
use crate::common::until::until;
use crate::common::versioned::{Says, Versioned};

const MIRRORED: MirrorPolicy = MirrorPolicy::UpTo(5_000);
/// How many refreshes must change nothing.
const REFRESHES: u64 = 10;

type Shop = Arc<Remembered<Service>>;

fn open(service: &Versioned) -> Shop {
    let limits = vitrine::catalogue::ServiceLimits { max_body: 16 << 20, ..LIMITS };
    Arc::new(Remembered::new(service_at(service.base(), limits), AGES, MIRRORED))
}

async fn copied(service: &Versioned) -> Shop {
    let shop = open(service);
    until_mirrored(&shop).await;
    shop
}

fn parsed(shop: &Shop) -> u64 {
    shop.source().counters().parsed.get()
}

fn unchanged(shop: &Shop) -> u64 {
    shop.source().counters().unchanged.get()
}

fn everything(mode: PurgeMode) -> CataloguePurge {
    CataloguePurge { outdated: Outdated::Everything, mode, ago: Duration::ZERO }
}

/// Lets the copy be refreshed until this many refreshes have found nothing new.
async fn until_unchanged(shop: &Shop, times: u64) {
    let before = unchanged(shop);
    until("refreshes", async || {
        grow_stale().await;
        shop.mirror().await;
        unchanged(shop) >= before + times
    })
    .await;
}

async fn until_titled(shop: &Shop, title: &str) {
    until("the new title", async || {
        let _ = shop.mirror().await;
        shop.product(1).await.is_ok_and(|product| product.unwrap().summary.title == title)
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unchanged_list_is_not_parsed_and_the_copy_stays_and_is_fresh_again() {
    for says in [Says::Nothing, Says::Tag, Says::Date] {
        let service = Versioned::start(says.clone()).await;
        let shop = copied(&service).await;
        let (copy, so_far, sent) = (shop.last_mirror().unwrap().0, parsed(&shop), service.sent());
        until_unchanged(&shop, REFRESHES).await;
        let (same, _) = shop.last_mirror().unwrap();
        assert!(Arc::ptr_eq(&copy, &same), "{says:?}");
        assert_eq!(parsed(&shop), so_far, "{says:?}");
        let is_sent_again = says == Says::Nothing;
        assert_eq!(service.sent() > sent, is_sent_again, "{says:?}");
        until("a copy that is fresh again", async || {
            shop.mirror().await;
            shop.last_mirror().unwrap().1 < AGES.fresh
        })
        .await;

        // A change by one byte is a change.
        service.retitle("Essence Mascara Lash Princesa");
        until_titled(&shop, "Essence Mascara Lash Princesa").await;
        assert_eq!(parsed(&shop), so_far + 1, "{says:?}");
        until_unchanged(&shop, 2).await;
        assert_eq!(parsed(&shop), so_far + 1, "{says:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn not_modified_without_a_question_is_a_failure() {
    let service = Versioned::start(Says::AlwaysUnchanged).await;
    let shop = open(&service);
    until("a failure", async || {
        shop.mirror().await;
        shop.source().counters().ended(CallOutcome::UnexpectedStatus) > 0
    })
    .await;
    assert!(shop.last_mirror().is_none() && unchanged(&shop) == 0);

    // The service has sent no validator that a question could name.
    let service = Versioned::start(Says::Nothing).await;
    let shop = copied(&service).await;
    let (copy, _) = shop.last_mirror().unwrap();
    service.say(Says::AlwaysUnchanged);
    let failures = shop.source().counters().ended(CallOutcome::UnexpectedStatus);
    until("failures", async || {
        grow_stale().await;
        shop.mirror().await;
        shop.source().counters().ended(CallOutcome::UnexpectedStatus) > failures + 3
    })
    .await;
    let (last, age) = shop.last_mirror().unwrap();
    assert!(Arc::ptr_eq(&copy, &last) && age >= 3 * AGES.fresh, "{age:?}");
    assert!(service.conditions().iter().all(Option::is_none));
    service.say(Says::Nothing);
    service.retitle("Well again");
    until_titled(&shop, "Well again").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_validators_are_not_sent_back() {
    let long = [b"\"", vec![b'x'; 10_000].as_slice(), b"\""].concat();
    for headers in [
        vec![("etag", long)],
        vec![("etag", b"\"\xff\xfe\"".to_vec())],
        vec![("etag", b"*".to_vec())],
        vec![("etag", b"\"a\", \"b\"".to_vec())],
        vec![("etag", b"\"a\"".to_vec()), ("etag", b"\"b\"".to_vec())],
        vec![("etag", Vec::new()), ("last-modified", b"Sun, 09 Sep 2001 01:46:40 GMT".to_vec())],
        vec![("last-modified", b"yesterday".to_vec())],
        vec![("last-modified", b"Fri, 31 Dec 9999 23:59:59 GMT".to_vec())],
    ] {
        let service = Versioned::start(Says::Headers(headers.clone())).await;
        let shop = copied(&service).await;
        until_unchanged(&shop, 2).await;
        assert!(service.conditions().iter().all(Option::is_none), "{headers:?}");
        service.retitle("New");
        until_titled(&shop, "New").await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_purge_no_service_is_believed_that_nothing_has_changed() {
    for mode in [PurgeMode::Soft, PurgeMode::Hard] {
        let service = Versioned::start(Says::Headers(vec![("etag", b"\"forever\"".to_vec())])).await;
        let shop = copied(&service).await;
        let (copy, _) = shop.last_mirror().unwrap();
        service.retitle("Hidden");
        until_unchanged(&shop, 2).await;
        assert!(Arc::ptr_eq(&copy, &shop.last_mirror().unwrap().0), "{mode:?}");
        shop.purge(&[everything(mode)]);
        until_titled(&shop, "Hidden").await;
        // The validator stays the same, so later refreshes find nothing new.
        until_unchanged(&shop, 2).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_purge_asks_for_the_names_of_categories_too() {
    let service = Versioned::start(Says::Tag).await;
    let shop = copied(&service).await;
    service.rename_categories("Our ");
    until_unchanged(&shop, 2).await;
    let names = async || shop.categories().await.unwrap()[0].name.clone();
    assert_eq!(names().await, "Beauty");
    shop.purge(&[everything(PurgeMode::Soft)]);
    until("the new names", async || names().await == "Our Beauty").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unchanged_copy_is_saved_once_and_a_restart_knows_that_it_was_confirmed() {
    let directory = tempfile::tempdir().unwrap();
    let service = Versioned::start(Says::Tag).await;
    let shop = copied(&service).await;
    let state = StateDir::new(directory.path(), "http://catalogue.example");
    state.save(&shop).unwrap();
    let (so_far, sent, content) = (parsed(&shop), service.sent(), fs::read(state.file()).unwrap());
    let inode = fs::metadata(state.file()).unwrap().ino();
    let mut sizes = Vec::new();
    for _ in 0..REFRESHES {
        until_unchanged(&shop, 1).await;
        state.save(&shop).unwrap();
        let saved = fs::read(state.file()).unwrap();
        assert!(saved.starts_with(&content), "the content is not written again");
        sizes.push(saved.len() - content.len());
    }
    assert_eq!((parsed(&shop), service.sent()), (so_far, sent), "nothing was parsed or sent");
    assert_eq!(fs::metadata(state.file()).unwrap().ino(), inode);
    assert!(sizes.iter().all(|size| *size < 400), "one short line: {sizes:?}");

    // The next process knows the age, and asks once for everything: it may read more of it than the last one did.
    let next = open(&service);
    let ages = Ages { fresh: Duration::from_secs(60), stale: Duration::from_secs(600) };
    let long = Arc::new(Remembered::new(service_at(service.base(), LIMITS), ages, MIRRORED));
    for restarted in [&next, &long] {
        StateDir::new(directory.path(), "http://catalogue.example").load(restarted).unwrap();
        let (_, age) = restarted.last_mirror().unwrap();
        assert!(age < Duration::from_secs(30), "{age:?}");
    }
    let calls = service.conditions().len();
    assert!(long.mirror().await.is_some() && service.conditions().len() == calls, "it is fresh");
    until("a refresh", async || {
        next.mirror().await;
        parsed(&next) > 0
    })
    .await;
    assert_eq!(service.conditions()[calls], None);
    until_unchanged(&next, 2).await;
    assert_eq!(service.sent(), sent + 1);
}
