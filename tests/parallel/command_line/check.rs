//! `check`: its findings and its exit codes.

use std::io::Write as _;
use std::net::TcpListener;
use std::process::Command;

use super::{Folder, text};
use crate::common::faults::Fault;
use crate::common::program::{PATIENT, Program, vitrine};
use crate::common::upstream::Upstream;

/// What a check prints, and its exit code.
fn check(command: &mut Command) -> (String, Option<i32>) {
    let output = command.args(PATIENT).output().unwrap();
    assert_eq!(text(&output.stderr), "");
    (text(&output.stdout).to_owned(), output.status.code())
}

/// A check whose address is free.
fn check_command() -> Command {
    let mut command = vitrine();
    command.args(["check", "--listen", "127.0.0.1:0", "--memory-limit", "4096"]);
    command
}

/// The findings of this grade about this, without these two columns.
fn findings<'a>(report: &'a str, grade: &str, about: &str) -> Vec<&'a str> {
    let start = format!("{grade:<8} {about:<13} ");
    report.lines().filter_map(|line| line.strip_prefix(&start)).collect()
}

#[test]
fn a_check_renders_every_kind_of_page_and_warnings_fail_it_only_if_it_is_strict() {
    let mut command = check_command();
    let (report, code) = check(command.env("VITRINE_CATALOUGE", "sample"));
    assert_eq!(code, Some(0), "{report}");
    for kind in
        ["home", "categories", "brands", "all products", "search", "offline", "error", "product", "category"]
    {
        let rendered = findings(&report, "ok", "page");
        assert!(rendered.iter().any(|page| page.starts_with(&format!("{kind}, /"))), "{kind} in:\n{report}");
    }
    assert!(findings(&report, "ok", "image-host").len() == 1, "{report}");
    let address = findings(&report, "warning", "public-url");
    assert!(address[0].contains("http://127.0.0.1:0, which nobody elsewhere can open"), "{report}");
    let variable = findings(&report, "warning", "settings");
    assert!(
        variable[0]
            .ends_with("VITRINE_CATALOUGE is no setting and has no effect; did you mean VITRINE_CATALOGUE?")
    );
    assert!(report.ends_with("\n0 errors, 2 warnings\n"), "{report}");

    let (report, code) = check(check_command().arg("--strict"));
    assert_eq!(code, Some(1), "{report}");
    let (report, code) = check(check_command().args(["--strict", "--public-url", "https://shop.example"]));
    assert_eq!(code, Some(0), "{report}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_check_names_blocked_images_and_a_state_directory_that_cannot_be_written() {
    let folder = Folder::new();
    let state = folder.write("file", "").join("state");
    let upstream = Upstream::start().await;
    let thumbnail = r#""thumbnail":"https://pictures.example/1.webp""#;
    let product = format!(r#"{{"id":1,"title":"T","price":1,"category":"beauty",{thumbnail}}}"#);
    upstream.set(Fault::json(format!(r#"{{"products":[{product}],"total":1}}"#))).await;
    let base = upstream.base();
    let checked = tokio::task::spawn_blocking(move || {
        check(check_command().args(["--catalogue", base.as_str(), "--state-dir"]).arg(state))
    });
    let (report, _) = checked.await.unwrap();
    let blocked = findings(&report, "warning", "image-host");
    assert_eq!(
        blocked,
        ["browsers block 1 products' pictures: --image-host https://pictures.example allows them"],
        "{report}"
    );
    let state = findings(&report, "warning", "state-dir");
    assert!(state[0].contains("/file is not a directory, so the catalogue will not be saved"), "{report}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_check_names_what_is_left_out_of_the_catalogue() {
    let upstream = Upstream::start().await;
    let products = r#"{"id":1,"title":"T","price":1,"category":"beauty","stock":"plenty"},{"id":2,"title":"T"},
        {"id":"3","title":"\u200b","price":1},{"id":4,"title":"T","price":"$1"}"#;
    upstream.set(Fault::json(format!(r#"{{"products":[{products}],"total":"4"}}"#))).await;
    let base = upstream.base();
    let checked =
        tokio::task::spawn_blocking(move || check(check_command().args(["--catalogue", base.as_str()])));
    let (report, _) = checked.await.unwrap();
    let left_out: Vec<_> = findings(&report, "warning", "catalogue");
    for line in [
        "left out: product without valid price: 2 (id 2, id 4)",
        "left out: product without valid title: 1 (id 3)",
        "left out: invalid stock: 1 (id 1)",
    ] {
        assert_eq!(left_out.iter().filter(|finding| **finding == line).count(), 1, "{line} in {report}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_check_fails_when_the_catalogue_does_not_answer() {
    let upstream = Upstream::start().await;
    upstream.set(Fault::Status(404)).await;
    let base = upstream.base();
    let checked =
        tokio::task::spawn_blocking(move || check(check_command().args(["--catalogue", base.as_str()])));
    let (report, code) = checked.await.unwrap();
    assert_eq!(code, Some(1), "{report}");
    assert!(findings(&report, "error", "catalogue")[0].contains("does not answer: "), "{report}");
}

/// The findings of this grade about a catalogue.
async fn findings_about_catalogue(grade: &str, upstream: &Upstream, arguments: &[&str]) -> Vec<String> {
    let mut command = check_command();
    command.args(["--catalogue", upstream.base().as_str()]).args(arguments);
    let (report, _) = tokio::task::spawn_blocking(move || check(&mut command)).await.unwrap();
    findings(&report, grade, "catalogue").into_iter().map(str::to_owned).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_check_says_that_a_catalogue_is_too_large_and_advises_a_copy_only_if_one_is_possible() {
    let upstream = Upstream::start().await;
    upstream.set(Fault::HugeAndHonest).await;
    for arguments in [["--mirror", "off"], ["--mirror", "15000"]] {
        let found = findings_about_catalogue("error", &upstream, &arguments).await;
        assert!(found[0].contains("more than the 16 MiB that are read"), "{found:?}");
        assert!(!found[0].contains("--catalogue"), "{found:?}");
    }

    let few = ["--mirror", "100"];
    upstream.set(Fault::None).await;
    let found = findings_about_catalogue("warning", &upstream, &few).await;
    assert!(found[0].contains("If they fit in memory: --mirror "), "{found:?}");
    upstream.set(Fault::HugeDetails).await;
    let found = findings_about_catalogue("warning", &upstream, &few).await;
    assert!(found[0].contains("larger than the 16 MiB that are read"), "{found:?}");
    assert!(!found[0].contains("If they fit"), "{found:?}");
}

#[test]
fn a_check_names_missing_ca_certificates() {
    let mut command = check_command();
    command.args(["--catalogue", "https://catalogue.invalid"]);
    let (report, code) = check(command.env("SSL_CERT_FILE", "/nowhere").env("SSL_CERT_DIR", "/nowhere"));
    let found = findings(&report, "error", "catalogue");
    assert!(found[0].contains("install the package ca-certificates") && found[0].contains("SSL_CERT_FILE"));
    assert!(!found[0].contains("--catalogue"), "{report}");
    assert_eq!(code, Some(1));
}

#[test]
fn a_check_knows_a_taken_address_from_a_storefront_that_runs() {
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = other.local_addr().unwrap().to_string();
    // It answers, but not as a storefront does.
    let answering = std::thread::spawn(move || {
        let (mut connection, _) = other.accept().unwrap();
        connection.write_all(b"HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n").unwrap();
        other
    });
    let (report, code) = check(vitrine().args(["check", "--listen", &address]));
    assert_eq!(code, Some(1), "{report}");
    assert!(findings(&report, "error", "listen")[0].contains("is taken by another program"), "{report}");
    drop(answering.join().unwrap());

    let shop = Program::start(&["--isolates", "1"]);
    let (report, code) = check(vitrine().args(["check", "--listen", &shop.address.to_string()]));
    assert_eq!(code, Some(0), "{report}");
    assert!(findings(&report, "ok", "listen")[0].ends_with("a storefront"), "{report}");
}

#[test]
fn a_check_tries_the_operators_address() {
    let folder = Folder::new();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let file = folder.write("file", "notes");
    let socket = file.with_file_name("admin.sock");
    for (address, grade, reason) in [
        (address, "warning", "is taken"),
        ("127.0.0.1:0".into(), "ok", "is free"),
        ("192.0.2.1:3100".into(), "error", "cannot be listened on"),
        (format!("unix:{}", socket.display()), "ok", "is free"),
        (format!("unix:{}", file.display()), "error", "something else is there"),
        ("unix:/nonexistent/admin.sock".into(), "error", "cannot be listened on"),
    ] {
        let (report, _) = check(check_command().args(["--admin", &address]));
        let found = findings(&report, grade, "admin");
        assert!(found.len() == 1 && found[0].contains(reason), "{address} in:\n{report}");
    }
    assert!(!socket.exists());
}
