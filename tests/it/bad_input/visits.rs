//! Shops whose catalogue service answers badly, page by page.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{Response, header};
use tower::ServiceExt as _;
use vitrine::cache::Ages;
use vitrine::catalogue::{Followed, Service, Source as _, Wanted};
use vitrine::document::Site;
use vitrine::process::pressure::Pressure;
use vitrine::render::Renderer;
use vitrine::server;
use vitrine::shop::{Shop, ShopSettings};

use super::bodies::{BadBody, Call, bodies, good_body};
use super::case::{Answer, marks};
use super::inspect::inspect;
use super::{SERVICE, Suite};
use crate::common::{PUBLIC_URL, real_renderer, serve, shop_settings};

/// Services with bad answers, and what renders the pages of their shops.
#[derive(Clone)]
pub(super) struct Services {
    address: SocketAddr,
    renderer: Renderer,
}

impl Services {
    /// A service for each of these lists of bad answers, below its number. Its other answers are good. A bad product
    /// is the first one.
    pub(super) async fn start(bad: Arc<[Vec<BadBody>]>) -> Self {
        let router = Router::new().fallback(move |request: Request| {
            let segments: Vec<&str> = request.uri().path().split('/').skip(1).collect();
            let (call, id) = match segments[1..] {
                ["products", "categories"] => (Call::Categories, 0),
                ["products"] | ["products", "search"] | ["products", "category", _] => (Call::List, 0),
                [.., id] => (Call::Product, id.parse().unwrap_or_default()),
                [] => (Call::Product, 0),
            };
            let is_it = |case: &&BadBody| case.call == call && (call != Call::Product || id == 1);
            let answer = bad[segments[0].parse::<usize>().unwrap()].iter().find(is_it).cloned();
            let answer = answer.unwrap_or_else(|| BadBody::new("good", call, good_body(call, id)));
            let mut response =
                Response::builder().header(header::CONTENT_TYPE, answer.content_type.as_bytes());
            if let Some(encoding) = answer.encoding {
                response = response.header(header::CONTENT_ENCODING, encoding);
            }
            async move { response.body(Body::from(answer.body)).unwrap() }
        });
        Self { address: serve(router).await, renderer: real_renderer(2).await }
    }

    fn service(&self, number: usize) -> Service {
        Service::new(format!("http://{}/{number}", self.address).parse().unwrap(), SERVICE).unwrap()
    }

    /// A shop without a version. Its guard would soon leave a service that answers badly alone, and nothing more would be
    /// seen of the answers, so no shop has many pages.
    pub(super) fn live_shop(&self, number: usize) -> Router {
        self.shop(Followed::new(self.service(number), shop_settings().ages, 0))
    }

    /// A shop that has read its service.
    pub(super) async fn read_shop(&self, number: usize) -> Router {
        let catalogue = Followed::new(self.service(number), shop_settings().ages, 5_000);
        catalogue.read().await.unwrap();
        self.shop(catalogue)
    }

    /// A shop that keeps no page.
    fn shop(&self, catalogue: Followed<Service>) -> Router {
        let site = Site::new(&PUBLIC_URL.parse().unwrap(), vec!["https://cdn.example".parse().unwrap()]);
        let ages = Ages { fresh: Duration::ZERO, stale: Duration::ZERO };
        let settings = ShopSettings { ages, ..shop_settings() };
        let renderer = self.renderer.clone();
        let shop = Shop::new(Arc::new(catalogue), renderer, site, settings, Pressure::default()).unwrap();
        server::router(shop).unwrap()
    }
}

pub(super) async fn get(shop: &Router, page: &str) -> Answer {
    let request = Request::get(page).header("host", "shop").body(Body::empty());
    let Ok(response) = shop.clone().oneshot(request.unwrap()).await;
    let (head, body) = response.into_parts();
    Answer::from_parts(head, axum::body::to_bytes(body, usize::MAX).await.unwrap().into())
}

/// Looks at one page; returns how long it took.
async fn visit(shop: &Router, case: &BadBody, page: &str) -> Result<Duration> {
    let started = Instant::now();
    let answer = get(shop, page).await;
    let took = started.elapsed();
    inspect(&answer, &marks(&String::from_utf8_lossy(&case.body)), true)?;
    let text = String::from_utf8_lossy(answer.body());
    ensure!(!text.contains("mail.example"), "it tells a reviewer's address");
    let has_others = answer.status() == 200 && text.contains("Good 2") && text.contains("Good 3");
    ensure!(has_others || !case.good_beside, "it is {} without the good products", answer.status());
    Ok(took)
}

/// Visits pages while the catalogue answers badly.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes minutes, in a process of its own"]
async fn every_bad_answer_of_the_catalogue() {
    let suite = Suite::begin();
    let all = bodies();
    assert!(all.len() >= 2_000, "only {} bodies", all.len());
    let cases: Arc<[_]> = all.into_iter().step_by(suite.step).map(|case| vec![case]).collect();
    let services = Services::start(Arc::clone(&cases)).await;
    let attempt = |number: usize| {
        let (cases, services) = (Arc::clone(&cases), services.clone());
        async move {
            let (case, mut longest) = (&cases[number][0], Duration::ZERO);
            for page in case.pages().split(' ') {
                let visit = visit(&services.live_shop(number), case, page).await;
                longest = longest.max(visit.with_context(|| format!("{}: {page}", case.name))?);
            }
            if case.call == Call::List {
                // The calls that only a copy of the catalogue needs.
                let service = services.service(number);
                let wanted = Wanted { since: None, count: None, most: 0 };
                let _ = service.changes(wanted).await;
                let _ = service.changes(Wanted { count: Some(1), most: u64::MAX, ..wanted }).await;
            }
            anyhow::Ok(longest)
        }
    };
    suite.try_all((0..cases.len()).collect(), attempt).await;
}
