//! The real program, started on a free port.

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};

use anyhow::{Context as _, Result};

/// A process of ours, stopped at the latest when it is dropped.
pub struct Running {
    pub process: Child,
    pub address: SocketAddr,
}

impl Running {
    pub fn start(arguments: &[&str]) -> Result<Self> {
        let mut process = Command::new(env!("CARGO_BIN_EXE_vitrine"))
            .args(arguments)
            .args(["--listen", "127.0.0.1:0", "--log-format", "json"])
            .env("VITRINE_LOG", "info,vitrine::request_log=off")
            .stderr(Stdio::piped())
            .spawn()?;
        let mut log = BufReader::new(process.stderr.take().context("no log")?).lines();
        let address = loop {
            let line = log.next().context("it ended while it started")??;
            let entry: serde_json::Value = serde_json::from_str(&line)?;
            if let Some(address) = entry["fields"]["address"].as_str() {
                break address.parse()?;
            }
        };
        // Somebody has to read on, or a full pipe would stop the process.
        std::thread::spawn(move || {
            for line in log.map_while(Result::ok).filter(|line| line.contains("\"ERROR\"")) {
                eprintln!("{line}");
            }
        });
        Ok(Self { process, address })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
