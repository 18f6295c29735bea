//! The listener for operators while workers come and go.

use std::fs;
use std::net::TcpListener;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::Stdio;

use super::Scrape;
use crate::common::operators::{Socket, TOKEN, ask};
use crate::common::program::{Program, signal};
use crate::common::until::blocking_until;
use crate::supervise::Robots;

pub(crate) fn scrape(socket: &Path) -> Scrape {
    let answer = ask(socket, "GET /metrics");
    Scrape::of(answer.split_once("\r\n\r\n").unwrap().1)
}

#[test]
fn every_worker_is_told_how_often_others_were_started() {
    let socket = Socket::new();
    let (shop, worker) = Program::supervised(&["--admin", &socket.address()]);
    let restarts = |cause: &str| scrape(&socket.path()).sum("vitrine_worker_restarts_total", cause);
    assert!(restarts("") == 0.0);
    shop.signal("HUP");
    let worker = [worker, shop.ready()][1];
    blocking_until("the new worker's answer", || restarts("ordered") == 1.0);
    signal(worker, "KILL");
    shop.logged("the worker died");
    // The socket is the supervisor's, so a request waits for the next worker.
    assert!(restarts("died") == 1.0 && restarts("hung") == 0.0);
    shop.ready();
    assert!(socket.ask("GET /readyz").starts_with("HTTP/1.1 200 OK\r\n"));
}

#[test]
fn a_purge_reaches_a_worker_that_is_still_starting() {
    let (socket, robots) = (Socket::new(), Robots::new());
    let (path, address) = (robots.path(), socket.address());
    let arguments = ["--admin", &address, "--admin-token", TOKEN, "--robots", path.to_str().unwrap()];
    let (shop, _) = Program::supervised(&arguments);
    robots.make_pipe();
    shop.signal("HUP");
    // Completes once the new worker opens the pipe too; the worker then waits for the pipe's end.
    let pipe = fs::OpenOptions::new().write(true).open(path).unwrap();
    let answer = socket.ask("POST /purge?product=1&hard=1");
    assert!(answer.ends_with(" pages and files purged: product, hard.\n"), "{answer}");
    assert_eq!(shop.logged("purged")["mode"], "hard", "by the old worker");
    drop(pipe);
    assert_eq!(shop.logged("purged")["scope"], "product", "by the new one, before it is ready");
    shop.ready();
}

#[test]
fn several_sockets_for_operators_are_refused() {
    let socket = || Stdio::from(OwnedFd::from(TcpListener::bind("127.0.0.1:0").unwrap()));
    let mut command = crate::common::program::vitrine();
    command.envs([("LISTEN_FDS", "2"), ("LISTEN_FDS_FIRST_FD", "0"), ("LISTEN_FDNAMES", "admin:admin")]);
    command.args(["--listen", "127.0.0.1:0", "--isolates", "1"]);
    let refused = command.stdin(socket()).stdout(socket()).stderr(Stdio::piped()).spawn().unwrap();
    let refused = refused.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&refused.stderr);
    assert!(!refused.status.success() && text.contains("2 sockets named `admin`"), "{text}");
}
