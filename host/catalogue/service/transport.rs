//! One HTTP request to the service, within its time budgets and size limit.

use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, DATE, HeaderName, RETRY_AFTER};
use reqwest::redirect::Policy;
use reqwest::{Client, RequestBuilder, Response, StatusCode};
use serde::de::Error as _;
use tokio::time::timeout;
use tracing::Instrument as _;
use url::{Host, Url};

use super::counters::CatalogueCounters;
use super::guard::{Guard, retry_after};
use super::limits::ServiceLimits;
use super::wire;
use crate::catalogue::error::{CatalogueError, Phase};
use crate::catalogue::query::Result;
use crate::observe::traces;

const MAX_REDIRECTS: usize = 3;
const PING_INTERVAL: Duration = Duration::from_secs(10);

/// The HTTP client, with its budgets and limits.
#[derive(Debug)]
pub(super) struct Transport {
    client: Client,
    first_byte_timeout: Duration,
    read_timeout: Duration,
    max_body: usize,
    counters: Arc<CatalogueCounters>,
}

impl Transport {
    /// Prepares the client; makes no call.
    ///
    /// # Errors
    /// Fails when the TLS configuration of this machine cannot be loaded.
    pub(super) fn new(
        base: &Url,
        limits: &ServiceLimits,
        guard: Arc<Guard>,
        counters: Arc<CatalogueCounters>,
    ) -> reqwest::Result<Self> {
        let mut client = Client::builder()
            .user_agent(concat!("vitrine/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(limits.connect_timeout)
            // A timeout closes a call's HTTP/1 connection but not a shared HTTP/2 connection. Pings
            // detect a dead one; otherwise all further calls would use it.
            .http2_keep_alive_interval(PING_INTERVAL)
            .http2_keep_alive_timeout(limits.first_byte_timeout)
            .http2_keep_alive_while_idle(true)
            .redirect(redirects_within(base, guard))
            // Only the guard retries, within its budget.
            .retry(reqwest::retry::never());
        // A proxy from the environment cannot reach a service on this machine's loopback address.
        if is_loopback(base) {
            client = client.no_proxy();
            // Nobody else is called, since redirects stay at this origin. Loading the machine's certificates would
            // take about 10 ms of the start.
            if base.scheme() == "http" {
                client = client.tls_certs_only([]);
            }
        }
        Ok(Self {
            client: client.build()?,
            first_byte_timeout: limits.first_byte_timeout,
            read_timeout: limits.read_timeout,
            max_body: limits.max_body,
            counters,
        })
    }

    /// The body of the answer; `None` for a 404 that the API itself sent.
    pub(super) async fn get(&self, url: Url) -> Result<Option<Vec<u8>>> {
        let span = traces::of_catalogue_call(&url);
        let request = self.client.get(url).headers(traces::propagated(&span));
        let answer = self.send(request).instrument(span.clone()).await;
        if answer.is_err() {
            traces::failed(&span);
        }
        answer
    }

    async fn send(&self, request: RequestBuilder) -> Result<Option<Vec<u8>>> {
        let answer = timeout(self.first_byte_timeout, request.send()).await;
        let response = answer.map_err(|_| CatalogueError::TimedOut(Phase::FirstByte))??;
        match response.status() {
            StatusCode::OK => {
                check_content_type(&response)?;
                Ok(Some(self.body(response).await?))
            }
            StatusCode::NOT_FOUND => {
                let body = self.body(response).await?;
                if wire::is_message(&body) { Ok(None) } else { Err(CatalogueError::Status(404)) }
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
    async fn body(&self, mut response: Response) -> Result<Vec<u8>> {
        let too_large = CatalogueError::TooLarge { limit: self.max_body };
        if response.content_length().is_some_and(|length| length > self.max_body as u64) {
            return Err(too_large);
        }
        let mut body = Vec::new();
        loop {
            let read = timeout(self.read_timeout, response.chunk()).await;
            let Some(chunk) = read.map_err(|_| CatalogueError::TimedOut(Phase::Read))?? else {
                return Ok(body);
            };
            self.counters.bytes.add(chunk.len() as u64);
            if body.len() + chunk.len() > self.max_body {
                return Err(too_large);
            }
            body.extend_from_slice(&chunk);
        }
    }
}

/// Follows redirects only below the service's base URL. Otherwise a compromised or misconfigured
/// service could make this host call internal addresses (SSRF).
fn redirects_within(base: &Url, guard: Arc<Guard>) -> Policy {
    let base = base.clone();
    Policy::custom(move |attempt| {
        let stays = attempt.previous().len() <= MAX_REDIRECTS && is_below(attempt.url(), &base);
        if stays && guard.allows_redirect() { attempt.follow() } else { attempt.stop() }
    })
}

fn is_below(url: &Url, base: &Url) -> bool {
    let folder = base.path().trim_end_matches('/');
    let below = url.path().strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    url.origin() == base.origin() && below
}

fn is_loopback(base: &Url) -> bool {
    match base.host() {
        Some(Host::Domain(name)) => name.eq_ignore_ascii_case("localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
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

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    #[test]
    fn redirects_stay_below_the_base_url() {
        let base = url("https://shop.example/api/");
        for inside in ["/api/products", "/api/products/", "/api", "/api/x/../products?q=1"] {
            assert!(is_below(&base.join(inside).unwrap(), &base), "{inside}");
        }
        for outside in [
            "/",
            "/apis",
            "/admin",
            "/api/../admin",
            "/api/%2e%2e/admin",
            "//evil.example/api/products",
            "http://shop.example/api/products",
            "https://shop.example:8443/api/products",
            "https://shop.example.evil.example/api/products",
        ] {
            assert!(!is_below(&base.join(outside).unwrap(), &base), "{outside}");
        }
        assert!(is_below(&url("http://a/moved"), &url("http://a")));
    }

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

    #[test]
    fn loopback_addresses_are_recognised() {
        for base in ["http://127.0.0.1:3001", "http://localhost/api", "http://[::1]:80"] {
            assert!(is_loopback(&url(base)), "{base}");
        }
        for base in ["https://dummyjson.com", "http://10.0.0.1", "http://localhost.example"] {
            assert!(!is_loopback(&url(base)), "{base}");
        }
    }
}
