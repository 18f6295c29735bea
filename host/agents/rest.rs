//! The calls by REST, and where they are found.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodRouter, get, post};

use super::Agents;
use super::discovery::{self, MCP, REST};
use super::limits;
use super::mcp;
use super::refusal::Refusal;
use super::request::Call;
use crate::http::caching::Caching;
use crate::http::representation::Representation;

const JSON: &str = "application/json";
const WELL_KNOWN: &str = "/.well-known/ucp";
/// How long others may keep what the shop says of itself.
const ONE_HOUR: std::time::Duration = std::time::Duration::from_secs(3_600);

/// All routes for assistants.
pub(super) fn routes(agents: Agents) -> Router {
    let profile = Arc::new(Representation::new(JSON, discovery::profile(&agents.about.site).to_string()));
    let shown = async move |request: HeaderMap| {
        profile.answer(&request, StatusCode::OK, Caching::For(ONE_HOUR)).await
    };
    let calls = Call::EVERY.into_iter().fold(Router::new(), |router, call| {
        router.route(&format!("{REST}/catalog/{}", call.name()), row(call))
    });
    calls
        .route(&format!("{REST}/{{*rest}}"), post(async || unknown().respond()))
        .route(MCP, post(mcp::answer))
        .with_state(agents)
        .route(WELL_KNOWN, get(shown))
}

impl Call {
    fn name(self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::Lookup => "lookup",
            Self::Product => "product",
        }
    }
}

fn row(call: Call) -> MethodRouter<Agents> {
    post(async move |State(agents): State<Agents>, request: Request| {
        match answer(&agents, call, request).await {
            Ok(json) => with_json(json),
            Err(refusal) => refusal.respond(),
        }
    })
}

async fn answer(agents: &Agents, call: Call, request: Request) -> Result<String, Refusal> {
    let body = limits::read(request, agents.about.site.origin()).await?;
    agents.call(call.read(&body)?).await
}

/// The response with a text of JSON. Without `Cache-Control` it is not stored.
pub(super) fn with_json(json: String) -> Response {
    ([(header::CONTENT_TYPE, HeaderValue::from_static(JSON))], json).into_response()
}

fn unknown() -> Refusal {
    Refusal::new(StatusCode::NOT_FOUND, "unknown_call", "There is no such call. docs: /agents.md")
}
