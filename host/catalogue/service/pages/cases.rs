//! Passes of lists that are special in one way each.

use std::sync::Arc;
use std::time::Duration;

use tempfile::TempDir;

use super::PassProgress;
use super::reader::{Outcome, PageReader, keeps_pages};
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
fn only_pages_that_have_changed_are_parsed() {
    let service = Simulated::new(1_000, 0, Behaviour::default());
    run(async {
        let mut reader = reader();
        assert_is_whole(&new(reader.read(&service).await), &service);
        set(&service, |list| list[500] = (500, 1));
        assert_is_whole(&new(reader.read(&service).await), &service);
        assert!((1..=2).contains(&service.0.lock().parsed), "{}", service.0.lock().parsed);
        set(&service, |list| list.swap(300, 700));
        assert_is_whole(&new(reader.read(&service).await), &service);
        assert!((2..=4).contains(&service.0.lock().parsed), "{}", service.0.lock().parsed);
        set(&service, |_| {});
        let Ok(Outcome::Unchanged { age }) = reader.read(&service).await else { panic!("changed") };
        // Each call takes a tenth of a second.
        assert_eq!(age.as_millis() as usize, 100 * service.0.lock().calls.len());
        assert_eq!(service.0.lock().parsed, 0);
        reader.forget().await;
        let list = new(reader.read(&service).await);
        assert_is_whole(&list, &service);
        assert!(service.0.lock().parsed > 50 && list.age == age);
    });
}

#[test]
fn a_pass_goes_on_after_a_restart_and_asks_for_no_page_twice() {
    let folder = TempDir::new().unwrap();
    let behaviour = Behaviour { stops_at: Some(30), ..Behaviour::default() };
    let service = Simulated::new(1_000, 0, behaviour);
    let reader = |of: &str| reader().saved_in(folder.path().join("pages"), of.into());
    run(async {
        let hour = Duration::from_secs(3_000);
        tokio::time::timeout(hour, reader("a").read(&service)).await.map(|_| ()).unwrap_err();
        service.0.lock().behaviour.stops_at = None;
        assert_is_whole(&new(reader("a").read(&service).await), &service);
        let calls = service.0.lock().calls.clone();
        let distinct = (0..calls.len()).filter(|at| !calls[..*at].contains(&calls[*at])).count();
        assert_eq!(distinct, calls.len());
        assert!(!folder.path().join("pages").exists());
        service.0.lock().behaviour.stops_at = Some(calls.len() + 30);
        tokio::time::timeout(hour, reader("a").read(&service)).await.map(|_| ()).unwrap_err();
        service.0.lock().behaviour.stops_at = None;
        service.0.lock().calls.clear();
        assert_is_whole(&new(reader("b").read(&service).await), &service);
        assert_eq!(service.0.lock().calls.len(), calls.len(), "nothing of another service is used");
        service.0.lock().behaviour.stops_at = Some(calls.len() + 30);
        tokio::time::timeout(hour, reader("a").read(&service)).await.map(|_| ()).unwrap_err();
        assert!(folder.path().join("pages").exists());
        reader("a").forget().await;
        assert!(!folder.path().join("pages").exists());
    });
}

#[test]
fn a_pass_goes_on_after_a_service_was_away_for_long() {
    let service = Simulated::new(1_000, 0, Behaviour::default());
    run(async {
        let mut reader = reader();
        let progress: Arc<PassProgress> = Arc::clone(reader.progress());
        service.0.lock().behaviour.failures = 40;
        loop {
            match reader.read(&service).await {
                Ok(Outcome::New(list)) => break assert_is_whole(&list, &service),
                Ok(Outcome::Unchanged { .. }) => panic!("unchanged"),
                Err(error) => assert!(keeps_pages(&error), "{error}"),
            }
            assert!(progress.is_under_way() && progress.read() <= 1_000 && progress.total() == 1_000);
        }
        assert!(!progress.is_under_way());
        service.0.lock().behaviour.failures = 100;
        let started = tokio::time::Instant::now();
        assert!(reader.read(&service).await.is_err_and(|error| keeps_pages(&error)));
        assert!(started.elapsed() <= Duration::from_secs(301));
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
