//! The complete router: routes and middleware.

use std::any::Any;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{self, HeaderValue, InvalidHeaderValue};
use axum::http::{HeaderMap, Uri};
use axum::middleware::{from_fn, from_fn_with_state, map_response};
use axum::response::Response;
use axum::routing::get;
use tower::ServiceExt as _;
use tower_http::catch_panic::CatchPanicLayer;

use crate::agents::{self, Agents};
use crate::document::{self, ScreenKind, assets, security, service_worker};
use crate::exports::About;
use crate::http::caching::Caching;
use crate::http::connections::App;
use crate::http::exchange::mark_as_own;
use crate::http::request_limits::limit_requests;
use crate::http::request_log::log_requests;
use crate::profile::Profile;
use crate::shop::error::AppError;
use crate::shop::{self, Shop};

/// Answers `ok` while the process serves.
const HEALTH: &str = "/healthz";

/// [`router`], with its answers of the last second in front of it.
///
/// # Errors
/// Those of [`router`].
pub fn app(shop: impl Into<Arc<Shop>>) -> Result<App, InvalidHeaderValue> {
    let shop = shop.into();
    let recent = shop.recent_answers();
    Ok(App::new(router(shop)?, recent))
}

/// All routes of the storefront, with its middleware.
///
/// # Errors
/// Fails when one of the site's image sources is not valid in a header.
pub fn router(shop: impl Into<Arc<Shop>>) -> Result<Router, InvalidHeaderValue> {
    let shop = shop.into();
    let security = security::headers(shop.site(), shop.profile())?;
    let policies = security::Policies::new(shop.site(), shop.profile())?;
    let access = Arc::clone(shop.access());
    let worker = shop.service_worker();
    let profile = Arc::clone(shop.profile());
    let agents = (shop.agents() == document::Agents::On).then(|| {
        let about = About { profile: Arc::clone(shop.profile()), site: shop.site().clone() };
        Agents::new(shop.shared_catalogue(), about, shop.agents_pool())
    });
    let pages = shop::routes().with_state(shop);
    let pages = match agents {
        Some(agents) => agents::routes(agents, pages),
        None => pages,
    };
    Ok(pages
        .merge(images())
        .route("/assets/{name}", get(assets::show_asset))
        .route(
            service_worker::PATH,
            get(async move |request: HeaderMap| service_worker::show(worker, &request).await),
        )
        .route(HEALTH, get(async || ([service_worker::build_header()], "ok")))
        .layer(CatchPanicLayer::custom(move |panic| panicked(panic, &profile)))
        .layer(from_fn(limit_requests))
        .layer(map_response(move |mut response: Response| {
            let policy = response.extensions().get().map(|screen: &ScreenKind| policies.of(*screen));
            let headers = response.headers_mut();
            if let Some(policy) = policy {
                headers.insert(header::CONTENT_SECURITY_POLICY, policy);
            }
            for (name, value) in &security {
                // The logo has a policy of its own.
                headers.entry(name).or_insert_with(|| value.clone());
            }
            // An answer without `Cache-Control` must not be stored.
            headers.entry(header::CACHE_CONTROL).or_insert(Caching::Never.header());
            std::future::ready(response)
        }))
        .layer(from_fn_with_state(access, log_requests)))
}

/// Whether the router answers a request for the process's health, which this process sends to itself.
pub(crate) async fn answers_itself(router: Router) -> bool {
    let mut request = Request::new(Body::empty());
    *request.uri_mut() = Uri::from_static(HEALTH);
    request.headers_mut().insert(header::HOST, HeaderValue::from_static("localhost"));
    mark_as_own(&mut request);
    match router.oneshot(request).await {
        Ok(response) => response.status().is_success(),
        Err(never) => match never {},
    }
}

/// The sample catalogue's artwork. Sample products refer to it by path.
pub(crate) fn images() -> Router {
    Router::new().route("/sample-images/{name}", get(assets::show_sample_image))
}

/// Answers a request whose handler panicked.
#[expect(clippy::needless_pass_by_value, reason = "the signature of the layer")]
fn panicked(panic: Box<dyn Any + Send>, profile: &Profile) -> Response {
    let message = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("without a message");
    AppError::Panic(message.into()).respond(profile)
}
