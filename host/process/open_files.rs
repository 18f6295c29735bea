//! The process's limit of open files. Each connection needs one file descriptor.

use crate::observe::ErrorChain;

/// Open files besides connections: the executable, connections to the catalogue service, the state file.
pub(crate) const FURTHER_FILES: u64 = 256;

/// Raises the soft limit to the hard limit, because the default is often only 1024, and warns when
/// `connections` need more.
pub(crate) fn raise_limit(connections: u64) {
    match rlimit::increase_nofile_limit(u64::MAX) {
        Ok(files) if files < connections + FURTHER_FILES => {
            tracing::warn!(files, connections, "fewer open files are allowed than connections need");
        }
        Ok(_) => {}
        Err(error) => {
            tracing::warn!(error = %ErrorChain(&error), "the limit of open files is not known");
        }
    }
}
