//! What stands between the storefront and a failing service: retries, pauses, breakers and the limit of
//! calls, and what an operator reads of them.

use std::time::Duration;

use futures_util::future::join_all;
use vitrine::catalogue::{
    CallOutcome, CatalogueError, Section, Service, ServiceLimits, Slug, Source as _, Wanted,
};

use crate::common::client::{LIMITS, start};
use crate::common::faults::Fault;
use crate::common::log::logged;
use crate::common::queries::Calls as _;
use crate::common::sample;
use crate::common::until::until;
use crate::common::upstream::Upstream;

#[tokio::test]
async fn a_failure_every_other_time_makes_at_most_eleven_calls_for_ten_needs() {
    const NEEDS: usize = 300;
    let brief = Duration::from_millis(1);
    let (upstream, service) =
        start(ServiceLimits { open_shortest: brief, open_longest: brief, ..LIMITS }).await;
    upstream.set(Fault::EveryOther).await;
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
    upstream.set(Fault::TooManyRequests("retry-after: 120\r\n")).await;
    let first = service.all_products().await.unwrap_err();
    assert!(matches!(first, CatalogueError::RateLimited { retry_after } if retry_after.as_secs() == 120));
    upstream.set(Fault::None).await;
    for error in join_all((1..=100).map(|id| service.product(id))).await {
        let error = error.unwrap_err();
        let CatalogueError::RateLimited { retry_after } = error else { panic!("{error:?}") };
        assert!((60..=120).contains(&retry_after.as_secs()), "{retry_after:?} left");
    }
    let counters = service.counters();
    assert_eq!(upstream.calls().len(), 1);
    assert_eq!((counters.ended(CallOutcome::RateLimited), counters.refused_by_pause.get()), (1, 100));
    assert_eq!((counters.retries.get(), counters.circuit_opened.get()), (0, 0));
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
async fn a_crowd_at_an_open_breaker_sends_one_probe_and_another_when_its_caller_goes_away() {
    let (upstream, service) = start(LIMITS).await;
    let open_for = open(&upstream, &service).await;
    let before = upstream.calls().len();
    upstream.set(Fault::Silence).await;
    tokio::time::sleep(open_for).await;
    let leaving = service.clone();
    let probe = tokio::spawn(async move { leaving.product(1).await.is_ok() });
    until("the probe", async || upstream.calls().len() > before).await;
    let answers = join_all((0..50).map(|_| service.product(1))).await;
    assert!(answers.iter().all(|answer| matches!(answer, Err(CatalogueError::CircuitOpen { .. }))));
    assert_eq!(upstream.calls().len(), before + 1);
    probe.abort();
    assert!(probe.await.unwrap_err().is_cancelled());
    upstream.set(Fault::None).await;
    assert!(service.product(1).await.unwrap().is_some());
}

#[tokio::test]
async fn whatever_visitors_ask_for_half_of_the_calls_are_left_to_the_reading() {
    let limits = ServiceLimits { calls_per_second: 0.01, call_burst: 40, ..LIMITS };
    let (upstream, service) = start(limits).await;
    for number in 0..100 {
        let slug = Slug::parse(&format!("robot-{number}")).unwrap();
        // Pages can do without previews.
        assert_eq!(service.category_preview(&slug).await.is_ok(), number < 5, "{number}");
        let is_answered = match number % 3 {
            0 => service.search(&format!("robot {number}")).await.is_ok(),
            1 => service.category_products(&slug).await.is_ok(),
            _ => service.product(number + 1).await.is_ok(),
        };
        assert_eq!(is_answered, number < 15, "{number}");
    }
    assert!(matches!(service.section(Section::First).await, Err(CatalogueError::Throttled)));
    assert_eq!((upstream.calls().len(), service.counters().throttled.get()), (20, 181));
    let wanted = Wanted { since: None, count: Some(194), most: 5_000 };
    for _ in 0..20 {
        service.changes(wanted).await.unwrap();
    }
    assert!(matches!(service.changes(wanted).await, Err(CatalogueError::Throttled)));
}

#[tokio::test]
async fn a_call_beyond_the_burst_waits_shortly_for_its_turn() {
    // So slow that no further turn comes while the calls are asked for.
    let token_wait = Duration::from_millis(2_400);
    let (upstream, service) =
        start(ServiceLimits { calls_per_second: 0.5, call_burst: 2, token_wait, ..LIMITS }).await;
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
    let is_one_line = log.lines().count() == 1;
    assert!(is_one_line && log.contains(&count) && log.contains(" (id 1, id 2, id 3, …)"), "{log}");

    upstream.set(Fault::TooManyRequests("")).await;
    let log = logged(async { drop(join_all((0..20).map(|_| service.product(1))).await) }).await;
    assert!(log.lines().count() == 1 && log.contains("asks for a pause length=10s"), "{log}");
}
