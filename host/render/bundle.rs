//! The server bundle that every isolate runs.

use std::sync::Arc;

#[cfg(not(feature = "dev"))]
static SOURCE: &str = include_str!(concat!(env!("OUT_DIR"), "/ssr.js"));
#[cfg(not(feature = "dev"))]
static SOURCE_MAP: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/ssr.js.map"));
/// The snapshot of an isolate that has run `SOURCE`, made by `scripts/snapshot.rs`. Empty if the build machine could
/// not make it.
#[cfg(all(feature = "v8", not(feature = "dev")))]
static SNAPSHOT: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/ssr.snapshot"));

/// A script that defines `globalThis.renderPage`.
#[derive(Clone, Debug)]
pub struct Bundle {
    /// The script.
    pub source: Arc<str>,
    /// The script's source map, which may be empty. It is used only to format stack traces.
    pub(super) source_map: &'static [u8],
    /// An isolate that has run the script, from which others start. Without it each runs the script.
    pub(super) snapshot: Option<&'static [u8]>,
}

impl Bundle {
    /// The bundle that was built into this executable.
    #[cfg(not(feature = "dev"))]
    pub fn embedded() -> Self {
        Self { source: SOURCE.into(), source_map: SOURCE_MAP, snapshot: embedded_snapshot() }
    }

    /// The bundle of the folder that builds for development read.
    #[cfg(feature = "dev")]
    pub fn embedded() -> Self {
        let bundles = crate::dev::bundles();
        let (source, source_map) = (bundles.text("ssr.js").into(), bundles.bytes("ssr.js.map"));
        Self { source, source_map, snapshot: None }
    }

    /// A bundle without source map and snapshot.
    pub fn from_script(source: impl Into<Arc<str>>) -> Self {
        Self { source: source.into(), source_map: b"", snapshot: None }
    }

    /// This bundle, run by each isolate when it starts.
    #[must_use]
    pub fn without_snapshot(self) -> Self {
        Self { snapshot: None, ..self }
    }
}

/// The snapshot that was built into this executable.
#[cfg(all(feature = "v8", not(feature = "dev")))]
fn embedded_snapshot() -> Option<&'static [u8]> {
    (!SNAPSHOT.is_empty()).then_some(SNAPSHOT)
}

/// QuickJS has no snapshots.
#[cfg(all(feature = "quickjs", not(feature = "dev")))]
fn embedded_snapshot() -> Option<&'static [u8]> {
    None
}
