//! Memory pressure. A shop that sheds work in time is slow for a while; one that the kernel's
//! out-of-memory killer ends is unavailable.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

/// Time between two samples.
const SAMPLE_PERIOD: Duration = Duration::from_millis(250);
/// Work is shed from this share of the limit on, in per cent.
const SHED_FROM: u64 = 90;
/// Work is accepted again below this share, in per cent. The distance prevents rapid switching.
const RESUME_BELOW: u64 = 85;
const CGROUPS: &str = "/sys/fs/cgroup";

/// Whether memory is tight. Clones share the state; the default is never tight.
#[derive(Clone, Debug, Default)]
pub struct Pressure {
    tight: Arc<watch::Sender<bool>>,
}

impl Pressure {
    /// Samples this process's memory against `limit`, in bytes, or else its control group's memory against
    /// the group's limit. Without either limit, memory is never tight.
    pub fn watch(limit: Option<u64>) -> Self {
        let pressure = Self::default();
        if let Some(gauge) = MemoryGauge::find(limit) {
            tracing::info!(limit_mib = gauge.limit >> 20, "watching memory");
            tokio::spawn(pressure.clone().sample(gauge));
        }
        pressure
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

/// Reads memory use from the kernel.
struct MemoryGauge {
    /// In bytes.
    limit: u64,
    /// `memory.stat` of the control group; `None` reads the process's own numbers.
    group: Option<PathBuf>,
}

impl MemoryGauge {
    fn find(limit: Option<u64>) -> Option<Self> {
        if let Some(limit) = limit {
            return Some(Self { limit, group: None });
        }
        // Control groups version 2, where the line with "0::" names this process's group.
        let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
        let own = groups.lines().find_map(|line| line.strip_prefix("0::/"))?;
        let folder = Path::new(CGROUPS).join(own);
        let limit = fs::read_to_string(folder.join("memory.max")).ok()?.trim().parse().ok()?;
        Some(Self { limit, group: Some(folder.join("memory.stat")) })
    }

    /// Memory that the kernel cannot reclaim, in bytes.
    fn used(&self) -> Option<u64> {
        match &self.group {
            // Anonymous memory only: the group's total includes page cache, which can be reclaimed.
            Some(statistics) => fs::read_to_string(statistics)
                .ok()?
                .lines()
                .find_map(|line| line.strip_prefix("anon ")?.parse().ok()),
            None => {
                let status = fs::read_to_string("/proc/self/status").ok()?;
                let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"))?;
                Some(line.trim().trim_end_matches(" kB").parse::<u64>().ok()? << 10)
            }
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

    #[test]
    fn used_memory_includes_the_process_s_allocations() {
        let gauge = MemoryGauge::find(Some(1 << 30)).unwrap();
        // Large, so that allocations of tests that run in parallel do not matter.
        let block = vec![1_u8; 512 << 20];
        assert!(gauge.used().unwrap() >= std::hint::black_box(&block).len() as u64);
    }
}
