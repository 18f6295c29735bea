//! Visitors, each request on a connection of its own.

use std::io::{self, ErrorKind, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::until::{HANGS, blocking_until};

/// Why a request did not get a whole page with status 200.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    Refused,
    /// The connection broke before the first byte of an answer.
    Unanswered(ErrorKind),
    /// The answer is not a whole page.
    Cut(String),
    /// The answer is a whole page whose status is not 200.
    Status(u16),
}

/// Requests a page on a connection of its own; anything but a whole page with status 200 is a failure.
pub(crate) fn get(address: SocketAddr, path: &str) -> Result<(), Failure> {
    match status(address, path)? {
        200 => Ok(()),
        other => Err(Failure::Status(other)),
    }
}

/// Requests a page on a connection of its own, and returns its status.
pub(crate) fn status(address: SocketAddr, path: &str) -> Result<u16, Failure> {
    let mut connection = TcpStream::connect(address).map_err(|error| match error.kind() {
        ErrorKind::ConnectionRefused => Failure::Refused,
        kind => Failure::Unanswered(kind),
    })?;
    let mut answer = Vec::new();
    let mut ask = || -> io::Result<usize> {
        connection.set_read_timeout(Some(HANGS))?;
        write!(connection, "GET {path} HTTP/1.1\r\nhost: shop.example\r\nconnection: close\r\n\r\n")?;
        connection.read_to_end(&mut answer)
    };
    let asked = ask();
    let text = String::from_utf8_lossy(&answer);
    let status = text.strip_prefix("HTTP/1.1 ").and_then(|rest| rest.get(..3)?.parse().ok());
    match (asked, status) {
        (Ok(_), Some(status)) if text.contains("</html>") => Ok(status),
        _ if !text.is_empty() => Err(Failure::Cut(text.into_owned())),
        (Ok(_), _) => Err(Failure::Unanswered(ErrorKind::UnexpectedEof)),
        (Err(error), _) => Err(Failure::Unanswered(error.kind())),
    }
}

/// Visitors who ask for pages again and again.
pub(crate) struct Load {
    stop: Arc<AtomicBool>,
    answered: Arc<AtomicUsize>,
    visitors: Vec<JoinHandle<Vec<(Instant, Failure)>>>,
}

pub(crate) const VISITORS: usize = 6;

const PATHS: [&str; 8] =
    ["/product/1", "/", "/product/2", "/category/beauty", "/product/3", "/sale", "/product/4", "/categories"];

impl Load {
    pub(crate) fn on(address: SocketAddr) -> Self {
        let visit = move |_: usize, turn: usize| get(address, PATHS[turn % PATHS.len()]);
        Self::of(VISITORS, Duration::from_millis(1), visit)
    }

    /// Visitors whose requests `visit` makes, given the number of the visitor and that of the request.
    pub(crate) fn of<V>(visitors: usize, pause: Duration, visit: V) -> Self
    where
        V: Fn(usize, usize) -> Result<(), Failure> + Clone + Send + 'static,
    {
        let stop = Arc::new(AtomicBool::new(false));
        let answered = Arc::new(AtomicUsize::new(0));
        let visitors = (0..visitors).map(|visitor| {
            let (stop, answered, visit) = (stop.clone(), answered.clone(), visit.clone());
            std::thread::spawn(move || {
                let mut failures = Vec::new();
                for turn in 0.. {
                    if stop.load(Ordering::Relaxed) {
                        break;
                    }
                    let started = Instant::now();
                    match visit(visitor, turn) {
                        Ok(()) => drop(answered.fetch_add(1, Ordering::Relaxed)),
                        Err(failure) => failures.push((started, failure)),
                    }
                    std::thread::sleep(pause);
                }
                failures
            })
        });
        let visitors = visitors.collect();
        Self { stop, answered, visitors }
    }

    /// Returns when this many more requests have been answered.
    pub(crate) fn run_for(&self, answers: usize) {
        let enough = self.answered() + answers;
        blocking_until("answers", || self.answered() >= enough);
    }

    /// How many requests have been answered so far.
    pub(crate) fn answered(&self) -> usize {
        self.answered.load(Ordering::Relaxed)
    }

    /// The requests that failed, with the time of their start.
    pub(crate) fn end(self) -> Vec<(Instant, Failure)> {
        self.stop.store(true, Ordering::Relaxed);
        self.visitors.into_iter().flat_map(|visitor| visitor.join().unwrap()).collect()
    }
}
