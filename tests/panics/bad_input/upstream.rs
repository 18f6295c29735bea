//! A catalogue service that records its calls.

use std::collections::HashSet;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::Request;
use axum::middleware::{Next, from_fn};
use parking_lot::Mutex;
use url::form_urlencoded;
use vitrine::catalogue::sample::api;

use crate::common::{sample, serve};

/// Every parameter of the service's API that the shop uses.
const PARAMETERS: [&str; 6] = ["limit", "skip", "select", "sortBy", "order", "q"];
/// The headers that the shop's client sends.
const HEADERS: [&str; 4] = ["accept", "accept-encoding", "host", "user-agent"];

/// What was asked, and what should not have been.
#[derive(Clone, Default)]
pub(crate) struct Recorded {
    calls: Arc<Mutex<HashSet<String>>>,
    wrong: Arc<Mutex<Vec<String>>>,
}

impl Recorded {
    /// The sample catalogue's service, recording.
    pub(crate) async fn start() -> (Self, SocketAddr) {
        let recorded = Self::default();
        let recorder = recorded.clone();
        let record = from_fn(move |request: Request, next: Next| {
            recorder.note(&request);
            next.run(request)
        });
        (recorded, serve(api::router(sample().raw().to_vec()).layer(record)).await)
    }

    fn note(&self, request: &Request) {
        let uri = request.uri();
        let headers = request.headers().keys().all(|name| HEADERS.contains(&name.as_str()));
        let path = uri.path_and_query().map(ToString::to_string).unwrap_or_default();
        if request.method() != "GET" || !headers || !is_allowed(uri.path(), uri.query().unwrap_or_default()) {
            self.wrong.lock().push(format!("{request:?}"));
        }
        self.calls.lock().insert(path);
    }

    /// How many different calls were made.
    pub(crate) fn calls(&self) -> usize {
        self.calls.lock().len()
    }

    pub(crate) fn wrong(&self) -> Vec<String> {
        self.wrong.lock().clone()
    }
}

pub(crate) fn is_allowed(path: &str, query: &str) -> bool {
    let segments: Vec<&str> = path.split('/').skip(1).collect();
    let slug = |text: &str| {
        (1..=64).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    };
    let path = match segments[..] {
        ["products"] | ["products", "categories" | "search"] => true,
        ["products", "category", text] => slug(text),
        ["products", id] => {
            id.parse().is_ok_and(|number: u64| (1..=1 << 53).contains(&number) && number.to_string() == id)
        }
        _ => false,
    };
    let mut seen = HashSet::new();
    path && form_urlencoded::parse(query.as_bytes()).all(|(name, value)| {
        let sensible = value.chars().count() <= 200 && !value.contains(char::is_control);
        PARAMETERS.contains(&name.as_ref()) && sensible && seen.insert(name.into_owned())
    })
}
