//! What this process uses, as the kernel counts it.

use std::fs;
use std::time::Duration;

/// What this process uses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OwnUsage {
    /// Time on a processor since the start.
    pub(crate) processor_time: Duration,
    /// Memory in RAM, in bytes.
    pub(crate) resident: u64,
    /// File descriptors.
    pub(crate) open_files: u64,
}

impl OwnUsage {
    /// The use now; `None` where the kernel does not say it.
    pub(crate) fn now() -> Option<Self> {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        let processor_time =
            Duration::new(u64::try_from(time.tv_sec).ok()?, u32::try_from(time.tv_nsec).ok()?);
        let pages: u64 = fs::read_to_string("/proc/self/statm").ok()?.split(' ').nth(1)?.parse().ok()?;
        // The folder that is being read is one of them.
        let open_files = fs::read_dir("/proc/self/fd").ok()?.count().saturating_sub(1) as u64;
        Some(Self { processor_time, resident: pages * rustix::param::page_size() as u64, open_files })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_uses_something_of_everything() {
        let usage = OwnUsage::now().unwrap();
        assert!(
            usage.processor_time > Duration::ZERO && usage.resident > 1 << 20 && usage.open_files > 2,
            "{usage:?}"
        );
    }
}
