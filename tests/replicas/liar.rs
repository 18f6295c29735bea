//! A server that lies in every way harms nothing.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use super::fleet::Replica;
use crate::common::load::get;
use crate::common::until::blocking_until;
use crate::common::upstream::Upstream;

/// What is answered to everything but `PING`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lie {
    Garbage,
    WrongTypes,
    /// A hundred megabytes, announced and sent.
    Huge,
    /// Arrays in arrays, deeper than any stack.
    Nested,
    /// Values that claim to last for longer than anything is stored for.
    Future,
    /// Values with this program's head and nothing after it.
    Damaged,
    /// The same orders without end.
    Repeated,
    NestedOrders,
    Silence,
}

const LIES: [Lie; 9] = [
    Lie::Garbage,
    Lie::WrongTypes,
    Lie::Huge,
    Lie::Nested,
    Lie::Future,
    Lie::Damaged,
    Lie::Repeated,
    Lie::NestedOrders,
    Lie::Silence,
];

const HUGE: usize = 100 << 20;
/// More than a process grows by itself, and less than the lie.
const GROWTH: u64 = 96 << 20;
/// Words of the only command whose answer may wait.
const WAITING: usize = 8;

/// Far more than 50 milliseconds, for a machine that is busy, and far less than any lie lasts.
const LONG: Duration = Duration::from_secs(10);

async fn start_liar() -> (SocketAddr, watch::Sender<Lie>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (sender, lie) = watch::channel(Lie::Garbage);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            // An error means that the replica has closed the connection.
            tokio::spawn(serve(stream, lie.clone()));
        }
    });
    (address, sender)
}

async fn serve(stream: TcpStream, lie: watch::Receiver<Lie>) -> std::io::Result<()> {
    let mut stream = BufReader::new(stream);
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).await? == 0 {
            return Ok(());
        }
        let words: usize = line.trim_end().trim_start_matches('*').parse().unwrap_or(0);
        let mut command = String::new();
        for number in 0..words {
            line.clear();
            stream.read_line(&mut line).await?;
            let length: usize = line.trim_end().trim_start_matches('$').parse().unwrap_or(0);
            let mut word = vec![0; length + 2];
            stream.read_exact(&mut word).await?;
            if number == 0 {
                command = String::from_utf8_lossy(&word[..length]).into_owned();
            }
        }
        let lie = *lie.borrow();
        let answer = match command.as_str() {
            "PING" => b"+PONG\r\n".to_vec(),
            "AUTH" => b"+OK\r\n".to_vec(),
            _ => answer(lie, &command),
        };
        if words == WAITING && lie != Lie::Repeated {
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
        stream.get_mut().write_all(&answer).await?;
    }
}

fn answer(lie: Lie, command: &str) -> Vec<u8> {
    // If these answers were lies, nothing else would be asked.
    let is_about_orders = matches!(command, "XLEN" | "XADD" | "PEXPIRE" | "TIME" | "XREAD" | "XRANGE");
    let of_an_honest_server = || match command {
        "XLEN" => b":1\r\n".to_vec(),
        "XADD" => b"$3\r\n1-1\r\n".to_vec(),
        "TIME" => b"*2\r\n$1\r\n1\r\n$1\r\n1\r\n".to_vec(),
        "XREAD" | "XRANGE" => b"*0\r\n".to_vec(),
        "SET" => b"+OK\r\n".to_vec(),
        _ => b":0\r\n".to_vec(),
    };
    let head = [&b"$16\r\nvitrine1"[..], &60_000_u64.to_be_bytes(), b"\r\n"].concat();
    match (lie, command) {
        (Lie::NestedOrders, "XREAD") => "*1\r\n".repeat(1 << 20).into_bytes(),
        (Lie::Repeated, "XREAD") => {
            let fields = "*4\r\n$5\r\norder\r\n$5\r\nall=1\r\n$2\r\nid\r\n$16\r\n0000000000000001\r\n";
            format!("*1\r\n*2\r\n$1\r\nk\r\n*1\r\n*2\r\n$3\r\n5-1\r\n{fields}").into_bytes()
        }
        _ if is_about_orders => of_an_honest_server(),
        (Lie::Garbage, _) => b"HTTP/1.1 400 Bad Request\r\n\r\n".to_vec(),
        (Lie::WrongTypes, _) => b":42\r\n".to_vec(),
        (Lie::Huge, _) => [format!("${HUGE}\r\n").as_bytes(), &vec![b'x'; HUGE], b"\r\n"].concat(),
        (Lie::Nested, _) => "*1\r\n".repeat(1 << 20).into_bytes(),
        (Lie::Future | Lie::Damaged, "GETRANGE" | "GET") => head,
        (Lie::Future, "PTTL") => b":9000000000000\r\n".to_vec(),
        (Lie::Damaged, "PTTL") => b":59999\r\n".to_vec(),
        (Lie::Silence, _) => Vec::new(),
        _ => of_an_honest_server(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_lies_harms_nothing() {
    let upstream = Upstream::start().await;
    let (address, lie) = start_liar().await;
    let url = format!("redis://:s3cret@{address}");
    let further = ["--fresh", "1", "--mirror", "off", "--render-ahead", "off"];
    let mut replica = Replica::start(upstream.base().as_ref(), Some(&url), &further);
    let trouble = |replica: &Replica| {
        let count = |result| replica.metric("vitrine_share_operations_total", result);
        count("failed") + count("unusable") + count("skipped")
    };
    let memory = |replica: &Replica| replica.program().memory("RssAnon");
    get(replica.address(), "/product/1").unwrap();
    let before = memory(&replica);
    for told in LIES {
        lie.send_replace(told);
        let so_far = trouble(&replica);
        blocking_until("trouble", || {
            let asked = Instant::now();
            assert_eq!(get(replica.address(), "/product/1"), Ok(()), "{told:?}");
            assert!(asked.elapsed() < LONG, "{told:?}");
            trouble(&replica) >= so_far + 2
        });
        let grown = memory(&replica).saturating_sub(before);
        assert!(grown < GROWTH, "{told:?}: {grown} bytes");
        // A start meets the same lies.
        replica.kill();
        replica.restart();
        assert_eq!(get(replica.address(), "/product/1"), Ok(()), "{told:?}");
        let status = replica.operator("GET /status");
        assert!(status.contains(&address.to_string()) && !status.contains("s3cret"), "{told:?}");
        for line in replica.program().log() {
            assert!(!line.to_string().contains("s3cret"), "{line}");
        }
    }
}
