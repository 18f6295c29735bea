//! Browsers keep a dictionary of the shop, with which a page takes little more than what is its own.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::http::header;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};
use tokio::task::AbortHandle;
use vitrine::http::dictionaries::OfferDictionaries;
use vitrine::render::Renderer;
use vitrine::server;
use vitrine::shop::{ShopSettings, make_ahead};

use crate::common::pages::{ask, body};
use crate::common::until::until;
use crate::common::{changed, real_renderer, sample, serve, shop_settings, shop_under};

const EVERY_CODING: &str = "gzip, deflate, br, zstd, dcb, dcz";

/// A shop that makes its pages ahead, after the dictionary.
struct Ahead {
    address: SocketAddr,
    renderer: Renderer,
    work: AbortHandle,
}

impl Ahead {
    async fn start(
        catalogue: Arc<dyn vitrine::catalogue::Catalogue>,
        dictionaries: OfferDictionaries,
    ) -> Self {
        let settings = ShopSettings { page_memory: 256 << 20, dictionaries, ..shop_settings() };
        let renderer = real_renderer(1).await;
        let shop = Arc::new(shop_under(catalogue, renderer.clone(), settings));
        shop.finish_variants(0).unwrap();
        let work = tokio::spawn(make_ahead(Arc::clone(&shop))).abort_handle();
        Self { address: serve(server::app(shop).unwrap()).await, renderer, work }
    }

    /// The dictionary that the shop offers, once it does. No further page is made ahead then: on a busy machine the final
    /// variants of all pages take minutes.
    async fn dictionary(&self) -> Vec<u8> {
        let mut path = None;
        until("the dictionary", async || {
            let answer = ask(self.address, "/dictionary", &[]).await;
            path = answer.headers().get(header::LOCATION).map(|path| path.to_str().unwrap().to_owned());
            path.is_some()
        })
        .await;
        self.work.abort();
        let answer = ask(self.address, &path.unwrap(), &[]).await;
        assert_eq!(answer.headers()["use-as-dictionary"], "match=\"/*\"");
        assert_eq!(answer.headers()[header::CACHE_CONTROL], "public, max-age=31536000, immutable");
        assert_eq!(answer.headers()[header::VARY], "accept-encoding, available-dictionary");
        assert!(!answer.headers().contains_key(header::SET_COOKIE));
        answer.bytes().await.unwrap().to_vec()
    }

    /// The page with its coding, for a client that has this dictionary.
    async fn coded(&self, path: &str, dictionary: &[u8]) -> (String, Vec<u8>) {
        let available = format!(":{}:", STANDARD.encode(Sha256::digest(dictionary)));
        let headers = [("accept-encoding", EVERY_CODING), ("available-dictionary", &available)];
        let answer = ask(self.address, path, &headers).await;
        assert_eq!(answer.status(), 200, "{path}");
        let coding = answer.headers()[header::CONTENT_ENCODING].to_str().unwrap().to_owned();
        (coding, answer.bytes().await.unwrap().to_vec())
    }
}

impl Drop for Ahead {
    fn drop(&mut self) {
        self.work.abort();
    }
}

/// What a browser makes of a body in the coding `dcz` (RFC 9842).
fn decoded(coded: &[u8], dictionary: &[u8]) -> String {
    let (magic, rest) = coded.split_at(8);
    let (hash, frame) = rest.split_at(32);
    assert_eq!(magic, [0x5e, 0x2a, 0x4d, 0x18, 0x20, 0, 0, 0]);
    assert_eq!(hash, &Sha256::digest(dictionary)[..]);
    let mut decompressor = zstd::bulk::Decompressor::with_dictionary(dictionary).unwrap();
    String::from_utf8(decompressor.decompress(frame, 1 << 20).unwrap()).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn documents_and_data_are_whole_and_small_for_a_client_with_the_dictionary() {
    let shop = Ahead::start(sample(), OfferDictionaries::On).await;
    let dictionary = shop.dictionary().await;
    assert!(dictionary.len() <= 160_000, "{}", dictionary.len());
    // Pages that the dictionary was not made from.
    for (path, most) in [
        ("/product/9", 2_500),
        ("/categories", 2_700),
        ("/products", 9_000),
        ("/_data/product/9", 1_200),
        ("/_data/categories", 1_200),
    ] {
        let mut coded = Vec::new();
        until(&format!("{path} with the dictionary"), async || {
            let (coding, bytes) = shop.coded(path, &dictionary).await;
            coded = bytes;
            coding == "dcz"
        })
        .await;
        assert!(coded.len() < most, "{path}: {}", coded.len());
        assert_eq!(decoded(&coded, &dictionary), body(shop.address, path).await, "{path}");
        // In the same second other clients get what they can read.
        for other in [&b"another dictionary"[..], b""] {
            let (coding, bytes) = shop.coded(path, other).await;
            assert!(coding != "dcz" && !bytes.starts_with(&coded[..8]), "{path}");
        }
        let without = ask(shop.address, path, &[("accept-encoding", EVERY_CODING)]).await;
        assert_ne!(without.headers()[header::CONTENT_ENCODING], "dcz", "{path}");
        assert_eq!(without.headers()[header::VARY], "accept-encoding", "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn replicas_make_the_same_dictionary_whatever_they_sell() {
    let one = Ahead::start(sample(), OfferDictionaries::On).await;
    // The same menu and other products.
    let dearer = changed(|product| product.summary.title.push_str(" 2"));
    let other = Ahead::start(Arc::new(dearer), OfferDictionaries::On).await;
    assert!(one.dictionary().await == other.dictionary().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_dictionaries_none_is_offered() {
    let shop = Ahead::start(sample(), OfferDictionaries::Off).await;
    // The dictionary would have been made before.
    until("a page ahead", async || shop.renderer.counters().ahead.get() > 0).await;
    let answer = ask(shop.address, "/dictionary", &[]).await;
    assert_eq!(answer.status(), 204, "browsers report a 404");
    assert_eq!(answer.headers()[header::CACHE_CONTROL], "no-store");
    assert_eq!(ask(shop.address, "/dictionary/unknown", &[]).await.status(), 404);
}
