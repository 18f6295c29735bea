//! A worker that hangs: it does not run, and nothing says that it has died.

use std::os::unix::net::UnixDatagram;
use std::time::Duration;

use crate::common::load::get;
use crate::common::program::{PATIENT, Program, signal, vitrine};
use crate::common::until::blocking_until;

const HUNG: &str = "the worker does not answer itself, killing it";

/// A service manager that waits for heartbeats, as systemd does for a unit with `WatchdogSec=2`.
struct Manager {
    socket: UnixDatagram,
    folder: tempfile::TempDir,
}

impl Manager {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let socket = UnixDatagram::bind(folder.path().join("notify")).unwrap();
        socket.set_nonblocking(true).unwrap();
        Self { socket, folder }
    }

    fn start(&self) -> (Program, u64) {
        let mut command = vitrine();
        command.env("NOTIFY_SOCKET", self.folder.path().join("notify")).env("WATCHDOG_USEC", "2000000");
        let shop = Program::spawn(command.arg("--supervise").args(PATIENT));
        let worker = shop.ready();
        (shop, worker)
    }

    /// How many heartbeats have come since the last call.
    fn heartbeats(&self) -> usize {
        let mut heartbeats = 0;
        let mut message = [0; 64];
        while let Ok(length) = self.socket.recv(&mut message) {
            heartbeats += usize::from(&message[..length] == b"WATCHDOG=1");
        }
        heartbeats
    }
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
    let manager = Manager::new();
    let (mut shop, worker) = manager.start();
    blocking_until("a heartbeat", || manager.heartbeats() > 0);
    stop(worker);
    manager.heartbeats();
    let hung = shop.logged(HUNG);
    assert_eq!((hung["pid"].as_u64(), hung["silent_seconds"].as_u64()), (Some(worker), Some(10)));
    // The worker's last heartbeats may have waited for the supervisor; in ten seconds ten would come.
    assert!(manager.heartbeats() <= 2);
    // The old worker's end and the new one's start are logged in any order.
    let (mut ended, mut ready) = (None, None);
    blocking_until("a replacement", || {
        if let Some(entry) = shop.next_entry(Duration::from_millis(10)) {
            match entry["message"].as_str() {
                Some("worker ended") => ended = Some(entry),
                Some("worker ready") => ready = Some(entry),
                _ => {}
            }
        }
        ended.is_some() && ready.is_some()
    });
    let ended = ended.unwrap();
    assert_eq!(ended["pid"], worker);
    assert!(ended["status"].as_str().unwrap().contains("SIGKILL"), "{ended}");
    assert_ne!(ready.unwrap()["pid"], worker);
    assert_eq!(get(shop.address, "/"), Ok(()));
    blocking_until("a heartbeat of the new worker", || manager.heartbeats() > 0);
    shop.signal("TERM");
    assert!(shop.exit_status().success());
}
