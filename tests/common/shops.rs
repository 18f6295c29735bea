//! Shops over services that speak the API.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use axum::Router;
use serde_json::Value;
use vitrine::catalogue::sample::api;
use vitrine::catalogue::{MirrorPolicy, Remembered, Service};

use super::client::{LIMITS, service_at};
use super::days::until_mirrored_if;
use super::{serve, shop_settings, start_shop};

/// The catalogue of a service.
pub(crate) async fn catalogue_of(service: Router, mirror: MirrorPolicy) -> Arc<Remembered<Service>> {
    let base = format!("http://{}", serve(service).await).parse().unwrap();
    Arc::new(Remembered::new(service_at(base, LIMITS), shop_settings().ages, mirror))
}

/// A shop over a service with these products, once it has the copy that it may keep.
pub(crate) async fn shop_of(products: Vec<Value>, mirror: MirrorPolicy) -> SocketAddr {
    let catalogue = catalogue_of(api::router(products), mirror).await;
    until_mirrored_if(mirror, &catalogue).await;
    start_shop(catalogue).await
}

/// The real service's data, where it lies beside the project.
pub(crate) fn real_products() -> Option<Vec<Value>> {
    let file = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/catalogue/products.json"));
    if !file.exists() {
        eprintln!("skipped: the real catalogue's data does not lie beside the project");
        return None;
    }
    Some(api::read_products(file).unwrap())
}
