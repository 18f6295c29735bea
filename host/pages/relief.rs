//! What a shop gives back when memory runs out, so that it can take on work again.

use std::sync::Arc;
use std::time::Duration;

use super::Shop;
use super::view::View;
use crate::allocator;
use crate::causes::Causes;
use crate::memory::Memory;

/// Between two measures: what was given back shows in the numbers after a moment.
const PERIOD: Duration = Duration::from_secs(1);
/// So much of the pages stays in any case, in bytes: without them every visit would need a render.
const LEAST_PAGES: u64 = 8 << 20;

type Views<E> = Memory<String, Arc<View>, E>;

impl Shop {
    /// Gives memory back whenever it is tight, for as long as the runtime lives.
    pub fn relief(&self) -> impl Future<Output = ()> + Send + 'static {
        let (views, renderer) = (self.views.clone(), self.renderer.clone());
        let pressure = self.pressure.clone();
        async move {
            loop {
                pressure.tightness().await;
                renderer.collect_garbage();
                let views = views.clone();
                let relieved = tokio::task::spawn_blocking(move || {
                    forget_some(&views);
                    allocator::give_back();
                });
                if let Err(error) = relieved.await {
                    tracing::error!(error = %Causes(&error), "no memory was given back");
                }
                tokio::time::sleep(PERIOD).await;
            }
        }
    }
}

/// Forgets what is seldom asked for twice, and the older half of what is left if there is nothing of
/// the kind.
fn forget_some<E: Clone + Send + Sync + 'static>(views: &Views<E>) {
    let before = views.weight();
    views.retain(|view| view.is_indexable);
    if views.weight() == before && before > LEAST_PAGES {
        views.forget_older_half();
    }
    tracing::debug!(before, after = views.weight(), "pages were forgotten");
}
