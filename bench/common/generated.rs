//! A catalogue service of any size, with generated products.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Result;
use axum::extract::Request;
use axum::middleware::{self, Next};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use vitrine::catalogue::sample::api;
use vitrine::http::connections::Connections;

/// How the descriptions of products read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// 16 words.
    Plain,
    /// 380 words, about 2,700 characters: 5,000 such products almost fill the largest answer of a service.
    Wordy,
}

/// Products in the service's JSON schema, the same in every run. There is a category and a brand for every
/// 20 of them.
pub(crate) fn products(count: usize, style: Style) -> Vec<Value> {
    let mut random = fastrand::Rng::with_seed(7);
    let mut word = |length: usize| -> String { (0..length).map(|_| random.lowercase()).collect() };
    let words: Vec<String> = (0..3_000).map(|number| word(3 + number % 8)).collect();
    let groups = (count / 20).max(1);
    let mut text = |length: usize| -> String {
        let words: Vec<&str> = (0..length).map(|_| words[random.usize(..words.len())].as_str()).collect();
        words.join(" ")
    };
    let length = if style == Style::Wordy { 380 } else { 16 };
    let product = |number: usize| {
        json!({
            "id": number + 1,
            "title": format!("Product {number} {}", text(3)),
            "description": text(length),
            "category": format!("category-{}", number % groups),
            "brand": format!("Brand {}", number * 7 % groups),
            "price": (number * 7_919 % 100_000) as f64 / 100.0,
            "discountPercentage": (number * 13 % 40) as f64 / 2.0,
            "rating": (number * 31 % 51) as f64 / 10.0,
            "stock": number % 20,
            "thumbnail": format!("/images/{number}.webp"),
        })
    };
    (0..count).map(product).collect()
}

/// A service on a free port, for as long as the runtime lives.
pub(crate) struct Generated {
    pub(crate) address: SocketAddr,
    calls: Arc<AtomicUsize>,
}

impl Generated {
    pub(crate) async fn serve(products: Vec<Value>) -> Result<Self> {
        let calls = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&calls);
        let count = middleware::from_fn(move |request: Request, next: Next| {
            counter.fetch_add(1, Ordering::Relaxed);
            next.run(request)
        });
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let router = api::router(products).layer(count);
        tokio::spawn(Connections::default().serve(listener, router, std::future::pending()));
        Ok(Self { address, calls })
    }

    /// How often the service was called so far.
    pub(crate) fn calls(&self) -> usize {
        self.calls.load(Ordering::Relaxed)
    }
}
