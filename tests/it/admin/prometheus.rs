//! The files of `deploy/`, and Debian's Prometheus where it is installed.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tokio::process::Child;
use vitrine::admin::metric_names;

use super::ShopWithAdmin;
use crate::common::until::{blocking_until, until};
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

/// Prometheus with the configuration of this folder, and the address that it has chosen.
fn start_prometheus(folder: &Path) -> (Child, String) {
    let mut command = tokio::process::Command::new("prometheus");
    command.arg(format!("--config.file={}", folder.join("prometheus.yml").display()));
    command.arg(format!("--storage.tsdb.path={}", folder.join("data").display()));
    // Debian's Prometheus writes its log, in which the address is, to either of them.
    let log = fs::File::create(folder.join("log")).unwrap();
    command.arg("--web.listen-address=127.0.0.1:0").stdout(log.try_clone().unwrap()).stderr(log);
    let process = command.kill_on_drop(true).spawn().unwrap();
    let mut address = None;
    blocking_until("Prometheus to listen", || {
        let log = fs::read_to_string(folder.join("log")).unwrap();
        let listening = log.lines().find(|line| line.contains("Listening on"));
        address = listening.and_then(|line| Some(line.split("address=").nth(1)?.to_owned()));
        address.is_some()
    });
    (process, address.unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn prometheus_scrapes_the_shop() {
    if Command::new("prometheus").arg("--version").output().is_err() {
        println!("skipped: prometheus is not installed");
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
    let (_running, prometheus) = start_prometheus(folder.path());
    let query = async |query: &str| -> Option<Value> {
        let mut address: url::Url = format!("http://{prometheus}/api/v1/query").parse().unwrap();
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
