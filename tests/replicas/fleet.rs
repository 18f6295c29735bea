//! Replicas of one shop, and visitors who go to any of them.

use std::net::SocketAddr;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use tempfile::TempDir;

use crate::common::load::{Failure, get};
use crate::common::operators::{self, TOKEN};
use crate::common::program::{PATIENT, Program, vitrine};
use crate::common::until::blocking_until;

/// One replica, which may be killed and started again.
pub(crate) struct Replica {
    arguments: Vec<String>,
    /// A file with the certificates that it trusts, instead of the machine's.
    trusted: Option<PathBuf>,
    folder: TempDir,
    pub(crate) program: Option<Program>,
    place: Arc<Place>,
}

/// Where visitors find a replica.
pub(crate) struct Place {
    address: Mutex<SocketAddr>,
    /// Counts deaths and starts; odd while it is dead.
    changes: AtomicUsize,
}

impl Replica {
    /// Starts a replica of the shop at `catalogue`, and waits until it is ready.
    pub(crate) fn start(catalogue: &str, share: Option<&str>, further: &[&str]) -> Self {
        Self::with(None, catalogue, share, further)
    }

    /// Starts a replica that trusts only the certificates in this file.
    pub(crate) fn trusting(trusted: &Path, catalogue: &str, share: &str) -> Self {
        Self::with(Some(trusted.into()), catalogue, Some(share), &[])
    }

    fn with(trusted: Option<PathBuf>, catalogue: &str, share: Option<&str>, further: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let socket = format!("unix:{}", folder.path().join("admin.sock").display());
        let mut arguments = vec!["--catalogue", catalogue, "--admin", &socket, "--admin-token", TOKEN];
        arguments.extend(PATIENT);
        arguments.extend(share.into_iter().flat_map(|share| ["--share", share]));
        arguments.extend(further);
        let arguments: Vec<String> = arguments.into_iter().map(Into::into).collect();
        let program = start(&arguments, trusted.as_deref());
        let place = Place { address: Mutex::new(program.address), changes: AtomicUsize::new(0) };
        Self { arguments, trusted, folder, program: Some(program), place: Arc::new(place) }
    }

    pub(crate) fn place(&self) -> Arc<Place> {
        Arc::clone(&self.place)
    }

    pub(crate) fn address(&self) -> SocketAddr {
        *self.place.address.lock()
    }

    pub(crate) fn program(&self) -> &Program {
        self.program.as_ref().unwrap()
    }

    pub(crate) fn kill(&mut self) {
        self.place.changes.fetch_add(1, Ordering::SeqCst);
        // Killed when it is dropped.
        self.program = None;
    }

    pub(crate) fn restart(&mut self) {
        let program = start(&self.arguments, self.trusted.as_deref());
        *self.place.address.lock() = program.address;
        self.program = Some(program);
        self.place.changes.fetch_add(1, Ordering::SeqCst);
    }

    /// What operators are answered, with the head.
    pub(crate) fn operator(&self, request: &str) -> String {
        operators::ask(&self.socket(), request)
    }

    /// Sends an operator's request, and returns the connection.
    pub(crate) fn send(&self, request: &str) -> UnixStream {
        operators::send(&self.socket(), request)
    }

    fn socket(&self) -> PathBuf {
        self.folder.path().join("admin.sock")
    }

    /// The sum of a metric's samples with this label.
    pub(crate) fn metric(&self, name: &str, label: &str) -> u64 {
        let text = self.operator("GET /metrics");
        let lines = text.lines().filter(|line| line.split(['{', ' ']).next() == Some(name));
        let values = lines.filter(|line| line.contains(label)).filter_map(|line| line.rsplit(' ').next());
        values.map(|value| value.parse::<u64>().unwrap()).sum()
    }

    /// Waits until the shared server can be used, or until it cannot.
    pub(crate) fn until_up(&self, is_up: bool) {
        blocking_until("the state of the shared server", || {
            self.metric("vitrine_share_up", "") == u64::from(is_up)
        });
    }
}

fn start(arguments: &[String], trusted: Option<&Path>) -> Program {
    let mut command = vitrine();
    command.args(arguments).env("VITRINE_LOG", "info,vitrine::request_log=off");
    command.envs(trusted.map(|file| ("SSL_CERT_FILE", file)));
    Program::spawn(&mut command)
}

/// Visitors who ask all replicas in turn, and ask another one if a request fails because a replica died.
pub(crate) struct Visitors {
    stop: Arc<AtomicBool>,
    answered: Arc<AtomicUsize>,
    threads: Vec<std::thread::JoinHandle<Vec<Failure>>>,
}

impl Visitors {
    pub(crate) fn of(places: &[Arc<Place>], paths: &'static [&'static str], pause: Duration) -> Self {
        let (stop, answered) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
        let thread = |number: usize| {
            let (stop, answered, places) = (Arc::clone(&stop), Arc::clone(&answered), places.to_vec());
            std::thread::spawn(move || {
                let mut failures = Vec::new();
                for (turn, path) in paths.iter().cycle().enumerate() {
                    if stop.load(Ordering::SeqCst) {
                        break;
                    }
                    match places[(turn / paths.len() + turn + number) % places.len()].get(path) {
                        Ok(()) => drop(answered.fetch_add(1, Ordering::SeqCst)),
                        // A proxy would ask another one, once.
                        Err(None) => {
                            let other = &places[(turn / paths.len() + turn + number + 1) % places.len()];
                            failures.extend(other.get(path).err().map(|failure| {
                                failure.unwrap_or(Failure::Cut("two replicas died at once".into()))
                            }));
                        }
                        Err(Some(failure)) => failures.push(failure),
                    }
                    std::thread::sleep(pause);
                }
                failures
            })
        };
        let threads = (0..places.len()).map(thread).collect();
        Self { stop, answered, threads }
    }

    pub(crate) fn answered(&self) -> usize {
        self.answered.load(Ordering::SeqCst)
    }

    /// The requests that failed.
    pub(crate) fn end(self) -> Vec<Failure> {
        self.stop.store(true, Ordering::SeqCst);
        self.threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    }
}

impl Place {
    /// One request. Its failure is `None` if the replica was killed meanwhile.
    fn get(&self, path: &str) -> Result<(), Option<Failure>> {
        let (changes, address) = (self.changes.load(Ordering::SeqCst), *self.address.lock());
        get(address, path).map_err(|failure| {
            let died = changes % 2 == 1 || self.changes.load(Ordering::SeqCst) != changes;
            let may_be_death = !matches!(failure, Failure::Status(_));
            (!(died && may_be_death)).then_some(failure)
        })
    }
}
