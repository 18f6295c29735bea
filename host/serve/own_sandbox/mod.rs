//! Puts the process that serves into its sandbox, and reports how far the kernel enforces it (decision 0032).

use crate::catalogue::StateDir;
use crate::observe::ErrorChain;
use crate::process::readiness;
use crate::process::sandbox::{self, Enforcement, Restricted, Restrictions, Sandbox};
use crate::settings::ServeSettings;

/// Gives up access to files and system calls that the storefront does not need. The log has not been started yet.
pub(super) fn enter(settings: &ServeSettings) -> Restricted {
    // A development build may read its bundles from any folder.
    if settings.sandbox == Sandbox::Off || cfg!(feature = "dev") {
        return Restricted { files: Ok(Enforcement::Off), calls: Ok(Enforcement::Off) };
    }
    let allowed = settings.allowed_paths();
    for directory in &allowed.writable {
        // The kernel can only allow paths that exist. If this fails, the first use of the directory says so.
        let _ = StateDir::create(directory);
    }
    // The sandbox refuses later connections to abstract sockets.
    readiness::connect();
    sandbox::restrict(&allowed)
}

/// Logs how far the sandbox is enforced, which [`enter`] could not do. The storefront serves even if it is not.
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
            "the process is restricted to what it needs"
        );
    }
    restrictions
}

#[cfg(test)]
mod tests;
