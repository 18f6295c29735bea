//! Shops whose catalogue service answers badly, page by page.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use parking_lot::Mutex;
use tower::ServiceExt as _;
use vitrine::cache::Ages;
use vitrine::catalogue::{CallOutcome, Service, Source as _, Wanted};
use vitrine::document::Site;
use vitrine::process::pressure::Pressure;
use vitrine::render::Renderer;
use vitrine::server;
use vitrine::shop::{Shop, ShopSettings};

use super::bodies::{self, BadBody, Call, Slots};
use super::case::marks;
use super::connection::Answer;
use super::inspect::Inspector;
use super::{CONNECTIONS, SERVICE, Share, TURN, report, watch_panics};
use crate::common::{PUBLIC_URL, real_renderer, serve, shop_settings};

/// A visitor with a shop of its own.
struct Visitor {
    base: String,
    renderer: Renderer,
    inspector: Arc<Inspector>,
    service: Service,
    shop: Router,
}

impl Visitor {
    fn new(base: String, renderer: Renderer, inspector: Arc<Inspector>) -> Self {
        let service = Service::new(base.parse().unwrap(), SERVICE).unwrap();
        let shop = forgetful_shop(service.clone(), renderer.clone());
        Self { base, renderer, inspector, service, shop }
    }

    /// The visitor with another service and shop after a failure: the guard would soon leave a service that
    /// answers badly alone, and nothing more would be seen of its answers.
    fn renewed(self) -> Self {
        let counters = self.service.counters();
        let failures = [
            CallOutcome::Malformed,
            CallOutcome::TransportFailure,
            CallOutcome::UnexpectedStatus,
            CallOutcome::Timeout,
            CallOutcome::TooLarge,
        ];
        if failures.iter().all(|failure| counters.ended(*failure) == 0) {
            return self;
        }
        Self::new(self.base, self.renderer, self.inspector)
    }

    /// Looks at one page.
    async fn visit(&self, case: &BadBody, page: &str) -> Result<Duration, String> {
        let started = Instant::now();
        let request = Request::get(page).header("host", "shop").body(Body::empty());
        let Ok(response) = self.shop.clone().oneshot(request.unwrap()).await;
        let (head, body) = response.into_parts();
        let body = axum::body::to_bytes(body, usize::MAX).await.map_err(|error| error.to_string())?;
        let took = started.elapsed();
        let headers =
            head.headers.iter().map(|(name, value)| (name.to_string(), value.as_bytes().to_vec())).collect();
        let answer = Answer { status: head.status.as_u16(), headers, body: body.to_vec() };
        let allowed = marks(&String::from_utf8_lossy(&case.body));
        self.inspector.inspect(&answer, &allowed, true).map_err(|problem| format!("{page}: {problem}"))?;
        let text = String::from_utf8_lossy(&answer.body);
        if text.contains("mail.example") {
            return Err(format!("{page} tells a reviewer's address"));
        }
        if case.good_beside && (answer.status != 200 || !text.contains("Good 2") || !text.contains("Good 3"))
        {
            return Err(format!("{page} is {} without the good products", answer.status));
        }
        Ok(took)
    }

    /// Makes the calls that only a copy of the catalogue needs.
    async fn copy(&self) {
        let wanted = Wanted { since: None, count: None, most: 0, within: Duration::ZERO };
        let _ = self.service.changes(wanted).await;
        let _ = self.service.changes(Wanted { count: Some(1), most: u64::MAX, ..wanted }).await;
    }
}

/// A shop that remembers nothing.
pub(super) fn forgetful_shop(service: Service, renderer: Renderer) -> Router {
    let site = Site::new(&PUBLIC_URL.parse().unwrap(), vec!["https://cdn.example".parse().unwrap()]);
    let ages = Ages { fresh: Duration::ZERO, stale: Duration::ZERO };
    let settings = ShopSettings { ages, ..shop_settings() };
    let shop = Shop::new(Arc::new(service), renderer, site, settings, Pressure::default()).unwrap();
    server::router(shop).unwrap()
}

/// Visits pages while the catalogue answers badly; returns how long the slowest page took.
pub(crate) async fn no_answer_of_the_catalogue_does_harm(share: Share) -> Duration {
    let _turn = TURN.lock().await;
    let panics = watch_panics();
    let all = bodies::bodies();
    assert!(all.len() >= 2_000, "only {} bodies", all.len());
    let cases = Arc::new(share.of(all));
    let slots: Slots = Arc::new((0..CONNECTIONS).map(|_| Default::default()).collect());
    let address = serve(bodies::service(Arc::clone(&cases), Arc::clone(&slots))).await;
    let renderer = real_renderer(2).await;
    let (inspector, left) = (Arc::<Inspector>::default(), Arc::new(Mutex::new(0..cases.len())));
    let started = Instant::now();
    let visitors = (0..CONNECTIONS).map(|place| {
        let (cases, left, slots) = (Arc::clone(&cases), Arc::clone(&left), Arc::clone(&slots));
        let base = format!("http://{address}/{place}/");
        let mut visitor = Visitor::new(base, renderer.clone(), Arc::clone(&inspector));
        tokio::spawn(async move {
            let (mut wrong, mut longest) = (Vec::new(), Duration::ZERO);
            loop {
                let Some(number) = left.lock().next() else { return (wrong, longest) };
                slots[place].store(number, Ordering::SeqCst);
                let case = &cases[number];
                for page in case.pages() {
                    match visitor.visit(case, page).await {
                        Ok(took) => longest = longest.max(took),
                        Err(problem) => wrong.push(format!("{}: {problem}", case.name)),
                    }
                    visitor = visitor.renewed();
                }
                if case.call == Call::List {
                    visitor.copy().await;
                    visitor = visitor.renewed();
                }
            }
        })
    });
    let (mut wrong, mut longest) = (Vec::new(), Duration::ZERO);
    for visitor in futures_util::future::join_all(visitors).await {
        let (problems, took) = visitor.unwrap();
        wrong.extend(problems);
        longest = longest.max(took);
    }
    println!("{} bodies in {:?}, the longest page took {longest:?}", cases.len(), started.elapsed());
    report(&wrong);
    assert_eq!(*panics.lock(), Vec::<String>::new());
    longest
}
