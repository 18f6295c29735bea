//! The files of `deploy/`, and Debian's Prometheus where it is installed.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use parking_lot::Mutex;
use serde_json::Value;
use vitrine::admin::metric_names;

use super::ShopWithAdmin;
use crate::common::until::until;
use crate::common::{client, real_renderer, sample, shop_settings};

fn deploy(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy").join(file)
}

/// Words of a text that look like metrics of the shop or of its process.
fn named(text: &str) -> BTreeSet<String> {
    let words = text.split(|character: char| !character.is_ascii_alphanumeric() && character != '_');
    let is_metric = |word: &&str| word.starts_with("vitrine_") || word.starts_with("process_");
    words.filter(is_metric).map(str::to_owned).collect()
}

fn exists(metric: &str) -> bool {
    let base = ["_bucket", "_count", "_sum"].iter().find_map(|suffix| metric.strip_suffix(suffix));
    metric_names().iter().any(|name| name == metric || Some(name.as_str()) == base)
}

/// Whether this program is installed; prints a line if it is not.
fn is_installed(program: &str) -> bool {
    let found =
        Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok();
    if !found {
        println!("skipped: {program} is not installed");
    }
    found
}

#[test]
fn dashboard_and_rules_name_metrics_that_exist() {
    let rules = fs::read_to_string(deploy("prometheus/alerts.yml")).unwrap();
    let dashboard = fs::read_to_string(deploy("grafana/vitrine.json")).unwrap();
    let panels: Value = serde_json::from_str(&dashboard).unwrap();
    assert!(panels["panels"].as_array().unwrap().len() >= 10);
    for (text, least) in [(rules, 8), (dashboard, 20)] {
        let metrics = named(&text);
        assert!(metrics.len() >= least, "{metrics:?}");
        let missing: Vec<_> = metrics.iter().filter(|metric| !exists(metric)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}

#[test]
fn promtool_accepts_the_rules() {
    if !is_installed("promtool") {
        return;
    }
    let output =
        Command::new("promtool").args(["check", "rules"]).arg(deploy("prometheus/alerts.yml")).output();
    let output = output.unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// A process that is killed at the end of the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Prometheus with the configuration of this folder, and its port. Another program may take a port that was free
/// a moment ago; Prometheus ends then, and another port is tried.
async fn start_prometheus(folder: &Path) -> (Running, u16) {
    for _ in 0..5 {
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut command = Command::new("prometheus");
        command.arg(format!("--config.file={}", folder.join("prometheus.yml").display()));
        command.arg(format!("--storage.tsdb.path={}", folder.join("data").display()));
        command.arg(format!("--web.listen-address=127.0.0.1:{port}"));
        let process = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let running = Mutex::new(Running(process));
        let has_ended = || running.lock().0.try_wait().unwrap().is_some();
        let address = format!("http://127.0.0.1:{port}/-/ready");
        let is_ready =
            async || client().get(&address).send().await.is_ok_and(|answer| answer.status().is_success());
        until("Prometheus to be ready, or to end", async || has_ended() || is_ready().await).await;
        if !has_ended() {
            return (running.into_inner(), port);
        }
    }
    panic!("Prometheus does not start");
}

#[tokio::test(flavor = "multi_thread")]
async fn prometheus_scrapes_the_shop() {
    if !is_installed("prometheus") {
        return;
    }
    let watched = ShopWithAdmin::start(sample(), real_renderer(1).await, shop_settings()).await;
    watched.visit("/products").await;
    let folder = tempfile::tempdir().unwrap();
    let rules = deploy("prometheus/alerts.yml");
    let configuration = format!(
        "global:\n  scrape_interval: 1s\n  scrape_timeout: 1s\nrule_files: ['{}']\nscrape_configs:\n  - job_name: vitrine\n    static_configs: [{{targets: ['{}']}}]\n",
        rules.display(),
        watched.operators
    );
    fs::write(folder.path().join("prometheus.yml"), configuration).unwrap();
    let (_running, port) = start_prometheus(folder.path()).await;
    let query = async |query: &str| -> Option<Value> {
        let mut address: url::Url = format!("http://127.0.0.1:{port}/api/v1/query").parse().unwrap();
        address.query_pairs_mut().append_pair("query", query);
        let answer: Value = client().get(address).send().await.ok()?.json().await.ok()?;
        let value = &answer["data"]["result"][0]["value"][1];
        Some(value.clone()).filter(|value| !value.is_null())
    };
    until("a scrape", async || query("up{job='vitrine'}").await == Some("1".into())).await;
    until("the counted request", async || {
        query("vitrine_http_requests_total{route='/products',status='2xx'}").await == Some("1".into())
    })
    .await;
    let count = query("vitrine_http_request_duration_seconds_bucket{route='/products',le='+Inf'}").await;
    assert_eq!(count, Some("1".into()));
}
