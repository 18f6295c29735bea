//! The server bundle that every isolate runs.

use std::sync::Arc;

#[cfg(not(feature = "dev"))]
static SOURCE: &str = include_str!(concat!(env!("OUT_DIR"), "/ssr.js"));
#[cfg(not(feature = "dev"))]
static SOURCE_MAP: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/ssr.js.map"));

/// A script that defines `globalThis.renderPage`.
#[derive(Clone, Debug)]
pub struct Bundle {
    /// The script.
    pub source: Arc<str>,
    /// The script's source map, which may be empty. It is used only to format stack traces.
    pub(super) source_map: &'static [u8],
}

impl Bundle {
    /// The bundle that was built into this executable.
    #[cfg(not(feature = "dev"))]
    pub fn embedded() -> Self {
        Self { source: SOURCE.into(), source_map: SOURCE_MAP }
    }

    /// The bundle in the folder that builds for development read.
    #[cfg(feature = "dev")]
    pub fn embedded() -> Self {
        let bundles = crate::dev::bundles();
        Self { source: bundles.text("ssr.js").into(), source_map: bundles.bytes("ssr.js.map") }
    }

    /// A bundle without a source map.
    pub fn from_script(source: impl Into<Arc<str>>) -> Self {
        Self { source: source.into(), source_map: b"" }
    }
}
