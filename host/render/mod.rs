//! Server-side rendering: a page's JSON in, the application's markup out.
//!
//! [`Renderer`] is a cheaply cloned handle on a fixed pool of isolates (`pool/`, `isolate.rs`), each on
//! its own thread (`worker.rs`). The keeper replaces isolates that are lost or have rendered enough
//! (`keeper.rs`), and the watchdog terminates renders that have used up their processor time
//! (`watchdog.rs`). Nothing here depends on the content of a page. [`RenderError`] says why a render gave
//! no markup, [`BootError`] why the renderer did not start.
//!
//! It promises that a caller has markup or an error in bounded time, even if the isolate never answers, and that the
//! same JSON gives the same markup on either engine. The reasons are in `docs/decisions/`: `0001-two-engines.md`,
//! `0010-overload.md` and `0035-no-snapshot.md`.

mod address_space;
mod boot_error;
mod bundle;
mod counters;
mod engine;
mod isolate;
mod keeper;
mod outcome;
mod pool;
mod queue;
mod settings;
mod thread;
mod watchdog;
mod worker;

pub use address_space::{AddressSpaceError, check_address_space};
pub use boot_error::BootError;
pub use bundle::Bundle;
pub use counters::RendererCounters;
pub(crate) use isolate::YOUNG_GENERATION;
pub use isolate::initialize_platform;
pub use outcome::{Exception, Refusal, RenderError, Rendered};
pub use pool::Renderer;
pub(crate) use settings::REST_AFTER;
pub use settings::RendererSettings;
