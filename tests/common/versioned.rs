//! A catalogue service that knows whether its list of everything has changed, or lies about it.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use axum::response::IntoResponse as _;
use parking_lot::Mutex;
use serde_json::{Value, json};
use tower::ServiceExt as _;
use url::Url;
use vitrine::catalogue::sample::api;

use super::{sample, serve};

/// What the service says of the list's version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Says {
    Nothing,
    Tag,
    Date,
    /// 304, whatever is asked.
    AlwaysUnchanged,
    /// Always this tag, and 304 to everything conditional.
    Stuck(&'static str),
}

/// A handle on the service, which runs as long as the test's runtime.
#[derive(Clone)]
pub(crate) struct Versioned {
    address: SocketAddr,
    pub(crate) service: Arc<Mutex<Service>>,
}

pub(crate) struct Service {
    products: Vec<Value>,
    version: u64,
    pub(crate) says: Says,
    /// The conditions of the requests for everything so far.
    pub(crate) conditions: Vec<Option<HeaderValue>>,
    /// How often everything was sent so far.
    pub(crate) sent: usize,
    /// What is before the names of categories, which the list of products does not have.
    pub(crate) names: &'static str,
    /// How long an answer takes.
    pub(crate) takes: Duration,
}

impl Versioned {
    pub(crate) async fn start(says: Says) -> Self {
        let products = sample().raw().to_vec();
        let service = Service {
            products,
            version: 0,
            says,
            conditions: Vec::new(),
            sent: 0,
            names: "",
            takes: Duration::ZERO,
        };
        let service = Arc::new(Mutex::new(service));
        let app = Router::new().fallback(answer).with_state(Arc::clone(&service));
        Self { address: serve(app).await, service }
    }

    pub(crate) fn base(&self) -> Url {
        format!("http://{}", self.address).parse().unwrap()
    }

    /// Gives the first product this title, and the list another version.
    pub(crate) fn retitle(&self, title: &str) {
        let mut service = self.service.lock();
        service.products[0]["title"] = json!(title);
        service.version += 1;
    }
}

async fn answer(State(state): State<Arc<Mutex<Service>>>, request: Request) -> Response<Body> {
    let takes = state.lock().takes;
    tokio::time::sleep(takes).await;
    let is_everything = request.uri().path_and_query().is_some_and(|target| target == "/products?limit=0");
    let is_names = request.uri().path() == "/products/categories";
    let condition = [header::IF_NONE_MATCH, header::IF_MODIFIED_SINCE]
        .into_iter()
        .find_map(|name| request.headers().get(name).cloned());
    let (products, names, headers, is_unchanged) = {
        let mut state = state.lock();
        let headers = if is_everything { state.headers() } else { HeaderMap::new() };
        let is_unchanged = is_everything && state.is_unchanged(&headers, condition.as_ref());
        if is_everything {
            state.conditions.push(condition);
            state.sent += usize::from(!is_unchanged);
        }
        (state.products.clone(), state.names, headers, is_unchanged)
    };
    let mut response = match is_unchanged {
        true => StatusCode::NOT_MODIFIED.into_response(),
        false => api::router(products).oneshot(request).await.unwrap(),
    };
    if is_names {
        let body = axum::body::to_bytes(response.into_body(), 1 << 20).await.unwrap();
        let text = String::from_utf8(body.to_vec()).unwrap();
        response = Response::new(Body::from(text.replace("\"name\":\"", &format!("\"name\":\"{names}"))));
    }
    response.headers_mut().extend(headers);
    response
}

impl Service {
    fn headers(&self) -> HeaderMap {
        let version = match &self.says {
            Says::Nothing | Says::AlwaysUnchanged => None,
            Says::Tag => Some((header::ETAG, format!("W/\"{}\"", self.version))),
            Says::Date => {
                let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000 + self.version);
                Some((header::LAST_MODIFIED, httpdate::fmt_http_date(time)))
            }
            Says::Stuck(tag) => Some((header::ETAG, (*tag).to_owned())),
        };
        let date = [(header::DATE, httpdate::fmt_http_date(SystemTime::now()))];
        version.into_iter().chain(date).map(|(name, value)| (name, value.parse().unwrap())).collect()
    }

    fn is_unchanged(&self, headers: &HeaderMap, condition: Option<&HeaderValue>) -> bool {
        let version = headers.get(header::ETAG).or(headers.get(header::LAST_MODIFIED));
        match &self.says {
            Says::AlwaysUnchanged => true,
            Says::Stuck(_) => condition.is_some(),
            Says::Nothing | Says::Tag | Says::Date => condition.is_some() && condition == version,
        }
    }
}
