//! Which requests' spans are marked as failed, looked at in the process.

use std::fmt::Debug;
use std::sync::Arc;

use axum::http::StatusCode;
use parking_lot::Mutex;
use tracing::field::{Field, Visit};
use tracing::span::{Id, Record};
use tracing::subscriber::DefaultGuard;
use tracing::{Subscriber, subscriber};
use tracing_subscriber::layer::{Context, SubscriberExt as _};
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::{Layer, registry};

use crate::common::renders::render_under_way;
use crate::common::{NoCatalogue, client, renderer_of, sample, start_shop_with};

/// What was noted of requests' spans: names of fields with their values.
#[derive(Clone, Default)]
struct Noted(Arc<Mutex<Vec<(&'static str, String)>>>);

impl Noted {
    /// Looks at what happens on this thread, until the guard is dropped.
    fn start() -> (Self, DefaultGuard) {
        let noted = Self::default();
        let guard = subscriber::set_default(registry().with(noted.clone()));
        (noted, guard)
    }

    fn has(&self, field: &str, value: &str) -> bool {
        self.0.lock().iter().any(|(noted, with)| *noted == field && with == value)
    }
}

impl<S: Subscriber + for<'span> LookupSpan<'span>> Layer<S> for Noted {
    fn on_record(&self, span: &Id, values: &Record<'_>, context: Context<'_, S>) {
        if context.span(span).is_some_and(|span| span.name() == "request") {
            values.record(&mut self.clone());
        }
    }
}

impl Visit for Noted {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.lock().push((field.name(), format!("{value:?}")));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.lock().push((field.name(), value.to_owned()));
    }
}

#[tokio::test]
async fn an_answer_that_fails_its_visitor_is_an_error() {
    let (noted, _guard) = Noted::start();
    let shop =
        start_shop_with(Arc::new(NoCatalogue), renderer_of("globalThis.renderPage = () => 'fine';").await);
    let answer = client().get(format!("http://{}/product/3", shop.await)).send().await.unwrap();
    assert!(answer.status().is_server_error());
    assert!(noted.has("http.response.status_code", answer.status().as_str()));
    assert!(noted.has("otel.status_code", "ERROR"));
}

#[tokio::test]
async fn a_refused_prefetch_is_none() {
    let renderer = renderer_of("globalThis.renderPage = () => 'fine';").await;
    let shop = start_shop_with(sample(), renderer.clone()).await;
    let (noted, _guard) = Noted::start();
    let render = render_under_way(&renderer).await;
    let prefetch = client().get(format!("http://{shop}/product/3")).header("sec-purpose", "prefetch");
    assert_eq!(prefetch.send().await.unwrap().status(), StatusCode::TOO_MANY_REQUESTS);
    drop(render);
    assert!(noted.has("http.response.status_code", "429"));
    assert!(!noted.has("otel.status_code", "ERROR"));
}
