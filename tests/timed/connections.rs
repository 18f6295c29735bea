//! How long connections may take, and how long the others wait meanwhile.

use std::net::TcpStream as BlockingStream;
use std::process::Command;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpSocket;
use vitrine::http::connections::ConnectionLimits;

use crate::TURN;
use crate::common::program::{Program, vitrine};
use crate::common::raw::{Raw, get, good_request, statuses};
use crate::common::small_server::{Server, generous, shop};
use crate::framing_cases::try_all;

#[tokio::test(flavor = "multi_thread")]
async fn every_shape_of_bytes_is_done_with_soon() {
    let _turn = TURN.lock().await;
    let short = Duration::from_millis(300);
    let limits = ConnectionLimits { head: short, idle: short, linger: short, ..generous() };
    let (address, _connections) = shop(limits).await;
    let longest = try_all(address, 32).await;
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
    let mut bad = Vec::new();
    for _ in 0..100 {
        bad.push(Raw::connect(server.address).await);
        bad.push(Raw::connect_and_send(server.address, "GET / HTTP/1.1\r\nho").await);
        bad.push(Raw::connect_and_send(server.address, get("/large")).await);
        bad.push(Raw::connect_and_send(server.address, get("/slow")).await);
    }
    server.gate.arrived(100).await;
    let started = Instant::now();
    for _ in 0..20 {
        assert_eq!(statuses(good_request(server.address, "/").await.as_bytes()), [200]);
    }
    assert!(started.elapsed() < Duration::from_secs(2), "{:?}", started.elapsed());
}

#[tokio::test]
async fn without_descriptors_accepting_takes_hardly_any_processor_time() {
    const SHORTAGE: &str = "connections cannot be accepted for now";
    let _turn = TURN.lock().await;
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -n 64; exec \"$0\" \"$@\""]);
    // What is rendered ahead takes processor time on purpose.
    command.arg(vitrine().get_program()).args(["--isolates", "1", "--render-ahead", "off"]);
    let program = Program::spawn(&mut command);
    let _crowd: Vec<_> = (0..100).map(|_| BlockingStream::connect(program.address).unwrap()).collect();
    program.logged(SHORTAGE);
    let before = program.ticks();
    std::thread::sleep(Duration::from_secs(1));
    assert!(program.ticks() - before < 20, "the process tries without a pause");
    // The shortage was logged once, although accepting failed time and again.
    assert!(program.log().all(|entry| entry["fields"]["message"] != SHORTAGE));
}
