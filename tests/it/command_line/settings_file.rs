//! The settings file: its place among flags and variables, what is refused, and when workers read it.

use std::path::Path;
use std::process::Command;

use super::{Folder, printed, refusal, text};
use crate::common::pages::text as page;
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
fn flags_count_more_than_variables_than_the_file_than_defaults_and_what_is_printed_is_such_a_file() {
    let folder = Folder::new();
    let content =
        "fresh = 11\nstale = 12\nisolates = 13\nimage-host = ['https://a.example']\nsupervise = true\n";
    let file = folder.write("shop.toml", content);
    let of_file = format!("# file {}", file.display());
    let mut command = vitrine();
    command.envs([("VITRINE_FRESH", "21"), ("VITRINE_STALE", "22")]).env("VITRINE_CONFIG", &file);
    let first = printed(command.args(["serve", "--fresh", "31", "--print-settings"]));
    for (name, expected) in [
        ("fresh", "fresh = 31 # flag --fresh"),
        ("stale", "stale = 22 # environment VITRINE_STALE"),
        ("isolates", &format!("isolates = 13 {of_file}")),
        ("image-host", &format!("image-host = [\"https://a.example\"] {of_file}")),
        ("supervise", &format!("supervise = true {of_file}")),
        ("render-queue", "render-queue = 256 # default"),
        ("robots", "# robots is not set"),
    ] {
        assert_eq!(setting(&first, name), expected);
    }
    let again = folder.write("printed.toml", &first);
    let second = printed(with_file(&again).args(["--supervise=false", "--print-settings"]));
    assert_eq!(setting(&second, "supervise"), "supervise = false # flag --supervise");
}

/// Further rows are in `host/settings/file.rs` and `host/settings/admin.rs`.
#[test]
fn what_cannot_be_used_is_refused_in_one_line_with_the_exit_code_of_wrong_usage() {
    const TOKEN: &str = "correct horse battery";
    let folder = Folder::new();
    let path = folder.0.path().join("shop.toml");
    let of_token = [("VITRINE_ADMIN_TOKEN", TOKEN)];
    let of_file = [("VITRINE_ADMIN_TOKEN_FILE", "/nonexistent/token")];
    let token = format!("admin-token = '{TOKEN}'\n");
    let both = format!("{token}admin-token-file = '/f'\n");
    // A flag that overrides a wrong value of the file does not help.
    let flag = &["--fresh", "1"][..];
    let token_file = &["--admin-token-file", "/nonexistent/token"];
    for (content, variables, flags, expected) in [
        ("lisen = '127.0.0.1:0'", &[][..], flag, "there is no setting `lisen`; did you mean `listen`?"),
        ("fresh = 'soon'", &[], flag, "fresh = \"soon\": expected seconds from 0 to 31536000"),
        (&token, &[], token_file, "the token of /nonexistent/token cannot be read"),
        (&token, &of_file, &[], "/nonexistent/token cannot be read"),
        ("", &of_token, token_file, "/nonexistent/token cannot be read"),
        (&both, &[], &[], "are both given by the settings file"),
        ("", &[of_token, of_file].concat(), &[], "are both given by the environment"),
    ] {
        folder.write("shop.toml", content);
        let message = refusal(with_file(&path).args(flags).envs(variables.iter().copied()), 2);
        assert!(message.contains(expected) && !message.contains("horse"), "{message}");
        assert!(flags != flag || message.contains(path.to_str().unwrap()), "{message}");
    }
    let message = refusal(&mut with_file(&folder.0.path().join("missing.toml")), 2);
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
    let [worker, supervisor] = message.lines().collect::<Vec<_>>()[..] else { panic!("{message}") };
    assert!(worker.contains("cannot read /nonexistent/robots.txt (--robots): No such file"), "{message}");
    assert!(supervisor.contains("the first worker failed, as its own message says"), "{message}");
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
    assert_eq!(page(shop.address, "/robots.txt").await, "first.txt");
    settings("second.txt");
    shop.signal("HUP");
    shop.ready();
    shop.logged("worker ended");
    assert_eq!(page(shop.address, "/robots.txt").await, "second.txt");
    folder.write("shop.toml", "colour = 'red'");
    shop.signal("HUP");
    shop.logged("the new worker failed; the old one stays");
    assert_eq!(page(shop.address, "/robots.txt").await, "second.txt");
    settings("third.txt");
    shop.signal("HUP");
    shop.ready();
    shop.logged("worker ended");
    assert_eq!(page(shop.address, "/robots.txt").await, "third.txt");
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
    std::thread::scope(|scope| {
        for (arguments, code) in commands {
            scope.spawn(move || {
                let mut command = vitrine();
                command.args(arguments).args(["--listen", "127.0.0.1:0"]).env("VITRINE_LOG", "off");
                let message = refusal(&mut command, code);
                let names_it = message.contains("pipe") || message.contains("not a regular file");
                assert!(names_it, "{arguments:?}: {message}");
            });
        }
    });
}
