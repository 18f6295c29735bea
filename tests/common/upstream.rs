//! A catalogue service that fails on demand.
//!
//! It serves the sample catalogue's API on a free port of the loopback interface, over a small HTTP
//! server of its own, because an ordinary one does not break off in the middle of a body:
//!
//! ```ignore
//! let upstream = Upstream::start().await;
//! let service = Service::new(upstream.base(), limits)?;
//! upstream.set(Fault::ResetMidBody).await;
//! assert!(service.all_products().await.is_err());
//! upstream.set(Fault::None).await;
//! assert_eq!(upstream.calls().len(), 2);
//! ```
//!
//! What the faults do to an answer is in `faults.rs`.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::{JoinHandle, JoinSet};
use url::Url;
use vitrine::catalogue::ServiceLimits;
use vitrine::catalogue::sample::api;

use super::faults::{self, Answer, Fault};
use super::until::finishes;

/// A handle on the running service, which ends when it is dropped.
pub(crate) struct Upstream {
    address: SocketAddr,
    shared: Arc<Shared>,
    commands: mpsc::Sender<Command>,
    server: JoinHandle<()>,
}

/// How long the program itself waits for the first byte of an answer.
pub(crate) const CALL_LIMIT: Duration = ServiceLimits::DEFAULT.first_byte_timeout;

/// One request that arrived.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) at: Instant,
    /// Path and query.
    pub(crate) target: String,
}

struct Shared {
    fault: watch::Sender<Fault>,
    calls: watch::Sender<Vec<Call>>,
    /// Where the real API answers.
    api: SocketAddr,
    client: reqwest::Client,
}

/// What the listener shall do; the sender is told when it is done.
enum Command {
    Listen(Listening, oneshot::Sender<()>),
    CloseConnections(oneshot::Sender<()>),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Listening {
    Accept,
    Refuse,
    /// Connecting neither succeeds nor fails.
    Ignore,
}

impl Upstream {
    /// Starts it without a fault.
    pub(crate) async fn start() -> Self {
        let api = super::serve(api::router(super::sample().raw().to_vec())).await;
        let place = socket(([127, 0, 0, 1], 0).into());
        let address = place.local_addr().unwrap();
        let listener = socket(address).listen(1_024).unwrap();
        let shared = Arc::new(Shared {
            fault: watch::Sender::new(Fault::None),
            calls: watch::Sender::default(),
            api,
            client: super::client(),
        });
        let (commands, received) = mpsc::channel(1);
        let server = tokio::spawn(run(place, listener, Arc::clone(&shared), received));
        Self { address, shared, commands, server }
    }

    /// Its base address.
    pub(crate) fn base(&self) -> Url {
        format!("http://{}", self.address).parse().unwrap()
    }

    /// Its base address, but with TLS, which it does not speak.
    pub(crate) fn https_base(&self) -> Url {
        format!("https://{}", self.address).parse().unwrap()
    }

    /// Switches to a fault, or back to [`Fault::None`]. It holds for every request from now on,
    /// including those on open connections.
    pub(crate) async fn set(&self, fault: Fault) {
        let listening = match fault {
            Fault::RefuseConnections => Listening::Refuse,
            Fault::IgnoreConnections => Listening::Ignore,
            _ => Listening::Accept,
        };
        faults::prepare(&fault).await;
        self.shared.fault.send_replace(fault);
        let (done, is_done) = oneshot::channel();
        self.commands.send(Command::Listen(listening, done)).await.unwrap();
        is_done.await.unwrap();
    }

    /// Closes every open connection, as a service does with idle ones.
    pub(crate) async fn close_connections(&self) {
        let (done, is_done) = oneshot::channel();
        self.commands.send(Command::CloseConnections(done)).await.unwrap();
        is_done.await.unwrap();
    }

    /// The requests that have arrived so far, whether or not their answers were faulty.
    pub(crate) fn calls(&self) -> Vec<Call> {
        self.shared.calls.borrow().clone()
    }

    /// Waits until this many requests have arrived since the start.
    pub(crate) async fn wait_for_calls(&self, number: usize) {
        let mut calls = self.shared.calls.subscribe();
        finishes("a call", calls.wait_for(|calls| calls.len() >= number)).await.unwrap();
    }
}

impl Drop for Upstream {
    fn drop(&mut self) {
        self.server.abort();
    }
}

/// Accepts connections, or does not, as it is told. `place` keeps the port from other programs while nothing listens.
async fn run(
    place: TcpSocket,
    listener: TcpListener,
    shared: Arc<Shared>,
    mut commands: mpsc::Receiver<Command>,
) {
    let address = place.local_addr().unwrap();
    let mut listener = Some(listener);
    // Kept for its effect: a full queue.
    let mut _waiting = None;
    let mut listening = Listening::Accept;
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            Ok((stream, _)) = accept(listener.as_ref()), if listening == Listening::Accept => {
                connections.spawn(serve_connection(stream, Arc::clone(&shared)));
            }
            Some(_) = connections.join_next() => {}
            command = commands.recv() => match command {
                None => return,
                Some(Command::CloseConnections(done)) => {
                    connections.shutdown().await;
                    let _ = done.send(());
                }
                Some(Command::Listen(next, done)) => {
                    if next != listening {
                        connections.shutdown().await;
                        // One after the other, because two listeners would share the connections.
                        (listener, _waiting) = (None, None);
                        match next {
                            Listening::Accept => listener = Some(socket(address).listen(1_024).unwrap()),
                            Listening::Refuse => {}
                            Listening::Ignore => {
                                // The queue of connections to accept has one place, and is full.
                                listener = Some(socket(address).listen(0).unwrap());
                                _waiting = Some(TcpStream::connect(address).await.unwrap());
                            }
                        }
                        listening = next;
                    }
                    let _ = done.send(());
                }
            }
        }
    }
}

async fn accept(listener: Option<&TcpListener>) -> io::Result<(TcpStream, SocketAddr)> {
    match listener {
        Some(listener) => listener.accept().await,
        None => std::future::pending().await,
    }
}

/// A socket that may share its address with others of this kind. Only those that listen get connections.
fn socket(address: SocketAddr) -> TcpSocket {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_reuseaddr(true).unwrap();
    socket.set_reuseport(true).unwrap();
    socket.bind(address).unwrap();
    socket
}

/// Answers requests until the client leaves or a fault closes the connection.
async fn serve_connection(mut stream: TcpStream, shared: Arc<Shared>) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut answered = 0;
    while let Some(target) = read_request(&mut stream).await? {
        let mut number = 0;
        shared.calls.send_modify(|calls| {
            calls.push(Call { at: Instant::now(), target: target.clone() });
            number = calls.len();
        });
        let mut faults = shared.fault.subscribe();
        let is_decided = |fault: &Fault| !matches!(fault, Fault::Held);
        // An error means that the service is gone.
        let Ok(fault) = faults.wait_for(is_decided).await.map(|fault| fault.clone()) else { return Ok(()) };
        // Only calls for all details ask for a list of all products without `select`.
        let fault = match fault {
            Fault::HugeDetails if target.starts_with("/products?limit=") && !target.contains("select=") => {
                Fault::HugeAndHonest
            }
            fault => fault,
        };
        if matches!(fault, Fault::CloseKeptAlive) && answered > 0 {
            return Ok(());
        }
        let answer = match &fault {
            Fault::Fixed { status, body, .. } => Answer { status: *status, body: body.to_vec() },
            _ => answer_of_the_api(&shared, &target).await,
        };
        if !faults::send(&mut stream, &fault, answer, number).await? {
            return Ok(());
        }
        answered += 1;
    }
    Ok(())
}

/// The path and query of the next request, or none when the client is gone.
async fn read_request(stream: &mut TcpStream) -> io::Result<Option<String>> {
    let mut request = Vec::new();
    let mut piece = [0; 4_096];
    while !request.ends_with(b"\r\n\r\n") {
        let read = stream.read(&mut piece).await?;
        if read == 0 {
            return Ok(None);
        }
        request.extend_from_slice(&piece[..read]);
        if !request.starts_with(b"G") {
            // No request of the shop; the start of a TLS handshake, for example.
            stream.write_all(b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n").await?;
            return Ok(None);
        }
    }
    let request = String::from_utf8_lossy(&request);
    Ok(request.split(' ').nth(1).map(str::to_owned))
}

async fn answer_of_the_api(shared: &Shared, target: &str) -> Answer {
    let response = shared.client.get(format!("http://{}{target}", shared.api)).send().await.unwrap();
    Answer { status: response.status().as_u16(), body: response.bytes().await.unwrap().to_vec() }
}
