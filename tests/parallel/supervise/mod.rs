//! The supervisor as an operator sees it: workers that are killed, replaced and ended under load.

mod busy;
mod hung;

use std::fs;
use std::io::Write as _;
use std::net::TcpListener;
use std::os::unix::net::UnixDatagram;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use command_fds::{CommandFdExt as _, FdMapping};
use serde_json::Value;
use tempfile::TempDir;
use vitrine::process::restarts::Restarts;
use vitrine::process::supervise::{self, Instruction, Plan};

use self::busy::Busy;
use crate::common::load::{Failure, Load, VISITORS, get};
use crate::common::program::{PATIENT, Program, signal, vitrine};
use crate::common::until::{HANGS, blocking_until};

/// Sends a fatal signal until the supervisor logs that the worker is dead.
fn kill(shop: &Program, worker: u64, signal_name: &str) -> Value {
    let mut died = None;
    blocking_until("the worker's death", || {
        // The first SIGSEGV from outside only takes away the handler that Rust installs for stack
        // overflows, so it may have to be sent again.
        signal(worker, signal_name);
        died = shop.logged_within("the worker died", Duration::from_millis(200));
        died.is_some()
    });
    died.unwrap()
}

/// Kills the worker under load, and the next one too.
fn survives(signal_name: &str) {
    let (shop, mut worker) = Program::supervised(&[]);
    let load = Load::on(shop.address);
    let mut deaths: Vec<Instant> = Vec::new();
    for _ in 0..2 {
        load.run_for(50);
        let died = kill(&shop, worker, signal_name);
        assert_eq!(died["pid"], worker);
        match deaths.last() {
            None => assert_eq!(died["pause"], "0ns"),
            Some(last) if last.elapsed() < Duration::from_secs(9) => assert_eq!(died["pause"], "100ms"),
            // On a machine this busy the second worker may have lived long enough for a start without pause.
            Some(_) => {}
        }
        deaths.push(Instant::now());
        worker = shop.ready();
    }
    load.run_for(50);
    let failures = load.end();
    // Only requests that were being answered may be lost: at most one for each visitor and death.
    assert!(failures.len() <= deaths.len() * VISITORS, "{failures:?}");
    let after = |(started, _): &&(Instant, Failure)| started > deaths.last().unwrap();
    assert_eq!(failures.iter().find(after), None);
    assert!(failures.iter().all(|(_, failure)| *failure != Failure::Refused), "{failures:?}");
}

#[test]
fn a_killed_worker_is_replaced_and_no_connection_is_refused() {
    survives("KILL");
}

#[test]
fn a_worker_with_a_segmentation_fault_is_replaced_and_no_connection_is_refused() {
    survives("SEGV");
}

#[test]
fn replacing_the_worker_under_load_loses_no_request() {
    let (shop, mut worker) = Program::supervised(&[]);
    let load = Load::on(shop.address);
    for _ in 0..20 {
        load.run_for(20);
        shop.signal("HUP");
        let new = shop.ready();
        let old = shop.logged("worker ended");
        assert_eq!((old["pid"].as_u64(), old["status"].as_str()), (Some(worker), Some("exit status: 0")));
        assert_ne!(new, worker);
        worker = new;
    }
    load.run_for(20);
    assert_eq!(load.end(), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_accepted_is_answered_before_the_end() {
    let mut busy = Busy::start().await;
    busy.shop.signal("TERM");
    busy.release().await;
    assert!(busy.shop.exit_status().success());
    busy.shop.wait_until_gone();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_signal_to_all_processes_at_once_is_one_signal() {
    let mut busy = Busy::start().await;
    assert!(signal(busy.worker, "TERM"));
    busy.shop.signal("TERM");
    busy.release().await;
    assert!(busy.shop.exit_status().success());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_signal_ends_everything_at_once() {
    let began = Instant::now();
    while !is_ended_by_a_second_signal().await {
        assert!(began.elapsed() < HANGS, "the shop always ends before the second signal");
    }
}

/// Ends a busy shop with two signals; false when it was so slow that there was nothing left to end.
async fn is_ended_by_a_second_signal() -> bool {
    let mut busy = Busy::start().await;
    busy.shop.signal("TERM");
    busy.shop.logged("ending the workers");
    let address = busy.shop.address;
    blocking_until("a refused connection", || get(address, "/healthz") == Err(Failure::Refused));
    let is_busy = busy.is_busy();
    // The process may have ended by itself if it was not.
    signal(busy.shop.id().into(), "TERM");
    let status = busy.shop.exit_status();
    busy.shop.wait_until_gone();
    if busy.may_have_given_up() {
        return false;
    }
    assert!(is_busy, "connections were accepted while the last requests were answered");
    assert_eq!(status.code(), Some(1));
    for outcome in busy.outcomes() {
        assert!(matches!(outcome, Err(Failure::Unanswered(_))), "{outcome:?}");
    }
    true
}

#[test]
fn an_end_under_load_cuts_no_answer() {
    let (mut shop, _) = Program::supervised(&[]);
    let load = Load::on(shop.address);
    load.run_for(50);
    shop.signal("TERM");
    assert!(shop.exit_status().success());
    shop.wait_until_gone();
    let failures = load.end();
    let is_cut = |failure: &Failure| matches!(failure, Failure::Cut(_) | Failure::Status(_));
    assert!(!failures.iter().any(|(_, failure)| is_cut(failure)), "{failures:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn no_worker_outlives_the_supervisor() {
    let mut busy = Busy::start().await;
    busy.shop.signal("KILL");
    busy.shop.logged("finishing what is being answered");
    busy.release().await;
    busy.shop.wait_until_gone();
    assert_eq!(get(busy.shop.address, "/"), Err(Failure::Refused));
}

/// Hands over a socket in which a connection waits already.
fn activated(environment: &[(&str, &str)]) {
    let socket = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = socket.local_addr().unwrap();
    let early = std::thread::spawn(move || get(address, "/"));
    let folder = tempfile::tempdir().unwrap();
    let notify = folder.path().join("notify");
    let notified = UnixDatagram::bind(&notify).unwrap();
    let mut command = vitrine();
    command.envs(environment.iter().copied()).env("LISTEN_FDS", "1").env("NOTIFY_SOCKET", &notify);
    command.fd_mappings(vec![FdMapping { parent_fd: socket.into(), child_fd: 3 }]).unwrap();
    let mut shop = Program::spawn(command.args(PATIENT));
    // The command holds the socket too.
    drop(command);
    assert_eq!(shop.address, address);
    let mut message = [0; 64];
    notified.set_read_timeout(Some(HANGS)).unwrap();
    let mut notification = || {
        let length = notified.recv(&mut message).unwrap();
        String::from_utf8(message[..length].to_vec()).unwrap()
    };
    assert_eq!(notification(), "READY=1");
    assert_eq!(early.join().unwrap(), Ok(()));
    assert_eq!(get(address, "/"), Ok(()));
    shop.signal("TERM");
    assert_eq!(notification(), "STOPPING=1");
    assert!(shop.exit_status().success());
    assert_eq!(get(address, "/"), Err(Failure::Refused));
}

#[test]
fn a_socket_that_was_handed_over_is_served() {
    activated(&[]);
}

#[test]
fn a_socket_that_was_handed_over_is_supervised() {
    activated(&[("VITRINE_SUPERVISE", "true")]);
}

#[test]
fn a_replacement_that_fails_leaves_the_old_worker() {
    let (_folder, robots) = robots();
    let (shop, worker) = Program::supervised(&["--robots", robots.to_str().unwrap()]);
    fs::remove_file(&robots).unwrap();
    shop.signal("HUP");
    shop.logged("the new worker failed; the old one stays");
    assert_eq!(get(shop.address, "/"), Ok(()));
    fs::write(&robots, "User-agent: *\n").unwrap();
    shop.signal("HUP");
    shop.ready();
    assert_eq!(shop.logged("worker ended")["pid"], worker);
    assert_eq!(get(shop.address, "/"), Ok(()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replacement_that_hangs_leaves_the_old_worker() {
    let (_folder, robots) = robots();
    let socket = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = socket.local_addr().unwrap();
    let arguments = PATIENT.iter().map(Into::into);
    let plan = Plan {
        program: env!("CARGO_BIN_EXE_vitrine").into(),
        arguments: arguments.chain(["--robots".into(), robots.clone().into()]).collect(),
        listener: socket.into(),
        admin: None,
        journal: None,
        restarts: Restarts::default(),
        ready_within: Duration::from_secs(10),
        finish_within: HANGS,
    };
    let (instructions, received) = tokio::sync::mpsc::channel(1);
    let supervisor = tokio::spawn(supervise::run(plan, received));
    let ask = move || get(address, "/");
    assert_eq!(tokio::task::spawn_blocking(ask).await.unwrap(), Ok(()));
    make_pipe(&robots);
    instructions.send(Instruction::Replace).await.unwrap();
    // Opening it waits for the new worker, which then waits for the end of the file; writing fails
    // once that worker has been killed.
    let killed = tokio::task::spawn_blocking(move || {
        let mut pipe = fs::OpenOptions::new().write(true).open(&robots).unwrap();
        while pipe.write_all(b"#").is_ok() {
            std::thread::sleep(Duration::from_millis(10));
        }
    });
    killed.await.unwrap();
    assert_eq!(tokio::task::spawn_blocking(ask).await.unwrap(), Ok(()));
    instructions.send(Instruction::End).await.unwrap();
    supervisor.await.unwrap().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_worker_a_replacement_that_hangs_is_given_up_soon() {
    let (_folder, robots) = robots();
    let (shop, worker) = Program::supervised(&["--robots", robots.to_str().unwrap()]);
    make_pipe(&robots);
    shop.signal("HUP");
    // Opening it waits for the new worker, which then waits for the end of the file.
    let pipe = fs::OpenOptions::new().write(true).open(&robots).unwrap();
    kill(&shop, worker, "KILL");
    let failed = shop.logged("the new worker failed");
    // Any other start may take a minute.
    assert!(failed["error"].as_str().unwrap().contains("not ready after 10s"), "{failed}");
    fs::remove_file(&robots).unwrap();
    fs::write(&robots, "User-agent: *\n").unwrap();
    drop(pipe);
    shop.ready();
    assert_eq!(get(shop.address, "/"), Ok(()));
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_worker_the_next_one_does_not_wait_for_a_replacement_that_hangs() {
    let (_folder, robots) = robots();
    let (shop, worker) = Program::supervised(&["--robots", robots.to_str().unwrap()]);
    make_pipe(&robots);
    shop.signal("HUP");
    // Opening it waits for the replacement, which then waits for the end of the file.
    let _pipe = fs::OpenOptions::new().write(true).open(&robots).unwrap();
    fs::remove_file(&robots).unwrap();
    fs::write(&robots, "User-agent: *\n").unwrap();
    kill(&shop, worker, "KILL");
    let mut messages = Vec::new();
    blocking_until("a worker", || {
        let entry = shop.next_entry(HANGS).unwrap();
        messages.push(entry["message"].as_str().unwrap_or_default().to_owned());
        messages.last().unwrap() == "worker ready"
    });
    // The replacement has not even been given up.
    assert!(!messages.iter().any(|message| message == "the new worker failed"), "{messages:?}");
    assert_eq!(get(shop.address, "/"), Ok(()));
}

/// A file for `--robots`, which lasts as long as its folder.
fn robots() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let robots = folder.path().join("robots.txt");
    fs::write(&robots, "User-agent: *\n").unwrap();
    (folder, robots)
}

/// Puts a named pipe in the place of a file.
fn make_pipe(path: &Path) {
    fs::remove_file(path).unwrap();
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}
