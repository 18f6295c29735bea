//! Passes against the lists that the service had meanwhile.

use std::collections::{HashMap, HashSet};

use proptest::prelude::*;

use super::list::PassLimits;
use super::reader::{NewList, Outcome, PageReader};
use super::simulated::{Behaviour, Item, Simulated};
use crate::catalogue::error::CatalogueError;
use crate::catalogue::model::Product;
use crate::catalogue::query::Result;
use crate::catalogue::service::wire::parse_everything;
use crate::profile::Currency;

pub(super) fn limits(page: u64) -> PassLimits {
    PassLimits { page, smallest_page: 4, overlap: 3, ids: 3 * page, ..PassLimits::DEFAULT }
}

pub(super) fn run<T>(work: impl Future<Output = T>) -> T {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
    runtime.block_on(work)
}

pub(super) fn new(outcome: Result<Outcome>) -> NewList {
    match outcome.unwrap() {
        Outcome::New(list) => list,
        Outcome::Unchanged { .. } => panic!("unchanged"),
    }
}

pub(super) fn is_unchanged(outcome: Result<Outcome>) -> bool {
    matches!(outcome.unwrap(), Outcome::Unchanged { .. })
}

pub(super) fn products(list: &NewList) -> Vec<Product> {
    list.store.products().map(|product| product.unwrap()).collect()
}

/// A pass has what the whole list has, if that does not change.
pub(super) fn assert_is_whole(list: &NewList, service: &Simulated) {
    let parsed = parse_everything(&service.0.lock().whole(), Currency::default());
    let whole = parsed.map(|parsed| parsed.value).unwrap_or_default();
    assert_eq!(products(list), whole);
}

/// A pass has products of one of the states of the list since it has begun, in the order of that state, and each product
/// as it was at some time since then. It lacks none that was there all the time.
fn assert_was_there(list: &NewList, states: &[Vec<Item>]) {
    let read = products(list);
    let ids: Vec<u64> = read.iter().map(|product| product.summary.id.number().unwrap()).collect();
    let valid = |state: &[Item]| -> Vec<u64> {
        state.iter().map(|(id, _)| *id).filter(|id| !id.is_multiple_of(17)).collect()
    };
    let is_part_of = |state: &Vec<Item>| {
        let mut state = valid(state).into_iter();
        ids.iter().all(|id| state.any(|other| other == *id))
    };
    assert!(states.iter().any(is_part_of), "no order of the service");
    let mut forms: HashMap<u64, HashSet<u64>> = HashMap::new();
    for (id, form) in states.iter().flatten() {
        forms.entry(*id).or_default().insert(*form);
    }
    for product in &read {
        let id = product.summary.id.number().unwrap();
        assert!(forms[&id].contains(&(product.summary.price.minor() / 100)), "{product:?} was never there");
    }
    let ids: HashSet<u64> = ids.into_iter().collect();
    assert_eq!(ids.len(), read.len());
    let always = |id: &u64| states.iter().all(|state| state.iter().any(|(own, _)| own == id));
    assert!(valid(&states[0]).iter().filter(|id| !ids.contains(id)).all(|id| !always(id)));
}

/// Some passes of a service with these ways, and one after it has come to rest.
async fn passes(count: u64, page: u64, seed: u64, behaviour: Behaviour) {
    let service = Simulated::new(count, seed, behaviour);
    let mut reader = PageReader::new(limits(page));
    let mut last = None;
    for _ in 0..4 {
        let begun = service.0.lock().states.len() - 1;
        let outcome = reader.read(&service).await;
        let states = service.0.lock().states[begun..].to_vec();
        match outcome {
            Ok(Outcome::New(list)) => assert_was_there(last.insert(list), &states),
            Ok(Outcome::Unchanged { .. }) => assert_was_there(last.as_ref().unwrap(), &states),
            Err(_) => {}
        }
        let mut world = service.0.lock();
        world.change();
        world.forget_page();
    }
    service.0.lock().behaviour = Behaviour::default();
    // The last pass may have missed a change that was taken back.
    reader.forget();
    let outcome = reader.read(&service).await;
    if matches!(outcome, Err(CatalogueError::Senseless)) {
        return assert!(service.0.lock().list().iter().all(|(id, _)| id.is_multiple_of(17)));
    }
    assert_is_whole(&new(outcome), &service);
    service.0.lock().parsed = 0;
    assert!(is_unchanged(reader.read(&service).await));
    assert_eq!(service.0.lock().parsed, 0);
    service.0.lock().change();
    match reader.read(&service).await {
        Ok(Outcome::New(list)) => assert_is_whole(&list, &service),
        Ok(Outcome::Unchanged { .. }) => {
            let world = service.0.lock();
            assert_eq!(world.states[world.states.len() - 2], world.list());
        }
        Err(error) => assert!(matches!(error, CatalogueError::Senseless)),
    }
}

fn history(sizes: std::ops::Range<u64>) -> impl Strategy<Value = (u64, u64, u64, Behaviour)> {
    let percentage = || prop_oneof![Just(0_u32), 0..30_u32];
    let most = prop::option::weighted(0.1, 15..60_usize);
    let largest = prop::option::weighted(0.2, 2_000..9_000_usize);
    let behaviour =
        (prop_oneof![Just(0), 0..100_u32], percentage(), percentage(), percentage(), most, largest).prop_map(
            |(changes, failures, wrong_pages, wrong_totals, most, largest)| Behaviour {
                changes,
                failures,
                wrong_pages,
                // Nothing tells a list from a part of it if the service gives only a part and says that it is all.
                wrong_totals: if most.is_some() { 0 } else { wrong_totals },
                most,
                largest,
                ..Behaviour::default()
            },
        );
    (sizes, 20..120_u64, any::<u64>(), behaviour)
}

fn run_history((count, page, seed, behaviour): (u64, u64, u64, Behaviour)) {
    run(passes(count, page, seed, behaviour));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(50))]

    #[test]
    fn passes_have_what_was_there_whatever_happens(history in history(0..2_000)) {
        run_history(history);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    #[ignore = "takes long: part of make test-all"]
    fn passes_of_many_histories_have_what_was_there(history in history(0..2_000)) {
        run_history(history);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10))]

    #[test]
    #[ignore = "takes long: part of make test-all"]
    fn passes_of_large_lists_have_what_was_there((count, page, seed, behaviour) in history(20_000..60_000)) {
        let behaviour = Behaviour { largest: None, most: None, ..behaviour };
        run_history((count, 20 * page, seed, behaviour));
    }
}
