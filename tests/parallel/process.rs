//! The program as an operator sees it: its options, its refusals, its end.

use std::process::{Command, Output};
use std::time::{Duration, Instant};

use crate::common::faults::Fault;
use crate::common::program::{PATIENT, Program, signal, vitrine};
use crate::common::until::{HANGS, blocking_until, finishes, until};
use crate::common::upstream::{CALL_LIMIT, Upstream};

fn output(arguments: &[&str]) -> Output {
    vitrine().args(arguments).output().unwrap()
}

/// A started storefront with one isolate.
fn start(arguments: &[&str]) -> Program {
    Program::start(&[&["--isolates", "1"], arguments].concat())
}

fn client() -> reqwest::Client {
    reqwest::Client::builder().no_proxy().build().unwrap()
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
fn what_is_more_than_a_host_never_gets_into_the_policy() {
    for (flag, value) in [
        ("--image-host", "https://x;sandbox"),
        ("--image-host", "https://x.example/pictures"),
        ("--image-host", "https://x.example https://evil.example"),
        ("--image-host", "https://*.example"),
        ("--image-host", "https://user@x.example"),
        ("--catalogue", "https://x;sandbox"),
        ("--catalogue", "https://x;script-src.example/api"),
    ] {
        let refused = output(&[flag, value]);
        let message = String::from_utf8(refused.stderr).unwrap();
        assert_eq!(refused.status.code(), Some(2), "{flag} {value}: {message}");
        assert!(message.contains(flag) && message.contains("expected an address"), "{message}");
    }
}

#[test]
fn more_image_hosts_than_the_policy_has_room_for_are_refused() {
    let hosts: Vec<String> = (0..200).map(|number| format!("https://cdn{number}.example")).collect();
    for command in ["serve", "check"] {
        let refused = output(&[command, "--image-host", &hosts.join(",")]);
        let message = String::from_utf8(refused.stderr).unwrap();
        assert_eq!(refused.status.code(), Some(2), "{message}");
        assert!(message.starts_with("error: --image-host: ") && message.lines().count() == 1, "{message}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proxy_of_the_environment_is_named_when_a_call_fails_and_its_password_is_not() {
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let proxy = nobody.local_addr().unwrap();
    drop(nobody);
    let mut command = vitrine();
    for name in ["NO_PROXY", "no_proxy", "HTTP_PROXY", "https_proxy", "ALL_PROXY", "REQUEST_METHOD"] {
        command.env_remove(name);
    }
    command.env("http_proxy", format!("http://user:s3cret@{proxy}"));
    let checked = command
        .args(["check", "--listen", "127.0.0.1:0", "--catalogue", "http://catalogue.example"])
        .args(PATIENT)
        .output()
        .unwrap();
    let report = String::from_utf8(checked.stdout).unwrap();
    assert_eq!(checked.status.code(), Some(1), "{report}");
    let line = report.lines().find(|line| line.contains("does not answer: ")).unwrap();
    assert!(line.contains(&format!("through the proxy http://{proxy} ")), "{line}");
    assert!(line.contains("could not be reached"), "{line}");
    assert!(!report.contains("s3cret"), "{report}");
}

#[cfg(feature = "v8")]
#[test]
fn a_limit_on_address_space_is_one_line() {
    for command in ["serve", "serve --supervise", "check"] {
        let program = env!("CARGO_BIN_EXE_vitrine");
        let limited = format!(
            "ulimit -v 8000000; exec '{program}' {command} --listen 127.0.0.1:0 --isolates 1 --log off"
        );
        let ended = Command::new("bash").args(["-c", &limited]).output().unwrap();
        let message = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(1), "{command}: {message}");
        assert_eq!(message.lines().count(), 1, "{command}: {message}");
        assert!(
            message.starts_with("error: the limit on address space (ulimit -v) is 7812 MiB"),
            "{message}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_under_way_is_answered_before_the_end() {
    let upstream = Upstream::start().await;
    upstream.set(Fault::Held).await;
    // If it remembered answers, the shop would ask the service before it is asked for a page.
    let base = upstream.base();
    let mut shop = Program::start(&[&PATIENT[..], &["--catalogue", base.as_str(), "--fresh", "0"]].concat());
    let began = Instant::now();
    let request = tokio::spawn(client().get(format!("http://{}/categories", shop.address)).send());
    // So the shop has the request once its own question has arrived.
    upstream.wait_for_calls(1).await;
    shop.signal("TERM");
    upstream.set(Fault::json("[]")).await;
    let status = finishes("an answer", request).await.unwrap().unwrap().status();
    // Once the shop has waited too long for the service, the answer says so.
    assert!(status == 200 || (status == 503 && began.elapsed() >= CALL_LIMIT), "{status}");
    assert!(shop.exit_status().success());
}

/// Lets the process run for a tenth of the time, as on a machine that is busy with other things.
fn starve(process: u64, time: Duration) {
    let until = Instant::now() + time;
    while Instant::now() < until {
        assert!(signal(process, "STOP"));
        std::thread::sleep(Duration::from_millis(90));
        assert!(signal(process, "CONT"));
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shop_with_a_tenth_of_its_cpu_recovers_by_itself() {
    let shop = start(&[]);
    let client = client();
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
    let process = shop.id().into();
    tokio::task::spawn_blocking(move || starve(process, Duration::from_secs(3))).await.unwrap();
    for visitor in crowd {
        for status in finishes("a visitor's answers", visitor).await.unwrap() {
            assert!(matches!(status, 200 | 503), "{status}");
        }
    }
    let mut number = 0;
    until("a whole page", async || {
        number += 1;
        let path = format!("/product/{}", number % 100 + 1);
        let answer = client.get(format!("http://{address}{path}")).send().await.unwrap();
        answer.status() == 200 && answer.text().await.unwrap().contains("<main")
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn when_memory_runs_out_the_shop_makes_room_and_goes_on() {
    let client = client();
    let get = async |shop: &Program, path: &str| {
        let answer = client.get(format!("http://{}{path}", shop.address)).send().await.unwrap();
        let status = answer.status().as_u16();
        answer.bytes().await.unwrap();
        status
    };
    // Pages that are rendered ahead would be answered from the cache.
    let unprepared = ["--render-ahead", "off"];
    let measured = start(&unprepared);
    assert_eq!(get(&measured, "/product/1").await, 200);
    // The least that can be set, or room for a few hundred pages.
    let limit = ((measured.memory("RssAnon") >> 20) + 48).max(128);
    drop(measured);

    let shop =
        start(&[&unprepared[..], &["--memory-limit", &limit.to_string(), "--page-memory", "1024"]].concat());
    let mut number = 0;
    until("tight memory", async || {
        // Data takes no render, and as much memory as a document.
        for _ in 0..50 {
            assert_eq!(get(&shop, &format!("/_data/products?max={}", 5_000 + number)).await, 200);
            number += 1;
        }
        get(&shop, &format!("/product/{}", 2 + number / 50)).await == 503
    })
    .await;
    // Pages of the sample catalogue that have not been asked for yet.
    let mut number = 0;
    until(&format!("room within {limit} MiB"), async || {
        number += 1;
        tokio::time::sleep(Duration::from_millis(100)).await;
        get(&shop, &format!("/product/{}", 100 + number % 80)).await == 200
    })
    .await;
}

#[test]
fn the_log_says_whether_memory_is_watched() {
    let watched = start(&["--memory-limit", "4096"]).logged("watching memory");
    assert_eq!(watched["limit_mib"], 4_096);
    let shop = start(&[]);
    // The tests may run in a control group that has a limit.
    blocking_until("a line about memory", || {
        let entry = shop.next_entry(HANGS).unwrap();
        ["watching memory", "no memory limit is watched"].iter().any(|line| entry["message"] == *line)
    });
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
        let upstream = Upstream::start().await;
        upstream.set(Fault::json(body)).await;
        // Measured on another shop, because this one asks the service as soon as it has started.
        let before = start(&[]).memory("VmRSS");
        let shop = start(&["--catalogue", upstream.base().as_str()]);
        let client = client();
        for path in ["/products", "/product/1"] {
            client.get(format!("http://{}{path}", shop.address)).send().await.unwrap().bytes().await.unwrap();
        }
        // A few bodies at once, some of them while their buffer grows.
        let most = shop.memory("VmHWM").saturating_sub(before);
        assert!(most < 16 * SIZE as u64, "{} MiB", most >> 20);
    }
}
