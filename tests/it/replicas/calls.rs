//! However many replicas there are, the catalogue is called as often as by one process.

use std::collections::HashMap;
use std::time::Duration;

use super::fleet::{Replica, visitors};
use super::{Shared, timed};
use crate::common::until::blocking_until;
use crate::common::upstream::Call;

/// Without a mirror each of these needs calls of its own; together fewer than a guard allows.
const PATHS: &[&str] = &["/product/1", "/product/2", "/product/3", "/category/beauty"];
const ARGUMENTS: [&str; 6] = ["--fresh", "2", "--mirror", "off", "--render-ahead", "off"];
/// Less than answers are fresh for: one process calls less often.
const SOON: Duration = Duration::from_secs(1);
/// Fewer calls than this say little.
const ENOUGH: usize = 40;

#[tokio::test(flavor = "multi_thread")]
async fn three_replicas_call_the_catalogue_as_often_as_one_process() {
    let Some(shared) = Shared::start().await else { return };
    let fleet: [_; 3] = shared.replicas(&ARGUMENTS);
    // Where a replica was slow to reach the server, it has called for itself.
    let before = shared.upstream.calls().len();
    let places = fleet.each_ref().map(Replica::place);
    let visitors = visitors(&places, PATHS, Duration::from_millis(25));
    let calls = || shared.upstream.calls().split_off(before);
    std::thread::sleep(timed().unwrap_or_default());
    blocking_until("calls", || calls().len() >= ENOUGH);
    let failures = visitors.end();
    assert!(failures.is_empty(), "{failures:?}");
    // A machine that is busy delays calls, and may cost some leases; without any, two of three calls come soon after
    // another one.
    let (calls, mut latest) = (calls(), HashMap::new());
    let is_soon = |call: &&Call| {
        let before = latest.insert(call.target.clone(), call.at);
        before.is_some_and(|before| call.at - before < SOON)
    };
    let soon = calls.iter().filter(is_soon).count();
    println!("{} calls, {soon} of them soon after the same one", calls.len());
    assert!(soon * if timed().is_some() { 10 } else { 5 } <= calls.len(), "{soon} of {calls:?}");
    let shared = |replica: &Replica| replica.metric("vitrine_share_leases_total", "shared");
    assert!(fleet.iter().all(|replica| shared(replica) > 0));
}
