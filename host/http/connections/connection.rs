//! One connection: its handshake and its protocol, within the limits that its activity tracks.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;

use futures_util::future::Either;
use socket2::SockRef;
use tokio::io::{AsyncWriteExt as _, Interest};
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep_until};

use super::activity::{Activity, Reason, Verdict};
use super::context::{Context, ListenerContext};
use super::counters::ConnectionCounters;
use super::stream::WatchedStream;
use super::{http1, http2};
use crate::http::tls::Tls;
use crate::observe::ErrorChain;

/// Value of `TCP_NOTSENT_LOWAT`: how many unsent bytes the kernel buffers. With its default of megabytes
/// the socket becomes writable so rarely that a slow but steady client would look stalled.
const MAX_UNSENT_BYTES: u32 = 32 << 10;

/// Value of `SO_SNDBUF`, which the kernel doubles for its own bookkeeping. Without it the limit of a busy
/// connection grows to 1.4 MB and more, and a client that acknowledges nothing fills it; with it, 300 kB fit.
/// A document of 200 kB still fits, and takes one write on loopback: with 64 KiB it takes two and a pause,
/// and with 32 KiB each part waits for a delayed acknowledgement (97 ms instead of 0.2).
const SEND_BUFFER: usize = 128 << 10;

/// Serves the shared app on `stream` until the client closes or resets the connection, or `activity` decides to
/// close it. A reset ends the connection at once, and with it the work for its requests: the client no longer
/// takes an answer.
pub(super) async fn serve(stream: TcpStream, shared: Arc<ListenerContext>, activity: Arc<Activity>) {
    set_options(SockRef::from(&stream));
    let socket = Arc::new(stream);
    let watched = WatchedStream::new(Arc::clone(&socket), Arc::clone(&activity));
    let (limits, counters) = (Arc::clone(&shared.limits), Arc::clone(&shared.counters));
    let tls = shared.tls.clone();
    let context = Context { shared, activity: Arc::clone(&activity), socket: Arc::clone(&socket) };
    let mut serving = pin!(match tls {
        None => Either::Left(http1::serve(watched, context)),
        // Boxed, because otherwise unencrypted connections would take as much memory as encrypted ones.
        Some(tls) => Either::Right(Box::pin(serve_encrypted(watched, tls, context))),
    });
    // hyper does not notice a reset while it waits for an answer.
    let mut reset = pin!(socket.ready(Interest::ERROR));
    let mut timer = pin!(sleep_until(Instant::now() + limits.head));
    let closed = poll_fn(|task| {
        activity.register(task.waker());
        if reset.as_mut().poll(task).is_ready() {
            return Poll::Ready(Some(Reason::Reset));
        }
        if serving.as_mut().poll(task).is_ready() {
            return Poll::Ready(None);
        }
        loop {
            match activity.verdict(Instant::now(), &limits) {
                Verdict::Close(reason) => return Poll::Ready(Some(reason)),
                Verdict::Leave => {
                    counters.idle_timeouts.increment();
                    if serving.as_mut().poll(task).is_ready() {
                        return Poll::Ready(None);
                    }
                }
                Verdict::Keep(None) => return Poll::Pending,
                // A timer is not moved to a later deadline until it fires. It then fires too early once,
                // which is cheaper than resetting it at every request.
                Verdict::Keep(Some(deadline)) => {
                    if deadline < timer.deadline() || timer.is_elapsed() {
                        timer.as_mut().reset(deadline);
                    }
                    if timer.as_mut().poll(task).is_pending() {
                        return Poll::Pending;
                    }
                }
            }
        }
    })
    .await;
    if let Some(reason) = closed {
        count(reason, &counters);
    }
}

/// Agrees with the client on keys and on a protocol, and serves that protocol.
async fn serve_encrypted(stream: WatchedStream, tls: Tls, context: Context) {
    let Context { shared, activity, .. } = &context;
    let stream = match tls.accept(stream).await {
        Ok(stream) => stream,
        Err((error, mut stream)) => {
            shared.counters.handshake_failures.increment();
            if shared.throttle.allows("handshake") {
                tracing::info!(error = %ErrorChain(&error), "a TLS handshake failed");
            }
            // The client is told why before the socket is closed.
            let _ = stream.shutdown().await;
            return;
        }
    };
    let is_multiplexed = Tls::has_agreed_on_http2(&stream);
    activity.agreed(is_multiplexed);
    if is_multiplexed {
        shared.counters.http2_agreed.increment();
        http2::serve(stream, context).await;
    } else {
        shared.counters.http1_agreed.increment();
        http1::serve(stream, context).await;
    }
}

fn count(reason: Reason, counters: &ConnectionCounters) {
    match reason {
        Reason::Handshake => counters.handshake_timeouts.increment(),
        Reason::Head => counters.head_timeouts.increment(),
        Reason::Idle => counters.idle_timeouts.increment(),
        Reason::Stall => counters.write_timeouts.increment(),
        Reason::Evicted => counters.evicted.increment(),
        Reason::Reset => counters.resets.increment(),
        Reason::Cancellations => counters.cancellations.increment(),
        Reason::Linger | Reason::Grace => {}
    }
}

/// Sets the socket's options. That fails only on a broken connection, which hyper notices.
fn set_options(socket: SockRef<'_>) {
    // Without `TCP_NODELAY` the rest of an answer waits until the client acknowledges its beginning.
    let _ = socket.set_tcp_nodelay(true);
    let _ = socket.set_tcp_notsent_lowat(MAX_UNSENT_BYTES);
    let _ = socket.set_send_buffer_size(SEND_BUFFER);
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
