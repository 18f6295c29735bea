//! The real program as a process: its log, its signals and its end.

use std::ffi::OsStr;
use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use super::until::{HANGS, blocking_until};

/// Flags for one isolate with much time for a render, which other tests slow down: a program that has just begun has no
/// older page to answer with.
pub(crate) const PATIENT: [&str; 4] = ["--isolates", "1", "--render-timeout", "10000"];

/// Variables that a service manager that runs the tests may have set for itself.
const OF_THE_SERVICE_MANAGER: [&str; 6] =
    ["LISTEN_FDNAMES", "LISTEN_FDS", "LISTEN_PID", "NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC"];

/// The program, still without arguments.
pub(crate) fn vitrine() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_vitrine"));
    for name in OF_THE_SERVICE_MANAGER {
        command.env_remove(name);
    }
    command
}

/// The exit code of `check` with these flags, and what it says.
pub(crate) fn check(flags: impl IntoIterator<Item: AsRef<OsStr>>) -> (Option<i32>, String) {
    let mut command = vitrine();
    command.args(["check", "--listen", "127.0.0.1:0"]).args(PATIENT).args(flags);
    let Output { status, stdout, stderr } = command.output().unwrap();
    (status.code(), String::from_utf8_lossy(&[stdout, stderr].concat()).into_owned())
}

/// As [`check`], of the products in a file.
pub(crate) fn check_file(file: &Path, flags: &[&str]) -> (Option<i32>, String) {
    check([&["--catalogue", &format!("file:{}", file.display())], flags].concat())
}

/// A file with this content, in a folder of its own that lasts as long as what is returned first.
pub(crate) fn file_with(name: &str, content: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(name);
    std::fs::write(&file, content).unwrap();
    (folder, file)
}

/// A started program and what it logs; killed at the latest when it is dropped.
pub(crate) struct Program {
    process: Child,
    /// Ends when no process that writes to it is left.
    log: mpsc::Receiver<Value>,
    pub(crate) address: SocketAddr,
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Program {
    /// Starts it on a free port.
    pub(crate) fn start(arguments: &[&str]) -> Self {
        Self::spawn(vitrine().args(arguments))
    }

    /// Starts it on a free port, without a log line for each request.
    pub(crate) fn quiet(arguments: &[&str]) -> Self {
        Self::spawn(vitrine().args(arguments).env("VITRINE_LOG", "info,vitrine::request_log=off"))
    }

    /// A shop of the products in a file.
    pub(crate) fn of_file(file: &Path, flags: &[&str]) -> Self {
        let catalogue = format!("file:{}", file.display());
        Self::quiet(&[&["--catalogue", &catalogue, "--isolates", "1"], flags].concat())
    }

    /// A storefront under a supervisor, and its first worker's process id.
    pub(crate) fn supervised(arguments: &[&str]) -> (Self, u64) {
        let program = Self::spawn(vitrine().arg("--supervise").args(PATIENT).args(arguments));
        let worker = program.ready();
        (program, worker)
    }

    /// A storefront with this limit of descriptors, which a shell lowers.
    pub(crate) fn with_descriptors(descriptors: u32, arguments: &[&str]) -> Self {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("ulimit -n {descriptors}; exec \"$0\" \"$@\"")]);
        Self::spawn(shell.arg(vitrine().get_program()).args(["--isolates", "1"]).args(arguments))
    }

    /// Starts a command that is or becomes the program, on a free port and with a log that can be read here.
    pub(crate) fn spawn(command: &mut Command) -> Self {
        command.args(["--listen", "127.0.0.1:0", "--log-format", "json"]);
        // See `PATIENT`. Flags take precedence.
        command.env("VITRINE_RENDER_TIMEOUT", "10000");
        let mut process = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(process.stderr.take().unwrap()).lines();
        let (sender, log) = mpsc::channel();
        // Read to the end, because a full pipe would stop the process.
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                match serde_json::from_str::<Value>(&line) {
                    Ok(entry) => {
                        if entry["level"] == "ERROR" {
                            eprintln!("{line}");
                        }
                        // An error means that the program has been dropped.
                        let _ = sender.send(entry);
                    }
                    // The message that a program ends with.
                    Err(_) => eprintln!("{line}"),
                }
            }
        });
        let mut program = Self { process, log, address: ([0; 4], 0).into() };
        program.address = program.logged("listening")["address"].as_str().unwrap().parse().unwrap();
        program
    }

    pub(crate) fn id(&self) -> u32 {
        self.process.id()
    }

    /// The fields of the next line with this message.
    pub(crate) fn logged(&self, message: &str) -> Value {
        self.logged_within(message, HANGS)
            .unwrap_or_else(|| panic!("waited in vain for the line {message:?}"))
    }

    /// The fields of the next line with this message, if it comes within this time.
    pub(crate) fn logged_within(&self, message: &str, time: Duration) -> Option<Value> {
        let deadline = Instant::now() + time;
        loop {
            match self.next_entry(deadline.saturating_duration_since(Instant::now())) {
                Some(fields) if fields["message"] == message => return Some(fields),
                Some(_) => {}
                None => return None,
            }
        }
    }

    /// The fields of the next line, if it comes within this time.
    pub(crate) fn next_entry(&self, time: Duration) -> Option<Value> {
        match self.log.recv_timeout(time) {
            Ok(mut entry) => Some(entry["fields"].take()),
            Err(mpsc::RecvTimeoutError::Timeout) => None,
            Err(mpsc::RecvTimeoutError::Disconnected) => panic!("the program ended before this line"),
        }
    }

    /// The lines that nothing has waited for yet.
    pub(crate) fn log(&self) -> impl Iterator<Item = Value> {
        self.log.try_iter()
    }

    /// Waits for the end of every process, workers included. Returns the lines that nothing has waited for yet.
    pub(crate) fn wait_until_gone(&self) -> Vec<Value> {
        let mut lines = Vec::new();
        blocking_until("the end of every process", || {
            lines.extend(self.log());
            matches!(self.log.try_recv(), Err(mpsc::TryRecvError::Disconnected))
        });
        lines
    }

    /// The process id of the worker that becomes ready next.
    pub(crate) fn ready(&self) -> u64 {
        self.logged("worker ready")["pid"].as_u64().unwrap()
    }

    pub(crate) fn signal(&self, name: &str) {
        assert!(signal(self.id().into(), name));
    }

    /// The exit status, if the program has ended.
    pub(crate) fn try_exit_status(&mut self) -> Option<ExitStatus> {
        self.process.try_wait().unwrap()
    }

    /// Waits for the end of the program.
    pub(crate) fn exit_status(&mut self) -> ExitStatus {
        let mut status = None;
        blocking_until("the end of the program", || {
            status = self.try_exit_status();
            status.is_some()
        });
        status.unwrap()
    }

    /// A figure of the process's memory in bytes, such as `RssAnon`.
    pub(crate) fn memory(&self, figure: &str) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix(figure)?.strip_prefix(':')).unwrap();
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() << 10
    }

    /// Processor time so far, in hundredths of a second.
    pub(crate) fn ticks(&self) -> u64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.id())).unwrap();
        // The name before them may contain anything, brackets included.
        let fields: Vec<_> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
        fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
    }
}

/// Sends a signal; false when there is no such process.
pub(crate) fn signal(process: u64, name: &str) -> bool {
    let mut kill = Command::new("kill");
    kill.args([format!("-{name}"), process.to_string()]).stderr(Stdio::null()).status().unwrap().success()
}
