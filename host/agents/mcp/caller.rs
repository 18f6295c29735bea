//! Who asks: clients of the stateless protocol say with each request what they are, older ones begin with `initialize`, and
//! some only list and call tools.

use axum::http::HeaderMap;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};

use super::message::{Failure, HEADER_MISMATCH, INVALID_PARAMETERS, Message, UNSUPPORTED_VERSION};

/// The stateless version.
pub(super) const STATELESS: &str = "2026-07-28";
/// The versions with `initialize`, the newest one first.
const WITH_INITIALIZE: [&str; 3] = ["2025-11-25", "2025-06-18", "2025-03-26"];

const META: &str = "_meta";
const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Caller {
    /// Says with each request which version it is of.
    Stateless,
    /// Says it at the start, or never.
    Older,
}

impl Caller {
    /// # Errors
    /// When a client of the stateless protocol does not say what it has to.
    pub(super) fn of(
        headers: &HeaderMap,
        method: &str,
        params: &Map<String, Value>,
    ) -> Result<Self, Failure> {
        let meta = params.get(META).and_then(Value::as_object);
        let Some((meta, version)) = meta.and_then(|meta| Some((meta, meta.get(VERSION)?))) else {
            return Ok(Self::Older);
        };
        let version = version.as_str().unwrap_or_default();
        let name = params.get("name").and_then(Value::as_str).filter(|_| method == "tools/call");
        let expected =
            [("MCP-Protocol-Version", Some(version)), ("Mcp-Method", Some(method)), ("Mcp-Name", name)];
        for (header, expected) in expected {
            let Some(expected) = expected else { continue };
            if header_text(headers, header).as_deref() != Some(expected) {
                let message = format!("The header {header} has to agree with the body.");
                return Err(Failure::bad(HEADER_MISMATCH, message));
            }
        }
        if version != STATELESS {
            let data = json!({ "supported": [STATELESS], "requested": version });
            let message = "This version of the protocol is not supported.";
            return Err(Failure::bad(UNSUPPORTED_VERSION, message).with_data(data));
        }
        if !meta.get(CAPABILITIES).is_some_and(Value::is_object) {
            let message = format!("`{META}` lacks `{CAPABILITIES}`.");
            return Err(Failure::bad(INVALID_PARAMETERS, message));
        }
        Ok(Self::Stateless)
    }

    /// The version that a client gets that begins with `initialize`: its own, or else the newest one.
    pub(super) fn agreed(message: &Message) -> &'static str {
        let wanted = message.params.get("protocolVersion").and_then(Value::as_str);
        let known = WITH_INITIALIZE.into_iter().find(|version| Some(*version) == wanted);
        known.unwrap_or(WITH_INITIALIZE[0])
    }

    /// The result as this caller takes it. `lasts` is for what may be kept.
    pub(super) fn result(self, mut result: Value, lasts: bool) -> Value {
        if self == Self::Stateless {
            result["resultType"] = "complete".into();
            if lasts {
                result["ttlMs"] = 3_600_000.into();
                result["cacheScope"] = "public".into();
            }
        }
        result
    }
}

/// The text of a header, which may be encoded.
fn header_text(headers: &HeaderMap, name: &str) -> Option<String> {
    let text = headers.get(name)?.to_str().ok()?;
    match text.strip_prefix("=?base64?").and_then(|text| text.strip_suffix("?=")) {
        Some(encoded) => String::from_utf8(STANDARD.decode(encoded).ok()?).ok(),
        None => Some(text.to_owned()),
    }
}
