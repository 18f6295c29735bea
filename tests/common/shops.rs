//! Shops over services that speak the API.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use axum::Router;
use serde_json::Value;
use vitrine::catalogue::sample::api;
use vitrine::catalogue::{Followed, Service};

use super::client::{LIMITS, service_at};
use super::days::until_read_if;
use super::{follow, serve, shop_settings, start_shop};

/// The catalogue of a service.
pub(crate) async fn catalogue_of(service: Router, most: u64) -> Arc<Followed<Service>> {
    let base = format!("http://{}", serve(service).await).parse().unwrap();
    follow(Followed::new(service_at(base, LIMITS), shop_settings().ages, most))
}

/// A shop over a service with these products, once it has the copy that it may keep.
pub(crate) async fn shop_of(products: Vec<Value>, most: u64) -> SocketAddr {
    let catalogue = catalogue_of(api::router(products), most).await;
    until_read_if(most, &catalogue).await;
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
