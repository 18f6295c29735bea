//! The supervisor as an operator sees it: workers that hang, are killed, replaced and ended under load.

mod busy;

use std::collections::HashMap;
use std::fs;
use std::io::Write as _;
use std::net::TcpListener;
use std::os::unix::net::UnixDatagram;
use std::path::PathBuf;
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

#[test]
fn a_worker_that_is_killed_or_has_a_segmentation_fault_is_replaced_and_no_connection_is_refused() {
    let (shop, mut worker) = Program::supervised(&[]);
    let load = Load::on(shop.address);
    let mut deaths: Vec<Instant> = Vec::new();
    for signal_name in ["KILL", "SEGV"] {
        load.run_for(50);
        let died = kill(&shop, worker, signal_name);
        assert_eq!(died["pid"], worker);
        let last = deaths.last().map(Instant::elapsed);
        // On a machine this busy the second worker may have lived long enough for a start without pause.
        if last.is_none_or(|elapsed| elapsed < Duration::from_secs(9)) {
            assert_eq!(died["pause"], if last.is_none() { "0ns" } else { "100ms" });
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
    // A signal to all processes at once is one signal.
    for reaches_the_worker in [false, true] {
        let mut busy = Busy::start().await;
        assert!(!reaches_the_worker || signal(busy.worker, "TERM"));
        busy.shop.signal("TERM");
        busy.release().await;
        assert!(busy.shop.exit_status().success());
        busy.shop.wait_until_gone();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_signal_ends_everything_at_once() {
    let began = Instant::now();
    loop {
        assert!(began.elapsed() < HANGS, "the shop always ends before the second signal");
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
        // On a slow machine there may have been nothing left to end.
        if busy.may_have_given_up() {
            continue;
        }
        assert!(is_busy, "connections were accepted while the last requests were answered");
        assert_eq!(status.code(), Some(1));
        for outcome in busy.outcomes() {
            assert!(matches!(outcome, Err(Failure::Unanswered(_))), "{outcome:?}");
        }
        return;
    }
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

#[test]
fn a_socket_that_was_handed_over_is_served_and_supervised() {
    for supervise in ["false", "true"] {
        // A connection waits in it already.
        let socket = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = socket.local_addr().unwrap();
        let early = std::thread::spawn(move || get(address, "/"));
        let folder = tempfile::tempdir().unwrap();
        let notify = folder.path().join("notify");
        let notified = UnixDatagram::bind(&notify).unwrap();
        let mut command = vitrine();
        command.env("VITRINE_SUPERVISE", supervise).env("LISTEN_FDS", "1").env("NOTIFY_SOCKET", &notify);
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
        if supervise == "true" {
            assert_eq!(notification(), "EXTEND_TIMEOUT_USEC=60000000");
        }
        assert_eq!(notification(), "READY=1");
        assert_eq!(early.join().unwrap(), Ok(()));
        assert_eq!(get(address, "/"), Ok(()));
        shop.signal("TERM");
        assert_eq!(notification(), "STOPPING=1");
        assert!(shop.exit_status().success());
        assert_eq!(get(address, "/"), Err(Failure::Refused));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replacement_that_hangs_leaves_the_old_worker() {
    let robots = Robots::new();
    let socket = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = socket.local_addr().unwrap();
    let arguments = PATIENT.iter().map(Into::into);
    let plan = Plan {
        program: env!("CARGO_BIN_EXE_vitrine").into(),
        arguments: arguments.chain(["--robots".into(), robots.path().into()]).collect(),
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
    robots.make_pipe();
    instructions.send(Instruction::Replace).await.unwrap();
    // Opening it waits for the new worker, which then waits for the end of the file; writing fails
    // once that worker has been killed.
    let killed = tokio::task::spawn_blocking(move || {
        let mut pipe = fs::OpenOptions::new().write(true).open(robots.path()).unwrap();
        while pipe.write_all(b"#").is_ok() {
            std::thread::sleep(Duration::from_millis(10));
        }
    });
    killed.await.unwrap();
    assert_eq!(tokio::task::spawn_blocking(ask).await.unwrap(), Ok(()));
    instructions.send(Instruction::End).await.unwrap();
    supervisor.await.unwrap().unwrap();
}

#[test]
fn without_a_worker_a_replacement_that_hangs_is_given_up_soon() {
    let (shop, worker, robots, pipe) = with_a_replacement_that_hangs();
    kill(&shop, worker, "KILL");
    let failed = shop.logged("the new worker failed");
    // Any other start may take a minute.
    assert!(failed["error"].as_str().unwrap().contains("not ready after 10s"), "{failed}");
    robots.write();
    drop(pipe);
    shop.ready();
    assert_eq!(get(shop.address, "/"), Ok(()));
}

#[test]
fn without_a_worker_the_next_one_does_not_wait_for_a_replacement_that_hangs() {
    let (shop, worker, robots, _pipe) = with_a_replacement_that_hangs();
    robots.write();
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

/// A shop, its worker, and a replacement that waits for the end of its file for robots, a pipe.
fn with_a_replacement_that_hangs() -> (Program, u64, Robots, fs::File) {
    let robots = Robots::new();
    let (shop, worker) = Program::supervised(&["--robots", robots.path().to_str().unwrap()]);
    robots.make_pipe();
    shop.signal("HUP");
    // Opening it waits for the replacement.
    let pipe = fs::OpenOptions::new().write(true).open(robots.path()).unwrap();
    (shop, worker, robots, pipe)
}

/// A folder with a file for `--robots`.
pub(crate) struct Robots(TempDir);

impl Robots {
    pub(crate) fn new() -> Self {
        let robots = Self(tempfile::tempdir().unwrap());
        robots.write();
        robots
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.0.path().join("robots.txt")
    }

    pub(crate) fn write(&self) {
        // The new file takes the place of a pipe, which somebody may have open.
        let new = self.0.path().join("new");
        fs::write(&new, "User-agent: *\n").unwrap();
        fs::rename(new, self.path()).unwrap();
    }

    pub(crate) fn make_pipe(&self) {
        fs::remove_file(self.path()).unwrap();
        assert!(Command::new("mkfifo").arg(self.path()).status().unwrap().success());
    }
}

/// How many heartbeats have come since the last call.
fn heartbeats(manager: &UnixDatagram) -> usize {
    let mut heartbeats = 0;
    let mut message = [0; 64];
    while let Ok(length) = manager.recv(&mut message) {
        heartbeats += usize::from(&message[..length] == b"WATCHDOG=1");
    }
    heartbeats
}

/// Stops a process, and returns when it no longer runs.
fn stop(process: u64) {
    assert!(signal(process, "STOP"));
    blocking_until("a stopped process", || {
        let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
        stat.rsplit(')').next().unwrap().trim_start().starts_with('T')
    });
}

#[test]
fn a_worker_that_hangs_is_replaced_and_the_service_manager_hears_nothing_meanwhile() {
    // The service manager waits for heartbeats, as systemd does for a unit with `WatchdogSec=2`.
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("notify");
    let manager = UnixDatagram::bind(&socket).unwrap();
    manager.set_nonblocking(true).unwrap();
    let mut command = vitrine();
    command.env("NOTIFY_SOCKET", socket).env("WATCHDOG_USEC", "2000000");
    let mut shop = Program::spawn(command.arg("--supervise").args(PATIENT));
    let worker = shop.ready();
    blocking_until("a heartbeat", || heartbeats(&manager) > 0);
    stop(worker);
    heartbeats(&manager);
    let hung = shop.logged("the worker does not answer itself, killing it");
    assert_eq!((hung["pid"].as_u64(), hung["silent_seconds"].as_u64()), (Some(worker), Some(10)));
    // The worker's last heartbeats may have waited for the supervisor; in ten seconds ten would come.
    assert!(heartbeats(&manager) <= 2);
    // The old worker's end and the new one's start are logged in any order.
    let mut logged = HashMap::new();
    blocking_until("a replacement", || {
        if let Some(entry) = shop.next_entry(Duration::from_millis(10)) {
            logged.insert(entry["message"].as_str().unwrap_or_default().to_owned(), entry);
        }
        ["worker ended", "worker ready"].iter().all(|message| logged.contains_key(*message))
    });
    let ended = &logged["worker ended"];
    assert_eq!(ended["pid"], worker);
    assert!(ended["status"].as_str().unwrap().contains("SIGKILL"), "{ended}");
    assert_ne!(logged["worker ready"]["pid"], worker);
    assert_eq!(get(shop.address, "/"), Ok(()));
    blocking_until("a heartbeat of the new worker", || heartbeats(&manager) > 0);
    shop.signal("TERM");
    assert!(shop.exit_status().success());
}
