//! One connection, driven by hyper and watched by its activity.

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

use super::Connections;
use super::activity::{Activity, Answering, Reason, Verdict};
use super::stream::WatchedStream;

/// How much of an answer the kernel takes ahead of the network. With its default of megabytes a
/// slow but steady client would look stalled, because the socket becomes writable so rarely.
const UNSENT_BYTES: u32 = 32 << 10;

/// Serves `router` on `stream` until its client ends, or `activity` says that it has to.
pub async fn serve(stream: TcpStream, router: Router, connections: Connections, activity: Arc<Activity>) {
    // The rest of an answer shall not wait for the client to acknowledge its beginning. Where an
    // option is refused the connection is broken, and hyper will see it.
    let _ = stream.set_nodelay(true);
    let _ = SockRef::from(&stream).set_tcp_notsent_lowat(UNSENT_BYTES);
    let limits = &*connections.limits;
    let stream = TokioIo::new(WatchedStream::new(stream, Arc::clone(&activity)));
    let service = {
        let activity = Arc::clone(&activity);
        service_fn(move |request| answer(router.clone(), request, activity.begin_answer()))
    };
    let mut http = pin!(
        http1::Builder::new()
            // A client that closes its side after the request still wants the answer.
            .half_close(true)
            .max_header_size(limits.head_bytes)
            // hyper's time for a head includes the idle time before it; the activity tells them apart.
            .header_read_timeout(None)
            .serve_connection(stream, service)
    );
    let mut timer = pin!(sleep_until(Instant::now() + limits.head));
    let closed = poll_fn(|context| {
        activity.register(context.waker());
        // An error is the client's: broken framing, which hyper has answered, or a lost connection.
        if http.as_mut().poll(context).is_ready() {
            return Poll::Ready(None);
        }
        loop {
            match activity.verdict(Instant::now(), limits) {
                Verdict::Close(reason) => return Poll::Ready(Some(reason)),
                Verdict::Keep(None) => return Poll::Pending,
                // A timer that rings too early is set anew then, which is rarer than requests.
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
    let counters = connections.counters();
    match closed {
        Some(Reason::Head) => counters.head_timeouts.increment(),
        Some(Reason::Idle) => counters.idle_timeouts.increment(),
        Some(Reason::Stall) => counters.write_timeouts.increment(),
        Some(Reason::Unwanted) => counters.evicted.increment(),
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

/// A body that tells when hyper has taken all of it.
struct WatchedBody {
    body: Body,
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
