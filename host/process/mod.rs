//! What the process shares with the operating system: sockets, signals, memory, file descriptors, threads, the
//! sandbox, and the supervisor, under which a crash of the engine ends only a worker and not the shop.
//!
//! It promises that the listening sockets stay open while a worker is replaced, so that no visitor is refused; that
//! no worker outlives its supervisor; and that nothing lifts the sandbox. The reasons are in `docs/decisions/`:
//! `0006-supervisor.md`, `0032-sandbox.md` and, for the threads of `compute.rs`, `0010-overload.md`.

pub(crate) mod allocator;
pub(crate) mod compute;
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
pub(crate) mod role;
pub mod sandbox;
pub(crate) mod signals;
pub mod supervise;

pub use self::compute::OffRuntime;

/// Chooses the algorithms of every encrypted connection of this process, those of `ring`. Must run before the first
/// HTTP client is made, which would panic without a choice. Later calls change nothing.
pub fn choose_cryptography() {
    // The error means that they have been chosen already.
    let _ = rustls::crypto::ring::default_provider().install_default();
}
