//! Counts requests by route.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use parking_lot::RwLock;

use super::counters::Counter;
use super::histogram::Histogram;

/// Stands for the route of a path that matches none.
const NO_ROUTE: &str = "none";

/// How the requests so far were answered.
#[derive(Debug, Default)]
pub struct Requests {
    /// Routes are patterns of the router's table, never texts of requests, so there are only a few.
    routes: RwLock<BTreeMap<Box<str>, Arc<Route>>>,
    /// Answers that were made for their request.
    pub made: Counter,
    /// Cached answers that were fresh.
    pub fresh: Counter,
    /// Cached answers that were stale.
    pub stale: Counter,
    /// Prefetches that were refused. They are not failures, and are counted nowhere else.
    pub refused_prefetches: Counter,
}

/// How requests of one route were answered.
#[derive(Debug)]
pub struct Route {
    name: Box<str>,
    /// Answers by the class of their status, from 1xx to 5xx.
    by_class: [Counter; 5],
    /// Times from a request's head to its answer's head.
    pub durations: Histogram,
}

impl Requests {
    /// The route of a pattern of the router's table; `None` for paths that match none.
    pub(crate) fn route(&self, pattern: Option<&str>) -> Arc<Route> {
        let name = pattern.unwrap_or(NO_ROUTE);
        if let Some(route) = self.routes.read().get(name) {
            return Arc::clone(route);
        }
        let route = || Arc::new(Route::new(name));
        Arc::clone(self.routes.write().entry(name.into()).or_insert_with(route))
    }

    /// Every route that was requested so far.
    pub fn routes(&self) -> Vec<Arc<Route>> {
        self.routes.read().values().map(Arc::clone).collect()
    }

    /// Counts an answer by what the log calls its use of the cache.
    pub(crate) fn count_answer(&self, cache: &str) {
        match cache {
            "made" => self.made.increment(),
            "fresh" => self.fresh.increment(),
            _ => self.stale.increment(),
        }
    }
}

impl Route {
    fn new(name: &str) -> Self {
        Self { name: name.into(), by_class: Default::default(), durations: Histogram::default() }
    }

    /// The route's pattern in the router's table.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The number of answers by the class of their status, such as `2xx`.
    pub fn by_class(&self) -> impl Iterator<Item = (&'static str, u64)> {
        ["1xx", "2xx", "3xx", "4xx", "5xx"].into_iter().zip(self.by_class.iter().map(Counter::get))
    }

    pub(crate) fn count(&self, status: StatusCode, took: Duration) {
        let class = usize::from(status.as_u16() / 100).clamp(1, self.by_class.len());
        self.by_class[class - 1].increment();
        self.durations.record(took);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_counted_by_route_and_class() {
        let requests = Requests::default();
        for (pattern, status) in [
            (Some("/products"), 200),
            (Some("/products"), 304),
            (Some("/"), 200),
            (None, 404),
            (Some("/products"), 200),
        ] {
            requests.route(pattern).count(StatusCode::from_u16(status).unwrap(), Duration::ZERO);
        }
        let routes = requests.routes();
        let names: Vec<&str> = routes.iter().map(|route| route.name()).collect();
        assert_eq!(names, ["/", "/products", NO_ROUTE]);
        let products: Vec<_> = routes[1].by_class().filter(|(_, count)| *count > 0).collect();
        assert_eq!(products, [("2xx", 2), ("3xx", 1)]);
        assert_eq!(routes[1].durations.values().count, 3);
    }
}
