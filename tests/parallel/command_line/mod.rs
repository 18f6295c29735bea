//! The commands as an operator and a container run them: what they print, and their exit codes.

mod check;
mod settings_file;

use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Command, Output};

use crate::common::program::{PATIENT, Program, vitrine};

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
    for expected in ["'soon'", "expected seconds", "from the environment variable VITRINE_FRESH"] {
        assert!(message.contains(expected), "{expected} in:\n{message}");
    }
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
    // Somebody edits the file, which the storefront reads again at its next start only.
    let edited = folder.write("edited.toml", &format!("listen = '{address}'\nfresh = 'soon'\ncolour = 1\n"));
    printed(vitrine().arg("healthcheck").env("VITRINE_CONFIG", &edited));
    let broken = folder.write("broken.toml", "listen = '");
    printed(vitrine().args(["healthcheck", "--listen", &address]).env("VITRINE_CONFIG", &broken));
    printed(vitrine().args(["healthcheck", &format!("http://{address}")]).env("VITRINE_CONFIG", &broken));
    printed(vitrine().args(["healthcheck", &format!("http://{address}")]));
    let message = refusal(vitrine().args(["healthcheck", &format!("http://{address}/nowhere")]), 1);
    assert!(message.ends_with("/nowhere answers 404 Not Found"), "{message}");
    drop(shop);
    let message = refusal(vitrine().args(["healthcheck", "--listen", &address]), 1);
    assert!(message.contains(&format!("http://{address}/healthz cannot be reached: ")), "{message}");
}

#[test]
fn something_else_that_answers_is_no_healthy_storefront() {
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = other.local_addr().unwrap().to_string();
    let answering = std::thread::spawn(move || {
        for _ in 0..2 {
            let (mut connection, _) = other.accept().unwrap();
            let _ = std::io::Read::read(&mut connection, &mut [0; 4_096]).unwrap();
            let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok";
            std::io::Write::write_all(&mut connection, answer).unwrap();
        }
    });
    for arguments in [vec!["--listen", &address], vec![&format!("http://{address}")[..]]] {
        let message = refusal(vitrine().arg("healthcheck").args(arguments), 1);
        assert!(message.contains("answers 200 OK, but as something else than this shop"), "{message}");
    }
    answering.join().unwrap();
}

#[test]
fn a_storefront_that_does_not_answer_in_time_is_not_healthy() {
    // Connections wait in its backlog, and are never accepted.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = silent.local_addr().unwrap().to_string();
    let message = refusal(vitrine().args(["healthcheck", "--listen", &address, "--timeout", "100"]), 1);
    assert!(message.ends_with("/healthz does not answer within 100 ms"), "{message}");
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
