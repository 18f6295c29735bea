//! The shop's products as files: what Google merchant data would lack.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::catalogue::Reached;
use super::report::{Report, counted};
use crate::exports::{Exports, Format, LeftOut, is_in};
use crate::observe::ErrorChain;
use crate::process::compute::off_runtime;
use crate::settings::ServeSettings;

const ABOUT: &str = "exports";

/// Counts the products that are left out of the merchant data, with the reasons.
pub(super) async fn check_exports(reached: &Reached, settings: &ServeSettings, report: &mut Report) {
    if settings.exports == Exports::Off {
        report.ok(ABOUT, "the shop does not offer its products as files");
        return;
    }
    if reached.catalogue.version().is_none() {
        report.ok(ABOUT, "without a copy of the catalogue the shop offers no products as files");
        return;
    }
    let products = Arc::clone(&reached.products);
    let count = products.len();
    let left_out = off_runtime(move || {
        let mut left_out = BTreeMap::<LeftOut, usize>::new();
        for product in products.whole() {
            if let Err(reason) = is_in(&product?) {
                *left_out.entry(reason).or_default() += 1;
            }
        }
        Ok::<_, crate::catalogue::DetailsError>(left_out)
    });
    let path = Format::Merchant.path();
    match left_out.await {
        Ok(left_out) if left_out.is_empty() => {
            report.ok(ABOUT, format!("{path} has all of {}", counted(count, "product", "products")));
        }
        Ok(left_out) => {
            let all = counted(left_out.values().sum::<usize>(), "product", "products");
            let reasons: Vec<String> =
                left_out.iter().map(|(reason, count)| format!("{count} {reason}")).collect();
            report.ok(ABOUT, format!("{path} leaves {all} out: {}", reasons.join(", ")));
        }
        Err(error) => report.error(ABOUT, format!("products cannot be read: {}", ErrorChain(&error))),
    }
}
