//! The commands as an operator and a container run them: what they print, and their exit codes.

use std::io::Write as _;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::common::faults::Fault;
use crate::common::program::{PATIENT, Program, vitrine};
use crate::common::upstream::Upstream;

fn output(arguments: &[&str]) -> Output {
    vitrine().args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// What the program prints when it succeeds.
fn printed(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    text(&output.stdout).to_owned()
}

/// The only line that the program writes on standard error when it ends with this code.
fn refusal(command: &mut Command, code: i32) -> String {
    let output = command.output().unwrap();
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{message}");
    assert_eq!(message.lines().count(), 1, "{message}");
    assert!(message.starts_with("error: "), "{message}");
    message.trim_end().to_owned()
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn write(&self, name: &str, content: &str) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, content).unwrap();
        path
    }
}

/// The program with a settings file.
fn with_file(file: &Path) -> Command {
    let mut command = vitrine();
    command.arg("--config").arg(file);
    command
}

/// A line of `--print-settings`, without the spaces before the source.
fn setting(printed: &str, name: &str) -> String {
    let line = printed.lines().find(|line| line.trim_start_matches("# ").starts_with(&format!("{name} ")));
    let line = line.unwrap_or_else(|| panic!("{name} in:\n{printed}"));
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn flags_count_more_than_variables_than_the_file_than_defaults() {
    let folder = Folder::new();
    let file = folder
        .write("shop.toml", "fresh = 11\nstale = 12\nisolates = 13\nimage-host = ['https://a.example']\n");
    let printed = printed(with_file(&file).env("VITRINE_FRESH", "21").env("VITRINE_STALE", "22").args([
        "--fresh",
        "31",
        "--print-settings",
    ]));
    let file = file.display();
    assert_eq!(setting(&printed, "fresh"), "fresh = 31 # flag --fresh");
    assert_eq!(setting(&printed, "stale"), "stale = 22 # environment VITRINE_STALE");
    assert_eq!(setting(&printed, "isolates"), format!("isolates = 13 # file {file}"));
    assert_eq!(
        setting(&printed, "image-host"),
        format!("image-host = [\"https://a.example\"] # file {file}")
    );
    assert_eq!(setting(&printed, "page-memory"), "page-memory = 64 # default");
    assert_eq!(setting(&printed, "robots"), "# robots is not set");
}

#[test]
fn the_file_may_be_named_by_the_environment_and_a_switch_of_it_be_turned_off() {
    let folder = Folder::new();
    let file = folder.write("shop.toml", "supervise = true\n");
    let printed = |arguments: &[&str]| {
        let mut command = vitrine();
        printed(command.env("VITRINE_CONFIG", &file).args(arguments).arg("--print-settings"))
    };
    assert!(setting(&printed(&[]), "supervise").starts_with("supervise = true # file "));
    assert!(setting(&printed(&["serve"]), "supervise").starts_with("supervise = true # file "));
    assert_eq!(
        setting(&printed(&["--supervise=false"]), "supervise"),
        "supervise = false # flag --supervise"
    );
}

#[test]
fn what_is_printed_is_a_settings_file() {
    let folder = Folder::new();
    let first = printed(vitrine().args(["--fresh", "7", "--print-settings"]));
    let file = folder.write("printed.toml", &first);
    let second = printed(with_file(&file).arg("--print-settings"));
    assert_eq!(setting(&second, "fresh"), format!("fresh = 7 # file {}", file.display()));
    assert_eq!(setting(&second, "log"), format!("log = \"info\" # file {}", file.display()));
}

#[test]
fn a_wrong_file_is_refused_in_one_line_with_the_exit_code_of_wrong_usage() {
    let folder = Folder::new();
    for (content, expected) in [
        ("colour = 'red'", "there is no setting `colour`"),
        ("lisen = '127.0.0.1:0'", "there is no setting `lisen`; did you mean `listen`?"),
        ("end-with-stdin = true", "there is no setting `end-with-stdin`"),
        ("fresh = 'soon'", "fresh = \"soon\": expected seconds from 0 to 31536000"),
        ("render-ahead = true", "render-ahead = \"true\": expected one of: on, off"),
        ("listen = 3000", "listen = \"3000\": expected an IP address and a port"),
        ("image-host = ['https://a.example', 'b']", "image-host = \"b\": expected an address"),
        ("isolates = [1]", "isolates: expected a text, a number, `true` or `false`, found a list"),
        ("fresh = ", "line 1: "),
    ] {
        let file = folder.write("shop.toml", content);
        // A flag that hides the value makes it no better.
        let message = refusal(with_file(&file).args(["--fresh", "1"]), 2);
        assert!(message.contains(&file.display().to_string()) && message.contains(expected), "{message}");
    }
    let missing = folder.0.path().join("missing.toml");
    let message = refusal(&mut with_file(&missing), 2);
    assert!(message.contains("missing.toml: No such file"), "{message}");
}

#[test]
fn a_worker_and_its_supervisor_read_the_same_file() {
    let folder = Folder::new();
    let file = folder.write("shop.toml", "supervise = true\nrobots = '/nonexistent/robots.txt'\n");
    let output =
        with_file(&file).args(PATIENT).args(["--listen", "127.0.0.1:0", "--log", "off"]).output().unwrap();
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    // The worker's line, then the supervisor's. A worker that supervised too would never end.
    let lines: Vec<&str> = message.lines().collect();
    assert_eq!(lines.len(), 2, "{message}");
    assert!(lines[0].contains("cannot read /nonexistent/robots.txt (--robots): No such file"), "{message}");
    assert!(lines[1].contains("the first worker failed, as its own message says"), "{message}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_worker_takes_the_changed_file_over_and_a_wrong_one_leaves_the_old_worker() {
    let folder = Folder::new();
    let settings = |robots: &str| {
        let robots = folder.write(robots, robots);
        folder.write("shop.toml", &format!("supervise = true\nrobots = '{}'\n", robots.display()))
    };
    let file = settings("first.txt");
    let shop = Program::spawn(with_file(&file).args(PATIENT));
    shop.ready();
    let robots = async || {
        let answer = reqwest::get(format!("http://{}/robots.txt", shop.address)).await.unwrap();
        answer.text().await.unwrap()
    };
    assert_eq!(robots().await, "first.txt");
    settings("second.txt");
    shop.signal("HUP");
    shop.ready();
    assert_eq!(robots().await, "second.txt");
    folder.write("shop.toml", "colour = 'red'");
    shop.signal("HUP");
    shop.logged("the new worker failed; the old one stays");
    assert_eq!(robots().await, "second.txt");
}

#[test]
fn a_failure_to_start_is_one_line_with_its_remedy_whatever_is_asked_of_panics() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap();
    for backtrace in ["0", "1", "full"] {
        for supervise in ["--supervise=false", "--supervise"] {
            let mut command = vitrine();
            command.env("RUST_BACKTRACE", backtrace).args(PATIENT).args([supervise, "--log", "off"]);
            let message = refusal(command.args(["--listen", &address.to_string()]), 1);
            let expected =
                format!("cannot listen on {address}: Address already in use (os error 98); another program");
            assert!(
                message.contains(&expected) && message.contains("such as --listen 127.0.0.1:"),
                "{message}"
            );
        }
        let mut command = vitrine();
        command.env("RUST_BACKTRACE", backtrace).args([
            "sample-catalogue",
            "--products",
            "/nonexistent/file",
            "--log",
            "off",
        ]);
        let message = refusal(&mut command, 1);
        assert!(message.contains("cannot read /nonexistent/file (--products): No such file"), "{message}");
    }
}

#[test]
fn a_wrong_command_line_or_variable_has_the_exit_code_of_wrong_usage() {
    for arguments in
        [&["--colour"][..], &["--fresh", "soon"], &["paint"], &["completions", "tcl"], &["man", "paint"]]
    {
        let refused = output(arguments);
        assert_eq!(refused.status.code(), Some(2), "{arguments:?}: {}", text(&refused.stderr));
        assert!(text(&refused.stderr).starts_with("error: "), "{arguments:?}");
    }
    let refused = vitrine().env("VITRINE_FRESH", "soon").output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    let message = text(&refused.stderr);
    assert!(
        message.contains("expected seconds")
            && message.contains("from the environment variable VITRINE_FRESH")
    );
    let refused = vitrine().env("VITRINE_FRESH", "1").args(["--fresh", "soon"]).output().unwrap();
    assert!(!text(&refused.stderr).contains("environment"), "{}", text(&refused.stderr));
}

#[test]
fn completions_and_manual_pages_know_every_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = printed(vitrine().args(["completions", shell]));
        assert!(script.contains("healthcheck") && script.contains("catalogue"), "{shell}");
    }
    let page = printed(vitrine().arg("man"));
    for expected in [".TH vitrine 1", "VITRINE_CATALOGUE", "sample\\-catalogue", "EXIT STATUS"] {
        assert!(page.contains(expected), "{expected} in:\n{page}");
    }
    for command in ["serve", "sample-catalogue", "check", "healthcheck", "completions"] {
        let page = printed(vitrine().args(["man", command]));
        assert!(page.contains(&format!("vitrine\\-{}", command.replace('-', "\\-"))), "{page}");
    }
}

#[test]
fn the_script_for_bash_is_valid() {
    let folder = Folder::new();
    let script = folder.write("completions", &printed(vitrine().args(["completions", "bash"])));
    let checked = Command::new("bash").arg("-n").arg(script).output().unwrap();
    assert!(checked.status.success() && checked.stderr.is_empty(), "{}", text(&checked.stderr));
}

#[test]
fn a_reader_that_wants_no_more_is_no_failure() {
    let command = format!("'{}' man | true; exit ${{PIPESTATUS[0]}}", env!("CARGO_BIN_EXE_vitrine"));
    let output = Command::new("bash").args(["-c", &command]).output().unwrap();
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
}

#[test]
fn a_storefront_that_serves_is_healthy_and_one_that_ended_is_not() {
    let folder = Folder::new();
    let shop = Program::start(&["--isolates", "1"]);
    let address = shop.address.to_string();
    let file = folder.write("shop.toml", &format!("listen = '{address}'\nfresh = 3\n"));
    printed(vitrine().args(["healthcheck", "--listen", &address]));
    printed(vitrine().arg("healthcheck").env("VITRINE_LISTEN", &address));
    printed(vitrine().arg("healthcheck").env("VITRINE_CONFIG", &file));
    printed(vitrine().args(["healthcheck", &format!("http://{address}")]));
    let message = refusal(vitrine().args(["healthcheck", &format!("http://{address}/nowhere")]), 1);
    assert!(message.ends_with("/nowhere answers 404 Not Found"), "{message}");
    drop(shop);
    let message = refusal(vitrine().args(["healthcheck", "--listen", &address]), 1);
    assert!(message.contains(&format!("http://{address}/healthz cannot be reached: ")), "{message}");
}

#[test]
fn a_storefront_that_does_not_answer_in_time_is_not_healthy() {
    // Connections wait in its backlog, and are never accepted.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = silent.local_addr().unwrap().to_string();
    let message = refusal(vitrine().args(["healthcheck", "--listen", &address, "--timeout", "100"]), 1);
    assert!(message.ends_with("/healthz does not answer within 100 ms"), "{message}");
}

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

/// The findings that begin with this, without what comes before them.
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

#[test]
fn a_check_knows_a_taken_address_from_a_storefront_that_runs() {
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = other.local_addr().unwrap().to_string();
    // It answers something else.
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
fn on_a_terminal_the_start_says_where_to_open_the_shop() {
    let program = env!("CARGO_BIN_EXE_vitrine");
    // `script` gives the program a terminal; `timeout` ends it as Ctrl-C does.
    let command = format!(
        "timeout --preserve-status -s INT 20 '{program}' --isolates 1 --listen 127.0.0.1:0 --log off"
    );
    let mut terminal = Command::new("script")
        .args(["-qec", &command, "/dev/null"])
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(terminal.stdout.take().unwrap()));
    let line = lines.next().unwrap().unwrap();
    terminal.kill().unwrap();
    terminal.wait().unwrap();
    assert!(line.trim_end().starts_with("The shop is open at http://localhost:"), "{line}");
}
