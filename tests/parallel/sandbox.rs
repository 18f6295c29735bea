//! What the program may do with files, in a process of its own.

use std::fs;

use vitrine::process::sandbox::{AllowedPaths, Enforcement, restrict};

use crate::common::faults::Fault;
use crate::common::program::{PATIENT, Program};
use crate::common::upstream::Upstream;

/// How this kernel enforces a sandbox, looked up on a thread that ends afterwards.
fn enforcement() -> Enforcement {
    std::thread::spawn(|| restrict(&AllowedPaths::default()).files.unwrap()).join().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_says_how_it_is_restricted_and_saves_its_state() {
    let upstream = Upstream::start().await;
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("state");
    let base = upstream.base();
    let flags = ["--supervise", "--catalogue", base.as_str(), "--state-dir", state.to_str().unwrap()];
    let shop = Program::start(&[&PATIENT[..], &flags].concat());
    let line = shop.logged("the process is restricted to what it needs");
    assert_eq!(line["sandbox"], enforcement().text());
    shop.ready();
    crate::common::until::blocking_until("the state to be saved", || {
        fs::read_dir(&state)
            .unwrap()
            .any(|file| file.unwrap().file_name().to_str().is_some_and(|name| name.ends_with(".state")))
    });
}

/// The restrictions of each thread of a process, as the kernel reports them.
#[test]
fn every_thread_of_a_worker_is_restricted_and_its_supervisor_is_not() {
    let (shop, worker) = Program::supervised(&[]);
    let filters = |process: u64| {
        let threads = fs::read_dir(format!("/proc/{process}/task")).unwrap();
        // A thread may have ended meanwhile.
        let statuses =
            threads.filter_map(|thread| fs::read_to_string(thread.ok()?.path().join("status")).ok());
        let filters = statuses.filter_map(|status| {
            let line = status.lines().find_map(|line| line.strip_prefix("Seccomp_filters:"))?;
            line.trim().parse::<u32>().ok()
        });
        filters.collect::<Vec<_>>()
    };
    // The tests may run under filters themselves.
    let own = filters(std::process::id().into())[0];
    assert!(filters(shop.id().into()).iter().all(|filters| *filters == own));
    let workers = filters(worker);
    assert!(workers.len() > 2 && workers.iter().all(|filters| *filters == own + 1), "{workers:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_has_no_access_beside_its_paths() {
    if !matches!(enforcement(), Enforcement::Full | Enforcement::Partial) {
        eprintln!("skipped: {}", enforcement());
        return;
    }
    let upstream = Upstream::start().await;
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("state");
    let base = upstream.base();
    let flags = ["--catalogue", base.as_str(), "--state-dir", state.to_str().unwrap()];
    for (sandbox, is_denied) in [("on", true), ("off", false)] {
        // There is nothing to save before the directory has been replaced.
        upstream.set(Fault::Status(500)).await;
        let shop = Program::start(&[&PATIENT[..], &flags, &["--sandbox", sandbox]].concat());
        // Another directory in the place of its own is one that nobody has allowed.
        fs::rename(&state, folder.path().join(sandbox)).unwrap();
        fs::create_dir(&state).unwrap();
        upstream.set(Fault::None).await;
        if is_denied {
            let line = shop.logged("the catalogue's state was not saved");
            assert!(line["error"].as_str().unwrap().contains("Permission denied"), "{line}");
            assert_eq!(fs::read_dir(&state).unwrap().count(), 0);
        } else {
            crate::common::until::blocking_until("the state to be saved", || {
                fs::read_dir(&state).unwrap().count() > 0
            });
        }
    }
}
