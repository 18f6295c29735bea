//! The states of the directory, how each comes about, and what it leads to.

use std::fs::{self, File, Permissions};
use std::os::unix::fs::{PermissionsExt as _, chown, symlink};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, FileType, Mode, mknodat};
use serde_json::{Value, json as value};
use vitrine::catalogue::StateError::{
    self, Damaged, ForeignOwner, Io, Malformed, NotAFile, OtherService, OtherVersion, TooLarge, TooOld,
};

use self::Leaves::{AllBut, Everything};
use crate::common::faults::SCRIPT;
use crate::common::state::{file, json, moved, parts, state};

/// A temporary file.
pub(super) const PART: &str = "catalogue.part-0123456789abcdef0123456789abcdef";
/// Bytes of a file that is too large.
pub(super) const HUGE: u64 = 1 << 36;
/// The address of another service.
const OTHER: &str = "http://other.example";

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
    /// The JSON of a shop without a copy: it has every product.
    pub(super) answers: Value,
}

impl Place {
    pub(super) fn new(below: &Path, good: &[u8], answers: &Value) -> Self {
        let (directory, beside) = (below.join("state"), below.join("beside"));
        fs::create_dir(&beside).unwrap();
        Self {
            file: state(&directory).file().to_owned(),
            directory,
            beside,
            good: good.into(),
            answers: answers.clone(),
        }
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

    /// The service's file, with its JSON changed and a matching checksum.
    fn changed(&self, change: impl FnOnce(&mut Value)) {
        let mut body = json(&self.good);
        // The fingerprint is that of the unchanged answers.
        body.as_object_mut().unwrap().remove("fingerprint");
        change(&mut body);
        self.own(file(&body.to_string(), parts(&self.good).1));
    }

    /// The service's file without a copy, with every product and summary changed and a matching checksum.
    fn with_each(&self, product: fn(&mut Value), summary: fn(&mut Value)) {
        let mut body = self.answers.clone();
        for [_, answer, _] in entries(&mut body["products"]) {
            product(answer);
            summary(&mut answer["summary"]);
        }
        for [_, answer, _] in entries(&mut body["listings"]) {
            answer.as_array_mut().unwrap().iter_mut().for_each(summary);
        }
        self.own(file(&body.to_string(), &[]));
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

/// What a start leaves of what it finds.
pub(super) enum Leaves {
    Everything,
    /// Everything but this.
    AllBut(&'static str),
}

/// What is there once the service has answered again.
#[derive(PartialEq)]
pub(super) enum Then {
    /// The service's file is new.
    Saved,
    /// Nothing can be written, and everything is as it was.
    NotSaved,
}

/// One state of the directory.
pub(super) struct State {
    pub(super) name: &'static str,
    pub(super) arrange: fn(&Place),
    /// Whether loading it says what it should.
    pub(super) says: fn(&Result<(), StateError>) -> bool,
    /// Status of the answer for a product's page.
    pub(super) status: u16,
    pub(super) leaves: Leaves,
    pub(super) then: Then,
}

macro_rules! states {
    ($($name:literal: $arrange:expr => $says:pat, $status:literal, $leaves:expr, $then:ident;)*) => {
        &[$(State {
            name: $name,
            arrange: $arrange,
            says: |result| matches!(result, $says),
            status: $status,
            leaves: $leaves,
            then: Then::$then,
        }),*]
    };
}

#[rustfmt::skip]
pub(super) const STATES: &[State] = states! {
    "no directory": |_| {} => Ok(()), 503, Everything, Saved;
    "an empty directory": |place| { place.empty(); } => Ok(()), 503, Everything, Saved;
    "a good file": |place| place.own(&place.good) => Ok(()), 200, Everything, Saved;
    "an empty file": |place| place.own("") => Err(Damaged), 503, Everything, Saved;
    "a truncated file": |place| place.own(&place.good[..5_000]) => Err(Damaged), 503, Everything, Saved;
    "products that end early": |place| place.own(&place.good[..place.good.len() - 1]) => Err(Damaged), 503, Everything, Saved;
    "no products behind the JSON": |place| place.with_products(&[]) => Err(Damaged), 503, Everything, Saved;
    "something else behind the JSON": |place| place.with_products(&vec![1; 100_000]) => Err(Damaged), 503, Everything, Saved;
    "not UTF-8": |place| place.own([&place.good[..], &[0xff]].concat()) => Err(Damaged), 503, Everything, Saved;
    "something else": |place| place.own("x".repeat(1 << 20)) => Err(Damaged), 503, Everything, Saved;
    "invalid JSON": |place| place.own(file("{\"service\":", &[])) => Err(Malformed(_)), 503, Everything, Saved;
    "another schema": |place| place.own(file("{\"service\":5}", &[])) => Err(Malformed(_)), 503, Everything, Saved;
    "endless nesting": |place| place.own(file(&"[".repeat(1 << 20), &[])) => Err(Malformed(_)), 503, Everything, Saved;
    "an older format": |place| place.own([b"vitrine-catalogue-2", &place.good[19..]].concat()) => Err(OtherVersion), 503, Everything, Saved;
    "a newer format": |place| place.own([b"vitrine-catalogue-4", &place.good[19..]].concat()) => Err(OtherVersion), 503, Everything, Saved;
    "a huge file": huge => Err(TooLarge), 503, Everything, Saved;
    "a pipe": pipe => Err(NotAFile), 503, Everything, Saved;
    "a socket": |place| drop(UnixListener::bind(place.empty()).unwrap()) => Err(NotAFile), 503, Everything, Saved;
    "a link to an endless device": |place| symlink("/dev/zero", place.empty()).unwrap() => Err(NotAFile), 503, Everything, Saved;
    "a link to a good file": linked => Err(NotAFile), 503, Everything, Saved;
    "a link to nothing": |place| symlink("nothing", place.empty()).unwrap() => Err(NotAFile), 503, Everything, Saved;
    "a folder": |place| fs::create_dir_all(&place.file).unwrap() => Err(NotAFile), 503, Everything, NotSaved;
    "a file in the directory's place": |place| fs::write(&place.directory, "").unwrap() => Err(Io(_)), 503, Everything, NotSaved;
    "a read-only directory": read_only => Ok(()), 200, Everything, NotSaved;
    "a file that nobody may read": unreadable => Err(Io(_)), 503, Everything, Saved;
    "a file that everybody may write": writable => Ok(()), 200, Everything, Saved;
    "another user's file": foreign => Err(ForeignOwner), 503, Everything, Saved;
    "another service's file": |place| place.changed(other_service) => Err(OtherService), 503, Everything, Saved;
    "without a copy": |place| place.with_each(|_| {}, |_| {}) => Ok(()), 200, Everything, Saved;
    "older than --stale": |place| place.own(moved(&place.good, -7_200)) => Err(TooOld), 503, Everything, Saved;
    "from the future": |place| place.own(moved(&place.good, 86_400)) => Ok(()), 200, Everything, Saved;
    "without products": |place| place.changed(without_products) => Ok(()), 503, Everything, Saved;
    "hostile markup": |place| place.with_each(hostile, hostile_summary) => Ok(()), 200, Everything, Saved;
    "invalid values": |place| place.with_each(|_| {}, invalid) => Ok(()), 503, Everything, Saved;
    "a dead process's temporary file": dead_part => Ok(()), 200, AllBut(PART), Saved;
    "a temporary link to another file": linked_part => Ok(()), 200, AllBut(PART), Saved;
};

pub(super) fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

/// It begins like a state file, and takes up no space.
fn huge(place: &Place) {
    place.own(&place.good[..200]);
    File::options().write(true).open(&place.file).unwrap().set_len(HUGE).unwrap();
}

fn pipe(place: &Place) {
    mknodat(CWD, place.empty(), FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
}

fn linked(place: &Place) {
    let target = place.beside.join("good");
    fs::write(&target, &place.good).unwrap();
    symlink(target, place.empty()).unwrap();
}

fn writable(place: &Place) {
    place.own(&place.good);
    set_mode(&place.file, 0o666);
}

fn dead_part(place: &Place) {
    place.own(&place.good);
    place.put(PART, "x");
}

fn linked_part(place: &Place) {
    place.own(&place.good);
    let target = place.beside.join("victim");
    fs::write(&target, "precious").unwrap();
    symlink(target, place.directory.join(PART)).unwrap();
}

fn read_only(place: &Place) {
    place.own(&place.good);
    set_mode(&place.file, 0o400);
    set_mode(&place.directory, 0o555);
}

fn unreadable(place: &Place) {
    place.own(&place.good);
    set_mode(&place.file, 0o000);
}

fn foreign(place: &Place) {
    place.own(&place.good);
    // Readable, so that it is refused for its owner alone.
    set_mode(&place.file, 0o644);
    chown(&place.file, Some(65_534), None).unwrap();
}

fn other_service(body: &mut Value) {
    body["service"] = OTHER.into();
}

fn without_products(body: &mut Value) {
    body["mirror"] = Value::Null;
    for answers in ["categories", "previews", "listings", "products", "windows"] {
        body[answers] = value!([]);
    }
}

/// Each query with its answer and the answer's age.
fn entries(answers: &mut Value) -> impl Iterator<Item = &mut [Value; 3]> {
    let entries = answers.as_array_mut().unwrap();
    assert!(!entries.is_empty());
    entries.iter_mut().map(|entry| entry.as_array_mut().unwrap().as_mut_slice().try_into().unwrap())
}

fn hostile(product: &mut Value) {
    for text in ["sku", "warranty", "shipping", "returns"] {
        product[text] = SCRIPT.into();
    }
    product["tags"] = value!([SCRIPT]);
    product["images"] = value!(["javascript:alert(1)", SCRIPT]);
}

fn hostile_summary(summary: &mut Value) {
    for text in ["title", "description", "brand"] {
        summary[text] = SCRIPT.into();
    }
    summary["thumbnail"] = "javascript:alert(1)".into();
}

fn invalid(summary: &mut Value) {
    summary["price"] = (-1).into();
}
