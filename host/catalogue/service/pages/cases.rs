//! Passes of lists that are special in one way each.

use std::sync::Arc;
use std::time::Duration;

use super::PassProgress;
use super::reader::{Outcome, PageReader};
use super::simulated::{Behaviour, INVALID, Item, Simulated};
use super::tests::{assert_is_whole, is_unchanged, limits, new, products, run};
use crate::catalogue::error::CatalogueError;
use crate::catalogue::service::wire::parse_everything;
use crate::profile::Currency;

fn reader() -> PageReader {
    PageReader::new(limits(20))
}

fn set(service: &Simulated, change: impl FnOnce(&mut Vec<Item>)) {
    let mut world = service.0.lock();
    let mut list = world.list().to_vec();
    change(&mut list);
    world.states.push(list);
    world.parsed = 0;
    world.calls.clear();
}

#[test]
fn entries_with_one_key_count_as_in_a_whole_list() {
    let mut list: Vec<Item> = (1..=200).map(|id| (id, 0)).collect();
    list[100] = (1, 1);
    list[150] = (1, 2);
    // The first valid one counts.
    list[5] = (90, INVALID);
    list[120] = (30, INVALID);
    list.splice(190..190, [(90, 7), (90, INVALID), (200, 9)]);
    let service = Simulated::of(list, 0, Behaviour::default());
    run(async {
        let mut reader = reader();
        let list = new(reader.read(&service).await);
        assert_is_whole(&list, &service);
        let whole = parse_everything(&service.0.lock().whole(), Currency::default()).unwrap().dropped;
        let lines = |dropped: &crate::catalogue::service::wire::Dropped| {
            dropped.kinds().map(|(kind, left_out)| format!("{kind}: {left_out}")).collect::<Vec<_>>()
        };
        assert_eq!(lines(&list.dropped), lines(&whole));
        assert!(is_unchanged(reader.read(&service).await));
        // Another one counts when the first one is gone, though no other page has changed.
        set(&service, |list| list[0] = (900, 0));
        assert_is_whole(&new(reader.read(&service).await), &service);
        set(&service, |list| list[5] = (90, 3));
        assert_is_whole(&new(reader.read(&service).await), &service);
        set(&service, |list| list[5] = (901, 3));
        assert_is_whole(&new(reader.read(&service).await), &service);
    });
}

#[test]
fn a_list_that_has_changed_anywhere_is_read_anew_and_another_one_is_not_parsed() {
    let service = Simulated::new(1_000, 0, Behaviour::default());
    run(async {
        let mut reader = reader();
        assert_is_whole(&new(reader.read(&service).await), &service);
        let pages = service.0.lock().parsed;
        for changed in [500, 0, 999] {
            set(&service, |list| list[changed].1 += 1);
            assert_is_whole(&new(reader.read(&service).await), &service);
            assert_eq!(service.0.lock().parsed, pages + 1);
        }
        set(&service, |list| list.swap(300, 700));
        assert_is_whole(&new(reader.read(&service).await), &service);
        set(&service, |_| {});
        let Ok(Outcome::Unchanged { age }) = reader.read(&service).await else { panic!("changed") };
        // Each call takes a tenth of a second.
        assert_eq!(age.as_millis() as usize, 100 * service.0.lock().calls.len());
        assert_eq!(service.0.lock().parsed, 0);
        reader.forget();
        let list = new(reader.read(&service).await);
        assert_is_whole(&list, &service);
        assert!(service.0.lock().parsed == pages && list.age == age);
    });
}

#[test]
fn products_that_no_page_has_are_asked_for_if_they_are_few() {
    // More products than the pages overlap are removed while the list is read, so that others are missed.
    for (removed, asked) in [(3, 0), (20, 17), (200, 0)] {
        let service =
            Simulated::new(1_000, 0, Behaviour { removes: Some((25, removed)), ..Behaviour::default() });
        run(async {
            let mut reader = reader();
            assert_is_whole(&new(reader.read(&service).await), &service);
            assert_eq!(service.0.lock().asked, asked, "{removed} removed");
            // Pages that were read before the removal have changed.
            drop(reader.read(&service).await.unwrap());
            assert!(is_unchanged(reader.read(&service).await));
        });
    }
}

#[test]
fn a_product_that_no_page_has_is_asked_for_in_each_pass() {
    let service = Simulated::new(100, 0, Behaviour { hides: Some(50), ..Behaviour::default() });
    run(async {
        let mut reader = reader();
        for pass in 1..4 {
            assert_is_whole(&new(reader.read(&service).await), &service);
            assert_eq!(service.0.lock().asked, pass);
            set(&service, |list| list[49].1 += 1);
        }
    });
}

#[test]
fn a_pass_waits_for_a_service_that_is_away_and_not_for_ever() {
    let service = Simulated::new(1_000, 0, Behaviour::default());
    run(async {
        let mut reader = reader();
        let progress: Arc<PassProgress> = Arc::clone(reader.progress());
        service.0.lock().behaviour.failures = 40;
        loop {
            match reader.read(&service).await {
                Ok(Outcome::New(list)) => break assert_is_whole(&list, &service),
                Ok(Outcome::Unchanged { .. }) => panic!("unchanged"),
                Err(_) => {}
            }
            assert!(progress.is_under_way() && progress.read() <= 1_000 && progress.total() == 1_000);
        }
        assert!(!progress.is_under_way());
        service.0.lock().behaviour.failures = 100;
        let started = tokio::time::Instant::now();
        assert!(reader.read(&service).await.is_err());
        // One call asks whether a page has changed, and one for the page.
        assert!(started.elapsed() <= Duration::from_secs(602));
    });
}

#[test]
fn pages_and_ids_that_are_too_large_are_asked_for_in_smaller_parts() {
    for largest in [400, 700, 1_500] {
        let behaviour = Behaviour { largest: Some(largest), ..Behaviour::default() };
        let service = Simulated::new(500, 0, behaviour);
        run(async {
            let mut reader = reader();
            assert_is_whole(&new(reader.read(&service).await), &service);
            service.0.lock().parsed = 0;
            assert!(is_unchanged(reader.read(&service).await));
            assert_eq!(service.0.lock().parsed, 0);
        });
    }
    let behaviour = Behaviour { largest: Some(100), ..Behaviour::default() };
    let service = Simulated::new(500, 0, behaviour);
    assert!(matches!(run(reader().read(&service)), Err(CatalogueError::TooLarge { .. })));
    let behaviour = Behaviour { most: Some(7), ..Behaviour::default() };
    let service = Simulated::new(200, 0, behaviour);
    assert_is_whole(&new(run(reader().read(&service))), &service);
}

#[test]
fn a_pass_that_cannot_end_gives_up() {
    for behaviour in [
        Behaviour { ignores_skip: true, ..Behaviour::default() },
        Behaviour { never_rests: true, ..Behaviour::default() },
    ] {
        let service = Simulated::new(1_000, 0, behaviour);
        let error = run(reader().read(&service)).map(|_| ()).unwrap_err();
        assert!(matches!(error, CatalogueError::Unsettled { .. }), "{error}");
        assert!(service.0.lock().calls.len() < 700);
    }
    let service = Simulated::new(1_000, 0, Behaviour::default());
    let few = super::list::PassLimits { most: 500, ..limits(20) };
    let error = run(PageReader::new(few).read(&service)).map(|_| ()).unwrap_err();
    assert!(matches!(error, CatalogueError::TooMany { most: 500 }));
    let service = Simulated::of(vec![(17, 0), (34, 0)], 0, Behaviour::default());
    assert!(matches!(run(reader().read(&service)), Err(CatalogueError::Senseless)));
}

#[test]
fn an_empty_list_and_a_short_one_are_whole_lists() {
    for count in [0, 1, 3, 19, 20, 21] {
        let service = Simulated::new(count, 0, Behaviour::default());
        run(async {
            let mut reader = reader();
            let list = new(reader.read(&service).await);
            assert_eq!(products(&list).len() as u64, count - count / 17);
            assert_is_whole(&list, &service);
            assert!(is_unchanged(reader.read(&service).await));
        });
    }
}
