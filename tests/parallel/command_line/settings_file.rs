//! The settings file: its place among flags and variables, what is refused, and when workers read it.

use std::path::Path;
use std::process::Command;

use super::{Folder, printed, refusal, text};
use crate::common::program::{PATIENT, Program, vitrine};

/// The program with a settings file.
fn with_file(file: &Path) -> Command {
    let mut command = vitrine();
    command.arg("--config").arg(file);
    command
}

/// A setting's line of `--print-settings`, with single spaces.
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
fn a_token_s_file_counts_as_much_as_a_token_of_the_same_place() {
    let folder = Folder::new();
    let with_token = folder.write("token.toml", "admin-token = 'correct horse battery'\n");
    let with_both = folder.write("both.toml", "admin-token = 'correct horse'\nadmin-token-file = '/f'\n");
    let missing = "/nonexistent/token";
    let flag = ["--admin-token-file", missing];
    let variable = ("VITRINE_ADMIN_TOKEN_FILE", missing);
    let token = ("VITRINE_ADMIN_TOKEN", "correct horse battery");
    for (refused, reason) in [
        (refusal(with_file(&with_token).args(flag), 2), "the token of /nonexistent/token cannot be read"),
        (refusal(with_file(&with_token).env(variable.0, variable.1), 2), "/nonexistent/token cannot be read"),
        (refusal(vitrine().env(token.0, token.1).args(flag), 2), "/nonexistent/token cannot be read"),
        (refusal(&mut with_file(&with_both), 2), "are both given by the settings file"),
        (refusal(vitrine().envs([token, variable]), 2), "are both given by the environment"),
    ] {
        assert!(refused.contains(reason) && !refused.contains("horse"), "{refused}");
    }
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
        ("fresh = 'soon'", "fresh = \"soon\": expected seconds from 0 to 31536000"),
        ("render-ahead = true", "render-ahead = \"true\": expected one of: on, off"),
        ("listen = 3000", "listen = \"3000\": expected an IP address and a port"),
        ("image-host = ['https://a.example', 'b']", "image-host = \"b\": expected an address"),
        ("isolates = [1]", "isolates: expected a text, a number, `true` or `false`, found a list"),
        ("fresh = ", "line 1: "),
    ] {
        let file = folder.write("shop.toml", content);
        // A flag that overrides the value does not help.
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
    let client = reqwest::Client::builder().no_proxy().pool_max_idle_per_host(0).build().unwrap();
    let robots = async || {
        let answer = client.get(format!("http://{}/robots.txt", shop.address)).send().await.unwrap();
        answer.text().await.unwrap()
    };
    assert_eq!(robots().await, "first.txt");
    settings("second.txt");
    shop.signal("HUP");
    shop.ready();
    shop.logged("worker ended");
    assert_eq!(robots().await, "second.txt");
    folder.write("shop.toml", "colour = 'red'");
    shop.signal("HUP");
    shop.logged("the new worker failed; the old one stays");
    assert_eq!(robots().await, "second.txt");
}

#[test]
fn a_pipe_without_a_writer_ends_the_start_with_a_message() {
    let folder = Folder::new();
    let pipe = folder.0.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let path = pipe.to_str().unwrap();
    let at_path = format!("@{path}");
    let commands: [(&[&str], i32); 6] = [
        (&["--config", path], 2),
        (&["--robots", path], 1),
        (&["--admin-token-file", path], 2),
        (&["--admin-token", &at_path], 2),
        (&["--tls-cert", path, "--tls-key", path], 2),
        (&["sample-catalogue", "--products", path], 1),
    ];
    // They run at the same time, because some wait for a writer.
    let running = commands.map(|(arguments, code)| {
        let mut command = vitrine();
        command.args(arguments).args(["--listen", "127.0.0.1:0"]).env("VITRINE_LOG", "off");
        std::thread::spawn(move || (refusal(&mut command, code), code))
    });
    for (command, (arguments, _)) in running.into_iter().zip(commands) {
        let (message, _) = command.join().unwrap_or_else(|_| panic!("{arguments:?}"));
        assert!(
            message.contains("pipe") || message.contains("not a regular file"),
            "{arguments:?}: {message}"
        );
    }
}
