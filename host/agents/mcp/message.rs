//! Messages of JSON-RPC 2.0.

use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::agents::refusal::Refusal;
use crate::agents::rest::with_json;

pub(super) const INVALID_REQUEST: i32 = -32_600;
pub(super) const UNKNOWN_METHOD: i32 = -32_601;
pub(super) const INVALID_PARAMETERS: i32 = -32_602;
const INTERNAL: i32 = -32_603;
const UNREADABLE: i32 = -32_700;
/// The headers of a request say something else than its body.
pub(super) const HEADER_MISMATCH: i32 = -32_020;
pub(super) const UNSUPPORTED_VERSION: i32 = -32_022;

/// A message of a client.
#[derive(Debug, Deserialize)]
pub(super) struct Message {
    #[serde(default)]
    jsonrpc: String,
    /// Without one nothing is answered.
    #[serde(default)]
    pub(super) id: Option<Value>,
    /// Without one it is an answer to a request, and the shop sends none.
    #[serde(default)]
    pub(super) method: Option<String>,
    #[serde(default)]
    pub(super) params: Map<String, Value>,
}

/// Why a message is not answered with a result.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) status: StatusCode,
    code: i32,
    message: String,
    data: Option<Value>,
}

impl Message {
    /// # Errors
    /// When the body is no message.
    pub(super) fn read(body: &[u8]) -> Result<Self, Failure> {
        let bad = |code, error: serde_json::Error| Failure::bad(code, error.to_string());
        let value: Value = serde_json::from_slice(body).map_err(|error| bad(UNREADABLE, error))?;
        if value.is_array() {
            return Err(Failure::bad(INVALID_REQUEST, "Several messages in one body are not answered."));
        }
        let message: Self = serde_json::from_value(value).map_err(|error| bad(INVALID_REQUEST, error))?;
        let is_id = |id: &Value| id.is_string() || id.is_i64() || id.is_u64();
        if message.jsonrpc != "2.0" || !message.id.as_ref().is_none_or(is_id) {
            return Err(Failure::bad(INVALID_REQUEST, "This is no message of JSON-RPC 2.0."));
        }
        Ok(message)
    }
}

impl Failure {
    pub(super) fn new(status: StatusCode, code: i32, message: impl Into<String>) -> Self {
        Self { status, code, message: message.into(), data: None }
    }

    pub(super) fn bad(code: i32, message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, message)
    }

    pub(super) fn with_data(self, data: Value) -> Self {
        Self { data: Some(data), ..self }
    }

    /// A failure that is not the caller's.
    pub(super) fn of(refusal: &Refusal) -> Self {
        Self::new(refusal.status, INTERNAL, refusal.content.clone())
    }

    /// The response to the request with this id.
    pub(super) fn respond(self, id: Option<Value>) -> Response {
        let mut error = json!({ "code": self.code, "message": self.message });
        if let Some(data) = self.data {
            error["data"] = data;
        }
        let body = json!({ "jsonrpc": "2.0", "id": id.unwrap_or_default(), "error": error });
        let mut response = with_json(body.to_string());
        Refusal::new(self.status, "", "").mark(&mut response);
        response
    }
}

/// The response with a result, which is an object of JSON.
pub(super) fn with_result(id: &Value, result: &str) -> Response {
    with_json(format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#))
}
