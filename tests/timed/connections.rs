//! How long connections may take, and how long the others wait meanwhile.

use std::net::TcpStream as BlockingStream;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpSocket;
use vitrine::http::connections::{ConnectionLimits, Connections};

use crate::TURN;
use crate::common::program::Program;
use crate::common::raw::{get, good_request, statuses};
use crate::common::small_server::{Server, generous, shop};
use crate::framing_cases::try_all;

#[tokio::test(flavor = "multi_thread")]
async fn every_shape_of_bytes_is_done_with_soon() {
    let _turn = TURN.lock().await;
    let short = Duration::from_millis(300);
    let limits = ConnectionLimits { head: short, idle: short, linger: short, ..generous() };
    let longest = try_all(shop(&Connections::new(limits)).await, 32).await;
    assert!(longest < Duration::from_secs(5), "{longest:?}");
}

#[tokio::test]
async fn a_client_that_reads_slowly_but_steadily_is_served() {
    let _turn = TURN.lock().await;
    let stall = Duration::from_secs(1);
    let server = Server::start(ConnectionLimits { stall, ..generous() }).await;
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(128 << 10).unwrap();
    let mut stream = socket.connect(server.address).await.unwrap();
    stream.write_all(get("/large").as_bytes()).await.unwrap();
    // Half a megabyte a second: with the kernel's own buffer there would be progress every third second.
    let mut space = vec![0; 64 << 10];
    let started = Instant::now();
    while started.elapsed() < stall * 4 {
        stream.read_exact(&mut space).await.expect("cut off");
        tokio::time::sleep(Duration::from_millis(120)).await;
    }
    assert_eq!(server.counters().write_timeouts.get(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn good_clients_do_not_notice_bad_ones() {
    let _turn = TURN.lock().await;
    let server = Server::start(generous()).await;
    let _bad = server.bad_clients().await;
    let started = Instant::now();
    for _ in 0..20 {
        assert_eq!(statuses(good_request(server.address, "/").await.as_bytes()), [200]);
    }
    assert!(started.elapsed() < Duration::from_secs(2), "{:?}", started.elapsed());
}

#[tokio::test]
async fn without_descriptors_accepting_takes_hardly_any_processor_time() {
    let _turn = TURN.lock().await;
    // What is rendered ahead takes processor time on purpose.
    let program = Program::with_descriptors(64, &["--render-ahead", "off"]);
    let _crowd: Vec<_> = (0..100).map(|_| BlockingStream::connect(program.address).unwrap()).collect();
    program.logged("connections cannot be accepted for now");
    let before = program.ticks();
    std::thread::sleep(Duration::from_secs(1));
    assert!(program.ticks() - before < 20, "the process tries without a pause");
}
