//! What this process may do with files, enforced by the kernel (Landlock). It holds for code that an attacker
//! brings into the process as well: neither root nor a capability of the process takes it back.
//!
//! - `enforcement`: whether it is wanted, and how far the kernel enforces it.
//! - `paths`: what stays usable.
//! - `rules`: what the kernel is told.
//!
//! The rules hold for opening and executing: sockets and files that are open already stay usable. The network is
//! not restricted. [Decision 0032](../../../docs/decisions/0032-sandbox.md) says why the paths are as wide as they are.

mod enforcement;
mod paths;
mod rules;

pub use self::enforcement::Enforcement;
pub(crate) use self::enforcement::Sandbox;
pub use self::paths::AllowedPaths;
pub use self::rules::restrict;
