//! The router with everything around it, and the loop that serves it.

use std::any::Any;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::header::{self, InvalidHeaderValue};
use axum::middleware::{from_fn, map_response};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::serve::Listener;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tower_http::catch_panic::CatchPanicLayer;

use crate::assets;
use crate::error::AppError;
use crate::pages::{self, Shop};
use crate::representation::Caching;
use crate::request_log::log_requests;
use crate::security;

/// Everything that the storefront answers.
///
/// # Errors
/// Fails when one of the site's image sources cannot stand in a header.
pub fn router(shop: Shop) -> Result<Router, InvalidHeaderValue> {
    let security = security::headers(shop.site())?;
    Ok(pages::routes()
        .with_state(Arc::new(shop))
        .merge(images())
        .route("/assets/{name}", get(assets::show_asset))
        .route("/favicon.svg", get(assets::show_favicon))
        .route("/icons/{name}", get(assets::show_icon))
        .route("/favicon.ico", get(assets::show_favicon_ico))
        .route("/healthz", get(|| async { "ok" }))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(map_response(move |mut response: Response| {
            let headers = response.headers_mut();
            headers.extend(security.clone());
            // Whoever says nothing else means nobody to keep the answer.
            headers.entry(header::CACHE_CONTROL).or_insert(Caching::Never.header());
            std::future::ready(response)
        }))
        .layer(from_fn(log_requests)))
}

/// The sample catalogue's artwork, which its products name by path.
pub fn images() -> Router {
    Router::new().route("/sample-images/{name}", get(assets::show_sample_image))
}

/// How long requests under way may take to finish at the end.
pub const DRAIN: Duration = Duration::from_secs(10);

/// How long a new connection may take at the end to send its first request. Without it, hyper closes
/// a connection of which it has read nothing yet, although its request may be on its way.
const FIRST_REQUEST: Duration = Duration::from_millis(500);

/// Serves `router` until `shutdown`, then finishes what is being answered, within [`DRAIN`].
///
/// # Errors
/// Fails when the listener does.
pub async fn run(
    listener: TcpListener,
    router: Router,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    let (ending, ended) = oneshot::channel();
    let (stop, stopped) = oneshot::channel();
    let shutdown = async {
        shutdown.await;
        // The receivers are gone only when serving has ended by itself.
        let _ = ending.send(());
        let _ = stop.send(());
        tokio::time::sleep(FIRST_REQUEST).await;
    };
    let listener = Accepting { address: listener.local_addr()?, listener: Some(listener), stopped };
    let serving = axum::serve(listener, router).with_graceful_shutdown(shutdown);
    let deadline = async {
        if ended.await.is_err() {
            std::future::pending::<()>().await;
        }
        tokio::time::sleep(DRAIN).await;
    };
    tokio::select! {
        outcome = serving => outcome,
        () = deadline => {
            tracing::warn!("gave up on requests that did not finish");
            Ok(())
        }
    }
}

/// A listener that can be closed while its connections are served on.
struct Accepting {
    address: SocketAddr,
    /// Closed by its absence.
    listener: Option<TcpListener>,
    stopped: oneshot::Receiver<()>,
}

impl Listener for Accepting {
    type Io = TcpStream;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (TcpStream, SocketAddr) {
        if let Some(listener) = &mut self.listener {
            tokio::select! {
                accepted = Listener::accept(listener) => return accepted,
                _ = &mut self.stopped => self.listener = None,
            }
        }
        std::future::pending().await
    }

    fn local_addr(&self) -> std::io::Result<SocketAddr> {
        Ok(self.address)
    }
}

fn panicked(panic: Box<dyn Any + Send>) -> Response {
    let message = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("without a message");
    AppError::Panic(message.into()).into_response()
}
