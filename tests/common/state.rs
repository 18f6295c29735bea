//! State files as a test wants them.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use rustix::thread::{CapabilitySet, capabilities, set_capabilities};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use tokio::sync::oneshot;
use vitrine::catalogue::{Followed, Service, StateDir};

use super::days::{followed, until_read};
use super::until::finishes;
use super::upstream::Upstream;

/// The address under which the tests save.
const SERVICE: &str = "http://catalogue.example/";

/// A healthy service, and a shop with a copy of it.
pub(crate) async fn healthy() -> (Upstream, Arc<Followed<Service>>) {
    let upstream = Upstream::start().await;
    let catalogue = followed(&upstream, 5_000);
    until_read(&catalogue).await;
    (upstream, catalogue)
}

/// A directory with the state of a healthy service, and that service.
pub(crate) async fn saved() -> (tempfile::TempDir, Upstream) {
    let (upstream, catalogue) = healthy().await;
    let directory = tempfile::tempdir().unwrap();
    state(directory.path()).save(&catalogue).unwrap();
    (directory, upstream)
}

pub(crate) fn state(directory: &Path) -> StateDir {
    StateDir::new(directory, SERVICE)
}

/// The JSON of a state file, and the bytes of the copied products after it.
pub(crate) fn parts(file: &[u8]) -> (&[u8], &[u8]) {
    let end = file.iter().position(|byte| *byte == b'\n').unwrap();
    let head = str::from_utf8(&file[..end]).unwrap();
    let [json, products] = [2, 3].map(|field| head.split(' ').nth(field).unwrap().parse::<usize>().unwrap());
    (&file[end + 1..][..json], &file[end + 1 + json..][..products])
}

/// A state file without the ages at its end.
pub(crate) fn without_ages(file: &[u8]) -> &[u8] {
    let (json, products) = parts(file);
    let head = file.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    &file[..head + json.len() + products.len()]
}

/// The JSON of a state file.
pub(crate) fn json(file: &[u8]) -> Value {
    serde_json::from_slice(parts(file).0).unwrap()
}

/// A state file with this JSON, these copied products, and a matching checksum.
pub(crate) fn file(json: &str, products: &[u8]) -> Vec<u8> {
    let (form, checksum) = (StateDir::FORM, checksum(json));
    let head = format!("vitrine-catalogue-{form} {checksum} {} {}\n", json.len(), products.len());
    [head.as_bytes(), json.as_bytes(), products].concat()
}

fn checksum(text: &str) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The state file as if saved this many seconds later, or earlier if negative, before the machine was restarted.
pub(crate) fn moved(saved: &[u8], seconds: i64) -> Vec<u8> {
    let mut body = json(saved);
    body["at"] = body["at"].as_u64().unwrap().saturating_add_signed(seconds).into();
    body["boot"] = Value::Null;
    file(&body.to_string(), parts(saved).1)
}

/// Does the work on a thread of its own, to which file permissions apply even if root runs the tests.
/// The work must not hang.
pub(crate) async fn unprivileged<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let (sender, result) = oneshot::channel();
    std::thread::spawn(move || {
        let mut sets = capabilities(None).unwrap();
        sets.effective -= CapabilitySet::DAC_OVERRIDE | CapabilitySet::DAC_READ_SEARCH;
        set_capabilities(None, sets).unwrap();
        let _ = sender.send(work());
    });
    finishes("the state directory", result).await.unwrap()
}

/// The names in a directory, in order.
pub(crate) fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}
