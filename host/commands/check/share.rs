//! Whether replicas can share anything.

use super::report::Report;
use crate::observe::ErrorChain;
use crate::settings::{CatalogueChoice, ServeSettings};
use crate::share::Distance;

/// Asks the server. The storefront also starts without it, so its trouble is a warning.
pub(super) async fn check_share(settings: &ServeSettings, report: &mut Report) {
    const ABOUT: &str = "share";
    if settings.share.is_some() && !matches!(settings.catalogue, CatalogueChoice::Service(_)) {
        report.warn(ABOUT, "--share has no effect: every replica has all products itself");
    }
    let share = match settings.share() {
        Ok(Some(share)) => share,
        Ok(None) => return,
        Err(error) => {
            report.error(ABOUT, format!("--share cannot be used: {error}"));
            return;
        }
    };
    let address = share.address();
    match share.try_server().await {
        Ok(Distance { round_trip, is_far: false }) => {
            report.ok(ABOUT, format!("{address} does what replicas need, in {} ms", round_trip.as_millis()));
        }
        Ok(Distance { round_trip, is_far: true }) => report.warn(
            ABOUT,
            format!(
                "{address} is too far away: an answer takes {} ms; from 50 ms on, replicas are often alone",
                round_trip.as_millis()
            ),
        ),
        Err(error) => {
            report.warn(ABOUT, format!("{address}: {}; each replica would be alone", ErrorChain(&error)));
        }
    }
}
