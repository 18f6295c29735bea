//! Floods of connections: those that are reset before they are answered, and those that are held.

use std::io;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::Result;
use futures_util::future::join_all;
use socket2::SockRef;
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;
use tokio::time::sleep_until;

use super::requests::pipeline;
use super::{PAGE, Tally};

/// New connections a second.
const RESETS: u64 = 1_800;
/// Requests on each of them.
const PIPELINED: u64 = 20;
/// Connections that are held at the same time.
const HELD: usize = 1_000;
/// The time between two bytes of a slow sender.
const BYTE: Duration = Duration::from_secs(1);
const TICK: Duration = Duration::from_millis(10);

/// Connections that send requests for listings in a row, and are reset at once.
pub(super) async fn pipelined_and_reset(shop: SocketAddr, end: Instant) -> Result<Tally> {
    let (started, mut made) = (Instant::now(), 0);
    let mut connections = JoinSet::new();
    let mut clock = tokio::time::interval(TICK);
    while Instant::now() < end {
        clock.tick().await;
        while made < (started.elapsed().as_secs_f64() * RESETS as f64) as u64 {
            connections.spawn(reset(shop, pipeline(made * PIPELINED, PIPELINED)));
            made += 1;
        }
        while connections.try_join_next().is_some() {}
    }
    Ok(Tally::per_second(made, "connections", 0))
}

async fn reset(shop: SocketAddr, requests: Vec<u8>) -> io::Result<()> {
    let mut stream = TcpStream::connect(shop).await?;
    stream.write_all(&requests).await?;
    // The shop has begun by then.
    tokio::time::sleep(TICK).await;
    SockRef::from(&stream).set_linger(Some(Duration::ZERO))
}

/// Connections that ask for a page time and again, and read nothing.
pub(super) async fn slow_readers(shop: SocketAddr, end: Instant) -> Result<Tally> {
    let request = super::client::get("/products", "").repeat(50);
    hold(end, async || {
        let socket = TcpSocket::new_v4()?;
        socket.set_recv_buffer_size(4 << 10)?;
        let mut stream = socket.connect(shop).await?;
        stream.write_all(&request).await?;
        sleep_until(end.into()).await;
        Ok(())
    })
    .await
}

/// Connections that send a byte a second of a head that never ends.
pub(super) async fn slow_senders(shop: SocketAddr, end: Instant) -> Result<Tally> {
    hold(end, async || {
        let mut stream = TcpStream::connect(shop).await?;
        stream.write_all(format!("GET {PAGE} HTTP/1.1\r\nx: ").as_bytes()).await?;
        while Instant::now() < end {
            stream.write_all(b"x").await?;
            tokio::time::sleep(BYTE).await;
        }
        Ok(())
    })
    .await
}

/// Holds connections, each of which is replaced when the shop ends it.
async fn hold(end: Instant, connection: impl AsyncFn() -> io::Result<()>) -> Result<Tally> {
    let holders = (0..HELD).map(|_| async {
        while Instant::now() < end {
            // An error means that the shop has ended the connection.
            if connection().await.is_err() {
                tokio::time::sleep(TICK).await;
            }
        }
    });
    join_all(holders).await;
    Ok(Tally::held(HELD))
}
