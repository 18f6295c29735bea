//! The answers that operators get.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use prometheus_client::registry::Registry;

use super::probe::Rendering;
use super::{Admin, listener, metrics, plain, purge, status};
use crate::catalogue::CatalogueStatus;
use crate::process::listening::AdminListener;

/// The routes for operators.
pub fn router(admin: &Arc<Admin>) -> Router {
    let mut registry = Registry::default();
    registry.register_collector(Box::new(metrics::Everything(Arc::clone(admin))));
    let registry = Arc::new(registry);
    Router::new()
        .route("/metrics", get(async move || metrics::show(&registry)))
        .route("/livez", get(async || plain(StatusCode::OK, "ok\n".into())))
        .route("/readyz", get(ready))
        .route("/status", get(status::show))
        .route("/purge", post(purge::order))
        .fallback(async || {
            let paths = "/livez, /readyz, /status, /metrics and, with POST, /purge";
            plain(StatusCode::NOT_FOUND, format!("There is {paths}.\n"))
        })
        .with_state(Arc::clone(admin))
}

/// Answers operators until `shutdown` completes.
pub(crate) async fn serve(admin: Arc<Admin>, listener: AdminListener, shutdown: impl Future<Output = ()>) {
    listener::serve(listener, router(&admin), shutdown).await;
}

/// Answers 200 if visitors can be served, otherwise 503, with what is wrong.
async fn ready(State(admin): State<Arc<Admin>>) -> Response {
    let rendering = admin.probe.rendering(admin.shop.renderer()).await;
    let is_stocked = admin.shop.catalogue().is_stocked();
    let is_ready = rendering != Rendering::Fails && is_stocked;
    let status = if is_ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    let CatalogueStatus { trouble, pass, .. } = admin.shop.catalogue().status();
    let state = if is_stocked { "ok" } else { "empty" };
    let catalogue = match (trouble, pass) {
        (_, Some(pass)) => format!("{state}, {pass} are read"),
        (Some(trouble), None) => format!("{state}; the last reading failed: {trouble}"),
        (None, None) => state.into(),
    };
    plain(status, format!("render: {}\ncatalogue: {catalogue}\n", rendering.text()))
}
