//! The certificate: whether connections can be encrypted, and for how long.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::time::SystemTime;

use super::report::Report;
use crate::http::tls::{EXPIRES_SOON, Tls, date};
use crate::observe::ErrorChain;
use crate::settings::ServeSettings;

const ABOUT: &str = "tls";

/// Reads the certificate and its key, if connections are to be encrypted.
pub(super) fn check_certificate(settings: &ServeSettings, report: &mut Report) {
    let opened = settings.tls.files().and_then(|files| {
        let Some(files) = files else { return Ok(None) };
        Ok(Some((files.key.clone(), Tls::open(files)?)))
    });
    let (key, tls) = match opened {
        Ok(Some(opened)) => opened,
        Ok(None) => return,
        Err(error) => {
            report.error(ABOUT, format!("{}; {}", ErrorChain(&error), error.remedy()));
            return;
        }
    };
    let expires = date(tls.not_after());
    let left = tls.not_after().duration_since(SystemTime::now()).unwrap_or_default();
    if left < EXPIRES_SOON {
        let days = left.as_secs() / 86_400;
        report.warn(ABOUT, format!("the certificate expires in {days} days, at {expires}: renew it"));
    } else {
        report.ok(ABOUT, format!("the certificate is valid until {expires}"));
    }
    if fs::metadata(&key).is_ok_and(|file| file.permissions().mode() & 0o007 != 0) {
        report.warn(ABOUT, format!("everybody on this machine may use {}: chmod o-rwx", key.display()));
    }
}
