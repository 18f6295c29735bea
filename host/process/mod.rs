//! What the process shares with the operating system: sockets, signals, memory, file descriptors,
//! threads, and the supervisor of worker processes.

pub(crate) mod allocator;
pub(crate) mod compute;
mod cryptography;
pub(crate) mod heartbeat;
pub(crate) mod journal;
pub(crate) mod lifeline;
pub mod listening;
pub(crate) mod memory_gauge;
pub(crate) mod open_files;
pub(crate) mod own_usage;
pub mod pressure;
pub(crate) mod priority;
pub(crate) mod readiness;
pub mod restarts;
pub mod role;
pub mod sandbox;
pub(crate) mod signals;
pub mod supervise;

pub use cryptography::choose_cryptography;
