//! Visitors in any number, and the answers that they get.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::Result;
use futures_util::future::join_all;
use reqwest::{Client, StatusCode, header};

use crate::common::latencies::Latencies;

/// The answers that a crowd got within its time.
#[derive(Debug, Default)]
pub(crate) struct Answers {
    /// Pages with their markup.
    pub(crate) whole: Latencies,
    /// Redirects and pages that do not exist.
    pub(crate) elsewhere: AtomicUsize,
    /// Answers with the status 503.
    pub(crate) refused: Latencies,
    /// Pages that the browser has to draw.
    pub(crate) shells: AtomicUsize,
    /// Any other error, and no answer at all.
    pub(crate) failed: AtomicUsize,
}

impl Answers {
    pub(crate) fn count(&self) -> usize {
        let others = [&self.elsewhere, &self.shells, &self.failed];
        let others: usize = others.iter().map(|count| count.load(Ordering::Relaxed)).sum();
        self.whole.count() + self.refused.count() + others
    }
}

/// Visitors of one shop.
#[derive(Clone)]
pub(crate) struct Crowd {
    client: Client,
    shop: SocketAddr,
}

impl Crowd {
    pub(crate) fn of(shop: SocketAddr) -> Result<Self> {
        let client = Client::builder()
            .no_proxy()
            .no_brotli()
            .no_gzip()
            .redirect(reqwest::redirect::Policy::none())
            .timeout(Duration::from_secs(20))
            .build()?;
        Ok(Self { client, shop })
    }

    /// Each of `visitors` asks for the next path as soon as the last one is answered.
    pub(crate) async fn in_turn(
        &self,
        visitors: usize,
        time: Duration,
        path: impl Fn() -> String,
    ) -> Arc<Answers> {
        let (answers, end) = (Arc::new(Answers::default()), Instant::now() + time);
        join_all((0..visitors).map(|_| async {
            while Instant::now() < end {
                self.ask(&path(), &answers, end).await;
            }
        }))
        .await;
        answers
    }

    /// This many requests come every second, whether the shop answers or not.
    pub(crate) async fn at_rate(
        &self,
        rate: usize,
        time: Duration,
        path: impl Fn() -> String,
    ) -> Arc<Answers> {
        let (answers, started) = (Arc::new(Answers::default()), Instant::now());
        let mut clock = tokio::time::interval(Duration::from_millis(1));
        let mut sent = 0;
        while started.elapsed() < time {
            clock.tick().await;
            while sent < (started.elapsed().as_secs_f64() * rate as f64) as usize {
                sent += 1;
                let (crowd, answers, path) = (self.clone(), Arc::clone(&answers), path());
                tokio::spawn(async move { crowd.ask(&path, &answers, started + time).await });
            }
        }
        answers
    }

    /// Asks once. An answer after the end does not count.
    async fn ask(&self, path: &str, answers: &Answers, end: Instant) {
        let started = Instant::now();
        let asked = async {
            let request = self.client.get(format!("http://{}{path}", self.shop));
            let answer = request.header(header::ACCEPT_ENCODING, "gzip, deflate, br").send().await?;
            let kept = answer.headers().get(header::CACHE_CONTROL).is_none_or(|value| value != "no-store");
            Ok::<_, reqwest::Error>((answer.status(), kept, answer.bytes().await?))
        };
        let answer = asked.await;
        if Instant::now() > end {
            return;
        }
        let counter = match answer {
            Ok((StatusCode::OK, true, _)) => return answers.whole.add(started.elapsed()),
            Ok((StatusCode::SERVICE_UNAVAILABLE, ..)) => return answers.refused.add(started.elapsed()),
            Ok((StatusCode::OK, false, _)) => &answers.shells,
            Ok((status, ..)) if !status.is_server_error() => &answers.elsewhere,
            _ => &answers.failed,
        };
        counter.fetch_add(1, Ordering::Relaxed);
    }
}
