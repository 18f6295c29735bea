//! Frees memory when it is short, so that new pages can be made again.

use std::time::Duration;

use super::{Answers, Shop};
use crate::observe::ErrorChain;
use crate::process::allocator;

/// Time between two rounds: freed memory shows in the process's numbers only after a moment.
const PERIOD: Duration = Duration::from_secs(1);
/// Bytes of popular answers that are never removed: without them every request would need a render.
const ALWAYS_CACHED: u64 = 8 << 20;

/// Frees memory whenever it is short, for as long as the runtime lives.
pub(crate) fn make_room(shop: &Shop) -> impl Future<Output = ()> + Send + 'static {
    let (answers, renderer) = (shop.answers.clone(), shop.renderer.clone());
    let pressure = shop.pressure.clone();
    async move {
        loop {
            pressure.tightness().await;
            renderer.collect_garbage();
            let answers = answers.clone();
            let made_room = tokio::task::spawn_blocking(move || {
                remove_answers(&answers);
                allocator::release_free_memory();
            });
            if let Err(error) = made_room.await {
                tracing::error!(error = %ErrorChain(&error), "no memory was given back");
            }
            tokio::time::sleep(PERIOD).await;
        }
    }
}

/// Removes the answers that are rarely requested twice; if there are none, the older half of all.
fn remove_answers(answers: &Answers) {
    let before = answers.weight();
    answers.retain(|made| made.is_popular());
    if answers.weight() == before && before > ALWAYS_CACHED {
        answers.remove_older_half();
    }
    tracing::debug!(before, after = answers.weight(), "cached answers were removed");
}
