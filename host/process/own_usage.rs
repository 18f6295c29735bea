//! What this process uses, as the kernel counts it.

use std::fs;
use std::time::Duration;

/// Processor time since the start; `None` where the kernel does not say it.
pub(crate) fn processor_time() -> Option<Duration> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Some(Duration::new(u64::try_from(time.tv_sec).ok()?, u32::try_from(time.tv_nsec).ok()?))
}

/// Memory in RAM, in bytes; `None` where the kernel does not say it.
pub(crate) fn resident_memory() -> Option<u64> {
    let pages: u64 = fs::read_to_string("/proc/self/statm").ok()?.split(' ').nth(1)?.parse().ok()?;
    Some(pages * rustix::param::page_size() as u64)
}

/// The number of open file descriptors; `None` where the kernel does not say it. Counting takes time in
/// proportion to it.
pub(crate) fn open_files() -> Option<u64> {
    // One of them is the folder that is being read.
    Some(fs::read_dir("/proc/self/fd").ok()?.count().saturating_sub(1) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_uses_something_of_everything() {
        assert!(processor_time().unwrap() > Duration::ZERO);
        assert!(resident_memory().unwrap() > 1 << 20);
        assert!(open_files().unwrap() > 2);
    }
}
