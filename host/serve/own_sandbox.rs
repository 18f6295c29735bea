//! The sandbox of the process that serves.

use landlock::RulesetError;

use crate::catalogue::StateDir;
use crate::observe::ErrorChain;
use crate::process::sandbox::{self, Enforcement, Sandbox};
use crate::settings::ServeSettings;

/// How far the sandbox is enforced; it is entered before there is a log that could tell.
pub(super) type Entered = Result<Enforcement, RulesetError>;

/// Gives up what the storefront does not need.
pub(super) fn enter(settings: &ServeSettings) -> Entered {
    // A build for development reads bundles and tools from anywhere.
    if settings.sandbox == Sandbox::Off || cfg!(feature = "dev") {
        return Ok(Enforcement::Off);
    }
    let allowed = settings.allowed_paths();
    for directory in &allowed.writable {
        // Only what exists can be allowed. A failure is reported when the directory is used.
        let _ = StateDir::create(directory);
    }
    sandbox::restrict(&allowed)
}

/// Says in the log how the sandbox is enforced. A storefront without it serves as well.
pub(super) fn report(sandbox: Entered) -> Enforcement {
    match sandbox {
        Ok(Enforcement::Off) => Enforcement::Off,
        Ok(enforcement) => {
            tracing::info!(sandbox = enforcement.text(), "files are restricted to what the worker needs");
            enforcement
        }
        Err(error) => {
            tracing::warn!(error = %ErrorChain(&error), "files are not restricted");
            Enforcement::Unsupported
        }
    }
}
