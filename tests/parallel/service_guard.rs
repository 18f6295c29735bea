//! What stands between the storefront and a failing service: retries, pauses, breakers and the limit of
//! calls, and what an operator reads of them.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use vitrine::catalogue::{CallOutcome, CatalogueError, Service, ServiceLimits, Slug, Window};

use crate::common::client::{FOREVER, LIMITS, SHORT, recover, start};
use crate::common::faults::Fault;
use crate::common::log::logged;
use crate::common::queries::Queries as _;
use crate::common::sample;
use crate::common::until::until;
use crate::common::upstream::Upstream;

#[tokio::test]
async fn a_client_error_does_not_open_the_breaker() {
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
    for error in join_all((1..=100).map(|id| service.product(id))).await {
        let left = match error.unwrap_err() {
            CatalogueError::RateLimited { retry_after } => retry_after.as_secs(),
            other => panic!("{other:?}"),
        };
        assert!((60..=120).contains(&left), "{left} seconds left");
    }
    let counters = service.counters();
    assert_eq!(upstream.calls().len(), 1);
    assert_eq!((counters.ended(CallOutcome::RateLimited), counters.refused_by_pause.get()), (1, 100));
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
async fn a_redirect_needs_a_token_like_any_call() {
    let (upstream, service) = start(ServiceLimits { calls_per_second: 0.01, call_burst: 3, ..LIMITS }).await;
    upstream.set(Fault::Redirect("/products".into())).await;
    assert!(matches!(service.all_products().await, Err(CatalogueError::Status(302))));
    assert_eq!(upstream.calls().len(), 3);
}

#[tokio::test]
async fn five_calls_that_cannot_connect_are_the_last_of_every_query() {
    let limits = ServiceLimits { open_shortest: FOREVER, open_longest: FOREVER, ..LIMITS };
    let (upstream, service) = start(limits).await;
    upstream.set(Fault::RefuseConnections).await;
    let mut errors = Vec::new();
    for _ in 0..3 {
        errors.extend(service.categories().await.err());
        errors.extend(service.all_products().await.err());
        errors.extend(service.search("red").await.err());
        errors.extend(service.product(1).await.err());
        errors.extend(service.window(Window::featured()).await.err());
    }
    let counters = service.counters();
    assert_eq!((errors.len(), counters.calls.get(), counters.circuit_opened.get()), (15, 5, 1));
    assert!(errors[5..].iter().all(|error| matches!(error, CatalogueError::CircuitOpen { .. })));
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
    let (upstream, service) = start(ServiceLimits { first_byte_timeout: SHORT, ..LIMITS }).await;
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
    let ServiceLimits { calls_per_second, call_burst, token_wait, .. } = ServiceLimits::DEFAULT;
    let (upstream, service) =
        start(ServiceLimits { calls_per_second, call_burst, token_wait, ..LIMITS }).await;
    let answers = join_all((0..200).map(|_| service.categories())).await;
    let refused = answers.iter().filter(|answer| matches!(answer, Err(CatalogueError::Throttled))).count();
    let allowed = 40.0 + 5.0 * (started.elapsed().as_secs_f64() + 0.5);
    let calls = upstream.calls().len();
    assert!((40..=allowed as usize).contains(&calls), "{calls} calls");
    assert_eq!((refused, service.counters().throttled.get()), (200 - calls, 200 - calls as u64));
}

#[tokio::test]
async fn invented_texts_slugs_and_numbers_leave_calls_for_the_shop() {
    let limits = ServiceLimits { calls_per_second: 0.01, call_burst: 40, ..LIMITS };
    let (upstream, service) = start(limits).await;
    for number in 0..100 {
        assert_eq!(service.search(&format!("robot {number}")).await.is_ok(), number < 20, "{number}");
    }
    for number in 0..100 {
        let slug = Slug::parse(&format!("robot-{number}")).unwrap();
        assert_eq!(service.category_products(&slug).await.is_ok(), number < 5, "{number}");
        assert_eq!(service.product(number + 1).await.is_ok(), number < 5, "{number}");
    }
    for _ in 0..10 {
        service.all_products().await.unwrap();
    }
    assert!(matches!(service.all_products().await, Err(CatalogueError::Throttled)));
    assert_eq!(upstream.calls().len(), 40);
}

#[tokio::test]
async fn previews_leave_calls_for_what_shoppers_ask_for_and_do_not_wait() {
    // A call that waited for its turn would get it, but not before this test is over.
    let limits = ServiceLimits { calls_per_second: 0.02, call_burst: 40, token_wait: FOREVER, ..LIMITS };
    let (upstream, service) = start(limits).await;
    let slug = Slug::parse("beauty").unwrap();
    for number in 0..100 {
        let preview = service.category_preview(&slug).await;
        assert_eq!(preview.is_ok(), number < 10, "{number}");
        assert!(preview.is_ok() || matches!(preview, Err(CatalogueError::Throttled)));
    }
    for number in 0..5 {
        service.search(&format!("shopper {number}")).await.unwrap();
        service.product(number + 1).await.unwrap();
    }
    for section in [Window::featured(), Window::best_sellers(), Window::new_arrivals()] {
        service.window(section).await.unwrap();
    }
    assert_eq!(upstream.calls().len(), 23);
}

#[tokio::test]
async fn a_call_beyond_the_burst_waits_shortly_for_its_turn() {
    // So slow that no further turn comes while the calls are asked for.
    let limits =
        ServiceLimits { calls_per_second: 0.2, call_burst: 1, token_wait: Duration::from_secs(6), ..LIMITS };
    let (upstream, service) = start(limits).await;
    let answers = join_all((0..3).map(|_| service.categories())).await;
    assert!(answers[0].is_ok() && answers[1].is_ok());
    assert!(matches!(answers[2], Err(CatalogueError::Throttled)));
    let calls = upstream.calls();
    assert!(calls[1].at - calls[0].at >= Duration::from_millis(500));
}

#[tokio::test]
async fn trouble_is_logged_in_one_line_when_it_begins_and_one_when_it_ends() {
    let (upstream, service) = start(LIMITS).await;
    let log = logged(async {
        open(&upstream, &service).await;
        let _ = join_all((0..100).map(|_| service.product(1))).await;
        upstream.set(Fault::None).await;
        until("an answer of the service", async || service.product(1).await.is_ok()).await;
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
    assert!(
        log.lines().count() == 1 && log.contains(&count) && log.contains(" (id 1, id 2, id 3, …)"),
        "{log}"
    );

    upstream.set(Fault::TooManyRequests { retry_after: None }).await;
    let log = logged(async { drop(join_all((0..20).map(|_| service.product(1))).await) }).await;
    assert!(log.lines().count() == 1 && log.contains("asks for a pause length=10s"), "{log}");
}
