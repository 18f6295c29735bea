//! The states of the directory, how each comes about, and what it leads to.

use std::fs::{self, File, Permissions};
use std::os::unix::fs::{PermissionsExt as _, chown, symlink};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, FileType, Mode, mknodat};
use serde_json::Value;
use vitrine::catalogue::StateError::{
    self, Damaged, ForeignOwner, Io, Malformed, NotAFile, OtherService, OtherVersion, TooLarge, TooOld,
};

use crate::common::state::{file, json, moved, parts, state};

/// A temporary file. If no process writes it any more, a start removes it.
pub(super) const PART: &str = "catalogue.part-0123456789abcdef0123456789abcdef";
/// Bytes of a file that is too large.
pub(super) const HUGE: u64 = 1 << 36;

/// Where a state is arranged.
pub(super) struct Place {
    /// The state directory, which does not exist yet.
    pub(super) directory: PathBuf,
    /// The service's file in it.
    pub(super) file: PathBuf,
    /// Another folder.
    pub(super) beside: PathBuf,
    /// The service's file as a healthy shop saves it.
    pub(super) good: Vec<u8>,
}

impl Place {
    pub(super) fn new(below: &Path, good: &[u8]) -> Self {
        let (directory, beside) = (below.join("state"), below.join("beside"));
        fs::create_dir(&beside).unwrap();
        let file = state(&directory).file().to_owned();
        Self { directory, file, beside, good: good.into() }
    }

    /// The directory exists, and a file in it has this name and content.
    fn put(&self, name: impl AsRef<Path>, content: impl AsRef<[u8]>) {
        fs::create_dir_all(&self.directory).unwrap();
        fs::write(self.directory.join(name), content).unwrap();
    }

    /// The service's file has this content.
    fn own(&self, content: impl AsRef<[u8]>) {
        self.put(&self.file, content);
    }

    fn good_with_mode(&self, mode: u32) {
        self.own(&self.good);
        set_mode(&self.file, mode);
    }

    /// The service's file, with its JSON changed and a matching checksum.
    fn changed(&self, change: impl FnOnce(&mut Value)) {
        let mut body = json(&self.good);
        // The fingerprint is that of the unchanged answers.
        body.as_object_mut().unwrap().remove("fingerprint");
        change(&mut body);
        self.own(file(&body.to_string(), parts(&self.good).1));
    }

    /// The service's file with other copied products.
    fn with_products(&self, products: &[u8]) {
        self.own(file(&json(&self.good).to_string(), products));
    }

    /// The name of the service's file is free.
    fn empty(&self) -> &Path {
        fs::create_dir_all(&self.directory).unwrap();
        &self.file
    }
}

/// One state of the directory: how it comes about, whether loading it says what it should, the status of the answer for a
/// product's page, and whether the service's file is new once the service has answered again; otherwise nothing can be
/// written, and everything is as it was.
pub(super) type State = (&'static str, fn(&Place), fn(&Result<(), StateError>) -> bool, u16, bool);

macro_rules! states {
    ($($name:literal: $arrange:expr => $says:pat, $status:literal, $is_saved:literal;)*) => {
        &[$(($name, $arrange, |result| matches!(result, $says), $status, $is_saved)),*]
    };
}

#[rustfmt::skip]
pub(super) const STATES: &[State] = states! {
    "no directory": |_| {} => Ok(()), 503, true;
    "an empty directory": |place| { place.empty(); } => Ok(()), 503, true;
    "a good file": |place| place.own(&place.good) => Ok(()), 200, true;
    "a truncated file": |place| place.own(&place.good[..5_000]) => Err(Damaged), 503, true;
    "a changed byte of the first line": |place| place.own(with_change(&place.good, 40)) => Err(Damaged), 503, true;
    "a changed byte of the JSON": |place| place.own(with_change(&place.good, 1_000)) => Err(Damaged), 503, true;
    "no products behind the JSON": |place| place.with_products(&[]) => Err(Damaged), 503, true;
    "something else behind the JSON": |place| place.with_products(&vec![1; 100_000]) => Err(Damaged), 503, true;
    "invalid JSON": |place| place.own(file("{\"service\":", &[])) => Err(Malformed(_)), 503, true;
    "another schema": |place| place.own(file("{\"service\":5}", &[])) => Err(Malformed(_)), 503, true;
    "endless nesting": |place| place.own(file(&"[".repeat(1 << 20), &[])) => Err(Malformed(_)), 503, true;
    "an older format": |place| place.own([b"vitrine-catalogue-2", &place.good[19..]].concat()) => Err(OtherVersion), 503, true;
    "a huge file": huge => Err(TooLarge), 503, true;
    "a pipe": |place| mknodat(CWD, place.empty(), FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap() => Err(NotAFile), 503, true;
    "a socket": |place| drop(UnixListener::bind(place.empty()).unwrap()) => Err(NotAFile), 503, true;
    "a link to an endless device": |place| symlink("/dev/zero", place.empty()).unwrap() => Err(NotAFile), 503, true;
    "a link to a good file": linked => Err(NotAFile), 503, true;
    "a link to nothing": |place| symlink("nothing", place.empty()).unwrap() => Err(NotAFile), 503, true;
    "a folder": |place| fs::create_dir_all(&place.file).unwrap() => Err(NotAFile), 503, false;
    "a file in the directory's place": |place| fs::write(&place.directory, "").unwrap() => Err(Io(_)), 503, false;
    "a read-only directory": read_only => Ok(()), 200, false;
    "a file that nobody may read": |place| place.good_with_mode(0o000) => Err(Io(_)), 503, true;
    "a file that everybody may write": |place| place.good_with_mode(0o666) => Ok(()), 200, true;
    "another user's file": foreign => Err(ForeignOwner), 503, true;
    "another service's file": |place| place.changed(|body| body["service"] = "http://other.example".into()) => Err(OtherService), 503, true;
    "older than --stale": |place| place.own(moved(&place.good, -7_200)) => Err(TooOld), 503, true;
    "from the end of time": |place| place.own(moved(&place.good, i64::MAX)) => Ok(()), 200, true;
    "from the future": |place| place.own(moved(&place.good, 30 * 86_400)) => Ok(()), 200, true;
    "half an hour old": |place| place.own(moved(&place.good, -1_800)) => Ok(()), 200, true;
    "from 1970, before a start of the machine that was today": |place| place.changed(|body| body["at"] = 0.into()) => Ok(()), 200, true;
    "without products": |place| place.changed(without_products) => Ok(()), 503, true;
    "a dead process's temporary file": |place| { place.own(&place.good); place.put(PART, "x"); } => Ok(()), 200, true;
    "a file of a former version": |place| { place.own(&place.good); place.put(place.file.with_extension("pages"), "x"); } => Ok(()), 200, true;
    "a temporary link to another file": linked_part => Ok(()), 200, true;
};

pub(super) fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

fn with_change(good: &[u8], at: usize) -> Vec<u8> {
    let mut bytes = good.to_vec();
    bytes[at] ^= 1;
    bytes
}

/// It begins like a state file, and takes up no space.
fn huge(place: &Place) {
    place.own(&place.good[..200]);
    File::options().write(true).open(&place.file).unwrap().set_len(HUGE).unwrap();
}

fn linked(place: &Place) {
    let target = place.beside.join("good");
    fs::write(&target, &place.good).unwrap();
    symlink(target, place.empty()).unwrap();
}

fn linked_part(place: &Place) {
    place.own(&place.good);
    let target = place.beside.join("victim");
    fs::write(&target, "precious").unwrap();
    symlink(target, place.directory.join(PART)).unwrap();
}

fn read_only(place: &Place) {
    place.good_with_mode(0o400);
    set_mode(&place.directory, 0o555);
}

fn foreign(place: &Place) {
    // Readable, so that it is refused for its owner alone.
    place.good_with_mode(0o644);
    chown(&place.file, Some(65_534), None).unwrap();
}

fn without_products(body: &mut Value) {
    body["mirror"] = Value::Null;
}
