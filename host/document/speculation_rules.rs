//! Tells browsers which pages they may load before a visitor asks for them (Speculation Rules), until the
//! client has taken over, which does this itself.

use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;
use serde_json::json;

use crate::http::caching::Caching;
use crate::http::representation::Representation;

/// The address of the rules.
pub(crate) const PATH: &str = "/speculation-rules.json";

/// Refers a document to the rules.
pub(crate) const RULES_HEADER: (HeaderName, HeaderValue) =
    (HeaderName::from_static("speculation-rules"), HeaderValue::from_static("\"/speculation-rules.json\""));

const CONTENT_TYPE: &str = "application/speculationrules+json";
const SAVE_DATA: HeaderName = HeaderName::from_static("save-data");

/// Links that the client does not serve yet. Rules from a header cannot be removed, but they stop matching.
const BEFORE_THE_CLIENT: &str = "html:not([data-client=ready]) a:not([target])";

/// The rules, and no rules for visitors who save data. Only this answer depends on that, so pages stay the same
/// for everybody.
#[derive(Debug)]
pub(crate) struct SpeculationRules {
    rules: Representation,
    nothing: Representation,
}

impl SpeculationRules {
    /// Rules for links to these paths, as patterns of the URL Pattern standard. `moderate` means that a link
    /// is hovered for a moment, or pressed.
    pub(crate) fn new(paths: &[String]) -> Self {
        let links = json!({ "and": [{ "href_matches": paths }, { "selector_matches": BEFORE_THE_CLIENT }] });
        let rules = json!({ "prefetch": [{ "where": links, "eagerness": "moderate" }] });
        let body = |rules: serde_json::Value| Representation::new(CONTENT_TYPE, rules.to_string()).embedded();
        Self { rules: body(rules), nothing: body(json!({})) }
    }

    /// The answer to a request with these headers.
    pub(crate) async fn show(&self, request: &HeaderMap) -> Response {
        let saves_data =
            request.get(SAVE_DATA).is_some_and(|value| value.as_bytes().eq_ignore_ascii_case(b"on"));
        let body = if saves_data { &self.nothing } else { &self.rules };
        let mut response = body.answer(request, StatusCode::OK, Caching::Revalidated).await;
        response.headers_mut().append(header::VARY, HeaderValue::from_static("save-data"));
        response
    }
}
