//! What this process may do with files and programs, enforced by the kernel (Landlock, seccomp). The restriction also
//! holds for code that an attacker brings into the process: neither root nor a capability of the process lifts it.
//!
//! - `calls`: the system calls that are refused.
//! - `enforcement`: whether the sandbox is wanted, and how far the kernel enforces it.
//! - `paths`: the paths that stay usable.
//! - `refused`: paths that lead to what the rules do not know.
//! - `rules`: the rules that the kernel is given.
//!
//! The rules hold for opening and executing: sockets and files that are open already stay usable. The network and
//! Unix sockets in the file system are not restricted. [Decision 0032](../../../docs/decisions/0032-sandbox.md) says
//! why the paths are as wide as they are.

mod calls;
mod enforcement;
mod paths;
mod refused;
mod rules;

pub(crate) use self::enforcement::Sandbox;
pub use self::enforcement::{Enforcement, Restrictions};
pub use self::paths::AllowedPaths;
pub(crate) use self::refused::{Refused, refuses};
pub use self::rules::{Restricted, restrict};
