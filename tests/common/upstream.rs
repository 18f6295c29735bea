//! A catalogue service that fails on demand: what its faults do to an answer is in `faults.rs`. It serves the sample
//! catalogue's API on a free port of the loopback interface, over a small HTTP server of its own, because an ordinary one
//! does not break off in the middle of a body.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::Request;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::{Mutex, oneshot, watch};
use tokio::task::{JoinHandle, JoinSet};
use tower::ServiceExt as _;
use url::Url;
use vitrine::catalogue::ServiceLimits;
use vitrine::catalogue::sample::api;

use super::faults::{self, Fault};

/// A handle on the running service, which ends when it is dropped.
pub(crate) struct Upstream {
    address: SocketAddr,
    /// Keeps the port from other programs while nothing listens.
    _place: TcpSocket,
    shared: Arc<Shared>,
    serving: Mutex<Serving>,
}

/// What listens now. It ends when it is told to, or when this is dropped.
struct Serving {
    listening: Listening,
    end: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

/// How long the program itself waits for the first byte of an answer.
pub(crate) const CALL_LIMIT: Duration = ServiceLimits::DEFAULT.visitor.first_byte;

/// One request that arrived.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) at: Instant,
    /// Path and query.
    pub(crate) target: String,
}

struct Shared {
    fault: watch::Sender<Fault>,
    calls: parking_lot::Mutex<Vec<Call>>,
    /// The real API.
    api: Router,
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
        let place = socket(([127, 0, 0, 1], 0).into());
        let address = place.local_addr().unwrap();
        let shared = Arc::new(Shared {
            fault: watch::Sender::new(Fault::None),
            calls: parking_lot::Mutex::default(),
            api: api::router(super::sample().raw().to_vec()),
        });
        let serving = Mutex::new(Serving::start(address, Listening::Accept, &shared).await);
        Self { address, _place: place, shared, serving }
    }

    /// Its base address.
    pub(crate) fn base(&self) -> Url {
        format!("http://{}", self.address).parse().unwrap()
    }

    /// Switches to a fault, or back to [`Fault::None`]. It holds for every request from now on,
    /// including those on open connections.
    pub(crate) async fn set(&self, fault: Fault) {
        let listening = match fault {
            Fault::RefuseConnections => Listening::Refuse,
            Fault::IgnoreConnections => Listening::Ignore,
            _ => Listening::Accept,
        };
        self.shared.fault.send_replace(fault);
        let mut serving = self.serving.lock().await;
        if serving.listening != listening {
            self.restart(&mut serving, listening).await;
        }
    }

    /// Closes every open connection, as a service does with idle ones.
    pub(crate) async fn close_connections(&self) {
        let mut serving = self.serving.lock().await;
        self.restart(&mut serving, Listening::Accept).await;
    }

    async fn restart(&self, serving: &mut Serving, listening: Listening) {
        // One after the other, because two listeners would share the connections.
        std::mem::replace(&mut serving.end, oneshot::channel().0).send(()).unwrap();
        (&mut serving.task).await.unwrap();
        *serving = Serving::start(self.address, listening, &self.shared).await;
    }

    /// The requests that have arrived so far, whether or not their answers were faulty.
    pub(crate) fn calls(&self) -> Vec<Call> {
        self.shared.calls.lock().clone()
    }
}

impl Serving {
    async fn start(address: SocketAddr, listening: Listening, shared: &Arc<Shared>) -> Self {
        let listen = |queue| socket(address).listen(queue).unwrap();
        let (end, ended) = oneshot::channel();
        let task = match listening {
            Listening::Accept => tokio::spawn(serve(listen(1_024), Arc::clone(shared), ended)),
            Listening::Refuse => tokio::spawn(async { _ = ended.await }),
            Listening::Ignore => {
                // The queue of connections to accept has one place, and is full.
                let full = (listen(0), TcpStream::connect(address).await.unwrap());
                tokio::spawn(async {
                    let _full = full;
                    _ = ended.await;
                })
            }
        };
        Self { listening, end, task }
    }
}

/// Accepts connections until it is told to end. Then every one of them is closed.
async fn serve(listener: TcpListener, shared: Arc<Shared>, mut ended: oneshot::Receiver<()>) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            Ok((stream, _)) = listener.accept() => {
                connections.spawn(serve_connection(stream, Arc::clone(&shared)));
            }
            Some(_) = connections.join_next() => {}
            _ = &mut ended => break,
        }
    }
    connections.shutdown().await;
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
        let number = {
            let mut calls = shared.calls.lock();
            calls.push(Call { at: Instant::now(), target: target.clone() });
            calls.len()
        };
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
            Fault::Fixed { status, body, .. } => (*status, body.to_vec()),
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

async fn answer_of_the_api(shared: &Shared, target: &str) -> (u16, Vec<u8>) {
    let request = Request::get(target).body(Body::empty()).unwrap();
    let response = shared.api.clone().oneshot(request).await.unwrap();
    let status = response.status().as_u16();
    (status, to_bytes(response.into_body(), usize::MAX).await.unwrap().to_vec())
}
