//! The commands as an operator and a container run them: what they print, and their exit codes.

mod check;
mod settings_file;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::common::program::{Program, vitrine};

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// What the program prints when it succeeds.
fn printed(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{command:?}: {}", text(&output.stderr));
    text(&output.stdout).to_owned()
}

/// The only line that the program writes on standard error when it ends with this code.
fn refusal(command: &mut Command, code: i32) -> String {
    let output = command.output().unwrap();
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{command:?}: {message}");
    assert_eq!(message.lines().count(), 1, "{command:?}: {message}");
    assert!(message.starts_with("error: "), "{command:?}: {message}");
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
    let address = taken.local_addr().unwrap().to_string();
    let in_use = format!("cannot listen on {address}: Address already in use (os error 98); another program");
    let remedy = "such as --listen 127.0.0.1:";
    let no_file = "cannot read /nonexistent/file (--products): No such file";
    let no_folder = "cannot listen on unix:/nonexistent/admin.sock";
    for (arguments, expected) in [
        (["--supervise=false", "--listen", &address], [&*in_use, remedy]),
        (["--supervise", "--listen", &address], [&in_use, remedy]),
        (["sample-catalogue", "--products", "/nonexistent/file"], [no_file, no_file]),
        (["serve", "--admin", "unix:/nonexistent/admin.sock"], [no_folder, no_folder]),
    ] {
        let mut command = vitrine();
        command.envs([("RUST_BACKTRACE", "full"), ("VITRINE_ISOLATES", "1"), ("VITRINE_LOG", "off")]);
        let message = refusal(command.args(arguments), 1);
        assert!(expected.iter().all(|part| message.contains(part)), "{message}");
    }
}

#[test]
fn a_wrong_command_line_or_variable_has_the_exit_code_of_wrong_usage() {
    // Other flags and values are in the tests of `settings/command_line.rs`.
    for (arguments, fresh, expected) in [
        ("paint", None, "error: "),
        ("completions tcl", None, "error: "),
        ("man paint", None, "error: "),
        ("--fresh soon", Some("1"), "'soon'"),
        ("serve", Some("soon"), "from the environment variable VITRINE_FRESH"),
    ] {
        let mut command = vitrine();
        command.args(arguments.split(' ')).envs(fresh.map(|fresh| ("VITRINE_FRESH", fresh)));
        let refused = command.output().unwrap();
        let message = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(2), "{arguments}: {message}");
        assert!(message.starts_with("error: ") && message.contains(expected), "{arguments}: {message}");
        assert_eq!(message.contains("environment"), arguments == "serve", "{arguments}: {message}");
    }
}

#[test]
fn completions_and_manual_pages_know_every_command_and_a_reader_may_leave() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = printed(vitrine().args(["completions", shell]));
        assert!(script.contains("healthcheck") && script.contains("catalogue"), "{shell}");
        if shell == "bash" {
            let folder = Folder::new();
            printed(Command::new("bash").arg("-n").arg(folder.write("completions", &script)));
        }
    }
    let page = printed(vitrine().arg("man"));
    for expected in [".TH vitrine 1", "VITRINE_CATALOGUE", "sample\\-catalogue", "EXIT STATUS"] {
        assert!(page.contains(expected), "{expected} in:\n{page}");
    }
    for command in ["serve", "sample-catalogue", "check", "healthcheck", "completions"] {
        let page = printed(vitrine().args(["man", command]));
        assert!(page.contains(&format!("vitrine\\-{}", command.replace('-', "\\-"))), "{page}");
    }
    // A reader that wants no more is no failure.
    let command = format!("'{}' man | true; exit ${{PIPESTATUS[0]}}", env!("CARGO_BIN_EXE_vitrine"));
    let output = Command::new("bash").args(["-c", &command]).output().unwrap();
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
}

#[test]
fn a_storefront_that_serves_is_healthy_and_one_that_ended_is_not() {
    let folder = Folder::new();
    let shop = Program::start(&["--isolates", "1"]);
    let address = shop.address.to_string();
    let url = format!("http://{address}");
    let config = |name: &str, content: &str| Some(("VITRINE_CONFIG", folder.write(name, content)));
    let of_start = config("shop.toml", &format!("listen = '{address}'\nfresh = 3\n"));
    // Somebody edits the file, which the storefront reads again at its next start only.
    let edited = config("edited.toml", &format!("listen = '{address}'\nfresh = 'soon'\ncolour = 1\n"));
    let broken = config("broken.toml", "listen = '");
    for (arguments, variable) in [
        (&["--listen", &address][..], None),
        (&[], Some(("VITRINE_LISTEN", PathBuf::from(&address)))),
        (&[], of_start),
        (&[], edited),
        (&["--listen", &address], broken.clone()),
        (&[&url], broken),
        (&[&url], None),
    ] {
        printed(vitrine().arg("healthcheck").args(arguments).envs(variable));
    }
    let message = refusal(vitrine().args(["healthcheck", &format!("{url}/nowhere")]), 1);
    assert!(message.ends_with("/nowhere answers 404 Not Found"), "{message}");
    drop(shop);
    let message = refusal(vitrine().args(["healthcheck", "--listen", &address]), 1);
    assert!(message.contains(&format!("{url}/healthz cannot be reached: ")), "{message}");
}

#[test]
fn what_is_silent_or_answers_as_something_else_is_no_healthy_storefront() {
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = other.local_addr().unwrap().to_string();
    // Its first connections wait in the backlog, and are never accepted.
    let message = refusal(vitrine().args(["healthcheck", "--listen", &address, "--timeout", "100"]), 1);
    assert!(message.ends_with("/healthz does not answer within 100 ms"), "{message}");
    let answering = std::thread::spawn(move || {
        // The first client is gone.
        for _ in 0..3 {
            let (mut connection, _) = other.accept().unwrap();
            let _ = connection.read(&mut [0; 4_096]);
            let _ =
                connection.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok");
        }
    });
    for arguments in [vec!["--listen", &address], vec![&format!("http://{address}")[..]]] {
        let message = refusal(vitrine().arg("healthcheck").args(arguments), 1);
        assert!(message.contains("answers 200 OK, but as something else than this shop"), "{message}");
    }
    answering.join().unwrap();
}

#[test]
fn on_a_terminal_the_start_says_where_to_open_the_shop() {
    let program = env!("CARGO_BIN_EXE_vitrine");
    // `script` gives the program a terminal; `timeout` ends it as Ctrl-C does.
    let command = format!(
        "timeout --preserve-status -s INT 20 '{program}' --isolates 1 --listen 127.0.0.1:0 --log off"
    );
    let mut terminal = Command::new("script");
    terminal.args(["-qec", &command, "/dev/null"]).stdin(Stdio::null()).stdout(Stdio::piped());
    let mut terminal = terminal.spawn().unwrap();
    let line = BufReader::new(terminal.stdout.take().unwrap()).lines().next().unwrap().unwrap();
    terminal.kill().unwrap();
    terminal.wait().unwrap();
    assert!(line.trim_end().starts_with("The shop is open at http://localhost:"), "{line}");
}
