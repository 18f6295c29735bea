//! One connection, served by hyper within the limits that its activity tracks.

use std::convert::Infallible;
use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::http::{HeaderValue, Request, Response, header};
use hyper::body::{Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use socket2::SockRef;
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep_until};
use tower::ServiceExt as _;

use super::activity::{Activity, Answering, Reason, Verdict};
use super::counters::ConnectionCounters;
use super::limits::ConnectionLimits;
use super::stream::WatchedStream;

/// Value of `TCP_NOTSENT_LOWAT`: how many unsent bytes the kernel buffers. With its default of megabytes
/// the socket becomes writable so rarely that a slow but steady client would look stalled.
const MAX_UNSENT_BYTES: u32 = 32 << 10;

/// Serves `router` on `stream` until the client closes the connection or `activity` decides to.
pub(super) async fn serve(
    stream: TcpStream,
    router: Router,
    limits: Arc<ConnectionLimits>,
    counters: Arc<ConnectionCounters>,
    activity: Arc<Activity>,
) {
    // Without `TCP_NODELAY` the rest of an answer waits until the client acknowledges its beginning.
    // Setting an option fails only on a broken connection, which hyper notices.
    let _ = stream.set_nodelay(true);
    let _ = SockRef::from(&stream).set_tcp_notsent_lowat(MAX_UNSENT_BYTES);
    let stream = TokioIo::new(WatchedStream::new(stream, Arc::clone(&activity)));
    let service = {
        let activity = Arc::clone(&activity);
        service_fn(move |request| answer(router.clone(), request, activity.begin_answer()))
    };
    let mut http = pin!(
        http1::Builder::new()
            // A client that shuts down its write side after the request still reads the answer.
            .half_close(true)
            .max_header_size(limits.head_bytes)
            // hyper's timeout for a head includes the idle time before it; the activity distinguishes them.
            .header_read_timeout(None)
            .serve_connection(stream, service)
    );
    let mut timer = pin!(sleep_until(Instant::now() + limits.head));
    let closed = poll_fn(|context| {
        activity.register(context.waker());
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
        Some(Reason::Linger | Reason::Grace) | None => {}
    }
}

async fn answer(
    router: Router,
    request: Request<Incoming>,
    answering: Answering,
) -> Result<Response<WatchedBody>, Infallible> {
    let mut response = router.oneshot(request.map(Body::new)).await?;
    if answering.is_draining() {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    Ok(response.map(|body| WatchedBody { body, _answering: answering }))
}

/// A body that reports to the activity when hyper has read all of it.
struct WatchedBody {
    body: Body,
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
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
