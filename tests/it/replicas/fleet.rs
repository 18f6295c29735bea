//! Replicas of one shop, and visitors who go to any of them.

use std::net::SocketAddr;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use parking_lot::Mutex;

use crate::admin::workers::scrape;
use crate::common::load::{Failure, Load, get};
use crate::common::operators::{self, Socket, TOKEN};
use crate::common::program::{PATIENT, Program, vitrine};
use crate::common::until::blocking_until;

/// One replica, which may be killed and started again.
pub(crate) struct Replica {
    start: Box<dyn Fn() -> Program>,
    socket: Socket,
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

    /// Starts a replica that trusts only the certificates in this file, instead of the machine's.
    pub(crate) fn with(
        trusted: Option<PathBuf>,
        catalogue: &str,
        share: Option<&str>,
        further: &[&str],
    ) -> Self {
        let socket = Socket::new();
        let address = socket.address();
        let mut arguments = vec!["--catalogue", catalogue, "--admin", &address, "--admin-token", TOKEN];
        arguments.extend(PATIENT);
        arguments.extend(share.into_iter().flat_map(|share| ["--share", share]));
        arguments.extend(further);
        let arguments: Vec<String> = arguments.into_iter().map(Into::into).collect();
        let start = Box::new(move || {
            let mut command = vitrine();
            command.args(&arguments).env("VITRINE_LOG", "info,vitrine::request_log=off");
            command.envs(trusted.as_ref().map(|file| ("SSL_CERT_FILE", file)));
            Program::spawn(&mut command)
        });
        let program = start();
        let place = Place { address: Mutex::new(program.address), changes: AtomicUsize::new(0) };
        Self { start, socket, program: Some(program), place: Arc::new(place) }
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
        let program = (self.start)();
        *self.place.address.lock() = program.address;
        self.program = Some(program);
        self.place.changes.fetch_add(1, Ordering::SeqCst);
    }

    /// What operators are answered, with the head.
    pub(crate) fn operator(&self, request: &str) -> String {
        self.socket.ask(request)
    }

    /// Sends an operator's request, and returns the connection.
    pub(crate) fn send(&self, request: &str) -> UnixStream {
        operators::send(&self.socket.path(), request)
    }

    /// The sum of a metric's samples with this label.
    pub(crate) fn metric(&self, name: &str, label: &str) -> u64 {
        scrape(&self.socket.path()).sum(name, label) as u64
    }

    /// Whether it reads the catalogue for all.
    pub(crate) fn reads(&self) -> bool {
        self.metric("vitrine_share_reader", "") == 1
    }

    /// How many answers it has read of the catalogue's list so far, or found unchanged.
    pub(crate) fn answers(&self) -> u64 {
        self.metric("vitrine_catalogue_answers_total", "")
    }

    /// Waits until the shared server can be used, or until it cannot.
    pub(crate) fn until_up(&self, is_up: bool) {
        blocking_until("the state of the shared server", || {
            self.metric("vitrine_share_up", "") == u64::from(is_up)
        });
    }
}

/// Starts one visitor for each place. Each asks the replicas in turn, and the next one if a request fails because a replica
/// died.
pub(crate) fn visitors(places: &[Arc<Place>], paths: &'static [&'static str], pause: Duration) -> Load {
    let places = places.to_vec();
    Load::of(places.len(), pause, move |visitor, turn| {
        let ask = |place: usize| places[place % places.len()].get(paths[turn % paths.len()]);
        let place = turn / paths.len() + turn + visitor;
        // A proxy would ask another one, once.
        let asked =
            ask(place).or_else(|failure| if failure.is_none() { ask(place + 1) } else { Err(failure) });
        asked.map_err(|failure| failure.unwrap_or(Failure::Cut("two replicas died at once".into())))
    })
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
