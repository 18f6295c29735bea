//! Memory pressure. A shop that sheds work in time is slow for a while; one that the kernel's
//! out-of-memory killer ends is unavailable.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use super::memory_gauge::{FilesInMemory, MemoryGauge};

/// Time between two samples.
const SAMPLE_PERIOD: Duration = Duration::from_millis(250);
/// Work is shed from this share of the limit on, in per cent.
const SHED_FROM: u64 = 90;
/// Work is accepted again below this share, in per cent. The distance prevents rapid switching.
const RESUME_BELOW: u64 = 85;

/// Whether memory is tight. Clones share the state; the default is never tight.
#[derive(Clone, Debug, Default)]
pub struct Pressure {
    tight: Arc<watch::Sender<bool>>,
    files: FilesInMemory,
}

impl Pressure {
    /// Samples this process's memory against `limit`, in bytes, or else its control group's memory against
    /// the group's limit. Without either limit, memory is never tight.
    pub fn watch(limit: Option<u64>) -> Self {
        let pressure = Self::default();
        match MemoryGauge::find(limit, Arc::clone(&pressure.files)) {
            Some(gauge) => {
                tracing::info!(limit_mib = gauge.limit >> 20, "watching memory");
                tokio::spawn(pressure.clone().sample(gauge));
            }
            None => tracing::warn!("no memory limit is watched"),
        }
        pressure
    }

    /// Where the bytes of files in memory are counted.
    pub(crate) fn files_in_memory(&self) -> &FilesInMemory {
        &self.files
    }

    /// Whether work has to be shed.
    pub fn is_tight(&self) -> bool {
        *self.tight.borrow()
    }

    /// Completes as soon as memory is tight.
    pub async fn tightness(&self) {
        // Fails only when the sender is dropped, and `self` holds it.
        let _ = self.tight.subscribe().wait_for(|is_tight| *is_tight).await;
    }

    async fn sample(self, gauge: MemoryGauge) {
        loop {
            tokio::time::sleep(SAMPLE_PERIOD).await;
            if let Some(used) = gauge.used() {
                self.record(used, gauge.limit);
            }
        }
    }

    fn record(&self, used: u64, limit: u64) {
        let share = used.saturating_mul(100) / limit.max(1);
        let was = self.is_tight();
        let is = share >= if was { RESUME_BELOW } else { SHED_FROM };
        if is == was {
            return;
        }
        self.tight.send_replace(is);
        let used_mib = used >> 20;
        if is {
            tracing::warn!(used_mib, share, "memory is running out: no new page is made for now");
        } else {
            tracing::info!(used_mib, share, "there is memory again");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_shed_at_ninety_per_cent_and_resumes_below_eighty_five() {
        let pressure = Pressure::default();
        for (used, tight) in
            [(0, false), (89, false), (90, true), (87, true), (84, false), (89, false), (99, true)]
        {
            pressure.record(used, 100);
            assert_eq!(pressure.is_tight(), tight, "{used}");
        }
    }
}
