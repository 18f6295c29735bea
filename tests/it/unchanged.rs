//! Unchanged data costs nothing: what the service sends again, or says to be the same, is neither parsed nor saved.

use std::sync::Arc;
use std::time::Duration;

use vitrine::cache::Ages;
use vitrine::catalogue::{
    CallOutcome, Catalogue as _, CataloguePurge, Followed, Outdated, PurgeMode, Service, StateDir,
};

use crate::common::client::service_at;
use crate::common::days::{AGES, LIMITS, grow_stale, until_read};
use crate::common::follow;
use crate::common::queries::Sold as _;
use crate::common::until::until;
use crate::common::versioned::{Says, Versioned};

const MOST: u64 = 5_000;

type Shop = Arc<Followed<Service>>;

fn open(service: &Versioned) -> Shop {
    let limits = vitrine::catalogue::ServiceLimits { max_body: 16 << 20, ..LIMITS };
    follow(Followed::new(service_at(service.base(), limits), AGES, MOST))
}

async fn copied(service: &Versioned) -> Shop {
    let shop = open(service);
    until_read(&shop).await;
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
        unchanged(shop) >= before + times
    })
    .await;
}

async fn until_titled(shop: &Shop, title: &str) {
    until("the new title", async || {
        shop.product(1).await.is_ok_and(|product| product.unwrap().summary.title == title)
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unchanged_list_is_not_parsed_and_the_copy_stays_and_is_fresh_again() {
    for says in [Says::Nothing, Says::Tag, Says::Date] {
        let service = Versioned::start(says.clone()).await;
        let shop = copied(&service).await;
        let (copy, so_far, sent) = (shop.current().unwrap().0, parsed(&shop), service.service.lock().sent);
        until_unchanged(&shop, 4).await;
        let (same, _) = shop.current().unwrap();
        assert!(Arc::ptr_eq(&copy, &same), "{says:?}");
        assert_eq!(parsed(&shop), so_far, "{says:?}");
        let is_sent_again = says == Says::Nothing;
        assert_eq!(service.service.lock().sent > sent, is_sent_again, "{says:?}");
        until("a copy that is fresh again", async || shop.current().unwrap().1 < AGES.fresh).await;

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
    let until_refused = async |shop: &Shop, times: u64| {
        let failures = || shop.source().counters().ended(CallOutcome::UnexpectedStatus);
        let before = failures();
        until("failures", async || {
            grow_stale().await;
            failures() >= before + times
        })
        .await;
    };
    until_refused(&shop, 1).await;
    assert!(shop.current().is_none() && unchanged(&shop) == 0);

    // The service has sent no validator that a question could name.
    service.service.lock().says = Says::Nothing;
    let shop = copied(&service).await;
    let (copy, _) = shop.current().unwrap();
    service.service.lock().says = Says::AlwaysUnchanged;
    until_refused(&shop, 4).await;
    let (last, age) = shop.current().unwrap();
    assert!(Arc::ptr_eq(&copy, &last) && age >= 3 * AGES.fresh, "{age:?}");
    assert!(service.service.lock().conditions.iter().all(Option::is_none));
    service.service.lock().says = Says::Nothing;
    service.retitle("Well again");
    until_titled(&shop, "Well again").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_purge_no_service_is_believed_that_nothing_has_changed() {
    for mode in [PurgeMode::Soft, PurgeMode::Hard] {
        let service = Versioned::start(Says::Stuck("\"forever\"")).await;
        let shop = copied(&service).await;
        let (copy, _) = shop.current().unwrap();
        service.retitle("Hidden");
        until_unchanged(&shop, 2).await;
        assert!(Arc::ptr_eq(&copy, &shop.current().unwrap().0), "{mode:?}");
        shop.purge(&[everything(mode)]);
        until_titled(&shop, "Hidden").await;
        // The validator stays the same, so later refreshes find nothing new.
        until_unchanged(&shop, 2).await;

        // Only a purge asks for the names of categories too.
        service.service.lock().names = "Our ";
        until_unchanged(&shop, 2).await;
        let names = async || shop.categories().await.unwrap()[0].name.clone();
        assert_eq!(names().await, "Beauty", "{mode:?}");
        shop.purge(&[everything(mode)]);
        until("the new names", async || names().await == "Our Beauty").await;
    }
}

/// What is saved of an unchanged copy is asserted in `bad_days/state.rs`.
#[tokio::test(flavor = "multi_thread")]
async fn a_restart_knows_the_age_of_its_copy_and_asks_for_everything_once() {
    let directory = tempfile::tempdir().unwrap();
    let service = Versioned::start(Says::Tag).await;
    let shop = copied(&service).await;
    let state = || StateDir::new(directory.path(), "http://catalogue.example");
    state().save(&shop).unwrap();
    let sent = service.service.lock().sent;
    // The next process knows the age, and asks once for everything: it may read more of it than the last one did.
    let next = Arc::new(Followed::new(service_at(service.base(), LIMITS), AGES, MOST));
    let ages = Ages { fresh: Duration::from_secs(60), stale: Duration::from_secs(600) };
    let long = Arc::new(Followed::new(service_at(service.base(), LIMITS), ages, MOST));
    for restarted in [&next, &long] {
        state().load(restarted).unwrap();
        let (_, age) = restarted.current().unwrap();
        assert!(age < Duration::from_secs(30), "{age:?}");
    }
    let calls = service.service.lock().conditions.len();
    tokio::spawn(next.follow());
    until("a reading", async || parsed(&next) > 0).await;
    assert_eq!(service.service.lock().conditions[calls], None);
    until_unchanged(&next, 2).await;
    assert_eq!(service.service.lock().sent, sent + 1);
}
