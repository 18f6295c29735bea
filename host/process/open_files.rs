//! The process's limit of open files. Each connection needs one file descriptor.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::observe::ErrorChain;

/// Open files besides connections: the executable, connections to the catalogue service, the state file.
pub(crate) const FURTHER_FILES: u64 = 256;

/// Raises the soft limit to the hard limit, because the default is often only 1024, and warns when
/// `connections` need more.
pub(crate) fn raise_limit(connections: u64) {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    if current != maximum
        && let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum })
    {
        tracing::warn!(error = %ErrorChain(&error), "the limit of open files cannot be raised");
    }
    if let Some(files) = getrlimit(Resource::Nofile).current
        && files < connections + FURTHER_FILES
    {
        tracing::warn!(files, connections, "fewer open files are allowed than connections need");
    }
}
