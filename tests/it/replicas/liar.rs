//! A server that lies in every way harms nothing.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use futures_util::FutureExt as _;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::sync::watch;

use super::fleet::Replica;
use super::relay::listen;
use crate::common::load::get;
use crate::common::until::blocking_until;
use crate::common::upstream::Upstream;

/// Its name, and what is answered to a command, if that is a lie. `PING` and `AUTH` are answered honestly.
type Lie = (&'static str, fn(&str) -> Option<Vec<u8>>);

/// One lie of each kind; the others are refused by the parsers below `host/share/`, and tested there.
const LIES: [Lie; 6] = [
    ("a hundred megabytes, announced and sent", |command| values(command, huge)),
    ("values with this program's head and nothing after it", damaged),
    ("versions that are none", |command| version(command, 1)),
    ("versions that are larger than the catalogue may be", |command| version(command, 32)),
    (REPEATED, |command| (command == "XREAD").then(order)),
    ("silence", |command| values(command, Vec::new)),
];

const REPEATED: &str = "the same orders without end";
const HUGE: usize = 100 << 20;
/// More than a process grows by itself, and less than the lie.
const GROWTH: u64 = 96 << 20;
/// Words of the only command whose answer may wait.
const WAITING: usize = 8;

/// Far more than 50 milliseconds, for a machine that is busy, and far less than any lie lasts.
const LONG: Duration = Duration::from_secs(10);

async fn serve(stream: TcpStream, lie: watch::Receiver<Lie>) -> std::io::Result<()> {
    let mut stream = BufReader::new(stream);
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).await? == 0 {
            return Ok(());
        }
        let words: usize = line.trim_end().trim_start_matches('*').parse().unwrap_or(0);
        let mut command = None;
        for _ in 0..words {
            line.clear();
            stream.read_line(&mut line).await?;
            let length: usize = line.trim_end().trim_start_matches('$').parse().unwrap_or(0);
            let mut word = vec![0; length + 2];
            stream.read_exact(&mut word).await?;
            command.get_or_insert_with(|| String::from_utf8_lossy(&word[..length]).into_owned());
        }
        let command = command.unwrap_or_default();
        let (name, lie) = *lie.borrow();
        let told = if matches!(&*command, "PING" | "AUTH") { None } else { lie(&command) };
        let answer = told.unwrap_or_else(|| honest(&command).to_vec());
        if words == WAITING && name != REPEATED {
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
        stream.get_mut().write_all(&answer).await?;
    }
}

/// Lies about values. If the answers about orders were lies too, nothing else would be asked.
fn values(command: &str, lie: impl Fn() -> Vec<u8>) -> Option<Vec<u8>> {
    (!["XLEN", "XADD", "PEXPIRE", "TIME", "XREAD", "XRANGE"].contains(&command)).then(lie)
}

fn damaged(command: &str) -> Option<Vec<u8>> {
    match command {
        "GETRANGE" | "GET" => Some([&b"$16\r\nvitrine1"[..], &60_000_u64.to_be_bytes(), b"\r\n"].concat()),
        "PTTL" => Some(b":59999\r\n".to_vec()),
        _ => None,
    }
}

/// A version of this many parts that has never been before, each of which unpacks to eight megabytes.
fn version(command: &str, parts: u32) -> Option<Vec<u8>> {
    static LAST: AtomicU32 = AtomicU32::new(0);
    let head = [&b"vitrine1"[..], &60_000_u64.to_be_bytes()].concat();
    let bytes = |value: Vec<u8>| [format!("${}\r\n", value.len()).as_bytes(), &value, b"\r\n"].concat();
    match command {
        "GETRANGE" => {
            let digest = [[0; 28].as_slice(), &LAST.fetch_add(1, Ordering::SeqCst).to_be_bytes()].concat();
            Some(bytes([&head[..], &digest, &parts.to_be_bytes(), &[0; 16]].concat()))
        }
        "GET" => Some(bytes([head, zstd::bulk::compress(&vec![0; 8 << 20], 1).unwrap()].concat())),
        "PTTL" => Some(b":59999\r\n".to_vec()),
        _ => None,
    }
}

fn huge() -> Vec<u8> {
    [format!("${HUGE}\r\n").as_bytes(), &vec![b'x'; HUGE], b"\r\n"].concat()
}

fn order() -> Vec<u8> {
    let fields = "*4\r\n$5\r\norder\r\n$5\r\nall=1\r\n$2\r\nid\r\n$16\r\n0000000000000001\r\n";
    format!("*1\r\n*2\r\n$1\r\nk\r\n*1\r\n*2\r\n$3\r\n5-1\r\n{fields}").into_bytes()
}

fn honest(command: &str) -> &'static [u8] {
    match command {
        "PING" => b"+PONG\r\n",
        "AUTH" | "SET" => b"+OK\r\n",
        "XLEN" => b":1\r\n",
        "XADD" => b"$3\r\n1-1\r\n",
        "TIME" => b"*2\r\n$1\r\n1\r\n$1\r\n1\r\n",
        "XREAD" | "XRANGE" => b"*0\r\n",
        _ => b":0\r\n",
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_lies_harms_nothing() {
    let upstream = Upstream::start().await;
    let (lie, lies) = watch::channel(LIES[0]);
    // An error means that the replica has closed the connection.
    let address = listen(move |stream| serve(stream, lies.clone()).map(drop)).await;
    let url = format!("redis://:s3cret@{address}");
    let further = ["--fresh", "1", "--render-ahead", "off", "--mirror", "1000"];
    let mut replica = Replica::start(upstream.base().as_ref(), Some(&url), &further);
    let trouble = |replica: &Replica| {
        let count = |result| replica.metric("vitrine_share_operations_total", result);
        count("failed") + count("unusable") + count("skipped")
    };
    let memory = |replica: &Replica| replica.program().memory("RssAnon");
    get(replica.address(), "/product/1").unwrap();
    let before = memory(&replica);
    for (told, answers) in LIES {
        lie.send_replace((told, answers));
        let so_far = trouble(&replica);
        blocking_until("trouble", || {
            let asked = Instant::now();
            assert_eq!(get(replica.address(), "/product/1"), Ok(()), "{told}");
            assert!(asked.elapsed() < LONG, "{told}");
            trouble(&replica) > so_far
        });
        let grown = memory(&replica).saturating_sub(before);
        assert!(grown < GROWTH, "{told}: {grown} bytes");
        // A start meets the same lies.
        replica.kill();
        replica.restart();
        assert_eq!(get(replica.address(), "/product/1"), Ok(()), "{told}");
        blocking_until("trouble", || trouble(&replica) > 0);
        let status = replica.operator("GET /status");
        assert!(status.contains(&address.to_string()) && !status.contains("s3cret"), "{told}");
        for line in replica.program().log() {
            assert!(!line.to_string().contains("s3cret"), "{line}");
        }
    }
}
