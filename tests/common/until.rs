//! Waiting for a state, so that no test assumes how long something takes.

use std::time::{Duration, Instant};

/// Longer than anything that works ever takes, even on a machine that is busy with other things. Whatever
/// takes this long hangs.
pub(crate) const HANGS: Duration = Duration::from_secs(60);

const PAUSE: Duration = Duration::from_millis(2);

/// Waits until a condition holds.
pub(crate) async fn until(what: &str, mut condition: impl AsyncFnMut() -> bool) {
    finishes(what, async {
        while !condition().await {
            tokio::time::sleep(PAUSE).await;
        }
    })
    .await;
}

/// Waits until a condition holds, in tests without a runtime.
pub(crate) fn blocking_until(what: &str, mut condition: impl FnMut() -> bool) {
    let began = Instant::now();
    while !condition() {
        assert!(began.elapsed() < HANGS, "waited in vain: {what}");
        std::thread::sleep(PAUSE);
    }
}

/// The output of a future that has to complete.
pub(crate) async fn finishes<T>(what: &str, work: impl Future<Output = T>) -> T {
    match tokio::time::timeout(HANGS, work).await {
        Ok(output) => output,
        Err(_elapsed) => panic!("waited in vain: {what}"),
    }
}
