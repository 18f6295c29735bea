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
mod outcomes;
mod protobuf;

use std::net::SocketAddr;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::middleware::map_request;
use axum::routing::post;
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use vitrine::catalogue::sample::api;

use crate::common::program::{PATIENT, Program, vitrine};
use crate::common::until::HANGS;
use crate::protobuf::{Span, spans};

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT: &str = "00f067aa0ba902b7";

/// Serves a router on a free port.
async fn serve(router: Router) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    address
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
    let router = api::router(common::sample().raw().to_vec()).layer(map_request(note));
    (serve(router).await, calls)
}

async fn next<T>(what: &str, received: &mut mpsc::UnboundedReceiver<T>) -> T {
    let next = tokio::time::timeout(HANGS, received.recv()).await;
    next.unwrap_or_else(|_| panic!("waited in vain for {what}")).unwrap()
}

/// A shop that asks the catalogue for every page, and sends its traces to `collector`.
fn shop(catalogue: SocketAddr, collector: SocketAddr) -> Program {
    shop_with(catalogue, collector, &[])
}

/// Starts the shop with further variables of OpenTelemetry.
fn shop_with(catalogue: SocketAddr, collector: SocketAddr, variables: &[(&str, &str)]) -> Program {
    let base = format!("http://{catalogue}");
    let flags = ["--catalogue", &base, "--mirror", "off", "--fresh", "0"];
    let mut command = vitrine();
    // The variables of whoever runs the tests.
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("OTEL_") {
            command.env_remove(name);
        }
    }
    Program::spawn(
        command
            .args(PATIENT)
            .args(flags)
            .env("OTEL_EXPORTER_OTLP_ENDPOINT", format!("http://{collector}"))
            .env("OTEL_BSP_SCHEDULE_DELAY", "50")
            .env("NO_PROXY", "127.0.0.1")
            .envs(variables.iter().copied()),
    )
}

async fn ask(shop: &Program, traceparent: &str) -> u16 {
    let request = common::client().get(format!("http://{}/product/1", shop.address));
    request.header("traceparent", traceparent).send().await.unwrap().status().as_u16()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_its_calls_and_its_render_are_one_trace() {
    let ((collector, mut received), (catalogue, mut calls)) = (collector().await, catalogue().await);
    let shop = shop(catalogue, collector);
    assert_eq!(ask(&shop, &format!("00-{TRACE}-{PARENT}-01")).await, 200);
    let mut trace = Vec::new();
    while !["request", "catalogue call", "render"]
        .iter()
        .all(|name| trace.iter().any(|span: &Span| span.name == *name))
    {
        let span = next("a span", &mut received).await;
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
async fn a_request_that_its_caller_does_not_trace_is_not_traced() {
    let ((collector, mut received), (catalogue, _calls)) = (collector().await, catalogue().await);
    let shop = shop(catalogue, collector);
    let other = TRACE.replace('4', "5");
    assert_eq!(ask(&shop, &format!("00-{other}-{PARENT}-00")).await, 200);
    assert_eq!(ask(&shop, &format!("00-{TRACE}-{PARENT}-01")).await, 200);
    // The later one is there, so the earlier one will not come: spans are sent in the order in which they end.
    loop {
        let span = next("a span", &mut received).await;
        assert_ne!(span.trace, other, "{span:?}");
        if span.trace == TRACE && span.name == "request" {
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
        let shop = shop_with(catalogue, collector, &[(variable, value)]);
        assert_eq!(ask(&shop, &format!("00-{TRACE}-{PARENT}-01")).await, 200);
        while next("a span of this shop", &mut received).await.service != name {}
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_that_is_away_harms_nothing() {
    let (catalogue, _calls) = catalogue().await;
    let nobody = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    // The queue is full after two visits.
    let full = [("OTEL_BSP_MAX_QUEUE_SIZE", "4"), ("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "4")];
    let mut shop = shop_with(catalogue, nobody, &full);
    // Fewer than the shop's budget of calls allows.
    for _ in 0..8 {
        assert_eq!(ask(&shop, &format!("00-{TRACE}-{PARENT}-01")).await, 200);
    }
    shop.signal("TERM");
    assert!(shop.exit_status().success());
}
