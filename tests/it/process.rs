//! The program as an operator sees it: its options, its refusals, its end.

use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use futures_util::future::join_all;

use crate::common::days::get;
use crate::common::faults::Fault;
use crate::common::program::{PATIENT, Program, signal, vitrine};
use crate::common::until::{HANGS, blocking_until, finishes, until};
use crate::common::upstream::Upstream;

/// A started storefront with one isolate.
fn start(arguments: &[&str]) -> Program {
    Program::start(&[&["--isolates", "1"], arguments].concat())
}

#[test]
fn image_hosts_that_the_policy_cannot_hold_are_refused() {
    let many = (0..200).map(|number| format!("https://cdn{number}.example,")).collect::<String>();
    for (command, flag, value, reason) in [
        // Others are in the tests of `document/image_source.rs` and `settings/command_line.rs`.
        ("serve", "--image-host", "https://x;sandbox", "expected an address"),
        ("serve", "--catalogue", "https://x;script-src.example/api", "expected an address"),
        ("serve", "--image-host", many.trim_end_matches(','), "error: --image-host: "),
        ("check", "--image-host", many.trim_end_matches(','), "error: --image-host: "),
    ] {
        let refused = vitrine().args([command, flag, value]).output().unwrap();
        let message = String::from_utf8(refused.stderr).unwrap();
        assert_eq!(refused.status.code(), Some(2), "{flag} {value}: {message}");
        assert!(message.contains(flag) && message.contains(reason), "{message}");
        assert!(value.len() < 100 || message.lines().count() == 1, "{message}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proxy_of_the_environment_is_named_when_a_call_fails_and_its_password_is_not() {
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let proxy = nobody.local_addr().unwrap();
    drop(nobody);
    let mut command = vitrine();
    // The machine may have proxies of its own.
    command.env_clear().env("http_proxy", format!("http://user:s3cret@{proxy}"));
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
        let start = "error: the limit on address space (ulimit -v) is 7812 MiB";
        assert!(message.starts_with(start), "{message}");
    }
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
    let address = shop.address;
    let crowd = (0..16).map(|visitor| async move {
        for visit in 0..20 {
            let answer = get(address, &format!("/search/visitor%20{visitor}%20{visit}")).await;
            assert!(matches!(answer.status, 200 | 503), "{}", answer.status);
        }
    });
    let process = shop.id().into();
    let starving = tokio::task::spawn_blocking(move || starve(process, Duration::from_secs(3)));
    finishes("the visitors' answers", join_all(crowd)).await;
    starving.await.unwrap();
    let mut number = 0;
    until("a whole page", async || {
        number += 1;
        let answer = get(address, &format!("/product/{}", number % 100 + 1)).await;
        answer.status == 200 && answer.text.contains("<main")
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn when_memory_runs_out_the_shop_makes_room_and_goes_on() {
    // One client for all requests, which would come too slowly otherwise.
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let status = async |shop: &Program, path: &str| {
        let answer = client.get(format!("http://{}{path}", shop.address)).send().await.unwrap();
        let status = answer.status().as_u16();
        answer.bytes().await.unwrap();
        status
    };
    // Pages that are rendered ahead would be answered from the cache. Several isolates take most of the least limit that can be
    // set, so that fewer pages reach it.
    let unprepared = ["--render-ahead", "off", "--isolates", "10"];
    let measured = Program::start(&unprepared);
    // The tests may run in a control group that has a limit.
    blocking_until("a line about memory", || {
        let entry = measured.next_entry(HANGS).unwrap();
        ["watching memory", "no memory limit is watched"].iter().any(|line| entry["message"] == *line)
    });
    assert_eq!(status(&measured, "/product/1").await, 200);
    // The least that can be set, or room for a few hundred pages.
    let limit = ((measured.memory("RssAnon") >> 20) + 48).max(128);
    drop(measured);

    let limits = ["--memory-limit", &limit.to_string(), "--page-memory", "1024"];
    let shop = Program::start(&[&unprepared[..], &limits].concat());
    assert_eq!(shop.logged("watching memory")["limit_mib"], limit);
    let mut number = 0;
    // Room is made at once, so that the log is the only place where this is certain to be seen.
    let tight = "memory is running out: no new page is made for now";
    while shop.log().all(|entry| entry["fields"]["message"] != tight) {
        assert!(number < 20_000, "memory is never tight");
        // Data takes no render, and as much memory as a document.
        for _ in 0..50 {
            assert_eq!(status(&shop, &format!("/_data/products?max={}", 5_000 + number)).await, 200);
            number += 1;
        }
    }
    // Pages of the sample catalogue that have not been asked for yet.
    let mut number = 0;
    until(&format!("room within {limit} MiB"), async || {
        number += 1;
        tokio::time::sleep(Duration::from_millis(100)).await;
        status(&shop, &format!("/product/{}", 100 + number % 80)).await == 200
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_small_container_has_room_for_twenty_thousand_products_and_sixteen_visitors() {
    const LIMIT: u64 = 300;
    const PAGES: usize = 3_200;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("products.csv");
    let description = "oak and steel made to last ".repeat(20);
    let rows: String = (1..=20_000)
        .map(|id| format!("{id},Lamp {id},{description}{id},Kind {},{}.50\n", id % 40, id % 900 + 1))
        .collect();
    let table = format!("id,title,description,category,price\n{rows}");
    std::fs::write(&file, &table).unwrap();
    let catalogue = format!("file:{}", file.display());
    let shop = Program::quiet(
        &[&PATIENT[2..], &["--catalogue", &catalogue, "--memory-limit", &LIMIT.to_string()]].concat(),
    );
    let shares = shop.logged("memory is shared out");
    assert_eq!(shares["limit_mib"], LIMIT);
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let (most, answered) = (AtomicU64::new(0), AtomicU64::new(0));
    let visits = (0..16).map(async |visitor: usize| {
        for number in (visitor..PAGES).step_by(16) {
            if number == PAGES / 4 {
                // It is read again while pages are made.
                std::fs::write(&file, format!("{table}20001,Lamp,{description},Kind,5\n")).unwrap();
            }
            let path = match number % 4 {
                0 => format!("/products?page={}", number / 4 % 400 + 1),
                1 => format!("/search?q=lamp+{number}"),
                _ => format!("/product/{}", number * 6 + 1),
            };
            let answer = client.get(format!("http://{}{path}", shop.address)).send().await.unwrap();
            // On a busy machine processor time may be short, and pages are refused for that.
            assert!([200, 503].contains(&answer.status().as_u16()), "{path}: {}", answer.status());
            answered.fetch_add(u64::from(answer.status() == 200), Ordering::Relaxed);
            answer.bytes().await.unwrap();
            most.fetch_max(shop.memory("RssAnon") >> 20, Ordering::Relaxed);
        }
    });
    join_all(visits).await;
    let (most, answered) = (most.into_inner(), answered.into_inner());
    println!("{most} MiB at most, {answered} pages");
    assert!(most < LIMIT && answered > PAGES as u64 / 2, "{most} MiB, {answered} pages");
    let tight = "memory is running out: no new page is made for now";
    assert!(shop.log().all(|entry| entry["fields"]["message"] != tight));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_of_many_small_values_does_not_fill_the_memory() {
    const SIZE: usize = 15 << 20;
    let zeros = "0,".repeat(SIZE / 2) + "0";
    // Measured on another shop, because those below ask the service as soon as they have started.
    let before = start(&[]).memory("VmRSS");
    for body in [
        format!(r#"{{"products":[{{"id":1,"title":"T","price":1,"reviews":[{zeros}]}}],"total":1}}"#),
        format!(r#"{{"products":[{{"id":1,"title":"T","price":1,"unknown":[{zeros}]}}],"total":1}}"#),
        format!(r#"{{"products":[{zeros}],"total":1}}"#),
    ] {
        let upstream = Upstream::start().await;
        upstream.set(Fault::json(body)).await;
        let shop = start(&["--catalogue", upstream.base().as_str()]);
        for path in ["/products", "/product/1"] {
            get(shop.address, path).await;
        }
        // A few bodies at once, some of them while their buffer grows.
        let most = shop.memory("VmHWM").saturating_sub(before);
        assert!(most < 16 * SIZE as u64, "{} MiB", most >> 20);
    }
}
