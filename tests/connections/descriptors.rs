//! The real process without descriptors left.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use crate::raw::{HANGS, last_get, statuses};

struct Process {
    child: Child,
    log: Receiver<String>,
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Starts the storefront with so few descriptors, through a shell that lowers the limit.
fn start(descriptors: u32) -> Process {
    let mut child = Command::new("sh")
        .args(["-c", &format!("ulimit -n {descriptors}; exec \"$0\" \"$@\"")])
        .arg(env!("CARGO_BIN_EXE_vitrine"))
        .args(["--listen", "127.0.0.1:0", "--log-format", "json", "--isolates", "1"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let (sender, log) = channel();
    std::thread::spawn(move || lines.map_while(Result::ok).try_for_each(|line| sender.send(line)));
    Process { child, log }
}

impl Process {
    /// Processor time so far, in hundredths of a second.
    fn ticks(&self) -> u64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap();
        // The name before them may contain anything, brackets included.
        let fields: Vec<_> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
        fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
    }

    fn wait_for_line(&self, text: &str) -> String {
        let deadline = Instant::now() + HANGS;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let line = self.log.recv_timeout(left).unwrap_or_else(|_| panic!("no {text:?} in the log"));
            if line.contains(text) {
                return line;
            }
        }
    }
}

fn status(address: SocketAddr) -> Vec<u16> {
    let mut client = TcpStream::connect(address).unwrap();
    client.set_read_timeout(Some(HANGS)).unwrap();
    client.write_all(last_get("/healthz").as_bytes()).unwrap();
    let mut answer = Vec::new();
    client.read_to_end(&mut answer).unwrap();
    statuses(&answer)
}

#[test]
fn accepting_pauses_without_descriptors_and_recovers_by_itself() {
    const SHORTAGE: &str = "connections cannot be accepted for now";
    let mut process = start(64);
    let line: serde_json::Value = serde_json::from_str(&process.wait_for_line("listening")).unwrap();
    let address: SocketAddr = line["fields"]["address"].as_str().unwrap().parse().unwrap();
    let crowd: Vec<_> = (0..100).map(|_| TcpStream::connect(address).unwrap()).collect();
    let line = process.wait_for_line(SHORTAGE);
    assert!(line.contains("os error 24"), "{line}");
    let before = process.ticks();
    std::thread::sleep(Duration::from_secs(1));
    assert!(process.ticks() - before < 20, "the process tries without a pause");
    drop(crowd);
    for _ in 0..100 {
        assert_eq!(status(address), [200]);
    }
    // The shortage was logged once, although accepting failed time and again.
    assert!(process.log.try_iter().all(|line| !line.contains(SHORTAGE)));
    let id = process.child.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    let asked = Instant::now();
    let ended = loop {
        if let Some(status) = process.child.try_wait().unwrap() {
            break status;
        }
        assert!(asked.elapsed() < HANGS, "the process does not end");
        std::thread::sleep(Duration::from_millis(10));
    };
    assert!(ended.success());
}
