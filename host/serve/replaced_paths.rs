//! Notices that a file or a folder of the settings was replaced by another one, which the sandbox refuses. Only a new
//! process can read it: a supervisor is asked for one, and an operator is told.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use tokio::time::sleep;

use crate::observe::Bounded;
use crate::process::compute::off_runtime;
use crate::process::readiness;
use crate::process::sandbox::Refused;

/// Time between two looks at the paths.
const PERIOD: Duration = Duration::from_secs(5);
/// Shortest time between two requests to the supervisor, and between two lines of the log.
const AGAIN: Duration = Duration::from_secs(60);

/// Looks at the paths for as long as the program runs. A worker asks its supervisor to be replaced.
pub(super) async fn follow(paths: Vec<PathBuf>, refused: Refused, is_worker: bool) {
    let mut last: Option<Instant> = None;
    while !paths.is_empty() {
        sleep(PERIOD).await;
        let looked = (paths.clone(), refused.clone());
        let Some(path) = off_runtime(move || looked.1.look(&looked.0)).await else { continue };
        if last.is_some_and(|last| last.elapsed() < AGAIN) {
            continue;
        }
        last = Some(Instant::now());
        if is_worker {
            tracing::warn!(
                path = %Bounded(path.display()),
                "the sandbox does not know what is now at this path; the supervisor is asked for another worker"
            );
            readiness::ask_to_be_replaced();
        } else {
            tracing::warn!(
                path = %Bounded(path.display()),
                "the sandbox does not know what is now at this path: start the shop again, or use --supervise"
            );
        }
    }
}
