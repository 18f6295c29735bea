//! The catalogue's client against a service in trouble: every failure is typed, cut within its
//! budget, counted, and over once the service is well.

mod common;

use std::io;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use common::faults::{Fault, SCRIPT};
use common::sample;
use common::upstream::Upstream;
use futures_util::future::join_all;
use vitrine::catalogue::{
    Catalogue, CatalogueCounters, CatalogueError, Phase, Section, Service, ServiceLimits,
};
use vitrine::counter::Counter;

/// Short, but long enough for a healthy answer on a busy machine.
const LIMITS: ServiceLimits = ServiceLimits {
    connect_timeout: Duration::from_millis(500),
    first_byte_timeout: Duration::from_millis(600),
    read_timeout: Duration::from_millis(600),
    total_timeout: Duration::from_millis(1_200),
    max_body: 4 << 20,
    calls_per_second: 10_000.0,
    call_burst: 10_000,
    token_wait: Duration::from_millis(100),
    open_shortest: Duration::from_millis(50),
    open_longest: Duration::from_millis(200),
};

/// What a busy machine may add to a budget.
const SLACK: Duration = Duration::from_secs(2);

fn service_at(base: url::Url, limits: ServiceLimits) -> Service {
    Service::new(base, limits).unwrap()
}

async fn start(limits: ServiceLimits) -> (Upstream, Service) {
    let upstream = Upstream::start().await;
    let service = service_at(upstream.base(), limits);
    (upstream, service)
}

/// Asks until there is an answer, as an open breaker or a pause allows.
async fn recover(service: &Service) {
    let started = Instant::now();
    while let Err(error) = service.all_products().await {
        assert!(started.elapsed() < Duration::from_secs(10), "still {error}");
        if let CatalogueError::CircuitOpen { retry_after } | CatalogueError::RateLimited { retry_after } =
            error
        {
            tokio::time::sleep(retry_after).await;
        }
    }
    assert_eq!(service.all_products().await.unwrap(), sample().all_products().await.unwrap());
}

/// A service that was well gets into trouble and out of it again. Meanwhile each failure is the
/// expected one and counted, none takes longer than the budget, and the fifth one is the last.
async fn survives(
    fault: Fault,
    expected: impl Fn(&CatalogueError) -> bool,
    counter: impl Fn(&CatalogueCounters) -> &Counter,
) {
    // The breaker stays open for as long as this test looks at it.
    let limits = ServiceLimits { open_shortest: Duration::from_secs(1), ..LIMITS };
    let (upstream, service) = start(limits).await;
    recover(&service).await;
    upstream.set(fault.clone()).await;
    let counters = service.counters();
    let before = (counters.calls.get(), counter(counters).get(), upstream.calls().len());
    let last = loop {
        let started = Instant::now();
        let error = service.all_products().await.unwrap_err();
        assert!(started.elapsed() < limits.total_timeout + SLACK, "{fault:?}: {:?}", started.elapsed());
        if matches!(error, CatalogueError::CircuitOpen { .. }) {
            break error;
        }
        assert!(expected(&error), "{fault:?}: {error:?}");
        assert!(counters.calls.get() - before.0 <= 5, "{fault:?} does not open the breaker");
    };
    assert_eq!((counters.calls.get() - before.0, counter(counters).get() - before.1), (5, 5), "{fault:?}");
    assert!(counters.circuit_opened.get() >= 1 && counters.refused_by_circuit.get() >= 1);
    assert!(upstream.calls().len() - before.2 <= 5);
    assert!(matches!(last, CatalogueError::CircuitOpen { retry_after } if retry_after > Duration::ZERO));
    upstream.set(Fault::None).await;
    recover(&service).await;
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
async fn a_service_that_nobody_listens_for() {
    survives(Fault::RefuseConnections, is_transport, |counters| &counters.transport_failures).await;
}

#[tokio::test]
async fn five_calls_that_cannot_connect_are_the_last_whatever_they_ask_for() {
    let (upstream, service) = start(ServiceLimits { open_shortest: SLACK, ..LIMITS }).await;
    upstream.set(Fault::RefuseConnections).await;
    let mut errors = Vec::new();
    for _ in 0..3 {
        errors.extend(service.categories().await.err());
        errors.extend(service.all_products().await.err());
        errors.extend(service.search("red").await.err());
        errors.extend(service.product(1).await.err());
        errors.extend(service.section(Section::Featured).await.err());
    }
    let counters = service.counters();
    assert_eq!((errors.len(), counters.calls.get(), counters.circuit_opened.get()), (15, 5, 1));
    assert!(errors[5..].iter().all(|error| matches!(error, CatalogueError::CircuitOpen { .. })));
}

#[tokio::test]
async fn a_connection_that_never_comes_about() {
    let is_connect = |error: &CatalogueError| matches!(error, CatalogueError::TimedOut(Phase::Connect));
    survives(Fault::IgnoreConnections, is_connect, |counters| &counters.timeouts).await;
}

#[tokio::test]
async fn a_name_that_does_not_resolve() {
    let service = service_at("http://catalogue.invalid".parse().unwrap(), LIMITS);
    let started = Instant::now();
    let error = service.all_products().await.unwrap_err();
    // Without a name server the resolver itself may be slow to say so.
    assert!(is_transport(&error) || matches!(error, CatalogueError::TimedOut(_)), "{error:?}");
    assert!(started.elapsed() < LIMITS.total_timeout + SLACK);
}

#[tokio::test]
async fn a_service_that_does_not_speak_tls() {
    let upstream = Upstream::start().await;
    let service = service_at(upstream.https_base(), ServiceLimits { open_shortest: SLACK, ..LIMITS });
    while !matches!(service.all_products().await.unwrap_err(), CatalogueError::CircuitOpen { .. }) {}
    let counters = service.counters();
    assert_eq!((counters.transport_failures.get(), counters.calls.get()), (5, 5));
    assert!(upstream.calls().is_empty());
}

#[tokio::test]
async fn a_service_that_sends_nothing() {
    let is_first_byte = |error: &CatalogueError| matches!(error, CatalogueError::TimedOut(Phase::FirstByte));
    survives(Fault::Silence, is_first_byte, |counters| &counters.timeouts).await;
}

#[tokio::test]
async fn a_body_that_stops_halfway() {
    let is_read = |error: &CatalogueError| matches!(error, CatalogueError::TimedOut(Phase::Read));
    survives(Fault::StallMidBody, is_read, |counters| &counters.timeouts).await;
}

#[tokio::test]
async fn a_body_that_drips_is_cut_at_the_total_budget() {
    let is_total = |error: &CatalogueError| matches!(error, CatalogueError::TimedOut(Phase::Total));
    let drip = Fault::Drip { every: LIMITS.read_timeout / 10 };
    survives(drip, is_total, |counters| &counters.timeouts).await;
}

#[tokio::test]
async fn an_answer_that_comes_late() {
    let is_first_byte = |error: &CatalogueError| matches!(error, CatalogueError::TimedOut(Phase::FirstByte));
    let late = Fault::Latency(LIMITS.first_byte_timeout * 3);
    survives(late, is_first_byte, |counters| &counters.timeouts).await;
}

#[tokio::test]
async fn an_answer_that_comes_a_little_late_is_an_answer() {
    let (upstream, service) = start(LIMITS).await;
    upstream.set(Fault::Latency(Duration::from_millis(100))).await;
    assert_eq!(service.all_products().await.unwrap(), sample().all_products().await.unwrap());
}

#[tokio::test]
async fn a_connection_reset_in_the_middle() {
    survives(Fault::ResetMidBody, is_transport, |counters| &counters.transport_failures).await;
}

#[tokio::test]
async fn a_body_shorter_than_promised() {
    survives(Fault::CutShort, is_transport, |counters| &counters.transport_failures).await;
}

#[tokio::test]
async fn a_body_in_tiny_slices_is_whole() {
    let (upstream, service) = start(LIMITS).await;
    upstream.set(Fault::TinySlices).await;
    assert_eq!(service.all_products().await.unwrap(), sample().all_products().await.unwrap());
    assert_eq!(service.counters().calls.get(), 1);
}

#[tokio::test]
async fn a_storm_of_errors() {
    join_all([500, 502, 503, 504, 501, 302].map(async |status| {
        let is_status = |error: &CatalogueError| matches!(error, CatalogueError::Status(is) if *is == status);
        survives(Fault::Status(status), is_status, |counters| &counters.unexpected_statuses).await;
    }))
    .await;
}

#[tokio::test]
async fn a_client_error_does_not_speak_against_the_service() {
    let (upstream, service) = start(LIMITS).await;
    upstream.set(Fault::Status(403)).await;
    for _ in 0..30 {
        assert!(matches!(service.all_products().await, Err(CatalogueError::Status(403))));
    }
    upstream.set(Fault::None).await;
    for _ in 0..30 {
        assert!(service.product(4_000_000).await.unwrap().is_none());
    }
    let counters = service.counters();
    assert_eq!((counters.circuit_opened.get(), counters.retries.get(), upstream.calls().len()), (0, 0, 60));
}

#[tokio::test]
async fn retries_are_at_most_a_tenth_of_all_calls() {
    const NEEDS: usize = 400;
    let (upstream, service) = start(LIMITS).await;
    upstream.set(Fault::EveryNth { nth: 3, status: 503 }).await;
    let mut answered = 0;
    for _ in 0..NEEDS {
        match service.product(1).await {
            Ok(_) => answered += 1,
            Err(error) => assert!(matches!(error, CatalogueError::Status(503)), "{error:?}"),
        }
    }
    let (counters, calls) = (service.counters(), upstream.calls().len());
    assert_eq!(counters.circuit_opened.get(), 0);
    assert_eq!(calls as u64, NEEDS as u64 + counters.retries.get());
    assert!((NEEDS / 20..=NEEDS / 10).contains(&(calls - NEEDS)), "{calls} calls");
    assert!(answered > NEEDS / 2, "{answered} answers");
}

#[tokio::test]
async fn a_failure_every_other_time_makes_at_most_eleven_calls_for_ten_needs() {
    const NEEDS: usize = 300;
    let brief = Duration::from_millis(1);
    let (upstream, service) =
        start(ServiceLimits { open_shortest: brief, open_longest: brief, ..LIMITS }).await;
    upstream.set(Fault::EveryNth { nth: 2, status: 503 }).await;
    let mut answered = 0;
    for _ in 0..NEEDS {
        answered += usize::from(service.product(1).await.is_ok());
        // So that the breaker is not open all the time.
        tokio::time::sleep(brief).await;
    }
    let calls = upstream.calls().len();
    assert!(calls * 10 <= NEEDS * 11, "{calls} calls");
    assert!(answered > NEEDS / 4, "{answered} answers");
    assert!(service.counters().circuit_opened.get() > 0);
}

#[tokio::test]
async fn no_call_is_made_while_the_service_wants_a_pause() {
    let (upstream, service) = start(LIMITS).await;
    upstream.set(Fault::TooManyRequests { retry_after: Some("120".into()) }).await;
    let first = service.all_products().await.unwrap_err();
    assert!(matches!(first, CatalogueError::RateLimited { retry_after } if retry_after.as_secs() == 120));
    upstream.set(Fault::None).await;
    for error in join_all((0..100).map(|id| service.product(id))).await {
        let left = match error.unwrap_err() {
            CatalogueError::RateLimited { retry_after } => retry_after.as_secs(),
            other => panic!("{other:?}"),
        };
        assert!((60..=120).contains(&left), "{left} seconds left");
    }
    let counters = service.counters();
    assert_eq!(upstream.calls().len(), 1);
    assert_eq!((counters.rate_limited.get(), counters.refused_by_pause.get()), (1, 100));
    assert_eq!((counters.retries.get(), counters.circuit_opened.get()), (0, 0));
}

#[tokio::test]
async fn calls_go_on_after_the_pause() {
    let (upstream, service) = start(LIMITS).await;
    upstream.set(Fault::TooManyRequests { retry_after: Some("1".into()) }).await;
    service.all_products().await.unwrap_err();
    upstream.set(Fault::None).await;
    recover(&service).await;
    let calls = upstream.calls();
    assert!(calls[1].at - calls[0].at >= Duration::from_secs(1));
}

#[tokio::test]
async fn a_pause_without_a_length_lasts_ten_seconds() {
    for retry_after in [None, Some("a while".into())] {
        let (upstream, service) = start(LIMITS).await;
        upstream.set(Fault::TooManyRequests { retry_after }).await;
        let error = service.all_products().await.unwrap_err();
        assert!(matches!(error, CatalogueError::RateLimited { retry_after } if retry_after.as_secs() == 10));
    }
}

#[tokio::test]
async fn a_redirect_to_another_address_is_not_followed() {
    let elsewhere = Upstream::start().await;
    for location in [format!("{}products", elsewhere.base()), "http://169.254.169.254/latest".into()] {
        let is_302 = |error: &CatalogueError| matches!(error, CatalogueError::Status(302));
        survives(Fault::Redirect(location), is_302, |counters| &counters.unexpected_statuses).await;
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
async fn a_redirect_needs_a_token_like_any_call() {
    let (upstream, service) = start(ServiceLimits { calls_per_second: 0.01, call_burst: 3, ..LIMITS }).await;
    upstream.set(Fault::Redirect("/products".into())).await;
    assert!(matches!(service.all_products().await, Err(CatalogueError::Status(302))));
    assert_eq!(upstream.calls().len(), 3);
}

#[tokio::test]
async fn a_page_instead_of_json() {
    survives(Fault::Html, is_malformed, |counters| &counters.malformed).await;
}

#[tokio::test]
async fn json_that_breaks_off() {
    survives(Fault::BrokenJson, is_malformed, |counters| &counters.malformed).await;
}

#[tokio::test]
async fn json_nested_too_deeply() {
    survives(Fault::Deep, is_malformed, |counters| &counters.malformed).await;
}

#[tokio::test]
async fn values_of_the_wrong_types() {
    survives(Fault::WrongTypes, is_malformed, |counters| &counters.malformed).await;
}

#[tokio::test]
async fn a_product_of_wrong_types_costs_only_itself() {
    let (upstream, service) = start(LIMITS).await;
    upstream.set(Fault::WrongTypes).await;
    for _ in 0..10 {
        assert!(matches!(service.product(1).await, Err(CatalogueError::Implausible(_))));
    }
    assert!(is_malformed(&service.categories().await.unwrap_err()));
    let counters = service.counters();
    assert_eq!((counters.implausible.get(), counters.malformed.get()), (10, 1));
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
    assert_eq!(service.all_products().await.unwrap(), sample().all_products().await.unwrap());
    assert_eq!(service.counters().dropped_entries.get(), sample().products().len() as u64);
    assert_eq!(service.categories().await.unwrap(), sample().categories().await.unwrap());
}

#[tokio::test]
async fn a_body_without_end_is_cut() {
    survives(Fault::Huge, is_too_large, |counters| &counters.too_large).await;
}

#[tokio::test]
async fn a_body_that_says_it_is_too_large_is_not_read() {
    let (upstream, service) = start(LIMITS).await;
    upstream.set(Fault::HugeAndHonest).await;
    assert!(is_too_large(&service.all_products().await.unwrap_err()));
    assert_eq!(service.counters().bytes.get(), 0);
}

#[tokio::test]
async fn a_body_that_unpacks_to_too_much_is_cut_on_the_way() {
    for bomb in [Fault::GzipBomb, Fault::BrotliBomb] {
        // Packing the bomb takes a while too.
        let patient = Duration::from_secs(60);
        let limits = ServiceLimits { first_byte_timeout: patient, total_timeout: patient, ..LIMITS };
        let (upstream, service) = start(limits).await;
        upstream.set(bomb).await;
        assert!(is_too_large(&service.all_products().await.unwrap_err()));
        let counters = service.counters();
        assert_eq!((counters.too_large.get(), counters.calls.get()), (1, 1));
        let limit = LIMITS.max_body as u64;
        assert!((limit..limit + (1 << 20)).contains(&counters.bytes.get()), "{}", counters.bytes.get());
        upstream.set(Fault::None).await;
        recover(&service).await;
    }
}

#[tokio::test]
async fn a_poisoned_product_costs_at_most_itself() {
    let (upstream, service) = start(LIMITS).await;
    upstream.set(Fault::PoisonedProducts).await;
    let (poisoned, whole) = (service.all_products().await.unwrap(), sample().all_products().await.unwrap());
    assert_eq!(poisoned.len(), whole.len() - 1);
    let (poisoned, whole) = (poisoned.products(), whole.products());
    // The script is a text like any other; the page that shows it escapes it.
    assert!(poisoned[0].title.starts_with(SCRIPT) && poisoned[0].title.chars().count() <= 300);
    assert_eq!((&poisoned[0].category, &poisoned[0].thumbnail), (&None, &None));
    assert_eq!(poisoned[1..], whole[2..]);
    assert_eq!(service.counters().dropped_entries.get(), 1);
    for _ in 0..10 {
        assert!(matches!(service.product(2).await, Err(CatalogueError::Implausible(_))));
    }
    assert!(service.product(1).await.unwrap().is_some());
    assert_eq!(service.counters().circuit_opened.get(), 0);
}

#[tokio::test]
async fn a_kept_connection_closed_under_a_call_is_not_noticed() {
    let (upstream, service) = start(LIMITS).await;
    upstream.set(Fault::CloseKeptAlive).await;
    for _ in 0..4 {
        assert!(service.product(1).await.unwrap().is_some());
    }
    let counters = service.counters();
    assert_eq!((counters.retries.get(), counters.transport_failures.get()), (3, 3));
    assert_eq!(counters.circuit_opened.get(), 0);
}

#[tokio::test]
async fn connections_closed_between_calls_are_not_noticed() {
    let (upstream, service) = start(LIMITS).await;
    for _ in 0..3 {
        assert!(service.product(1).await.unwrap().is_some());
        upstream.close_connections().await;
    }
    assert_eq!(service.counters().circuit_opened.get(), 0);
}

/// Makes calls fail until the breaker is open, and says for how long it is.
async fn open(upstream: &Upstream, service: &Service) -> Duration {
    upstream.set(Fault::Status(500)).await;
    loop {
        if let Err(CatalogueError::CircuitOpen { retry_after }) = service.product(1).await {
            return retry_after;
        }
    }
}

#[tokio::test]
async fn a_crowd_at_an_open_breaker_sends_one_probe() {
    let (upstream, service) = start(LIMITS).await;
    let open_for = open(&upstream, &service).await;
    let (before, opened) = (upstream.calls().len(), service.counters().circuit_opened.get());
    upstream.set(Fault::Silence).await;
    tokio::time::sleep(open_for).await;
    let answers = join_all((0..50).map(|_| service.product(1))).await;
    let refused = answers.iter().filter(|answer| matches!(answer, Err(CatalogueError::CircuitOpen { .. })));
    assert_eq!((refused.count(), upstream.calls().len() - before), (49, 1));
    assert_eq!(service.counters().circuit_opened.get(), opened + 1, "the probe failed");
    upstream.set(Fault::None).await;
    recover(&service).await;
}

#[tokio::test]
async fn a_probe_whose_caller_goes_away_makes_way_for_another() {
    let (upstream, service) = start(LIMITS).await;
    let open_for = open(&upstream, &service).await;
    let before = upstream.calls().len();
    upstream.set(Fault::Silence).await;
    tokio::time::sleep(open_for).await;
    let leaving = service.clone();
    let probe = tokio::spawn(async move { leaving.product(1).await.is_ok() });
    upstream.wait_for_calls(before + 1).await;
    assert!(matches!(service.product(1).await, Err(CatalogueError::CircuitOpen { .. })));
    probe.abort();
    assert!(probe.await.unwrap_err().is_cancelled());
    upstream.set(Fault::None).await;
    assert!(service.product(1).await.unwrap().is_some());
}

#[tokio::test]
async fn a_stampede_stays_below_the_service_s_limit() {
    let started = Instant::now();
    let (upstream, service) =
        start(ServiceLimits { total_timeout: Duration::from_secs(30), ..ServiceLimits::DEFAULT }).await;
    let answers = join_all((0..200).map(|_| service.product(1))).await;
    let refused = answers.iter().filter(|answer| matches!(answer, Err(CatalogueError::Throttled))).count();
    let allowed = 40.0 + 5.0 * (started.elapsed().as_secs_f64() + 0.5);
    let calls = upstream.calls().len();
    assert!((40..=allowed as usize).contains(&calls), "{calls} calls");
    assert_eq!((refused, service.counters().throttled.get()), (200 - calls, 200 - calls as u64));
}

#[tokio::test]
async fn a_call_beyond_the_burst_waits_shortly_for_its_turn() {
    let limits = ServiceLimits {
        calls_per_second: 1.0,
        call_burst: 1,
        token_wait: Duration::from_millis(1_200),
        total_timeout: Duration::from_secs(10),
        ..LIMITS
    };
    let (upstream, service) = start(limits).await;
    let answers = join_all((0..3).map(|_| service.product(1))).await;
    assert!(answers[0].is_ok() && answers[1].is_ok());
    assert!(matches!(answers[2], Err(CatalogueError::Throttled)));
    let calls = upstream.calls();
    assert!(calls[1].at - calls[0].at >= Duration::from_millis(500));
}

/// What is logged while `work` is done.
async fn logged(work: impl Future<Output = ()>) -> String {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::INFO)
        .with_ansi(false)
        .with_writer(move || writer.clone())
        .finish();
    let guard = tracing::subscriber::set_default(subscriber);
    work.await;
    drop(guard);
    let bytes = log.0.lock().unwrap().clone();
    String::from_utf8(bytes).unwrap()
}

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn trouble_is_logged_in_one_line_when_it_begins_and_one_when_it_ends() {
    let (upstream, service) = start(LIMITS).await;
    let log = logged(async {
        open(&upstream, &service).await;
        let _ = join_all((0..100).map(|_| service.product(1))).await;
        upstream.set(Fault::None).await;
        while service.product(1).await.is_err() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    })
    .await;
    let lines: Vec<_> = log.lines().collect();
    assert_eq!(lines.len(), 2, "{log}");
    assert!(lines[0].contains("WARN") && lines[0].contains("it is left alone for a while"), "{log}");
    assert!(lines[1].contains("INFO") && lines[1].contains("answers again"), "{log}");
}

#[tokio::test]
async fn a_pause_and_the_entries_left_out_are_logged_in_one_line() {
    let (upstream, service) = start(LIMITS).await;
    upstream.set(Fault::DuplicateIds).await;
    let log = logged(async { drop(service.all_products().await.unwrap()) }).await;
    let count = format!("count={}", sample().products().len());
    assert!(log.lines().count() == 1 && log.contains(&count) && log.contains("at=id 1"), "{log}");

    upstream.set(Fault::TooManyRequests { retry_after: None }).await;
    let log = logged(async { drop(join_all((0..20).map(|_| service.product(1))).await) }).await;
    assert!(log.lines().count() == 1 && log.contains("asks for a pause length=10s"), "{log}");
}
