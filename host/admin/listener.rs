//! Serves operators on their own socket. There are few of them, so a connection is simple: a fixed number of
//! places, a time limit for a request's head, and one for the whole connection.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::middleware::from_fn;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;
use tokio::time::timeout;
use tower::ServiceExt as _;

use super::own_names::only_own_names;
use crate::observe::{ErrorChain, LogThrottle};
use crate::process::listening::AdminListener;

/// Connections at once; further ones wait to be accepted.
const CONNECTIONS: usize = 64;
/// Largest request line and headers together, in bytes.
const HEAD_BYTES: usize = 16 << 10;
/// Timeout of a request's head, and between two requests.
const HEAD: Duration = Duration::from_secs(10);
/// Longest time that a connection is open. A scraper then opens another one.
const CONNECTION: Duration = Duration::from_secs(300);
/// Pause after a failure to accept.
const PAUSE: Duration = Duration::from_secs(1);
/// During shutdown: how long requests in progress may take.
const DRAIN: Duration = Duration::from_secs(2);

/// What a connection reads and writes.
trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

/// Serves `router` until `shutdown` completes. Then closes the socket, so that another process that
/// accepts on it gets all further connections.
pub(super) async fn serve(listener: AdminListener, router: Router, shutdown: impl Future<Output = ()>) {
    let router = match &listener {
        AdminListener::Tcp(_) => router.layer(from_fn(only_own_names)),
        // No browser reaches a Unix socket.
        AdminListener::Unix(_) => router,
    };
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    let throttle = LogThrottle::default();
    let mut connections = JoinSet::new();
    tokio::pin!(shutdown);
    loop {
        let accepted = tokio::select! {
            () = &mut shutdown => break,
            accepted = accept(&listener, &places) => accepted,
        };
        // Forgets connections that have ended.
        while connections.try_join_next().is_some() {}
        match accepted {
            Ok((stream, place)) => {
                connections.spawn(timeout(CONNECTION, connection(stream, router.clone(), place)));
            }
            Err(error) => {
                if throttle.allows("accept") {
                    tracing::warn!(error = %ErrorChain(&error), "operators cannot be answered for now");
                }
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
    drop(listener);
    let _ = timeout(DRAIN, async { while connections.join_next().await.is_some() {} }).await;
}

/// The next connection, once there is a place for it. Cancel-safe.
async fn accept(
    listener: &AdminListener,
    places: &Arc<Semaphore>,
) -> io::Result<(Box<dyn Stream>, OwnedSemaphorePermit)> {
    let place = Arc::clone(places).acquire_owned().await.map_err(io::Error::other)?;
    let stream: Box<dyn Stream> = match listener {
        AdminListener::Tcp(listener) => Box::new(listener.accept().await?.0),
        AdminListener::Unix(listener) => Box::new(listener.accept().await?.0),
    };
    Ok((stream, place))
}

async fn connection(stream: Box<dyn Stream>, router: Router, place: OwnedSemaphorePermit) {
    let service = service_fn(move |request: hyper::Request<hyper::body::Incoming>| {
        router.clone().oneshot(request.map(Body::new))
    });
    // An error comes from the client.
    let _ = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        .max_header_size(HEAD_BYTES)
        // A client may close its side as soon as it has sent an order. Without this, an order that is read
        // together with the end of the stream would be dropped.
        .half_close(true)
        .serve_connection(TokioIo::new(stream), service)
        .await;
    drop(place);
}
