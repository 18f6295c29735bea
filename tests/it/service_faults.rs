//! The catalogue's client against a service that fails: every failure is typed, cut at its budget, counted, and over
//! once the service is well. How exactly the budget is kept is in `timed/catalogue.rs`.

use std::time::Duration;

use futures_util::future::join_all;
use vitrine::catalogue::CatalogueError::{
    self, CircuitOpen, Implausible, Malformed, Status, TimedOut, TooLarge, Transport,
};
use vitrine::catalogue::{CallOutcome, CallTimes, Phase, Service, ServiceLimits, Source as _, Wanted};

use crate::common::client::{FOREVER, LIMITS, recover, service_at, start};
use crate::common::faults::Fault;
use crate::common::queries::{Calls as _, Sold as _};
use crate::common::until::until;
use crate::common::upstream::Upstream;
use crate::common::{listed, sample};

/// A limit that runs out in each test of it.
const SHORT: Duration = Duration::from_millis(300);
/// Much later than a short limit allows, even for a machine that stops for a while.
const LATE: Duration = Duration::from_secs(30);

/// A fault under these limits, what a query for all products is answered, and whether five such answers in a row open the
/// breaker.
type Row = (ServiceLimits, Fault, fn(&CatalogueError) -> bool, CallOutcome, bool);

macro_rules! rows {
    ($($limits:expr, $fault:expr => $error:pat, $outcome:ident, $opens:literal;)*) => {
        [$({
            let is_expected: fn(&CatalogueError) -> bool = |error| matches!(error, $error);
            ($limits, $fault, is_expected, CallOutcome::$outcome, $opens)
        }),*]
    };
}

#[tokio::test]
async fn a_service_that_is_slow_in_any_phase() {
    let connect = ServiceLimits { connect_timeout: SHORT, ..LIMITS };
    let visitor = |visitor| ServiceLimits { visitor, ..LIMITS };
    let first = visitor(CallTimes { first_byte: SHORT, ..LIMITS.visitor });
    let read = visitor(CallTimes { read: SHORT, ..LIMITS.visitor });
    let total = visitor(CallTimes { total: SHORT, ..LIMITS.visitor });
    let drip = Fault::Drip { every: Duration::from_millis(60) };
    let rows = rows! {
        connect, Fault::IgnoreConnections => TimedOut(Phase::Connect), Timeout, true;
        first, Fault::Silence => TimedOut(Phase::FirstByte), Timeout, true;
        first, Fault::Latency(LATE) => TimedOut(Phase::FirstByte), Timeout, true;
        read, Fault::StallMidBody => TimedOut(Phase::Read), Timeout, true;
        total, drip => TimedOut(Phase::Total), Timeout, true;
    };
    join_all(rows.map(survives)).await;
}

#[tokio::test]
async fn a_service_that_breaks_off_or_gives_a_wrong_answer() {
    const MOST: usize = LIMITS.max_body;
    let elsewhere = Upstream::start().await;
    let away = Fault::Redirect(format!("{}products", elsewhere.base()));
    let internal = Fault::Redirect("http://169.254.169.254/latest".into());
    let page = b"<!doctype html><p>Back soon";
    let html = Fault::Fixed { status: 200, content_type: "text/html; charset=utf-8", body: (*page).into() };
    let wrong_types = Fault::json(r#"{"products":[{"id":null,"title":7,"price":null}],"total":1}"#);
    let rows = rows! {
        LIMITS, Fault::RefuseConnections => Transport(_), TransportFailure, true;
        LIMITS, Fault::ResetMidBody => Transport(_), TransportFailure, true;
        LIMITS, Fault::CutShort => Transport(_), TransportFailure, true;
        LIMITS, Fault::Status(500) => Status(500), UnexpectedStatus, true;
        LIMITS, Fault::Status(501) => Status(501), UnexpectedStatus, true;
        LIMITS, Fault::Status(502) => Status(502), UnexpectedStatus, true;
        LIMITS, Fault::Status(503) => Status(503), UnexpectedStatus, true;
        LIMITS, Fault::Status(504) => Status(504), UnexpectedStatus, true;
        LIMITS, Fault::Status(302) => Status(302), UnexpectedStatus, true;
        LIMITS, Fault::Status(403) => Status(403), UnexpectedStatus, false;
        LIMITS, Fault::Status(404) => Status(404), Answered, false;
        LIMITS, away => Status(302), UnexpectedStatus, true;
        LIMITS, internal => Status(302), UnexpectedStatus, true;
        LIMITS, html => Malformed(_), Malformed, true;
        LIMITS, Fault::json(r#"{"products":[{"id":1,"ti"#) => Malformed(_), Malformed, true;
        LIMITS, Fault::Deep => Malformed(_), Malformed, true;
        LIMITS, wrong_types => Malformed(_), Malformed, true;
        LIMITS, Fault::Huge => TooLarge { limit: MOST }, TooLarge, true;
        LIMITS, Fault::GzipBomb => TooLarge { limit: MOST }, TooLarge, true;
        LIMITS, Fault::BrotliBomb => TooLarge { limit: MOST }, TooLarge, true;
    };
    join_all(rows.map(survives)).await;
    assert!(elsewhere.calls().is_empty(), "a redirect to another address was followed");
}

/// How often a client asks.
const QUERIES: u64 = 30;

/// A service that was well fails and recovers. Meanwhile each failure is the expected one and counted, and the fifth one
/// is the last.
async fn survives((limits, fault, is_expected, outcome, opens): Row) {
    let (upstream, service) =
        healthy(ServiceLimits { open_shortest: FOREVER, open_longest: FOREVER, ..limits }).await;
    let recovering = service_at(upstream.base(), limits);
    recover(&recovering).await;
    upstream.set(fault.clone()).await;
    let counters = service.counters();
    let figures = || [counters.calls.get(), counters.ended(outcome), counters.bytes.get()];
    let (before, arrived) = (figures(), upstream.calls().len());
    let mut answered = 0;
    for _ in 0..QUERIES {
        match service.all_products().await.unwrap_err() {
            CircuitOpen { retry_after } => assert!(retry_after > Duration::ZERO, "{fault:?}"),
            error => {
                answered += 1;
                assert!(is_expected(&error), "{fault:?}: {error:?}");
            }
        }
    }
    let calls = if opens { 5 } else { QUERIES };
    let [made, ended, bytes] = [0, 1, 2].map(|figure| figures()[figure] - before[figure]);
    assert_eq!((made, ended), (calls, calls), "{fault:?}");
    assert!(bytes <= calls * (limits.max_body as u64 + (1 << 20)), "{fault:?}: {bytes} bytes");
    assert!((upstream.calls().len() - arrived) as u64 <= calls, "{fault:?}");
    assert_eq!(counters.refused_by_circuit.get(), QUERIES - answered, "{fault:?}");
    assert_eq!(counters.circuit_opened.get() > 0, opens, "{fault:?}");
    assert!(opens || counters.retries.get() == 0, "{fault:?}");

    let error = recovering.all_products().await.unwrap_err();
    assert!(is_expected(&error), "{fault:?}: {error:?}");
    upstream.set(Fault::None).await;
    recover(&recovering).await;
    // Under a lowered limit the first answer may come too late.
    until(&format!("what is asked next after {fault:?}"), async || service.product(1).await.is_ok()).await;
    let wanted = Wanted { since: None, count: Some(194), most: 5_000 };
    until("the reading, which has a breaker of its own", async || service.changes(wanted).await.is_ok())
        .await;
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

#[tokio::test]
async fn an_address_that_cannot_be_spoken_to() {
    let upstream = Upstream::start().await;
    // The service does not speak TLS.
    let mut https = upstream.base();
    https.set_scheme("https").unwrap();
    // Without a name server the resolver itself may be slow to say so.
    for (base, total) in
        [(https, LIMITS.visitor.total), ("http://catalogue.invalid".parse().unwrap(), SHORT * 4)]
    {
        let visitor = CallTimes { total, ..LIMITS.visitor };
        let limits = ServiceLimits { visitor, open_shortest: FOREVER, open_longest: FOREVER, ..LIMITS };
        let service = service_at(base, limits);
        while !matches!(service.all_products().await.unwrap_err(), CircuitOpen { .. }) {}
        let counters = service.counters();
        let ended = [CallOutcome::TransportFailure, CallOutcome::Timeout].map(|end| counters.ended(end));
        assert_eq!((counters.calls.get(), ended.iter().sum()), (5, 5), "{ended:?}");
    }
    assert!(upstream.calls().is_empty());
}

#[tokio::test]
async fn a_redirect_out_of_the_base_path_or_in_a_circle_ends_and_costs_a_token_each_time() {
    let upstream = Upstream::start().await;
    for (base, location, call_burst, calls) in
        [("shop/", "/internal", 10, 1), ("", "/products", 10, 4), ("", "/products", 3, 3)]
    {
        let before = upstream.calls().len();
        upstream.set(Fault::Redirect(location.into())).await;
        let limits = ServiceLimits { calls_per_second: 0.01, call_burst, ..LIMITS };
        let service = service_at(upstream.base().join(base).unwrap(), limits);
        assert!(matches!(service.all_products().await, Err(Status(302))));
        let made: Vec<String> = upstream.calls()[before..].iter().map(|call| call.target.clone()).collect();
        assert_eq!(made.len(), calls, "{made:?}");
        assert!(!made.contains(&"/internal".into()));
    }
}

#[tokio::test]
async fn an_invalid_product_does_not_open_the_breaker() {
    for (fault, id) in [(Fault::json(r#"{"id":1,"title":7,"price":null}"#), 1), (Fault::PoisonedProducts, 2)]
    {
        let (upstream, service) = start(LIMITS).await;
        upstream.set(fault).await;
        for _ in 0..10 {
            assert!(matches!(service.product(id).await, Err(Implausible { .. })), "{id}");
        }
        let counters = service.counters();
        assert_eq!((counters.ended(CallOutcome::Implausible), counters.retries.get()), (10, 0));
        assert_eq!(counters.circuit_opened.get(), 0);
    }
}

#[tokio::test]
async fn fewer_products_are_an_answer_and_of_duplicates_the_first_is_kept() {
    let whole = listed(&sample().all_products().await.unwrap());
    let number = whole.len();
    for (fault, left, dropped) in [
        (Fault::EmptyList, 0, 0),
        (Fault::HalfTheProducts, number / 2, 0),
        (Fault::DuplicateIds, number, number),
    ] {
        let (upstream, service) = start(LIMITS).await;
        upstream.set(fault.clone()).await;
        let products = service.all_products().await.unwrap();
        assert_eq!((products.len(), products == whole), (left, left == number), "{fault:?}");
        assert_eq!(service.counters().dropped_entries.get(), dropped as u64, "{fault:?}");
        let categories = service.categories().await.unwrap();
        assert_eq!(categories.is_empty(), left == 0, "{fault:?}");
        assert!(left < number || categories == sample().categories().await.unwrap(), "{fault:?}");
    }
}

#[tokio::test]
async fn a_body_that_says_it_is_too_large_is_not_read() {
    let (upstream, service) = start(LIMITS).await;
    for fault in [Fault::HugeAndHonest, Fault::json(vec![b' '; LIMITS.max_body + 1])] {
        upstream.set(fault).await;
        assert!(matches!(service.all_products().await, Err(TooLarge { limit }) if limit == LIMITS.max_body));
    }
    assert_eq!(service.counters().bytes.get(), 0);
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
    // Closed between calls it costs nothing.
    upstream.set(Fault::None).await;
    for _ in 0..3 {
        assert!(service.product(1).await.unwrap().is_some());
        upstream.close_connections().await;
    }
    assert_eq!(counters.circuit_opened.get(), 0);
}
