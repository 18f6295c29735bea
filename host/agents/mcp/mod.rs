//! The calls by the Model Context Protocol: answers in JSON, without a session.

mod caller;
mod message;
mod tools;

use axum::extract::{Request as HttpRequest, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use serde_json::{Map, Value, json};

use self::caller::{Caller, STATELESS};
use self::message::{Failure, INVALID_PARAMETERS, Message, UNKNOWN_METHOD, with_result};
use super::refusal::Refusal;
use super::request::{Call, Request};
use super::{Agents, limits};

/// Answers one message.
pub(super) async fn answer(State(agents): State<Agents>, request: HttpRequest) -> Response {
    let headers = request.headers().clone();
    let body = match limits::read(request, agents.about.site.origin()).await {
        Ok(body) => body,
        Err(refusal) => return refusal.respond(),
    };
    let message = match Message::read(&body) {
        Ok(message) => message,
        Err(failure) => return failure.respond(None),
    };
    match (&message.id, &message.method) {
        (Some(id), Some(method)) => match result(&agents, &headers, method, &message).await {
            Ok(result) => with_result(id, &result),
            Err(failure) => failure.respond(message.id),
        },
        _ => StatusCode::ACCEPTED.into_response(),
    }
}

/// The result of a request, as JSON.
async fn result(
    agents: &Agents,
    headers: &HeaderMap,
    method: &str,
    message: &Message,
) -> Result<String, Failure> {
    let caller = Caller::of(headers, method, &message.params)?;
    let result = match (method, caller) {
        ("server/discover", Caller::Stateless) => {
            let about = json!({ "supportedVersions": [STATELESS] });
            caller.result(with_server(agents, about), true)
        }
        ("initialize", Caller::Older) => {
            with_server(agents, json!({ "protocolVersion": Caller::agreed(message) }))
        }
        ("ping", Caller::Older) => json!({}),
        ("tools/list", _) => caller.result(tools::list(), true),
        ("tools/call", _) => return call(agents, caller, &message.params).await,
        _ => {
            let status = match caller {
                Caller::Stateless => StatusCode::NOT_FOUND,
                Caller::Older => StatusCode::OK,
            };
            return Err(Failure::new(status, UNKNOWN_METHOD, "There is no such method."));
        }
    };
    Ok(result.to_string())
}

/// Adds what the shop says of itself.
fn with_server(agents: &Agents, mut about: Value) -> Value {
    let server = json!({ "name": agents.about.profile.name, "version": env!("CARGO_PKG_VERSION") });
    about["capabilities"] = json!({ "tools": {} });
    about["instructions"] =
        "The products of one shop: search, lookup and product. Nothing can be ordered here.".into();
    about["_meta"] = json!({ "io.modelcontextprotocol/serverInfo": server });
    about["serverInfo"] = server;
    about
}

/// The result of a tool.
async fn call(agents: &Agents, caller: Caller, params: &Map<String, Value>) -> Result<String, Failure> {
    let name = params.get("name").and_then(Value::as_str).unwrap_or_default();
    let Some(call) = Call::of_tool(name) else {
        return Err(Failure::new(status_of(caller), INVALID_PARAMETERS, "There is no such tool."));
    };
    let answered = match request(call, params) {
        Ok(request) => agents.call(request).await,
        Err(refusal) => Err(refusal),
    };
    match answered {
        Ok(json) => Ok(whole(caller, &json)),
        Err(refusal) if refusal.is_too_large() => {
            Err(Failure::new(status_of(caller), INVALID_PARAMETERS, refusal.content))
        }
        Err(refusal) if refusal.status == StatusCode::BAD_REQUEST => {
            let text = format!("{} Arguments look like this: {}", refusal.content, call.example());
            let result = json!({ "content": [{ "type": "text", "text": text }], "isError": true });
            Ok(caller.result(result, false).to_string())
        }
        Err(refusal) => Err(Failure::of(&refusal)),
    }
}

/// The status of a failure that older clients read from the body alone.
fn status_of(caller: Caller) -> StatusCode {
    match caller {
        Caller::Stateless => StatusCode::BAD_REQUEST,
        Caller::Older => StatusCode::OK,
    }
}

fn request(call: Call, params: &Map<String, Value>) -> Result<Request, Refusal> {
    let catalog = params.get("arguments").and_then(|arguments| arguments.get("catalog"));
    let catalog = catalog.ok_or_else(|| Refusal::invalid("`arguments` lacks `catalog`."))?;
    call.read(catalog.to_string().as_bytes())
}

/// The result with an answer, once for programs and once as text. The answer is JSON already.
fn whole(caller: Caller, answer: &str) -> String {
    let mut rest =
        caller.result(json!({ "content": [{ "type": "text", "text": answer }] }), false).to_string();
    // The result is an object that is not empty.
    rest.truncate(rest.len() - 1);
    format!(r#"{rest},"structuredContent":{answer}}}"#)
}
