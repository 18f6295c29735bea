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

/// For a check of everything but a catalogue.
const NO_CATALOGUE: [&str; 2] = ["--catalogue", "file:/nonexistent"];

/// A check whose address is free.
fn check_command() -> Command {
    check_at("127.0.0.1:0")
}

fn check_at(address: &str) -> Command {
    let mut command = vitrine();
    command.args(["check", "--listen", address, "--memory-limit", "4096"]);
    command
}

/// The findings of this grade about this, without these two columns.
fn findings<'a>(report: &'a str, grade: &str, about: &str) -> Vec<&'a str> {
    let start = format!("{grade:<8} {about:<13} ");
    report.lines().filter_map(|line| line.strip_prefix(&start)).collect()
}

#[test]
fn a_check_renders_every_kind_of_page_and_a_warning_fails_it_if_it_is_strict() {
    let mut command = check_command();
    let (report, code) = check(command.arg("--strict").env("VITRINE_CATALOUGE", "sample"));
    assert_eq!(code, Some(1), "{report}");
    for kind in
        ["home", "categories", "brands", "all products", "search", "offline", "error", "product", "category"]
    {
        let rendered = findings(&report, "ok", "page");
        assert!(rendered.iter().any(|page| page.starts_with(&format!("{kind}, /"))), "{kind} in:\n{report}");
    }
    assert_eq!(findings(&report, "ok", "image-host").len(), 1, "{report}");
    let shares = findings(&report, "ok", "memory");
    assert!(
        shares[0].contains("catalogue and its successor") && shares[0].contains("pages 64 MiB"),
        "{report}"
    );
    let address = findings(&report, "warning", "public-url");
    assert!(address[0].contains("http://127.0.0.1:0, which nobody elsewhere can open"), "{report}");
    let meant = "VITRINE_CATALOUGE is no setting and has no effect; did you mean VITRINE_CATALOGUE?";
    assert!(findings(&report, "warning", "settings")[0].ends_with(meant), "{report}");
    assert!(report.ends_with("\n0 errors, 2 warnings\n"), "{report}");
    let (report, code) = check(check_command().args(["--strict", "--public-url", "https://shop.example"]));
    assert_eq!(code, Some(0), "{report}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_check_says_what_is_wrong_with_a_catalogue_and_advises_a_copy_only_if_one_is_possible() {
    let folder = Folder::new();
    let state = folder.write("file", "").join("state");
    let below_file = &["--state-dir", state.to_str().unwrap()];
    let picture = "https://pictures.example/1.webp";
    let products = format!(
        r#"{{"id":1,"title":"T","price":1,"category":"beauty","stock":"plenty","thumbnail":"{picture}"}},
           {{"id":2,"title":"T"}},{{"id":"3","title":"\u200b","price":1}},{{"id":4,"title":"T","price":"$1"}}"#
    );
    let odd = Fault::json(format!(r#"{{"products":[{products}],"total":"4"}}"#));
    let blocked = "browsers block 1 products' pictures: --image-host https://pictures.example allows them";
    let too_large = ("error", "catalogue", "larger than the 16 MiB that are read", Some("--catalogue"));
    let few = &["--mirror", "100"];
    let limit = "larger than the 16 MiB that are read";
    let details_too_large = ("warning", "catalogue", limit, Some("If they fit"));
    let unsaved = "/file is not a directory, so the catalogue will not be saved";
    let upstream = Upstream::start().await;
    for (fault, flags, expected) in [
        (
            odd,
            &below_file[..],
            &[
                ("warning", "image-host", blocked, None),
                ("warning", "state-dir", unsaved, None),
                ("warning", "catalogue", "left out: product without valid price: 2 (id 2, id 4)", None),
                ("warning", "catalogue", "left out: product without valid title: 1 (id 3)", None),
                ("warning", "catalogue", "left out: invalid stock: 1 (id 1)", None),
            ][..],
        ),
        (Fault::Status(404), &[], &[("error", "catalogue", "does not answer: ", None)]),
        (Fault::HugeAndHonest, &["--mirror", "15000"], &[too_large]),
        (Fault::None, few, &[("warning", "catalogue", "If they fit in memory: --mirror ", None)]),
        (Fault::HugeDetails, few, &[details_too_large]),
    ] {
        upstream.set(fault).await;
        let (report, code) =
            check(check_command().args(["--catalogue", upstream.base().as_str()]).args(flags));
        for (grade, about, text, absent) in expected {
            let found = findings(&report, grade, about);
            let found: Vec<_> = found.into_iter().filter(|finding| finding.contains(text)).collect();
            let [finding] = found[..] else { panic!("{text} in:\n{report}") };
            assert!(absent.is_none_or(|absent| !finding.contains(absent)), "{report}");
            assert!(*grade != "error" || code == Some(1), "{report}");
        }
        if expected[0].2.starts_with("If they fit") {
            assert_eq!(findings(&report, "error", "page"), [""; 0], "{report}");
        }
    }
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
    let (report, code) = check(check_at(&address).args(NO_CATALOGUE));
    assert_eq!(code, Some(1), "{report}");
    assert!(findings(&report, "error", "listen")[0].contains("is taken by another program"), "{report}");
    drop(answering.join().unwrap());

    let shop = Program::start(&["--isolates", "1"]);
    let (report, code) = check(vitrine().args(["check", "--listen", &shop.address.to_string()]));
    assert_eq!(code, Some(0), "{report}");
    assert!(findings(&report, "ok", "listen")[0].ends_with("a storefront"), "{report}");
    assert_eq!(findings(&report, "warning", "public-url").len(), 1, "a warning is no failure:\n{report}");
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
        (format!("unix:{}", socket.display()), "ok", "is free"),
        (format!("unix:{}", file.display()), "error", "something else is there"),
        ("unix:/nonexistent/admin.sock".into(), "error", "cannot be listened on"),
    ] {
        let (report, _) = check(check_command().args(NO_CATALOGUE).args(["--admin", &address]));
        let found = findings(&report, grade, "admin");
        assert!(found.len() == 1 && found[0].contains(reason), "{address} in:\n{report}");
    }
    assert!(!socket.exists());
}
