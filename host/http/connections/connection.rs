//! One connection, served by hyper within the limits that its activity tracks.

use std::future::poll_fn;
use std::io;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use axum::http::{HeaderValue, Request, Response, header};
use futures_util::future::{Either, ready};
use hyper::body::{Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use socket2::SockRef;
use tokio::io::Interest;
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep_until};
use tower::ServiceExt as _;

use super::activity::{Activity, Answering, Reason, Verdict};
use super::app::App;
use super::counters::ConnectionCounters;
use super::limits::ConnectionLimits;
use super::stream::WatchedStream;

/// Value of `TCP_NOTSENT_LOWAT`: how many unsent bytes the kernel buffers. With its default of megabytes
/// the socket becomes writable so rarely that a slow but steady client would look stalled.
const MAX_UNSENT_BYTES: u32 = 32 << 10;

/// Value of `SO_SNDBUF`, which the kernel doubles for its own bookkeeping. Without it the limit of a busy
/// connection grows to 1.4 MB and more, and a client that acknowledges nothing fills it; so it holds 300 kB.
/// A document of 200 kB still fits, and takes one write on loopback: with 64 KiB it takes two and a pause,
/// and with 32 KiB each part waits for a delayed acknowledgement (97 ms instead of 0.2).
const SEND_BUFFER: usize = 128 << 10;

/// Serves `app` on `stream` until the client closes or resets the connection, or `activity` decides to
/// close it. A reset ends the connection at once, and with it what is being done for its request: the
/// client takes no answer any more.
pub(super) async fn serve(
    stream: TcpStream,
    app: App,
    limits: Arc<ConnectionLimits>,
    counters: Arc<ConnectionCounters>,
    activity: Arc<Activity>,
) {
    set_options(SockRef::from(&stream));
    let stream = Arc::new(stream);
    let service = {
        let (stream, activity, counters) =
            (Arc::clone(&stream), Arc::clone(&activity), Arc::clone(&counters));
        service_fn(move |request| {
            if let Some(response) = repeated(&app, &request, &activity) {
                return Either::Left(ready(Ok(response)));
            }
            let open = is_open(&stream).inspect_err(|_| counters.resets.increment());
            let answering = open.map(|()| activity.begin_answer());
            Either::Right(answer(app.clone(), request, answering))
        })
    };
    // hyper does not notice a reset while it waits for an answer.
    let mut reset = pin!(stream.ready(Interest::ERROR));
    let watched = TokioIo::new(WatchedStream::new(Arc::clone(&stream), Arc::clone(&activity)));
    let mut http = pin!(
        http1::Builder::new()
            // A client that shuts down its write side after the request still reads the answer.
            .half_close(true)
            .max_header_size(limits.head_bytes)
            // hyper's timeout for a head includes the idle time before it; the activity distinguishes them.
            .header_read_timeout(None)
            .serve_connection(watched, service)
    );
    let mut timer = pin!(sleep_until(Instant::now() + limits.head));
    let closed = poll_fn(|context| {
        activity.register(context.waker());
        if reset.as_mut().poll(context).is_ready() {
            return Poll::Ready(Some(Reason::Reset));
        }
        // An error comes from the client: bad framing, which hyper has answered, or a lost connection.
        if http.as_mut().poll(context).is_ready() {
            return Poll::Ready(None);
        }
        loop {
            match activity.verdict(Instant::now(), &limits) {
                Verdict::Close(reason) => return Poll::Ready(Some(reason)),
                Verdict::Keep(None) => return Poll::Pending,
                // A timer is not moved to a later deadline until it fires. It then fires too early once,
                // which is cheaper than resetting it at every request.
                Verdict::Keep(Some(deadline)) => {
                    if deadline < timer.deadline() || timer.is_elapsed() {
                        timer.as_mut().reset(deadline);
                    }
                    if timer.as_mut().poll(context).is_pending() {
                        return Poll::Pending;
                    }
                }
            }
        }
    })
    .await;
    match closed {
        Some(Reason::Head) => counters.head_timeouts.increment(),
        Some(Reason::Idle) => counters.idle_timeouts.increment(),
        Some(Reason::Stall) => counters.write_timeouts.increment(),
        Some(Reason::Evicted) => counters.evicted.increment(),
        Some(Reason::Reset) => counters.resets.increment(),
        Some(Reason::Linger | Reason::Grace) | None => {}
    }
}

/// Setting an option fails only on a broken connection, which hyper notices.
fn set_options(socket: SockRef<'_>) {
    // Without `TCP_NODELAY` the rest of an answer waits until the client acknowledges its beginning.
    let _ = socket.set_tcp_nodelay(true);
    let _ = socket.set_tcp_notsent_lowat(MAX_UNSENT_BYTES);
    let _ = socket.set_send_buffer_size(SEND_BUFFER);
}

/// Whether a request that was read may be answered. The kernel still gives out what the client sent
/// before it reset the connection, such as pipelined requests.
///
/// # Errors
/// Fails when the connection was reset.
fn is_open(stream: &TcpStream) -> io::Result<()> {
    stream.take_error()?.map_or(Ok(()), Err)
}

/// The answer to a request that was answered a moment ago.
fn repeated(
    app: &App,
    request: &Request<Incoming>,
    activity: &Arc<Activity>,
) -> Option<Response<WatchedBody>> {
    let response = app.recent()?.answer(request)?;
    Some(last_if_draining(response.map(Sending::Bytes), activity.begin_answer()))
}

/// The response, which says so if it is its connection's last one, because the server shuts down.
fn last_if_draining(mut response: Response<Sending>, answering: Answering) -> Response<WatchedBody> {
    if answering.is_draining() {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response.map(|body| WatchedBody { body, _answering: answering })
}

async fn answer(
    app: App,
    request: Request<Incoming>,
    answering: io::Result<Answering>,
) -> io::Result<Response<WatchedBody>> {
    let answering = answering?;
    let asked = app.recent().and_then(|recent| recent.asked(&request));
    let App { router, recent } = app;
    let Ok(response) = router.oneshot(request.map(Body::new)).await;
    if let (Some(recent), Some(asked)) = (recent, asked) {
        recent.remember(asked, &response);
    }
    Ok(last_if_draining(response.map(Sending::Body), answering))
}

/// What is sent.
enum Sending {
    Body(Body),
    /// Sent at once; empty afterwards.
    Bytes(Bytes),
}

/// A body that reports to the activity when hyper has read all of it.
struct WatchedBody {
    body: Sending,
    /// Its drop is the report.
    _answering: Answering,
}

impl HttpBody for WatchedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        match &mut self.body {
            Sending::Body(body) => Pin::new(body).poll_frame(context),
            Sending::Bytes(bytes) if bytes.is_empty() => Poll::Ready(None),
            Sending::Bytes(bytes) => Poll::Ready(Some(Ok(Frame::data(std::mem::take(bytes))))),
        }
    }

    fn is_end_stream(&self) -> bool {
        match &self.body {
            Sending::Body(body) => body.is_end_stream(),
            Sending::Bytes(bytes) => bytes.is_empty(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match &self.body {
            Sending::Body(body) => body.size_hint(),
            Sending::Bytes(bytes) => SizeHint::with_exact(bytes.len() as u64),
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::net::TcpListener;

    use super::*;

    #[tokio::test]
    async fn the_kernel_buffers_a_bounded_part_of_an_answer() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let _client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (stream, _) = listener.accept().await.unwrap();
        let socket = SockRef::from(&stream);
        set_options(SockRef::from(&stream));
        assert_eq!(socket.send_buffer_size().unwrap(), 2 * SEND_BUFFER);
        assert_eq!(socket.tcp_notsent_lowat().unwrap(), MAX_UNSENT_BYTES);
    }
}
