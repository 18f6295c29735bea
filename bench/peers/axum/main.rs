//! The floor of what an HTTP server on axum costs: answers the shop's own bytes from memory.
//!
//! `vitrine-peer-axum ADDRESS ANSWERS.json`

use std::collections::HashMap;
use std::sync::Arc;

use anyhow::Context as _;
use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;
use bytes::Bytes;
use serde::Deserialize;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// An answer as the rig has stored it.
#[derive(Deserialize)]
struct Stored {
    path: String,
    /// The file with the body.
    file: String,
    headers: HashMap<String, String>,
}

struct Answer {
    body: Bytes,
    headers: HeaderMap,
}

type Answers = Arc<HashMap<String, Answer>>;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let (address, file) = arguments.next().zip(arguments.next()).context("expected ADDRESS ANSWERS.json")?;
    let stored: Vec<Stored> = serde_json::from_slice(&std::fs::read(&file)?)?;
    let answers = stored.into_iter().map(load).collect::<anyhow::Result<HashMap<_, _>>>()?;
    let router = Router::new().fallback(answer).with_state(Answers::new(answers));
    let listener = tokio::net::TcpListener::bind(&address).await?;
    axum::serve(listener, router).await?;
    Ok(())
}

fn load(stored: Stored) -> anyhow::Result<(String, Answer)> {
    let mut headers = HeaderMap::new();
    for (name, value) in stored.headers {
        headers.insert(HeaderName::try_from(name)?, HeaderValue::try_from(value)?);
    }
    let body = std::fs::read(&stored.file).with_context(|| stored.file.clone())?.into();
    Ok((stored.path, Answer { body, headers }))
}

async fn answer(State(answers): State<Answers>, request: Request) -> Response {
    let Some(answer) = answers.get(request.uri().path()) else {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NOT_FOUND;
        return response;
    };
    let condition = request.headers().get(header::IF_NONE_MATCH);
    let is_known = condition.is_some() && condition == answer.headers.get(header::ETAG);
    let mut response = Response::new(if is_known { Body::empty() } else { Body::from(answer.body.clone()) });
    *response.headers_mut() = answer.headers.clone();
    if is_known {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        response.headers_mut().remove(header::CONTENT_TYPE);
        response.headers_mut().remove(header::CONTENT_ENCODING);
    }
    response
}
