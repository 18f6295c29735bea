//! The date of the commit that this executable is built from. It is the time of modification of what is embedded: the
//! same in every replica, and after a restart.

use std::sync::OnceLock;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

static BUILD_DATE: OnceLock<SystemTime> = OnceLock::new();

/// Names the date, in seconds since 1970. Must be called before something embedded is sent.
pub(crate) fn set_build_date(seconds: u64) {
    // A program is built once.
    let _ = BUILD_DATE.set(UNIX_EPOCH + Duration::from_secs(seconds));
}

/// The date. A program that does not name it, such as a test, gets that of the last run of the build script.
pub(crate) fn build_date() -> SystemTime {
    *BUILD_DATE.get_or_init(|| {
        UNIX_EPOCH + Duration::from_secs(env!("VITRINE_BUILD_DATE").parse().unwrap_or_default())
    })
}
