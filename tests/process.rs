//! The binary as an operator meets it: its options, its refusals, its end.

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use wiremock::matchers::any;
use wiremock::{Mock, MockServer, ResponseTemplate};

fn vitrine() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_vitrine"));
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn output(arguments: &[&str]) -> Output {
    vitrine().args(arguments).output().unwrap()
}

/// A started storefront, stopped at the latest when the test ends.
struct Shop {
    process: Child,
    address: SocketAddr,
}

impl Drop for Shop {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Starts on a free port and reads the address from the log.
fn start(arguments: &[&str]) -> Shop {
    let mut process = vitrine()
        .args(["--listen", "127.0.0.1:0", "--log-format", "json", "--isolates", "1"])
        .args(arguments)
        .spawn()
        .unwrap();
    let mut log = BufReader::new(process.stderr.take().unwrap());
    let mut line = String::new();
    let address = loop {
        line.clear();
        assert!(log.read_line(&mut line).unwrap() > 0, "the storefront ended while it started");
        let entry: serde_json::Value = serde_json::from_str(&line).unwrap();
        if let Some(address) = entry["fields"]["address"].as_str() {
            break address.parse().unwrap();
        }
    };
    // Somebody has to read on, or a full pipe would stop the process.
    std::thread::spawn(move || log.lines().for_each(drop));
    Shop { process, address }
}

fn terminate(shop: &Shop) {
    let killed = Command::new("kill").args(["-TERM", &shop.process.id().to_string()]).status().unwrap();
    assert!(killed.success());
}

#[test]
fn the_version_names_the_engine() {
    let version = String::from_utf8(output(&["--version"]).stdout).unwrap();
    let engine = if cfg!(feature = "v8") { "v8" } else { "quickjs" };
    assert_eq!(version.trim(), format!("vitrine {} (engine {engine})", env!("CARGO_PKG_VERSION")));
}

#[test]
fn help_documents_every_setting_with_its_variable_and_default() {
    let help = String::from_utf8(output(&["--help"]).stdout).unwrap();
    for expected in [
        "--listen",
        "VITRINE_LISTEN=",
        "127.0.0.1:3000",
        "--catalogue",
        "VITRINE_CATALOGUE=",
        "--public-url",
        "--isolates",
        "--render-timeout",
        "[default: 500]",
        "--log",
        "sample-catalogue",
    ] {
        assert!(help.contains(expected), "{expected} in:\n{help}");
    }
}

#[test]
fn a_bad_value_from_the_environment_is_refused_with_the_variable_s_name() {
    let refused = vitrine().env("VITRINE_CATALOGUE", "not an address").output().unwrap();
    assert!(!refused.status.success());
    let message = String::from_utf8(refused.stderr).unwrap();
    assert!(message.contains("VITRINE_CATALOGUE") && message.contains("not an address"), "{message}");
}

#[test]
fn a_taken_port_is_a_clear_failure() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let refused = output(&["--listen", &address]);
    assert!(!refused.status.success());
    assert!(String::from_utf8(refused.stderr).unwrap().contains(&format!("cannot listen on {address}")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_under_way_is_answered_before_the_end() {
    let upstream = MockServer::start().await;
    let slow = ResponseTemplate::new(200).set_body_string("[]").set_delay(Duration::from_millis(800));
    Mock::given(any()).respond_with(slow).mount(&upstream).await;
    // With a memory the shop would ask the service before anybody asks the shop.
    let mut shop = start(&["--catalogue", &upstream.uri(), "--fresh", "0"]);
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let request = tokio::spawn(client.get(format!("http://{}/categories", shop.address)).send());
    // So the shop has the request once its own question has arrived.
    while upstream.received_requests().await.unwrap().is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    terminate(&shop);
    assert_eq!(request.await.unwrap().unwrap().status(), 200);
    let waited = Instant::now();
    while shop.process.try_wait().unwrap().is_none() {
        assert!(waited.elapsed() < Duration::from_secs(10), "the storefront does not end");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert!(shop.process.wait().unwrap().success());
}

/// Lets the process run for a tenth of the time, as a machine does that is given to others.
fn starve(process: u32, time: Duration) {
    let signal = |name: &str| {
        assert!(Command::new("kill").args([name, &process.to_string()]).status().unwrap().success());
    };
    let until = Instant::now() + time;
    while Instant::now() < until {
        signal("-STOP");
        std::thread::sleep(Duration::from_millis(90));
        signal("-CONT");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shop_with_a_tenth_of_its_cpu_recovers_by_itself() {
    let shop = start(&[]);
    let client = reqwest::Client::builder().no_proxy().timeout(Duration::from_secs(30)).build().unwrap();
    let address = shop.address;
    let crowd: Vec<_> = (0..16)
        .map(|visitor| {
            let client = client.clone();
            tokio::spawn(async move {
                let mut statuses = Vec::new();
                for visit in 0..20 {
                    let path = format!("/search/visitor%20{visitor}%20{visit}");
                    let answer = client.get(format!("http://{address}{path}")).send().await.unwrap();
                    statuses.push(answer.status().as_u16());
                    answer.bytes().await.unwrap();
                }
                statuses
            })
        })
        .collect();
    let process = shop.process.id();
    tokio::task::spawn_blocking(move || starve(process, Duration::from_secs(3))).await.unwrap();
    for visitor in crowd {
        for status in visitor.await.unwrap() {
            assert!(matches!(status, 200 | 503), "{status}");
        }
    }
    let recovered = tokio::time::timeout(Duration::from_secs(5), async {
        for number in 0.. {
            let answer =
                client.get(format!("http://{address}/product/{}", number % 100 + 1)).send().await.unwrap();
            if answer.status() == 200 && answer.text().await.unwrap().contains("<main") {
                return;
            }
        }
    });
    assert!(recovered.await.is_ok(), "the shop does not recover");
}

/// A figure of the process's memory in bytes, such as `RssAnon`.
fn memory(shop: &Shop, figure: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", shop.process.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(figure)?.strip_prefix(':')).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() << 10
}

#[tokio::test(flavor = "multi_thread")]
async fn when_memory_runs_out_the_shop_makes_room_and_goes_on() {
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let get = async |shop: &Shop, path: &str| {
        let answer = client.get(format!("http://{}{path}", shop.address)).send().await.unwrap();
        let status = answer.status().as_u16();
        answer.bytes().await.unwrap();
        status
    };
    let measured = start(&[]);
    assert_eq!(get(&measured, "/product/1").await, 200);
    // The least that can be set, or room for a few hundred pages.
    let limit = ((memory(&measured, "RssAnon") >> 20) + 48).max(128);
    drop(measured);

    let shop = start(&["--memory-limit", &limit.to_string(), "--page-memory", "1024"]);
    let filled = tokio::time::timeout(Duration::from_secs(120), async {
        for number in 0.. {
            // Data takes no render, and as much memory as a document.
            assert_eq!(get(&shop, &format!("/_data/products?max={}", 5_000 + number)).await, 200);
            if number % 50 == 0 && get(&shop, &format!("/product/{}", 2 + number / 50)).await == 503 {
                return;
            }
        }
    });
    assert!(filled.await.is_ok(), "memory never became tight");
    let relieved = tokio::time::timeout(Duration::from_secs(30), async {
        // Pages of the sample catalogue that nobody has asked for yet.
        for number in 0.. {
            if get(&shop, &format!("/product/{}", 100 + number % 80)).await == 200 {
                return;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    });
    assert!(relieved.await.is_ok(), "memory stays tight: {} MiB of {limit}", memory(&shop, "RssAnon") >> 20);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_of_many_small_values_does_not_fill_the_memory() {
    const SIZE: usize = 15 << 20;
    let zeros = "0,".repeat(SIZE / 2) + "0";
    for body in [
        format!(r#"{{"products":[{{"id":1,"title":"T","price":1,"reviews":[{zeros}]}}],"total":1}}"#),
        format!(r#"{{"products":[{{"id":1,"title":"T","price":1,"unknown":[{zeros}]}}],"total":1}}"#),
        format!(r#"{{"products":[{zeros}],"total":1}}"#),
    ] {
        let upstream = MockServer::start().await;
        let answer = ResponseTemplate::new(200).set_body_raw(body, "application/json");
        Mock::given(any()).respond_with(answer).mount(&upstream).await;
        // Another shop's, because this one asks the service as soon as it has started.
        let before = memory(&start(&[]), "VmRSS");
        let shop = start(&["--catalogue", &upstream.uri()]);
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        for path in ["/products", "/product/1"] {
            client.get(format!("http://{}{path}", shop.address)).send().await.unwrap().bytes().await.unwrap();
        }
        // A few bodies at once, some of them while their buffer grows.
        let most = memory(&shop, "VmHWM").saturating_sub(before);
        assert!(most < 16 * SIZE as u64, "{} MiB", most >> 20);
    }
}
