//! HTTP/2: several requests at the same time. Its limits are those of HTTP/1.1 where both have one.

use std::future::poll_fn;
use std::io;
use std::pin::pin;
use std::sync::Arc;

use axum::http::{HeaderValue, Request, Response, Uri, header};
use futures_util::future::{Either, ready};
use hyper::body::Incoming;
use hyper::server::conn::http2;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};

use super::body::{AnswerBody, PART, Report};
use super::context::Context;
use super::stream_tasks::StreamTasks;
use crate::http::request_limits::are_same_host;

/// How many requests a client may send at once. A page needs fewer; RFC 9113 recommends no less than this.
const STREAMS: u32 = 100;
/// How many bytes of a request's body are buffered. No body is read.
const STREAM_WINDOW: u32 = 16 << 10;
/// How many bytes of all requests' bodies are buffered; the smallest that the protocol allows.
const CONNECTION_WINDOW: u32 = (64 << 10) - 1;
/// Largest frame that is accepted, in bytes; the smallest limit that the protocol allows.
const FRAME: u32 = 16 << 10;
/// Requests that the client may cancel before the host has seen them. One more ends the connection
/// (CVE-2023-44487).
const UNSEEN_RESETS: usize = 20;
/// Streams that may be reset because the client breaks the protocol. One more ends the connection
/// (CVE-2025-8671).
const ERROR_RESETS: usize = 64;
/// Serves HTTP/2 on `stream` until the client closes it. Once the connection is to end, the client is told so,
/// and the requests in progress are finished.
pub(super) async fn serve<S>(stream: S, context: Context)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let limits = &context.shared.limits;
    let mut streams = StreamTasks::new(limits.stream);
    let mut builder = http2::Builder::new(streams.executor());
    builder
        .max_concurrent_streams(STREAMS)
        .initial_stream_window_size(STREAM_WINDOW)
        .initial_connection_window_size(CONNECTION_WINDOW)
        .max_frame_size(FRAME)
        .max_header_list_size(u32::try_from(limits.head_bytes).unwrap_or(u32::MAX))
        .max_pending_accept_reset_streams(UNSEEN_RESETS)
        .max_local_error_reset_streams(ERROR_RESETS)
        .max_send_buf_size(PART);
    let activity = Arc::clone(&context.activity);
    let service = service_fn(move |request| respond(&context, request));
    let mut http = pin!(builder.serve_connection(TokioIo::new(stream), service));
    let mut is_told = false;
    poll_fn(|task| {
        if !is_told && activity.is_draining() {
            http.as_mut().graceful_shutdown();
            is_told = true;
        }
        // An error comes from the client: bad framing, which it was told about, or a lost connection.
        let ended = http.as_mut().poll(task).map(drop);
        streams.poll(task);
        ended
    })
    .await;
}

fn respond(
    context: &Context,
    mut request: Request<Incoming>,
) -> impl Future<Output = io::Result<Response<AnswerBody>>> + Send + use<> {
    let Context { shared, activity, .. } = context;
    let stream = activity.begin_stream();
    name_host(&mut request);
    if let Some(response) = shared.app.repeated(&request) {
        return Either::Left(ready(Ok(response.map(|bytes| AnswerBody::ready(bytes, Report::by(stream))))));
    }
    let app = shared.app.clone();
    Either::Right(async move {
        let response = app.answer(request).await;
        Ok(response.map(|body| AnswerBody::new(body, Report::by(stream))))
    })
}

/// Gives a request the form that it has in HTTP/1.1: the host is in its header, the target begins with the path.
///
/// A request that names two different hosts then has two headers, and is refused (RFC 9113, section 8.3.1). Two
/// spellings of one host do not count as different.
fn name_host<B>(request: &mut Request<B>) {
    let target = std::mem::take(request.uri_mut()).into_parts();
    if let Some(authority) = target.authority
        && let Ok(host) = HeaderValue::from_str(authority.as_str())
    {
        let named = request.headers().get(header::HOST).map(HeaderValue::to_str);
        if !matches!(named, Some(Ok(named)) if are_same_host(named, authority.as_str())) {
            request.headers_mut().append(header::HOST, host);
        }
    }
    // CONNECT has no path, and is refused anyway.
    *request.uri_mut() = target.path_and_query.map(Uri::from).unwrap_or_default();
}

#[cfg(test)]
mod tests {
    use axum::http::Method;

    use super::*;

    fn named(uri: &str, hosts: &[&'static str]) -> (String, Vec<String>) {
        let mut request = Request::new(());
        *request.uri_mut() = uri.parse().unwrap();
        for host in hosts {
            request.headers_mut().append(header::HOST, HeaderValue::from_static(host));
        }
        name_host(&mut request);
        let hosts = request.headers().get_all(header::HOST).iter();
        (request.uri().to_string(), hosts.map(|host| host.to_str().unwrap().to_owned()).collect())
    }

    #[test]
    fn a_request_has_the_form_of_http_1() {
        let one = |uri: &str| (uri.to_owned(), vec!["shop.example".to_owned()]);
        assert_eq!(named("https://shop.example/a?b=c", &[]), one("/a?b=c"));
        assert_eq!(named("https://shop.example/", &["shop.example"]), one("/"));
        assert_eq!(named("/a", &["shop.example"]), one("/a"));
        assert_eq!(named("/a", &[]), ("/a".into(), vec![]));
    }

    #[test]
    fn another_spelling_of_the_host_is_the_same_host() {
        for host in ["Shop.Example", "shop.example.", "shop.example:443"] {
            assert_eq!(named("https://shop.example/", &[host]).1, [host]);
        }
        assert_eq!(named("https://shop.example:443/", &["shop.example"]).1, ["shop.example"]);
    }

    #[test]
    fn a_request_that_names_two_hosts_keeps_both() {
        let (_, hosts) = named("https://shop.example/", &["other.example"]);
        assert_eq!(hosts, ["other.example", "shop.example"]);
    }

    #[test]
    fn a_tunnel_has_no_path() {
        let mut request = Request::new(());
        *request.method_mut() = Method::CONNECT;
        *request.uri_mut() = "shop.example:443".parse().unwrap();
        name_host(&mut request);
        assert_eq!(request.uri(), "/");
        assert_eq!(request.headers()[header::HOST], "shop.example:443");
    }
}
