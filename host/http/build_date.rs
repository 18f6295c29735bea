//! The date of the commit that this executable is built from. It is the time of modification of what is embedded: the
//! same in every replica, and after a restart.

use std::sync::OnceLock;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

static BUILD_DATE: OnceLock<SystemTime> = OnceLock::new();

/// Names the date, in seconds since 1970. Must be called before something embedded is sent.
pub(crate) fn set_build_date(seconds: u64) {
    // Fails if the date has been named already; a program has only one.
    let _ = BUILD_DATE.set(UNIX_EPOCH + Duration::from_secs(seconds));
}

/// The date. Where nothing has named it, as in a test, it is the date of the build script's last run.
pub(crate) fn build_date() -> SystemTime {
    *BUILD_DATE.get_or_init(|| {
        UNIX_EPOCH + Duration::from_secs(env!("VITRINE_BUILD_DATE").parse().unwrap_or_default())
    })
}
