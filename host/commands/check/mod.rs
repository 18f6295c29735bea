//! `check`: tries the storefront's settings without serving.
//!
//! Changes nothing but the files of `--rejected` and `--propose`: no directory is created, no state is saved, and no socket
//! stays open.

mod catalogue;
mod exports;
mod machine;
mod pages;
mod pictures;
mod products;
mod proposal;
mod report;
mod share;
mod shop;
mod site;
mod tls;

use std::sync::Arc;

use anyhow::Context as _;
use tokio::runtime;

use self::report::Report;
use super::failure::Failure;
use crate::profile::ShopFile;
use crate::render::{check_address_space, initialize_platform};
use crate::settings::{CheckSettings, ExitCode};

/// Checks everything, and prints each finding as a line.
pub(super) fn check(settings: CheckSettings) -> ExitCode {
    if let Err(error) = check_address_space(settings.serve.renderer().isolates) {
        eprintln!("error: {error}");
        return ExitCode::Failed;
    }
    // Must run before the runtime starts its threads, see the function.
    initialize_platform();
    let runtime = runtime::Builder::new_multi_thread().enable_all().build();
    let is_good = runtime
        .context("the async runtime cannot be started")
        .map(|runtime| runtime.block_on(check_all(settings)));
    match is_good {
        Ok(true) => ExitCode::Done,
        Ok(false) => ExitCode::Failed,
        Err(error) => {
            eprintln!("error: {}", Failure(&error));
            ExitCode::Failed
        }
    }
}

async fn check_all(CheckSettings { strict, rejected, propose, serve: mut settings }: CheckSettings) -> bool {
    let mut report = Report::default();
    machine::check_variables(&mut report);
    machine::check_listening(&settings, &mut report).await;
    tls::check_certificate(&settings, &mut report);
    machine::check_admin(&settings, &mut report);
    machine::check_state_directory(&settings, &mut report);
    machine::check_replaced_paths(&settings, &mut report);
    share::check_share(&settings, &mut report).await;
    machine::check_memory(&settings, &mut report);
    machine::check_open_files(&settings, &mut report);
    let robots = site::check_robots(&settings, &mut report);
    let site = site::check_site(&settings, &mut report);
    let file = site::check_shop(&settings, &mut report);
    shop::check_file(&settings, file.as_ref(), &mut report);
    settings.currency = settings.currency.or(file.as_ref().and_then(ShopFile::currency));
    let is_read = !propose || proposal::propose_options(&settings, &mut report).await;
    if is_read
        && let Some(catalogue) =
            catalogue::check_catalogue(&settings, file.as_ref(), rejected.as_deref(), &mut report).await
        && let Some(site) = site
    {
        catalogue::check_images(&catalogue, &site, &settings, &mut report).await;
        pictures::check_pictures(&catalogue, settings.reach(), &mut report).await;
        if settings.catalogue.is_file_or_feed() {
            products::check_products(&catalogue, &mut report).await;
        }
        exports::check_exports(&catalogue, &settings, &mut report).await;
        let asked = Arc::clone(&catalogue.catalogue);
        if let Err(error) =
            pages::check_pages(&settings, catalogue, site, robots, file.as_ref(), &mut report).await
        {
            report.error("pages", Failure(&error));
        }
        // Last, because making the pages asks the catalogue for the rest.
        catalogue::check_left_out(&*asked, &mut report);
    }
    report.finish();
    report.is_good(strict)
}
