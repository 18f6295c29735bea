//! A real server on a Unix socket. Replicas reach it through relays, so that it has no port that another
//! program could take while it restarts.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use crate::common::program::signal;
use crate::common::until::blocking_until;

pub(crate) struct Redis {
    folder: TempDir,
    process: Child,
    settings: &'static [&'static str],
}

impl Drop for Redis {
    fn drop(&mut self) {
        self.kill();
    }
}

impl Redis {
    /// Starts it; `None`, with a line that says so, if it is not installed.
    pub(crate) fn start() -> Option<Self> {
        Self::with(&[])
    }

    /// Starts a server with further settings.
    pub(crate) fn with(settings: &'static [&'static str]) -> Option<Self> {
        let is_there = Command::new("redis-server").arg("--version").stdout(Stdio::null()).status().is_ok();
        if !is_there {
            println!("skipped: redis-server is not installed (Debian: apt-get install redis-server)");
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let process = spawn(folder.path(), settings);
        Some(Self { folder, process, settings })
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
        self.process = spawn(self.folder.path(), self.settings);
    }

    /// How many bytes it has received and sent so far.
    pub(crate) fn traffic(&self) -> u64 {
        let mut stream = UnixStream::connect(self.socket()).unwrap();
        write!(stream, "INFO stats\r\nQUIT\r\n").unwrap();
        let numbers = BufReader::new(stream).lines().map_while(Result::ok).filter_map(|line| {
            let (name, number) = line.trim_end().split_once(':')?;
            ["total_net_input_bytes", "total_net_output_bytes"]
                .contains(&name)
                .then(|| number.parse::<u64>().unwrap())
        });
        numbers.sum::<u64>()
    }

    /// The value under the only key of this pattern, if there is one.
    pub(crate) fn value(&self, pattern: &str) -> Option<Vec<u8>> {
        let key = self.bulk(&["KEYS", pattern].map(str::as_bytes), 2)?;
        self.bulk(&[b"GET", &key], 1)
    }

    /// The text of a reply after this many lines with lengths.
    fn bulk(&self, command: &[&[u8]], lengths: usize) -> Option<Vec<u8>> {
        let mut stream = UnixStream::connect(self.socket()).unwrap();
        write!(stream, "*{}\r\n", command.len()).unwrap();
        for part in command {
            write!(stream, "${}\r\n", part.len()).unwrap();
            stream.write_all(part).unwrap();
            stream.write_all(b"\r\n").unwrap();
        }
        let mut reply = BufReader::new(stream);
        let mut length = 0;
        for _ in 0..lengths {
            let mut line = String::new();
            reply.read_line(&mut line).unwrap();
            length = line.trim_end()[1..].parse().ok().filter(|length| *length > 0)?;
        }
        let mut text = vec![0; length];
        reply.read_exact(&mut text).unwrap();
        Some(text)
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

fn spawn(folder: &Path, settings: &[&str]) -> Child {
    let socket = socket(folder);
    let _ = std::fs::remove_file(&socket);
    let mut command = Command::new("redis-server");
    command.args(["--port", "0", "--save", "", "--appendonly", "no", "--daemonize", "no", "--dir"]);
    command.arg(folder).args(settings).arg("--unixsocket").arg(&socket).stdout(Stdio::null());
    let process = command.spawn().unwrap();
    blocking_until("the server's answer", || ask(&socket, "PING").is_ok_and(|answer| answer == "+PONG"));
    process
}
