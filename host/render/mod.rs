//! Rendering: a page's JSON in, the application's markup out.
//!
//! [`Renderer`] is a cheap clone around a fixed pool of isolates (`pool.rs`, `isolate.rs`), each on
//! a thread of its own (`worker.rs`). A keeper replaces those that are lost or have rendered enough
//! (`keeper.rs`), and one watchdog ends what takes too long (`watchdog.rs`). Nothing here knows what
//! a page is; use [`RenderError`] for a page that gave no markup and [`BootError`] for a
//! renderer that cannot start.

mod counters;
mod error;
mod isolate;
mod keeper;
mod pool;
mod thread;
mod watchdog;
mod worker;

pub use counters::RendererCounters;
pub use error::{BootError, Exception, RenderError};
pub use isolate::initialize_platform;
pub use pool::{Rendered, Renderer, RendererSettings};

use std::sync::Arc;

use crate::assets;

/// The server bundle that every isolate loads.
#[derive(Clone, Debug)]
pub struct Bundle {
    /// A script that defines `globalThis.renderPage`.
    pub source: Arc<str>,
    /// Its source map, or nothing; used only to format stacks.
    pub source_map: &'static [u8],
}

impl Bundle {
    /// The bundle that this binary was built with.
    pub fn embedded() -> Self {
        Self { source: assets::SERVER_BUNDLE.into(), source_map: assets::SERVER_SOURCE_MAP }
    }
}
