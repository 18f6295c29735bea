//! The supervisor as an operator meets it: workers that are killed, replaced and ended under load.

mod busy;
mod load;
mod shop;

use std::fs;
use std::io::Write as _;
use std::net::TcpListener;
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use command_fds::{CommandFdExt as _, FdMapping};
use serde_json::Value;
use vitrine::supervise::{self, Order, Plan};

use crate::busy::Busy;
use crate::load::{Failure, Load, VISITORS, get};
use crate::shop::{ARGUMENTS, PATIENCE, Shop, signal, vitrine};

/// Sends a deadly signal until the supervisor says that the worker is dead.
fn kill(shop: &Shop, worker: u64, signal_name: &str) -> Value {
    loop {
        // The first SIGSEGV from outside only takes away the handler that Rust installs for stack
        // overflows, so it may have to be sent again.
        signal(worker, signal_name);
        let next = Instant::now() + Duration::from_millis(200);
        while let Ok(entry) = shop.log.recv_timeout(next.saturating_duration_since(Instant::now())) {
            if entry["fields"]["message"] == "the worker died" {
                return entry["fields"].clone();
            }
        }
    }
}

/// Kills the worker under load, and the next one too.
fn survives(signal_name: &str) {
    let (shop, mut worker) = Shop::supervised(&[]);
    let load = Load::on(shop.address);
    let mut deaths: Vec<Instant> = Vec::new();
    for _ in 0..2 {
        load.run_for(50);
        let died = kill(&shop, worker, signal_name);
        assert_eq!(died["pid"], worker);
        match deaths.last() {
            None => assert_eq!(died["pause"], "0ns"),
            Some(last) if last.elapsed() < Duration::from_secs(9) => assert_eq!(died["pause"], "100ms"),
            // On a machine as slow as that the second worker has grown old enough.
            Some(_) => {}
        }
        deaths.push(Instant::now());
        worker = shop.ready();
    }
    load.run_for(50);
    let failures = load.end();
    // Only what was being answered may be lost: at most one request a visitor and death.
    assert!(failures.len() <= deaths.len() * VISITORS, "{failures:?}");
    let after = |(started, _): &&(Instant, Failure)| started > deaths.last().unwrap();
    assert_eq!(failures.iter().find(after), None);
    assert!(failures.iter().all(|(_, failure)| *failure != Failure::Refused), "{failures:?}");
}

#[test]
fn a_killed_worker_is_replaced_and_nobody_is_refused() {
    survives("KILL");
}

#[test]
fn a_worker_with_a_segmentation_fault_is_replaced_and_nobody_is_refused() {
    survives("SEGV");
}

#[test]
fn replacing_the_worker_under_load_loses_no_request() {
    let (shop, mut worker) = Shop::supervised(&[]);
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
    let mut busy = Busy::start(Duration::from_secs(1)).await;
    busy.shop.signal("TERM");
    for visitor in busy.visitors {
        assert_eq!(visitor.join().unwrap(), Ok(()));
    }
    assert!(busy.shop.exit_status().success());
    busy.shop.is_gone();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_signal_to_all_processes_at_once_is_one_signal() {
    let mut busy = Busy::start(Duration::from_secs(1)).await;
    assert!(signal(busy.worker, "TERM"));
    busy.shop.signal("TERM");
    for visitor in busy.visitors {
        assert_eq!(visitor.join().unwrap(), Ok(()));
    }
    assert!(busy.shop.exit_status().success());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_signal_ends_everything_at_once() {
    let mut busy = Busy::start(PATIENCE).await;
    busy.shop.signal("TERM");
    busy.shop.logged("ending the workers");
    let waited = Instant::now();
    while get(busy.shop.address, "/healthz") != Err(Failure::Refused) {
        assert!(
            waited.elapsed() < Duration::from_secs(8),
            "the door is open while the last ones are answered"
        );
    }
    busy.shop.signal("TERM");
    assert_eq!(busy.shop.exit_status().code(), Some(1));
    busy.shop.is_gone();
    for visitor in busy.visitors {
        assert!(matches!(visitor.join().unwrap(), Err(Failure::Unanswered(_))));
    }
}

#[test]
fn an_end_under_load_cuts_no_answer() {
    let (mut shop, _) = Shop::supervised(&[]);
    let load = Load::on(shop.address);
    load.run_for(50);
    shop.signal("TERM");
    assert!(shop.exit_status().success());
    shop.is_gone();
    let failures = load.end();
    assert!(!failures.iter().any(|(_, failure)| matches!(failure, Failure::Cut(_))), "{failures:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn no_worker_outlives_the_supervisor() {
    let busy = Busy::start(Duration::from_secs(1)).await;
    busy.shop.signal("KILL");
    busy.shop.logged("finishing what is being answered");
    for visitor in busy.visitors {
        assert_eq!(visitor.join().unwrap(), Ok(()));
    }
    busy.shop.is_gone();
    assert_eq!(get(busy.shop.address, "/"), Err(Failure::Refused));
}

/// Hands over a socket in which somebody waits already.
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
    let mut shop = Shop::start(&mut command);
    // The command holds the socket too.
    drop(command);
    assert_eq!(shop.address, address);
    let mut message = [0; 64];
    notified.set_read_timeout(Some(PATIENCE)).unwrap();
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
fn a_first_worker_that_fails_is_a_clear_failure() {
    let failed = vitrine().args(["--supervise", "--robots", "/nonexistent/robots.txt"]).output().unwrap();
    assert_eq!(failed.status.code(), Some(1));
    let message = String::from_utf8(failed.stderr).unwrap();
    assert!(message.contains("cannot read /nonexistent/robots.txt"), "{message}");
    assert!(message.contains("the first worker failed"), "{message}");
}

#[test]
fn a_replacement_that_fails_leaves_the_old_worker() {
    let folder = tempfile::tempdir().unwrap();
    let robots = folder.path().join("robots.txt");
    fs::write(&robots, "User-agent: *\n").unwrap();
    let (shop, worker) = Shop::supervised(&["--robots", robots.to_str().unwrap()]);
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
    let folder = tempfile::tempdir().unwrap();
    let robots = folder.path().join("robots.txt");
    fs::write(&robots, "User-agent: *\n").unwrap();
    let socket = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = socket.local_addr().unwrap();
    let arguments = ARGUMENTS.iter().map(Into::into);
    let plan = Plan {
        program: env!("CARGO_BIN_EXE_vitrine").into(),
        arguments: arguments.chain(["--robots".into(), robots.clone().into()]).collect(),
        listener: socket.into(),
        ready_within: Duration::from_secs(10),
        finish_within: PATIENCE,
    };
    let (orders, received) = tokio::sync::mpsc::channel(1);
    let supervisor = tokio::spawn(supervise::run(plan, received));
    let ask = move || get(address, "/");
    assert_eq!(tokio::task::spawn_blocking(ask).await.unwrap(), Ok(()));
    make_pipe(&robots);
    orders.send(Order::Replace).await.unwrap();
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
    orders.send(Order::End).await.unwrap();
    supervisor.await.unwrap().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn when_nobody_serves_a_replacement_that_hangs_is_given_up_soon() {
    let folder = tempfile::tempdir().unwrap();
    let robots = folder.path().join("robots.txt");
    fs::write(&robots, "User-agent: *\n").unwrap();
    let (shop, worker) = Shop::supervised(&["--robots", robots.to_str().unwrap()]);
    make_pipe(&robots);
    shop.signal("HUP");
    // Opening it waits for the new worker, which then waits for the end of the file.
    let pipe = fs::OpenOptions::new().write(true).open(&robots).unwrap();
    kill(&shop, worker, "KILL");
    let died = Instant::now();
    shop.logged("the new worker failed");
    assert!(died.elapsed() < Duration::from_secs(30), "as long as any start may take");
    fs::remove_file(&robots).unwrap();
    fs::write(&robots, "User-agent: *\n").unwrap();
    drop(pipe);
    shop.ready();
    assert_eq!(get(shop.address, "/"), Ok(()));
}

/// Puts a named pipe in the place of a file.
fn make_pipe(path: &Path) {
    fs::remove_file(path).unwrap();
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}
