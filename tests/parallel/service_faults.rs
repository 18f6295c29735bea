//! The catalogue's client against a service that fails: every failure is typed, cut at its budget,
//! counted, and over once the service is well. How exactly the budget is kept is in `timed/catalogue.rs`.

use futures_util::future::join_all;
use std::time::Duration;
use vitrine::catalogue::{CallOutcome, CatalogueError, Phase, ProductSet, Service, ServiceLimits, Summary};

use crate::common::client::{FOREVER, LIMITS, SHORT, recover, service_at, start};
use crate::common::faults::{Fault, SCRIPT};
use crate::common::queries::Queries as _;
use crate::common::upstream::Upstream;
use crate::common::{listed, sample};

/// A service that was well fails and recovers. Meanwhile each failure is the expected one and counted,
/// and the fifth one is the last.
async fn survives(fault: Fault, expected: impl Fn(&CatalogueError) -> bool, outcome: CallOutcome) {
    survives_within(LIMITS, fault, expected, outcome).await;
}

/// `survives` with other limits, for a fault that exceeds one of them.
async fn survives_within(
    limits: ServiceLimits,
    fault: Fault,
    expected: impl Fn(&CatalogueError) -> bool,
    outcome: CallOutcome,
) {
    // One breaker stays open for as long as this test looks at it, the other one only for a moment.
    let (upstream, lasting) =
        healthy(ServiceLimits { open_shortest: FOREVER, open_longest: FOREVER, ..limits }).await;
    let recovering = service_at(upstream.base(), limits);
    recover(&recovering).await;
    upstream.set(fault.clone()).await;
    let counters = lasting.counters();
    let before = (counters.calls.get(), counters.ended(outcome), upstream.calls().len());
    let last = loop {
        let error = lasting.all_products().await.unwrap_err();
        if matches!(error, CatalogueError::CircuitOpen { .. }) {
            break error;
        }
        assert!(expected(&error), "{fault:?}: {error:?}");
        assert!(counters.calls.get() - before.0 <= 5, "{fault:?} does not open the breaker");
    };
    assert_eq!((counters.calls.get() - before.0, counters.ended(outcome) - before.1), (5, 5), "{fault:?}");
    assert!(counters.circuit_opened.get() >= 1 && counters.refused_by_circuit.get() >= 1);
    assert!(upstream.calls().len() - before.2 <= 5);
    assert!(matches!(last, CatalogueError::CircuitOpen { retry_after } if retry_after > Duration::ZERO));
    while recovering.counters().circuit_opened.get() == 0 {
        let error = recovering.all_products().await.unwrap_err();
        assert!(expected(&error), "{fault:?}: {error:?}");
    }
    upstream.set(Fault::None).await;
    recover(&recovering).await;
}

/// A client that has had an answer and no failure, and its service.
async fn healthy(limits: ServiceLimits) -> (Upstream, Service) {
    let upstream = Upstream::start().await;
    loop {
        // On a busy machine an answer may come too late for a lowered limit.
        let service = service_at(upstream.base(), limits);
        if service.all_products().await.is_ok() {
            return (upstream, service);
        }
    }
}

fn is_transport(error: &CatalogueError) -> bool {
    matches!(error, CatalogueError::Transport(_))
}

fn is_malformed(error: &CatalogueError) -> bool {
    matches!(error, CatalogueError::Malformed(_))
}

fn is_too_large(error: &CatalogueError) -> bool {
    matches!(error, CatalogueError::TooLarge { limit } if *limit == LIMITS.max_body)
}

#[tokio::test]
async fn a_connection_that_is_refused_or_breaks_off() {
    let faults = [Fault::RefuseConnections, Fault::ResetMidBody, Fault::CutShort];
    join_all(faults.map(|fault| survives(fault, is_transport, CallOutcome::TransportFailure))).await;
}

#[tokio::test]
async fn a_name_that_does_not_resolve() {
    let limits =
        ServiceLimits { total_timeout: SHORT * 3, open_shortest: FOREVER, open_longest: FOREVER, ..LIMITS };
    let service = service_at("http://catalogue.invalid".parse().unwrap(), limits);
    loop {
        // Without a name server the resolver itself may be slow to say so.
        match service.all_products().await.unwrap_err() {
            CatalogueError::CircuitOpen { .. } => break,
            CatalogueError::TimedOut(_) => {}
            error => assert!(is_transport(&error), "{error:?}"),
        }
    }
    let (counters, calls) = (service.counters(), service.counters().calls.get());
    assert_eq!(counters.ended(CallOutcome::TransportFailure) + counters.ended(CallOutcome::Timeout), calls);
    // The fifth failure in a row opens the circuit of the connection, and the fifth timeout that of the query: where
    // the resolver is slow at times, up to four failures come before each timeout.
    assert!((5..=25).contains(&calls), "{calls}");
}

#[tokio::test]
async fn a_service_that_does_not_speak_tls() {
    let upstream = Upstream::start().await;
    let limits = ServiceLimits { open_shortest: FOREVER, open_longest: FOREVER, ..LIMITS };
    let service = service_at(upstream.https_base(), limits);
    while !matches!(service.all_products().await.unwrap_err(), CatalogueError::CircuitOpen { .. }) {}
    let counters = service.counters();
    assert_eq!((counters.ended(CallOutcome::TransportFailure), counters.calls.get()), (5, 5));
    assert!(upstream.calls().is_empty());
}

#[tokio::test]
async fn a_service_that_is_slow_in_any_phase() {
    let drip = Fault::Drip { every: Duration::from_millis(60) };
    let cases = [
        (ServiceLimits { connect_timeout: SHORT, ..LIMITS }, Fault::IgnoreConnections, Phase::Connect),
        (ServiceLimits { first_byte_timeout: SHORT, ..LIMITS }, Fault::Silence, Phase::FirstByte),
        (ServiceLimits { first_byte_timeout: SHORT, ..LIMITS }, Fault::Latency(LATE), Phase::FirstByte),
        (ServiceLimits { read_timeout: SHORT, ..LIMITS }, Fault::StallMidBody, Phase::Read),
        (ServiceLimits { total_timeout: SHORT, ..LIMITS }, drip, Phase::Total),
    ];
    join_all(cases.map(async |(limits, fault, phase)| {
        let is_cut = |error: &CatalogueError| matches!(error, CatalogueError::TimedOut(at) if *at == phase);
        survives_within(limits, fault, is_cut, CallOutcome::Timeout).await;
    }))
    .await;
}

/// Much later than a short limit allows, even for a machine that stops for a while.
const LATE: Duration = Duration::from_secs(30);

#[tokio::test]
async fn an_answer_in_tiny_slices_or_a_little_late_is_whole() {
    for fault in [Fault::TinySlices, Fault::Latency(Duration::from_millis(100))] {
        let (upstream, service) = start(LIMITS).await;
        let what = format!("{fault:?}");
        upstream.set(fault).await;
        assert_eq!(
            service.all_products().await.unwrap(),
            listed(&sample().all_products().await.unwrap()),
            "{what}"
        );
        assert_eq!(service.counters().calls.get(), 1, "{what}");
    }
}

#[tokio::test]
async fn a_storm_of_errors() {
    join_all([500, 502, 503, 504, 501, 302].map(async |status| {
        let is_status = |error: &CatalogueError| matches!(error, CatalogueError::Status(is) if *is == status);
        survives(Fault::Status(status), is_status, CallOutcome::UnexpectedStatus).await;
    }))
    .await;
}

#[tokio::test]
async fn a_redirect_to_another_address_is_not_followed() {
    let elsewhere = Upstream::start().await;
    for location in [format!("{}products", elsewhere.base()), "http://169.254.169.254/latest".into()] {
        let is_302 = |error: &CatalogueError| matches!(error, CatalogueError::Status(302));
        survives(Fault::Redirect(location), is_302, CallOutcome::UnexpectedStatus).await;
    }
    assert!(elsewhere.calls().is_empty());
}

#[tokio::test]
async fn a_redirect_out_of_the_base_path_or_in_a_circle_ends() {
    let upstream = Upstream::start().await;
    for (base, location, calls) in [("shop/", "/internal", 1), ("", "/products", 4)] {
        let before = upstream.calls().len();
        upstream.set(Fault::Redirect(location.into())).await;
        let service = service_at(upstream.base().join(base).unwrap(), LIMITS);
        assert!(matches!(service.all_products().await, Err(CatalogueError::Status(302))));
        let made: Vec<String> = upstream.calls()[before..].iter().map(|call| call.target.clone()).collect();
        assert_eq!(made.len(), calls, "{made:?}");
        assert!(!made.contains(&"/internal".into()));
    }
}

#[tokio::test]
async fn an_answer_that_is_no_json_of_products() {
    let faults = [Fault::Html, Fault::BrokenJson, Fault::Deep, Fault::WrongTypes];
    join_all(faults.map(|fault| survives(fault, is_malformed, CallOutcome::Malformed))).await;
}

#[tokio::test]
async fn a_product_of_wrong_types_does_not_open_the_breaker() {
    let (upstream, service) = start(LIMITS).await;
    upstream.set(Fault::WrongTypes).await;
    for _ in 0..10 {
        assert!(matches!(service.product(1).await, Err(CatalogueError::Implausible { .. })));
    }
    assert!(is_malformed(&service.categories().await.unwrap_err()));
    let counters = service.counters();
    assert_eq!((counters.ended(CallOutcome::Implausible), counters.ended(CallOutcome::Malformed)), (10, 1));
    assert_eq!((counters.circuit_opened.get(), counters.retries.get()), (0, 0));
}

#[tokio::test]
async fn fewer_products_are_an_answer() {
    let (upstream, service) = start(LIMITS).await;
    upstream.set(Fault::EmptyList).await;
    assert_eq!(service.all_products().await.unwrap().len(), 0);
    assert!(service.categories().await.unwrap().is_empty());
    upstream.set(Fault::HalfTheProducts).await;
    assert_eq!(service.all_products().await.unwrap().len(), sample().products().len() / 2);
}

#[tokio::test]
async fn of_duplicates_the_first_is_kept() {
    let (upstream, service) = start(LIMITS).await;
    upstream.set(Fault::DuplicateIds).await;
    assert_eq!(service.all_products().await.unwrap(), listed(&sample().all_products().await.unwrap()));
    assert_eq!(service.counters().dropped_entries.get(), sample().products().len() as u64);
    assert_eq!(service.categories().await.unwrap(), sample().categories().await.unwrap());
}

#[tokio::test]
async fn a_body_without_end_is_cut() {
    survives(Fault::Huge, is_too_large, CallOutcome::TooLarge).await;
}

#[tokio::test]
async fn a_body_that_says_it_is_too_large_is_not_read() {
    let (upstream, service) = start(LIMITS).await;
    for fault in [Fault::HugeAndHonest, Fault::json(vec![b' '; LIMITS.max_body + 1])] {
        upstream.set(fault).await;
        assert!(is_too_large(&service.all_products().await.unwrap_err()));
    }
    assert_eq!(service.counters().bytes.get(), 0);
}

#[tokio::test]
async fn a_body_that_unpacks_to_too_much_is_cut_on_the_way() {
    for bomb in [Fault::GzipBomb, Fault::BrotliBomb] {
        let (upstream, service) = start(LIMITS).await;
        upstream.set(bomb).await;
        assert!(is_too_large(&service.all_products().await.unwrap_err()));
        let counters = service.counters();
        assert_eq!((counters.ended(CallOutcome::TooLarge), counters.calls.get()), (1, 1));
        let limit = LIMITS.max_body as u64;
        assert!((limit..limit + (1 << 20)).contains(&counters.bytes.get()), "{}", counters.bytes.get());
        upstream.set(Fault::None).await;
        recover(&service).await;
    }
}

#[tokio::test]
async fn a_poisoned_product_leaves_the_others_alone() {
    let (upstream, service) = start(LIMITS).await;
    upstream.set(Fault::PoisonedProducts).await;
    let (poisoned, whole) =
        (service.all_products().await.unwrap(), listed(&sample().all_products().await.unwrap()));
    assert_eq!(poisoned.len(), whole.len() - 1);
    let summaries = |set: &ProductSet| set.whole().map(|product| product.unwrap().summary).collect();
    let [poisoned, whole]: [Vec<Summary>; 2] = [summaries(&poisoned), summaries(&whole)];
    // The script is a text like any other; the page that shows it escapes it.
    assert!(poisoned[0].title.starts_with(SCRIPT) && poisoned[0].title.chars().count() <= 300);
    assert_eq!((&poisoned[0].category, &poisoned[0].thumbnail), (&None, &None));
    assert_eq!(poisoned[1..], whole[2..]);
    // One product, and the category and the thumbnail of the other one.
    assert_eq!(service.counters().dropped_entries.get(), 3);
    for _ in 0..10 {
        assert!(matches!(service.product(2).await, Err(CatalogueError::Implausible { .. })));
    }
    assert!(service.product(1).await.unwrap().is_some());
    assert_eq!(service.counters().circuit_opened.get(), 0);
}

#[tokio::test]
async fn a_kept_connection_closed_during_a_call_costs_a_retry() {
    let (upstream, service) = start(LIMITS).await;
    upstream.set(Fault::CloseKeptAlive).await;
    for _ in 0..4 {
        assert!(service.product(1).await.unwrap().is_some());
    }
    let counters = service.counters();
    assert_eq!((counters.retries.get(), counters.ended(CallOutcome::TransportFailure)), (3, 3));
    assert_eq!(counters.circuit_opened.get(), 0);
}

#[tokio::test]
async fn connections_closed_between_calls_cause_no_failure() {
    let (upstream, service) = start(LIMITS).await;
    for _ in 0..3 {
        assert!(service.product(1).await.unwrap().is_some());
        upstream.close_connections().await;
    }
    assert_eq!(service.counters().circuit_opened.get(), 0);
}
