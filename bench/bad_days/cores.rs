//! The shop and its visitors on cores of their own.

use anyhow::Result;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// The cores that this thread may use: one for the shop, and the others for its visitors. A machine with a single
/// core has that one in both.
pub(crate) struct Cores {
    all: CpuSet,
    first: CpuSet,
    others: CpuSet,
}

impl Cores {
    pub(crate) fn new() -> Result<Self> {
        let all = sched_getaffinity(None)?;
        let (mut first, mut others) = (CpuSet::new(), CpuSet::new());
        for core in (0..CpuSet::MAX_CPU).filter(|&core| all.is_set(core)) {
            let set = if first.count() == 0 { &mut first } else { &mut others };
            set.set(core);
        }
        if others.count() == 0 {
            others = all;
        }
        Ok(Self { all, first, others })
    }

    /// Starts the shop on its core: a process has the cores of the thread that starts it.
    pub(crate) fn start<Shop>(&self, start: impl FnOnce() -> Shop) -> Result<Shop> {
        sched_setaffinity(None, &self.first)?;
        let shop = start();
        sched_setaffinity(None, &self.all)?;
        Ok(shop)
    }

    /// Does what visitors do, on this thread and the other cores.
    pub(crate) fn visit<Value>(&self, visit: impl FnOnce() -> Result<Value>) -> Result<Value> {
        sched_setaffinity(None, &self.others)?;
        let value = visit();
        sched_setaffinity(None, &self.all)?;
        value
    }
}
