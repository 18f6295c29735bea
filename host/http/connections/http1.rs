//! HTTP/1.1: one request after the other.

use std::io;

use axum::http::{HeaderValue, Request, Response, header};
use futures_util::FutureExt as _;
use futures_util::future::{Either, ready};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;

use super::activity::Answering;
use super::app::App;
use super::body::{AnswerBody, Report};
use super::context::Context;

/// How many bytes of an answer wait for a slow client, beside one part of a body. More would only take memory.
const BUFFER: usize = 64 << 10;

/// Serves HTTP/1.1 on `stream` until the client closes it.
pub(super) fn serve<S>(stream: S, context: Context) -> impl Future<Output = ()>
where
    S: AsyncRead + AsyncWrite + Unpin + 'static,
{
    let head_bytes = context.shared.limits.head_bytes;
    let service = service_fn(move |request| {
        let Context { shared, activity, socket } = &context;
        if let Some(response) = shared.app.repeated(&request) {
            let response = last_if_draining(response, activity.begin_answer(), AnswerBody::ready);
            return Either::Left(ready(Ok(response)));
        }
        let open = is_open(socket).inspect_err(|_| shared.counters.resets.increment());
        let answering = open.map(|()| activity.begin_answer());
        Either::Right(answer(shared.app.clone(), request, answering))
    });
    http1::Builder::new()
        // A client that shuts down its write side after the request still reads the answer.
        .half_close(true)
        .max_header_size(head_bytes)
        .max_buf_size(head_bytes.max(BUFFER))
        // hyper's timeout for a head includes the idle time before it; the activity distinguishes them.
        .header_read_timeout(None)
        .serve_connection(TokioIo::new(stream), service)
        // An error comes from the client: bad framing, which hyper has answered, or a lost connection.
        .map(drop)
}

/// Whether a request that was read may be answered. The kernel still gives out what the client sent
/// before it reset the connection, such as pipelined requests.
///
/// # Errors
/// Fails when the connection was reset.
fn is_open(socket: &TcpStream) -> io::Result<()> {
    socket.take_error()?.map_or(Ok(()), Err)
}

async fn answer(
    app: App,
    request: Request<Incoming>,
    answering: io::Result<Answering>,
) -> io::Result<Response<AnswerBody>> {
    let answering = answering?;
    let response = app.answer(request).await;
    Ok(last_if_draining(response, answering, AnswerBody::new))
}

/// Marks the response as the connection's last one if the server shuts down.
fn last_if_draining<B>(
    mut response: Response<B>,
    answering: Answering,
    body: fn(B, Report) -> AnswerBody,
) -> Response<AnswerBody> {
    if answering.is_draining() {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response.map(|sent| body(sent, Report::Answering { _answering: answering }))
}
