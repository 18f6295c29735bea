//! Serves the service worker, which stores pages in browsers for when the shop cannot be reached.

use std::sync::LazyLock;

use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::Response;
use clap::ValueEnum;

use super::assets::representation;
use super::client::CLIENT;
use crate::http::caching::Caching;
use crate::http::representation::Representation;

/// The script's address. It lies at the root, because a worker controls only what is below its own path.
/// It has no hash in its name, because browsers ask for the same address to learn of a new version.
pub(crate) const PATH: &str = "/service-worker.js";

/// Tells the service worker and the client which build of the client a page is for, so that they never mix two.
pub(crate) fn build_header() -> (HeaderName, HeaderValue) {
    (HeaderName::from_static("vitrine-build"), HeaderValue::from_static(CLIENT.build))
}

/// Whether browsers install the service worker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ServiceWorker {
    #[default]
    On,
    /// The script deletes what the worker has stored, and then removes the worker itself.
    Off,
}

static WORKER: LazyLock<Representation> = LazyLock::new(|| representation(&CLIENT.service_worker));
static REMOVAL: LazyLock<Representation> = LazyLock::new(|| representation(&CLIENT.service_worker_removal));

/// The script at [`PATH`].
pub(crate) async fn show(setting: ServiceWorker, request: &HeaderMap) -> Response {
    let script = match setting {
        ServiceWorker::On => &WORKER,
        ServiceWorker::Off => &REMOVAL,
    };
    script.answer(request, StatusCode::OK, Caching::Revalidated).await
}
