//! A catalogue service that knows whether its list of everything has changed, or lies about it.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode, header};
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
    /// These headers, and 304 to everything conditional.
    Headers(Vec<(&'static str, Vec<u8>)>),
}

/// A handle on the service, which runs as long as the test's runtime.
#[derive(Clone)]
pub(crate) struct Versioned {
    address: SocketAddr,
    state: Arc<Mutex<Service>>,
}

struct Service {
    products: Vec<Value>,
    version: u64,
    says: Says,
    /// The conditions of the requests for everything.
    conditions: Vec<Option<HeaderValue>>,
    /// How many of them were answered with the list.
    sent: usize,
    names: &'static str,
}

impl Versioned {
    pub(crate) async fn start(says: Says) -> Self {
        let products = sample().raw().to_vec();
        let state = Arc::new(Mutex::new(Service {
            products,
            version: 0,
            says,
            conditions: Vec::new(),
            sent: 0,
            names: "",
        }));
        let app = Router::new().fallback(answer).with_state(Arc::clone(&state));
        Self { address: serve(app).await, state }
    }

    pub(crate) fn base(&self) -> Url {
        format!("http://{}", self.address).parse().unwrap()
    }

    pub(crate) fn say(&self, says: Says) {
        self.state.lock().says = says;
    }

    /// Gives the first product this title, and the list another version.
    pub(crate) fn retitle(&self, title: &str) {
        let mut state = self.state.lock();
        state.products[0]["title"] = json!(title);
        state.version += 1;
    }

    /// Puts this before the names of categories, which the list of products does not have.
    pub(crate) fn rename_categories(&self, prefix: &'static str) {
        self.state.lock().names = prefix;
    }

    /// The conditions of the requests for everything so far.
    pub(crate) fn conditions(&self) -> Vec<Option<HeaderValue>> {
        self.state.lock().conditions.clone()
    }

    /// How often everything was sent so far.
    pub(crate) fn sent(&self) -> usize {
        self.state.lock().sent
    }
}

async fn answer(State(state): State<Arc<Mutex<Service>>>, request: Request) -> Response<Body> {
    let is_everything = request.uri().path_and_query().is_some_and(|target| target == "/products?limit=0");
    let is_names = request.uri().path() == "/products/categories";
    let condition = [header::IF_NONE_MATCH, header::IF_MODIFIED_SINCE]
        .into_iter()
        .find_map(|name| request.headers().get(name).cloned());
    let (products, headers, is_unchanged) = {
        let mut state = state.lock();
        let headers = if is_everything { state.headers() } else { HeaderMap::new() };
        let is_unchanged = is_everything && state.is_unchanged(&headers, condition.as_ref());
        if is_everything {
            state.conditions.push(condition);
            state.sent += usize::from(!is_unchanged);
        }
        (state.products.clone(), headers, is_unchanged)
    };
    let mut response = if is_unchanged {
        Response::builder().status(StatusCode::NOT_MODIFIED).body(Body::empty()).unwrap()
    } else {
        api::router(products).oneshot(request).await.unwrap()
    };
    if is_names {
        let prefix = state.lock().names;
        let body = axum::body::to_bytes(response.into_body(), 1 << 20).await.unwrap();
        let text = String::from_utf8(body.to_vec()).unwrap();
        response = Response::new(Body::from(text.replace("\"name\":\"", &format!("\"name\":\"{prefix}"))));
    }
    response.headers_mut().extend(headers);
    response
}

impl Service {
    fn headers(&self) -> HeaderMap {
        let headers: Vec<(&str, Vec<u8>)> = match &self.says {
            Says::Nothing | Says::AlwaysUnchanged => Vec::new(),
            Says::Tag => vec![("etag", format!("W/\"{}\"", self.version).into_bytes())],
            Says::Date => {
                let modified = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000 + self.version);
                vec![("last-modified", httpdate::fmt_http_date(modified).into_bytes())]
            }
            Says::Headers(headers) => headers.clone(),
        };
        let date = httpdate::fmt_http_date(SystemTime::now());
        let mut all = HeaderMap::new();
        for (name, value) in headers {
            all.append(name, HeaderValue::from_bytes(&value).unwrap());
        }
        all.insert(header::DATE, HeaderValue::try_from(date).unwrap());
        all
    }

    fn is_unchanged(&self, headers: &HeaderMap, condition: Option<&HeaderValue>) -> bool {
        match &self.says {
            Says::AlwaysUnchanged => true,
            Says::Nothing => false,
            Says::Headers(_) => condition.is_some(),
            Says::Tag => condition.is_some() && condition == headers.get(header::ETAG),
            Says::Date => condition.is_some() && condition == headers.get(header::LAST_MODIFIED),
        }
    }
}
