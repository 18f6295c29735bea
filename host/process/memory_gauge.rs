//! Reads from the kernel how much memory is in use, and how much there may be.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

const CGROUPS: &str = "/sys/fs/cgroup";
/// A group of version 1 without a limit reports one just below 2^63.
const NO_LIMIT: u64 = 1 << 62;

/// The bytes of this process's files in memory (`memfd_create`), which the kernel does not count as its memory.
pub(crate) type FilesInMemory = Arc<AtomicU64>;

/// Memory in use, and its limit.
#[derive(Debug)]
pub(crate) struct MemoryGauge {
    /// The limit, in bytes.
    pub(crate) limit: u64,
    source: Measured,
}

/// Whose memory is measured.
#[derive(Debug)]
enum Measured {
    /// This process alone, with its files in memory.
    Process(FilesInMemory),
    /// The control group in this folder, of version 2.
    Group(PathBuf),
    /// The control group in this folder, of version 1.
    OldGroup(PathBuf),
}

impl MemoryGauge {
    /// Measures this process against `limit`, in bytes, or else its control group against the group's
    /// limit. `None` without either limit, and when nothing can be measured.
    pub(crate) fn find(limit: Option<u64>, files: FilesInMemory) -> Option<Self> {
        let gauge = match limit {
            Some(limit) => Self { limit, source: Measured::Process(files) },
            None => Self::of_group(&fs::read_to_string("/proc/self/cgroup").ok()?, Path::new(CGROUPS))?,
        };
        gauge.used().is_some().then_some(gauge)
    }

    /// The gauge of a process with these `groups` (`/proc/self/cgroup`), which are mounted below `root`.
    fn of_group(groups: &str, root: &Path) -> Option<Self> {
        // Each line is `number:controllers:path`; version 2 has the number 0 and no controllers.
        let lines = || groups.lines().filter_map(|line| line.split_once(':')?.1.split_once(':'));
        let path_of = |is_it: fn(&str) -> bool| lines().find(|(names, _)| is_it(names)).map(|(_, path)| path);
        let group = path_of(str::is_empty).and_then(|path| Self::of_version_2(root, path));
        group.or_else(|| {
            let path = path_of(|names| names.split(',').any(|name| name == "memory"))?;
            Self::of_version_1(&root.join("memory"), path)
        })
    }

    /// A limit holds for all groups below it, so the smallest one on the way up counts.
    fn of_version_2(root: &Path, path: &str) -> Option<Self> {
        let limited = folders(root, path).into_iter().filter_map(|folder| {
            let limit = fs::read_to_string(folder.join("memory.max")).ok()?.trim().parse().ok()?;
            Some(Self { limit, source: Measured::Group(folder) })
        });
        limited.min_by_key(|gauge| gauge.limit)
    }

    /// In version 1 a group itself names the smallest limit on the way up.
    fn of_version_1(root: &Path, path: &str) -> Option<Self> {
        let (statistics, folder) = folders(root, path)
            .into_iter()
            .find_map(|folder| Some((fs::read_to_string(folder.join("memory.stat")).ok()?, folder)))?;
        let limit = figure(&statistics, "hierarchical_memory_limit").filter(|limit| *limit < NO_LIMIT)?;
        Some(Self { limit, source: Measured::OldGroup(folder) })
    }

    /// Memory that the kernel cannot reclaim, in bytes. For a group these are anonymous memory, files in memory and
    /// sockets' buffers: its total includes page cache, which can be reclaimed.
    pub(super) fn used(&self) -> Option<u64> {
        match &self.source {
            Measured::Process(files) => {
                let status = fs::read_to_string("/proc/self/status").ok()?;
                Some((figure(&status, "RssAnon:")? << 10).saturating_add(files.load(Ordering::Relaxed)))
            }
            Measured::Group(folder) => {
                let statistics = fs::read_to_string(folder.join("memory.stat")).ok()?;
                let further = ["shmem", "sock"].map(|name| figure(&statistics, name).unwrap_or(0));
                Some(further.into_iter().fold(figure(&statistics, "anon")?, u64::saturating_add))
            }
            Measured::OldGroup(folder) => {
                let statistics = fs::read_to_string(folder.join("memory.stat")).ok()?;
                // Not every kernel counts sockets' buffers, and there may be no limit for them.
                let sockets = fs::read_to_string(folder.join("memory.kmem.tcp.usage_in_bytes"));
                let sockets = sockets.ok().and_then(|bytes| bytes.trim().parse().ok()).unwrap_or(0);
                let files = figure(&statistics, "total_shmem").unwrap_or(0);
                Some(figure(&statistics, "total_rss")?.saturating_add(sockets).saturating_add(files))
            }
        }
    }
}

/// The memory of this machine, in bytes.
pub(crate) fn machine_memory() -> Option<u64> {
    Some(figure(&fs::read_to_string("/proc/meminfo").ok()?, "MemTotal:")? << 10)
}

/// The folder of the group with this path, and those of the groups above it. A container may see its
/// own group at the root although the path names the way to it from outside; then the folders below the
/// root do not exist.
fn folders(root: &Path, path: &str) -> Vec<PathBuf> {
    let folder = root.join(path.trim_start_matches('/'));
    let folders = folder.ancestors().take_while(|folder| folder.starts_with(root));
    folders.map(Path::to_owned).collect()
}

/// The number after this name, where a line begins with it.
fn figure(text: &str, name: &str) -> Option<u64> {
    let rest = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix([' ', '\t']))?;
    rest.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;

    /// Control groups as the kernel shows them: files with their contents.
    fn mounted(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for (path, content) in files {
            let file = root.path().join(path);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, content).unwrap();
        }
        root
    }

    /// The limit and the memory in use, in MiB.
    fn measured(groups: &str, files: &[(&str, &str)]) -> Option<(u64, u64)> {
        let root = mounted(files);
        let gauge = MemoryGauge::of_group(groups, root.path())?;
        Some((gauge.limit / MIB, gauge.used().unwrap() / MIB))
    }

    const STATISTICS: &str =
        "anon 7340032\nfile 99999999\nkernel_stack 4096\nshmem 3145728\nsock 5242880\nanon_thp 7\n";

    #[test]
    fn a_group_s_own_memory_its_files_in_memory_and_its_sockets_buffers_are_measured() {
        let files = [("shop/memory.max", "104857600\n"), ("shop/memory.stat", STATISTICS)];
        assert_eq!(measured("0::/shop\n", &files), Some((100, 15)));
    }

    #[test]
    fn the_smallest_limit_on_the_way_up_counts() {
        let files = [
            ("shops/memory.max", "52428800\n"),
            ("shops/memory.stat", STATISTICS),
            ("shops/one/memory.max", "max\n"),
            ("shops/one/memory.stat", "anon 1048576\nsock 0\n"),
        ];
        assert_eq!(measured("0::/shops/one\n", &files), Some((50, 15)));
    }

    #[test]
    fn a_container_sees_its_own_group_at_the_root() {
        let files = [("memory.max", "104857600\n"), ("memory.stat", STATISTICS)];
        assert_eq!(measured("0::/\n", &files), Some((100, 15)));
        assert_eq!(measured("0::/docker/0123\n", &files), Some((100, 15)));
    }

    const OLD_STATISTICS: &str =
        "rss 1\nhierarchical_memory_limit 104857600\ntotal_cache 9\ntotal_rss 7340032\ntotal_shmem 3145728\n";

    #[test]
    fn a_group_of_version_1_is_measured() {
        let groups = "5:devices:/\n4:cpu,memory:/shop\n0::/\n";
        let stat = ("memory/shop/memory.stat", OLD_STATISTICS);
        assert_eq!(measured(groups, &[stat]), Some((100, 10)));
        let sockets = ("memory/shop/memory.kmem.tcp.usage_in_bytes", "5242880\n");
        assert_eq!(measured(groups, &[stat, sockets]), Some((100, 15)));
        assert_eq!(measured(groups, &[("memory/memory.stat", OLD_STATISTICS)]), Some((100, 10)));
    }

    #[test]
    fn without_a_limit_nothing_is_measured() {
        assert_eq!(measured("0::/\n", &[("memory.max", "max\n"), ("memory.stat", STATISTICS)]), None);
        let unlimited = "hierarchical_memory_limit 9223372036854771712\ntotal_rss 1\n";
        assert_eq!(measured("4:memory:/\n", &[("memory/memory.stat", unlimited)]), None);
        assert_eq!(measured("", &[]), None);
        assert_eq!(measured("nonsense\n0:\n", &[]), None);
    }

    #[test]
    fn used_memory_includes_the_process_s_allocations_and_its_files_in_memory() {
        let files = FilesInMemory::default();
        let gauge = MemoryGauge::find(Some(1 << 30), Arc::clone(&files)).unwrap();
        // Large, so that allocations of tests that run in parallel do not matter.
        let block = vec![1_u8; 512 << 20];
        let allocated = std::hint::black_box(&block).len() as u64;
        assert!(gauge.used().unwrap() >= allocated);
        files.store(1 << 40, Ordering::Relaxed);
        assert!(gauge.used().unwrap() >= allocated + (1 << 40));
    }
}
