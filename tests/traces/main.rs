//! Traces of a real shop, received by a small collector. Needs a build with the Cargo feature `otel`.
#![allow(
    clippy::unwrap_used,
    clippy::too_many_lines,
    clippy::expect_used,
    clippy::panic,
    reason = "in a test a panic is how a failure is reported"
)]

#[path = "../common/mod.rs"]
mod common;
mod protobuf;

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::map_request;
use axum::routing::post;
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tracing::Level;
use tracing::subscriber::set_default;
use tracing_subscriber::fmt::format::FmtSpan;
use vitrine::catalogue::sample::api;

use crate::common::log::Log;
use crate::common::program::{PATIENT, Program, vitrine};
use crate::common::renders::render_under_way;
use crate::common::until::{finishes, until};
use crate::common::{NoCatalogue, client, renderer_of, sample, serve, start_shop_with};
use crate::protobuf::{Span, spans};

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT: &str = "00f067aa0ba902b7";

/// The header of a caller that traces its request.
fn traceparent() -> String {
    format!("00-{TRACE}-{PARENT}-01")
}

/// A collector, and the spans that it receives.
async fn collector() -> (SocketAddr, mpsc::UnboundedReceiver<Span>) {
    let (sender, received) = mpsc::unbounded_channel();
    let receive = async |State(sender): State<mpsc::UnboundedSender<Span>>, body: Bytes| {
        for span in spans(&body) {
            sender.send(span).unwrap();
        }
    };
    let router = Router::new().route("/v1/traces", post(receive)).with_state(sender);
    (serve(router).await, received)
}

/// A catalogue service, and the `traceparent` of each call.
async fn catalogue() -> (SocketAddr, mpsc::UnboundedReceiver<Option<String>>) {
    let (sender, calls) = mpsc::unbounded_channel();
    let note = move |request: Request| {
        let parent = request.headers().get("traceparent").map(|value| value.to_str().unwrap().to_owned());
        sender.send(parent).unwrap();
        std::future::ready(request)
    };
    let router = api::router(sample().raw().to_vec()).layer(map_request(note));
    (serve(router).await, calls)
}

async fn next<T>(what: &str, received: &mut mpsc::UnboundedReceiver<T>) -> T {
    finishes(what, received.recv()).await.unwrap()
}

/// A shop that asks the catalogue for every page and sends its traces to `collector`, with further variables of
/// OpenTelemetry.
fn shop(catalogue: SocketAddr, collector: SocketAddr, variables: &[(&str, &str)]) -> Program {
    let base = format!("http://{catalogue}");
    let mut command = vitrine();
    // The variables of whoever runs the tests.
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("OTEL_") {
            command.env_remove(name);
        }
    }
    command.args(PATIENT).args(["--catalogue", &base, "--mirror", "1", "--fresh", "0"]);
    command.env("OTEL_EXPORTER_OTLP_ENDPOINT", format!("http://{collector}"));
    command.envs([("OTEL_BSP_SCHEDULE_DELAY", "50"), ("NO_PROXY", "127.0.0.1")]);
    Program::spawn(command.envs(variables.iter().copied()))
}

async fn ask(shop: &Program, product: u32, traceparent: &str) -> u16 {
    let request = client().get(format!("http://{}/product/{product}", shop.address));
    request.header("traceparent", traceparent).send().await.unwrap().status().as_u16()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_its_calls_and_its_render_are_one_trace_and_none_if_its_caller_does_not_trace_it() {
    let ((collector, mut received), (catalogue, mut calls)) = (collector().await, catalogue().await);
    let shop = shop(catalogue, collector, &[]);
    let other = TRACE.replace('4', "5");
    assert_eq!(ask(&shop, 2, &format!("00-{other}-{PARENT}-00")).await, 200);
    assert_eq!(ask(&shop, 1, &traceparent()).await, 200);
    let mut trace: Vec<Span> = Vec::new();
    let is_there = |trace: &[Span], name: &str| trace.iter().any(|span| span.name == name);
    // Spans are sent in the order in which they end, so that those of the earlier request will not come after these.
    while !["request", "catalogue call", "render"].iter().all(|name| is_there(&trace, name)) {
        let span = next("a span", &mut received).await;
        assert_ne!(span.trace, other, "{span:?}");
        if span.trace == TRACE {
            trace.push(span);
        }
    }
    let request = trace.iter().find(|span| span.name == "request").unwrap();
    assert_eq!(request.parent, PARENT);
    for span in &trace {
        assert!(span.name == "request" || span.parent == request.id, "{span:?}");
    }
    let called: Vec<_> = trace.iter().filter(|span| span.name == "catalogue call").collect();
    loop {
        let Some(parent) = next("a call with a trace", &mut calls).await else { continue };
        if parent.contains(TRACE) {
            let known = called.iter().any(|span| parent == format!("00-{TRACE}-{}-01", span.id));
            assert!(known, "{parent} is none of {called:?}");
            break;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_service_has_the_name_that_its_environment_gives_it_or_the_program_s() {
    let ((collector, mut received), (catalogue, _calls)) = (collector().await, catalogue().await);
    for (variable, value, name) in [
        ("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=test", "vitrine"),
        ("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=test,service.name=boutique", "boutique"),
        ("OTEL_SERVICE_NAME", "bazaar", "bazaar"),
    ] {
        let shop = shop(catalogue, collector, &[(variable, value)]);
        assert_eq!(ask(&shop, 1, &traceparent()).await, 200);
        while next("a span of this shop", &mut received).await.service != name {}
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_that_is_away_harms_nothing() {
    let (catalogue, _calls) = catalogue().await;
    let nobody = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    // The queue is full after two visits.
    let full = [("OTEL_BSP_MAX_QUEUE_SIZE", "4"), ("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "4")];
    let mut shop = shop(catalogue, nobody, &full);
    // Fewer than the shop's budget of calls allows.
    for _ in 0..8 {
        assert_eq!(ask(&shop, 1, &traceparent()).await, 200);
    }
    shop.signal("TERM");
    assert!(shop.exit_status().success());
}

/// The fields of the request with this status.
async fn request(spans: &Log, status: StatusCode) -> String {
    let mut request = None;
    until("the end of the request", async || {
        let text = spans.text();
        let mut requests = text.lines().filter_map(|line| line.split_once("request{")?.1.split("}:").next());
        let status = format!("http.response.status_code={}", status.as_u16());
        request = requests.find(|fields| fields.contains(&status)).map(str::to_owned);
        request.is_some()
    })
    .await;
    request.unwrap()
}

#[tokio::test]
async fn only_an_answer_that_fails_its_visitor_is_an_error() {
    let spans = Log::default();
    // Each span of this thread with its fields, from its end on.
    let _guard = set_default(spans.subscriber(Level::TRACE, FmtSpan::CLOSE));
    let renderer = renderer_of("globalThis.renderPage = () => 'fine';").await;
    let failing = start_shop_with(Arc::new(NoCatalogue), renderer.clone()).await;
    let answer = client().get(format!("http://{failing}/product/3")).send().await.unwrap();
    assert!(answer.status().is_server_error());
    let failed = request(&spans, answer.status()).await;
    assert!(failed.contains("otel.status_code=\"ERROR\""), "{failed}");

    let shop = start_shop_with(sample(), renderer.clone()).await;
    let render = render_under_way(&renderer).await;
    let prefetch = client().get(format!("http://{shop}/product/3")).header("sec-purpose", "prefetch");
    assert_eq!(prefetch.send().await.unwrap().status(), StatusCode::TOO_MANY_REQUESTS);
    drop(render);
    let refused = request(&spans, StatusCode::TOO_MANY_REQUESTS).await;
    assert!(!refused.contains("ERROR"), "{refused}");
}
