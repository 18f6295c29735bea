//! One HTTP request to the service, within its time budgets and size limit.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use reqwest::header::{CONTENT_TYPE, DATE, HeaderName, RETRY_AFTER};
use reqwest::{Client, RequestBuilder, Response, StatusCode};
use serde::de::Error as _;
use tokio::time::timeout;
use tracing::Instrument as _;
use url::Url;

use super::counters::CatalogueCounters;
use super::guard::retry_after;
use super::wire;
use crate::catalogue::error::{CatalogueError, Phase};
use crate::catalogue::query::Result;
use crate::catalogue::revision::Validator;
use crate::observe::traces;

/// What the service has sent.
pub(super) enum Received {
    Body(Bytes, Option<Validator>),
    /// A 404 that the API itself sent.
    Missing,
    /// A 304 to a request with a validator.
    NotModified,
}

/// Limits of one request.
#[derive(Clone, Copy, Debug)]
pub(super) struct CallLimits {
    /// Longest time until the answer's headers.
    pub(super) first_byte: Duration,
    /// Longest time between two reads of the body.
    pub(super) read: Duration,
    /// Largest body after decompression, in bytes.
    pub(super) max_body: usize,
}

/// Sends requests, each within its limits.
#[derive(Debug)]
pub(super) struct Transport {
    counters: Arc<CatalogueCounters>,
    /// The proxy of the environment through which the service is called.
    proxy: Option<Arc<str>>,
}

impl Transport {
    pub(super) fn new(counters: Arc<CatalogueCounters>, proxy: Option<Arc<str>>) -> Self {
        Self { counters, proxy }
    }

    /// Sends one request within these limits. With a `validator`, the service only sends a body if that is no longer
    /// valid.
    pub(super) async fn get(
        &self,
        client: &Client,
        url: Url,
        validator: Option<&Validator>,
        limits: CallLimits,
    ) -> Result<Received> {
        let span = traces::of_catalogue_call(&url);
        let mut request = client.get(url).headers(traces::propagated(&span));
        if let Some((name, value)) = validator.map(Validator::condition) {
            request = request.header(name, value);
        }
        let answer = self.send(request, validator.is_some(), limits).instrument(span.clone()).await;
        if answer.is_err() {
            traces::failed(&span);
        }
        match &self.proxy {
            Some(proxy) => answer.map_err(|error| error.through(proxy)),
            None => answer,
        }
    }

    async fn send(
        &self,
        request: RequestBuilder,
        is_conditional: bool,
        limits: CallLimits,
    ) -> Result<Received> {
        let answer = timeout(limits.first_byte, request.send()).await;
        let response = answer.map_err(|_| CatalogueError::TimedOut(Phase::FirstByte))??;
        match response.status() {
            StatusCode::OK => {
                check_content_type(&response)?;
                let validator = Validator::of(response.headers());
                Ok(Received::Body(self.body(response, limits).await?.into(), validator))
            }
            StatusCode::NOT_MODIFIED if is_conditional => Ok(Received::NotModified),
            StatusCode::NOT_FOUND => {
                let body = self.body(response, limits).await?;
                if wire::is_message(&body) { Ok(Received::Missing) } else { Err(CatalogueError::Status(404)) }
            }
            StatusCode::TOO_MANY_REQUESTS => {
                let retry_after = retry_after(text(&response, RETRY_AFTER), text(&response, DATE));
                Err(CatalogueError::RateLimited { retry_after })
            }
            status => Err(CatalogueError::Status(status.as_u16())),
        }
    }

    /// Reads the body in chunks and checks the size after decompression, because `Content-Length` may be
    /// wrong and a small body may decompress to a huge one.
    async fn body(&self, mut response: Response, limits: CallLimits) -> Result<Vec<u8>> {
        let CallLimits { read, max_body, .. } = limits;
        let too_large = CatalogueError::TooLarge { limit: max_body };
        if response.content_length().is_some_and(|length| length > max_body as u64) {
            return Err(too_large);
        }
        let mut body = Vec::new();
        loop {
            let read = timeout(read, response.chunk()).await;
            let Some(chunk) = read.map_err(|_| CatalogueError::TimedOut(Phase::Read))?? else {
                return Ok(body);
            };
            self.counters.bytes.add(chunk.len() as u64);
            if body.len() + chunk.len() > max_body {
                return Err(too_large);
            }
            body.extend_from_slice(&chunk);
        }
    }
}

/// Rejects an answer with another content type, such as a proxy's error page. A missing type and
/// `text/plain` are accepted, because many simple services send them.
fn check_content_type(response: &Response) -> Result<()> {
    let Some(content_type) = text(response, CONTENT_TYPE) else { return Ok(()) };
    if is_json(content_type) {
        return Ok(());
    }
    Err(serde_json::Error::custom(format_args!("a body of type {content_type:?}")).into())
}

fn is_json(content_type: &str) -> bool {
    let essence = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    matches!(essence.as_str(), "application/json" | "text/json" | "text/plain") || essence.ends_with("+json")
}

fn text(response: &Response, header: HeaderName) -> Option<&str> {
    response.headers().get(header)?.to_str().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_json_and_plain_text_are_accepted() {
        for read in
            ["application/json", "Application/JSON; charset=utf-8", "text/plain", "application/hal+json"]
        {
            assert!(is_json(read), "{read}");
        }
        for refused in ["text/html", "text/html; charset=utf-8", "image/png", "application/xml", ""] {
            assert!(!is_json(refused), "{refused}");
        }
    }
}
