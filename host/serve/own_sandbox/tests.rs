//! What the sandbox promises, tried on a sandboxed thread: each act is refused there, and possible outside.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write as _};
use std::net::{TcpListener, TcpStream};
use std::os::fd::AsRawFd as _;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::fs::{PermissionsExt as _, chown, fchown, lchown, symlink};
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixListener, UnixStream};
use std::path::Path;
use std::process::{Child, Command};
use std::thread;

use clap::{Args as _, FromArgMatches as _};
use rustix::fs::{AtFlags, CWD, MemfdFlags, Mode, OFlags, XattrFlags, chmodat, setxattr};
use rustix::process::{Pid, Signal, kill_process};

use super::*;

/// Tries, with the files of a folder, something that a sandboxed thread may not do.
type Act<'a> = Box<dyn Fn(&Path) -> io::Result<()> + Sync + 'a>;
/// The words of a promise, and the act that would break it.
type Promise<'a> = (&'static str, Act<'a>);

fn act<'a, T>(act: impl Fn(&Path) -> io::Result<T> + Sync + 'a) -> Act<'a> {
    Box::new(move |folder| act(folder).map(drop))
}

/// Creates a folder with the file that the acts use.
fn populated(folder: &Path) -> &Path {
    fs::create_dir(folder).unwrap();
    fs::write(folder.join("file"), "private").unwrap();
    folder
}

fn settings(state: &Path) -> ServeSettings {
    let command = ServeSettings::augment_args(clap::Command::new("vitrine").no_binary_name(true));
    let flags = ["--catalogue", "http://127.0.0.1:9", "--state-dir", state.to_str().unwrap()];
    ServeSettings::from_arg_matches(&command.get_matches_from(flags)).unwrap()
}

fn is_denied(outcome: &io::Result<()>) -> bool {
    matches!(outcome, Err(error) if error.kind() == ErrorKind::PermissionDenied)
}

/// Other processes and sockets on the worker's machine.
struct Machine {
    other_process: Child,
    /// A program in memory, without a file system.
    program: File,
    _streams: UnixListener,
    streams: SocketAddr,
    _datagrams: UnixDatagram,
    datagrams: SocketAddr,
}

impl Drop for Machine {
    fn drop(&mut self) {
        let _ = self.other_process.kill();
        let _ = self.other_process.wait();
    }
}

impl Machine {
    fn start() -> Self {
        let mut program = File::from(rustix::fs::memfd_create("program", MemfdFlags::empty()).unwrap());
        program.write_all(&fs::read("/bin/true").unwrap()).unwrap();
        let name = |kind| format!("vitrine-test-{kind}-{}", std::process::id());
        let [streams, datagrams] =
            ["streams", "datagrams"].map(|kind| SocketAddr::from_abstract_name(name(kind)).unwrap());
        Self {
            other_process: Command::new("sleep").arg("600").spawn().unwrap(),
            program,
            _streams: UnixListener::bind_addr(&streams).unwrap(),
            streams,
            _datagrams: UnixDatagram::bind_addr(&datagrams).unwrap(),
            datagrams,
        }
    }

    /// The promises that Landlock keeps.
    fn files_and_processes(&self) -> Vec<Promise<'_>> {
        let file = |folder: &Path| folder.join("file");
        let process = self.other_process.id();
        let pid = Pid::from_raw(process.cast_signed()).unwrap();
        vec![
            ("no other file is read", act(move |folder| fs::read(file(folder)))),
            ("no other file is written", act(move |folder| fs::write(file(folder), "changed"))),
            ("no other directory is listed", act(|folder| folder.read_dir())),
            ("no file is created elsewhere", act(|folder| fs::write(folder.join("new"), ""))),
            ("no directory is created", act(|folder| fs::create_dir(folder.join("directory")))),
            ("no socket is created", act(|folder| UnixListener::bind(folder.join("socket")))),
            ("nothing is linked", act(|folder| symlink("/", folder.join("link")))),
            ("no file is renamed", act(move |folder| fs::rename(file(folder), folder.join("moved")))),
            ("no file is removed", act(|folder| fs::remove_file(folder.join("moved")))),
            ("no abstract socket is reached", act(|_| UnixStream::connect_addr(&self.streams))),
            (
                "no abstract socket gets a datagram",
                act(|_| UnixDatagram::unbound()?.send_to_addr(b"READY=1", &self.datagrams)),
            ),
            ("no other process gets a signal", act(move |_| Ok(kill_process(pid, Signal::CONT)?))),
            (
                "no other process's environment is read",
                act(move |_| fs::read(format!("/proc/{process}/environ"))),
            ),
        ]
    }

    /// The promises that the filter of system calls keeps.
    fn programs_and_modes(&self) -> Vec<Promise<'_>> {
        let in_memory = format!("/proc/self/fd/{}", self.program.as_raw_fd());
        let own = rustix::process::geteuid().as_raw();
        let narrow = || fs::Permissions::from_mode(0o700);
        vec![
            ("no program is executed", act(|_| Command::new("/bin/true").status())),
            ("no program in memory is executed", act(move |_| Command::new(&in_memory).status())),
            ("no mode is changed (chmod)", act(move |folder| fs::set_permissions(folder, narrow()))),
            ("no mode is changed (fchmod)", act(move |_| self.program.set_permissions(narrow()))),
            (
                "no mode is changed (fchmodat)",
                act(|folder| Ok(chmodat(CWD, folder, Mode::RWXU, AtFlags::empty())?)),
            ),
            ("no owner is changed (chown)", act(move |folder| chown(folder, Some(own), None))),
            ("no owner is changed (lchown)", act(move |folder| lchown(folder, Some(own), None))),
            ("no owner is changed (fchown)", act(move |_| fchown(&self.program, Some(own), None))),
            (
                "no access control list is changed",
                act(|folder| Ok(setxattr(folder, "user.note", b"", XattrFlags::empty())?)),
            ),
        ]
    }
}

#[test]
fn every_promise_of_the_sandbox_is_kept_inside_a_worker() {
    let machine = Machine::start();
    let home = tempfile::tempdir().unwrap();
    let promises: Vec<_> =
        machine.files_and_processes().into_iter().chain(machine.programs_and_modes()).collect();
    let outside = populated(&home.path().join("outside")).to_owned();
    for (promise, act) in &promises {
        let outcome = act(&outside);
        // Not every file system has attributes.
        let is_unsupported = matches!(&outcome, Err(error) if error.kind() == ErrorKind::Unsupported);
        assert!(outcome.is_ok() || is_unsupported, "outside, {promise}: {outcome:?}");
    }

    let inside = populated(&home.path().join("inside")).to_owned();
    fs::write(inside.join("moved"), "").unwrap();
    let state = home.path().join("state");
    let with_a_path = UnixListener::bind(home.path().join("listening")).unwrap();
    let network = TcpListener::bind("127.0.0.1:0").unwrap();
    let tried = || {
        for (promise, act) in &promises {
            let outcome = act(&inside);
            assert!(is_denied(&outcome), "{promise}: {outcome:?}");
        }
        // These stay possible, as the documents say.
        fs::read("/etc/passwd").unwrap();
        fs::write(state.join("part"), "saved").unwrap();
        fs::rename(state.join("part"), state.join("saved")).unwrap();
        let unnamed = rustix::fs::open(&state, OFlags::TMPFILE | OFlags::RDWR, Mode::RUSR).unwrap();
        File::from(unnamed).write_all(b"export").unwrap();
        TcpStream::connect(network.local_addr().unwrap()).unwrap();
        UnixStream::connect(with_a_path.local_addr().unwrap().as_pathname().unwrap()).unwrap();
    };
    thread::scope(|scope| {
        let worker = scope.spawn(|| match report(enter(&settings(&state))) {
            Restrictions { files: Enforcement::Full, calls: Enforcement::Full } => {
                // This runs on a thread that is started later, as those of isolates are.
                thread::scope(|scope| scope.spawn(tried).join()).unwrap();
            }
            restrictions => eprintln!("skipped: {restrictions}"),
        });
        worker.join().unwrap();
    });
    assert_eq!(fs::read_to_string(inside.join("file")).unwrap(), "private");
}
