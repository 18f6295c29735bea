//! The listener for operators.

mod answers;
mod exports;
mod logging;
mod metrics;
mod prometheus;
mod purges;
mod readiness;
mod shortages;
mod version;
pub(crate) mod workers;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::http::StatusCode;
use vitrine::admin::{self, Admin, Token};
use vitrine::catalogue::Catalogue;
use vitrine::http::connections::{ConnectionLimits, Connections};
use vitrine::render::Renderer;
use vitrine::server;
use vitrine::shop::{Shop, ShopSettings};

use crate::common::operators::TOKEN;
use crate::common::{client, error_page, serve, serve_with, shop_under};

/// A shop with its operators' listener.
struct ShopWithAdmin {
    shop: Arc<Shop>,
    visitors: SocketAddr,
    operators: SocketAddr,
}

impl ShopWithAdmin {
    async fn start(catalogue: Arc<dyn Catalogue>, renderer: Renderer, settings: ShopSettings) -> Self {
        let shop = shop_under(catalogue, renderer, settings);
        Self::open(shop, ConnectionLimits::default(), Some(TOKEN)).await
    }

    /// Opens both listeners of a shop.
    async fn open(shop: Shop, limits: ConnectionLimits, token: Option<&str>) -> Self {
        let shop = Arc::new(shop);
        let app = server::app(Arc::clone(&shop)).unwrap();
        let connections = Connections::new(limits);
        let token = token.map(|token| Token::new(token).unwrap());
        let admin = Admin::new(Arc::clone(&shop), app.clone(), connections.clone(), token, error_page());
        let operators = serve(admin::router(&Arc::new(admin))).await;
        Self { shop, visitors: serve_with(app, connections).await, operators }
    }

    async fn visit(&self, path: &str) -> reqwest::Response {
        client().get(format!("http://{}{path}", self.visitors)).send().await.unwrap()
    }

    async fn text(&self, path: &str) -> String {
        self.visit(path).await.text().await.unwrap()
    }

    /// What the operators' listener answers.
    async fn ask(&self, path: &str) -> (StatusCode, String) {
        let response = client().get(format!("http://{}{path}", self.operators)).send().await.unwrap();
        (response.status(), response.text().await.unwrap())
    }

    async fn answers(&self, path: &str, status: u16, text: &str) {
        assert_eq!(self.ask(path).await, (status.try_into().unwrap(), text.into()), "{path}");
    }

    /// As [`Scrape::sum`], now.
    async fn figure(&self, metric: &str, label: &str) -> f64 {
        self.scrape().await.sum(metric, label)
    }

    async fn purge(&self, order: &str) -> (StatusCode, String) {
        let address = format!("http://{}/purge?{order}", self.operators);
        let response = client().post(address).bearer_auth(TOKEN).send().await.unwrap();
        (response.status(), response.text().await.unwrap())
    }

    async fn scrape(&self) -> Scrape {
        Scrape::of(&self.ask("/metrics").await.1)
    }
}

/// The samples of a scrape: names with labels, and values.
pub(crate) struct Scrape(BTreeMap<String, f64>);

impl Scrape {
    pub(crate) fn of(text: &str) -> Self {
        let samples = text.lines().filter(|line| !line.starts_with('#'));
        let sample = |line: &str| {
            let (name, value) = line.rsplit_once(' ').unwrap();
            (name.to_owned(), value.parse().unwrap())
        };
        Self(samples.map(sample).collect())
    }

    /// The sum of a metric's samples with this text among their labels; for a histogram, its number of values.
    pub(crate) fn sum(&self, metric: &str, label: &str) -> f64 {
        let is_sample = |name: &str| {
            let bare = name.split('{').next().unwrap_or_default();
            (bare == metric || bare.strip_suffix("_count") == Some(metric)) && name.contains(label)
        };
        self.0.iter().filter(|(name, _)| is_sample(name)).map(|(_, value)| value).sum()
    }
}
