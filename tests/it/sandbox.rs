//! What the program may do with files, in a process of its own.

use std::fs::{self, DirEntry};
use std::io;

use vitrine::process::sandbox::{AllowedPaths, Enforcement, restrict};

use crate::common::program::{PATIENT, Program};
use crate::common::until::blocking_until;
use crate::common::upstream::Upstream;

/// How this kernel enforces a sandbox, looked up on a thread that ends afterwards.
fn enforcement() -> Enforcement {
    std::thread::spawn(|| restrict(&AllowedPaths::default()).files.unwrap()).join().unwrap()
}

/// How many filters restrict each thread of a process, as the kernel reports them.
fn filters(process: u64) -> Vec<u32> {
    let threads = fs::read_dir(format!("/proc/{process}/task")).unwrap();
    // A thread may have ended meanwhile.
    let statuses = threads.filter_map(|thread| fs::read_to_string(thread.ok()?.path().join("status")).ok());
    let filters = statuses.filter_map(|status| {
        let line = status.lines().find_map(|line| line.strip_prefix("Seccomp_filters:"))?;
        line.trim().parse().ok()
    });
    filters.collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_thread_of_a_worker_is_restricted_and_its_supervisor_is_not() {
    let upstream = Upstream::start().await;
    let folder = tempfile::tempdir().unwrap();
    let (base, state) = (upstream.base(), folder.path().join("state"));
    let flags = ["--supervise", "--catalogue", base.as_str(), "--state-dir", state.to_str().unwrap()];
    let shop = Program::start(&[&PATIENT[..], &flags].concat());
    let line = shop.logged("the process is restricted to what it needs");
    assert_eq!(line["sandbox"], enforcement().text());
    let worker = shop.ready();
    // The tests may run under filters themselves.
    let own = filters(std::process::id().into())[0];
    assert!(filters(shop.id().into()).iter().all(|filters| *filters == own));
    let workers = filters(worker);
    assert!(workers.len() > 2 && workers.iter().all(|filters| *filters == own + 1), "{workers:?}");
    let is_saved = |file: io::Result<DirEntry>| file.unwrap().path().extension() == Some("state".as_ref());
    blocking_until("the state to be saved", || fs::read_dir(&state).unwrap().any(is_saved));
    let free = Program::start(&[&PATIENT[..], &["--sandbox", "off"]].concat());
    assert!(filters(free.id().into()).iter().all(|filters| *filters == own), "without a sandbox");
}
