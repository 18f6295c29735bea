//! Whether the machine's memory is running out. A shop that sheds work in time is slow for a while;
//! one that the kernel kills is away.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

/// Between two looks.
const PERIOD: Duration = Duration::from_millis(250);
/// From this share of the limit on work is shed, in per cent.
const TIGHT: u64 = 90;
/// Below this share it is taken on again, in per cent.
const RELAXED: u64 = 85;
const CGROUPS: &str = "/sys/fs/cgroup";

/// Tells whether memory is tight. Clones see the same.
#[derive(Clone, Debug, Default)]
pub struct Pressure {
    tight: Arc<watch::Sender<bool>>,
}

impl Pressure {
    /// Watches this process's memory: against `limit` in bytes, or else against the limit of its
    /// control group. Without either, memory is never tight.
    pub fn watch(limit: Option<u64>) -> Self {
        let pressure = Self::default();
        if let Some(gauge) = Gauge::find(limit) {
            tracing::info!(limit_mib = gauge.limit >> 20, "watching memory");
            tokio::spawn(pressure.clone().follow(gauge));
        }
        pressure
    }

    /// Whether work has to be shed.
    pub fn is_tight(&self) -> bool {
        *self.tight.borrow()
    }

    /// Completes as soon as memory is tight.
    pub async fn tightness(&self) {
        // The sender is at hand, so it cannot be gone.
        let _ = self.tight.subscribe().wait_for(|is_tight| *is_tight).await;
    }

    async fn follow(self, gauge: Gauge) {
        loop {
            tokio::time::sleep(PERIOD).await;
            if let Some(used) = gauge.used() {
                self.note(used, gauge.limit);
            }
        }
    }

    fn note(&self, used: u64, limit: u64) {
        let share = used.saturating_mul(100) / limit.max(1);
        let was = self.is_tight();
        let is = share >= if was { RELAXED } else { TIGHT };
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

/// Where the numbers come from.
struct Gauge {
    limit: u64,
    /// Statistics of the control group; without them those of the process are read.
    group: Option<PathBuf>,
}

impl Gauge {
    fn find(limit: Option<u64>) -> Option<Self> {
        if let Some(limit) = limit {
            return Some(Self { limit, group: None });
        }
        // Version 2 of control groups, where "0::" names the one of this process.
        let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
        let own = groups.lines().find_map(|line| line.strip_prefix("0::/"))?;
        let folder = Path::new(CGROUPS).join(own);
        let limit = fs::read_to_string(folder.join("memory.max")).ok()?.trim().parse().ok()?;
        Some(Self { limit, group: Some(folder.join("memory.stat")) })
    }

    /// Memory that cannot be taken back, in bytes.
    fn used(&self) -> Option<u64> {
        match &self.group {
            // The page cache counts as used too, but goes when it is needed.
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
    fn work_is_shed_at_ninety_per_cent_and_taken_on_again_below_eighty_five() {
        let pressure = Pressure::default();
        for (used, tight) in
            [(0, false), (89, false), (90, true), (87, true), (84, false), (89, false), (99, true)]
        {
            pressure.note(used, 100);
            assert_eq!(pressure.is_tight(), tight, "{used}");
        }
    }

    #[test]
    fn the_process_knows_its_own_memory() {
        let gauge = Gauge::find(Some(1 << 30)).unwrap();
        // More than all other tests of this process take or give back meanwhile.
        let block = vec![1_u8; 512 << 20];
        assert!(gauge.used().unwrap() >= std::hint::black_box(&block).len() as u64);
    }
}
