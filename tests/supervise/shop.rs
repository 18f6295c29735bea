//! A started storefront, its log and its signals.

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use serde_json::Value;

/// How long anything may take before a test gives up on it.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A new worker has no page yet, and the one isolate must not be what fails.
pub const ARGUMENTS: [&str; 8] =
    ["--listen", "127.0.0.1:0", "--log-format", "json", "--isolates", "1", "--render-timeout", "10000"];

pub fn vitrine() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_vitrine"));
    command.args(ARGUMENTS).stderr(Stdio::piped());
    command
}

/// A started storefront and what it logs; killed at the latest when the test ends.
pub struct Shop {
    process: Child,
    /// Ends when no process of the shop is left.
    pub log: mpsc::Receiver<Value>,
    pub address: SocketAddr,
}

impl Drop for Shop {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Shop {
    pub fn start(command: &mut Command) -> Self {
        let mut process = command.spawn().unwrap();
        let lines = BufReader::new(process.stderr.take().unwrap()).lines();
        let (sender, log) = mpsc::channel();
        std::thread::spawn(move || {
            for line in lines {
                // What is no JSON is a message of the end, which no test waits for.
                let _ = serde_json::from_str(&line.unwrap()).map(|entry| sender.send(entry));
            }
        });
        let mut shop = Self { process, log, address: ([0; 4], 0).into() };
        shop.address = shop.logged("listening")["address"].as_str().unwrap().parse().unwrap();
        shop
    }

    /// A storefront with its first worker's process id.
    pub fn supervised(arguments: &[&str]) -> (Self, u64) {
        let shop = Self::start(vitrine().arg("--supervise").args(arguments));
        let worker = shop.ready();
        (shop, worker)
    }

    /// The fields of the next line with this message.
    pub fn logged(&self, message: &str) -> Value {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let mut entry = self.log.recv_timeout(left).unwrap_or_else(|error| panic!("{message}: {error}"));
            if entry["fields"]["message"] == message {
                return entry["fields"].take();
            }
        }
    }

    /// The process id of the worker that becomes ready next.
    pub fn ready(&self) -> u64 {
        self.logged("worker ready")["pid"].as_u64().unwrap()
    }

    pub fn signal(&self, name: &str) {
        assert!(signal(self.process.id().into(), name));
    }

    pub fn exit_status(&mut self) -> ExitStatus {
        let waited = Instant::now();
        loop {
            match self.process.try_wait().unwrap() {
                Some(status) => return status,
                None => assert!(waited.elapsed() < PATIENCE, "the storefront does not end"),
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Returns when no process of the shop is left.
    pub fn is_gone(&self) {
        let deadline = Instant::now() + PATIENCE;
        while let Err(mpsc::RecvTimeoutError::Timeout) | Ok(_) =
            self.log.recv_timeout(Duration::from_millis(50))
        {
            assert!(Instant::now() < deadline, "a worker does not end");
        }
    }
}

pub fn signal(process: u64, name: &str) -> bool {
    let mut kill = Command::new("kill");
    kill.args([format!("-{name}"), process.to_string()]).stderr(Stdio::null()).status().unwrap().success()
}
