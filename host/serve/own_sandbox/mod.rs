//! The sandbox of the process that serves.

use crate::catalogue::StateDir;
use crate::observe::ErrorChain;
use crate::process::readiness;
use crate::process::sandbox::{self, Enforcement, Restricted, Restrictions, Sandbox};
use crate::settings::ServeSettings;

/// Gives up what the storefront does not need.
pub(super) fn enter(settings: &ServeSettings) -> Restricted {
    // A build for development reads bundles and tools from anywhere.
    if settings.sandbox == Sandbox::Off || cfg!(feature = "dev") {
        return Restricted { files: Ok(Enforcement::Off), calls: Ok(Enforcement::Off) };
    }
    let allowed = settings.allowed_paths();
    for directory in &allowed.writable {
        // Only what exists can be allowed. A failure is reported when the directory is used.
        let _ = StateDir::create(directory);
    }
    readiness::connect();
    sandbox::restrict(&allowed)
}

/// Logs how the sandbox is enforced. It was entered before there was a log. A storefront serves without it, too.
pub(super) fn report(restricted: Restricted) -> Restrictions {
    let files = restricted.files.unwrap_or_else(|error| {
        tracing::warn!(error = %ErrorChain(&error), "files are not restricted");
        Enforcement::Unsupported
    });
    let calls = restricted.calls.unwrap_or_else(|error| {
        tracing::warn!(error = %ErrorChain(&error), "system calls are not restricted");
        Enforcement::Unsupported
    });
    let restrictions = Restrictions { files, calls };
    if restrictions != Restrictions::OFF {
        tracing::info!(
            sandbox = files.text(),
            system_calls = calls.text(),
            "files are restricted to what the worker needs"
        );
    }
    restrictions
}

#[cfg(test)]
mod tests;
