//! A real server on a Unix socket. Replicas reach it through relays, so that it has no port that another
//! program could take while it restarts.

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use crate::common::program::signal;
use crate::common::until::blocking_until;

pub(crate) struct Redis {
    folder: TempDir,
    process: Child,
}

impl Drop for Redis {
    fn drop(&mut self) {
        self.kill();
    }
}

impl Redis {
    /// Starts it; `None`, with a line that says so, if it is not installed.
    pub(crate) fn start() -> Option<Self> {
        let is_there = Command::new("redis-server").arg("--version").stdout(Stdio::null()).status().is_ok();
        if !is_there {
            println!("skipped: redis-server is not installed (Debian: apt-get install redis-server)");
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let process = spawn(folder.path());
        Some(Self { folder, process })
    }

    pub(crate) fn socket(&self) -> PathBuf {
        socket(self.folder.path())
    }

    pub(crate) fn signal(&self, name: &str) {
        assert!(signal(self.process.id().into(), name));
    }

    pub(crate) fn kill(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }

    /// Restarts the server, without its data.
    pub(crate) fn restart(&mut self) {
        self.kill();
        self.process = spawn(self.folder.path());
    }

    /// How many bytes it has received and sent so far.
    pub(crate) fn traffic(&self) -> u64 {
        let script = "local sum = 0 for bytes in redis.call('INFO', 'stats'):gmatch('total_net_%a+_bytes:(%d+)') do \
            sum = sum + bytes end return sum";
        self.ask(&format!("EVAL \"{script}\" 0"))[1..].parse().unwrap()
    }

    /// The first line of the reply to a command.
    pub(crate) fn ask(&self, command: &str) -> String {
        ask(&self.socket(), command).unwrap()
    }
}

fn socket(folder: &Path) -> PathBuf {
    folder.join("redis.sock")
}

fn ask(socket: &Path, command: &str) -> std::io::Result<String> {
    let mut stream = UnixStream::connect(socket)?;
    write!(stream, "{command}\r\n")?;
    let mut line = String::new();
    BufReader::new(stream).read_line(&mut line)?;
    Ok(line.trim_end().to_owned())
}

fn spawn(folder: &Path) -> Child {
    let socket = socket(folder);
    let _ = std::fs::remove_file(&socket);
    let mut command = Command::new("redis-server");
    command.args(["--port", "0", "--save", "", "--appendonly", "no", "--daemonize", "no", "--dir"]);
    command.arg(folder).arg("--unixsocket").arg(&socket).stdout(Stdio::null());
    let process = command.spawn().unwrap();
    blocking_until("the server's answer", || ask(&socket, "PING").is_ok_and(|answer| answer == "+PONG"));
    process
}
