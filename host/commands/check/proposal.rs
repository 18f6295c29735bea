//! A proposal of options for the catalogue's file.

use super::report::Report;
use crate::catalogue::file::{Proposed, propose};
use crate::observe::ErrorChain;
use crate::process::compute::off_runtime;
use crate::settings::{CatalogueChoice, ServeSettings};

const ABOUT: &str = "proposal";

/// Writes options for a table of no known form. Returns whether the catalogue is to be read: a proposal is to be looked at
/// first.
pub(super) async fn propose_options(settings: &ServeSettings, report: &mut Report) -> bool {
    let CatalogueChoice::File(file) = &settings.catalogue else {
        report.warn(ABOUT, "--propose has no effect: the catalogue is no file");
        return true;
    };
    let name = file.display();
    let (path, options) = (file.clone(), settings.catalogue_options.clone());
    match off_runtime(move || propose(&path, options.as_deref())).await {
        Ok(Proposed::Known(form)) => {
            report.ok(ABOUT, format!("{name} needs none: its columns are known, as those of {form}"));
            return true;
        }
        Ok(Proposed::NoTable(format)) => {
            report.warn(ABOUT, format!("{name} has none: proposals are for tables, and it is {format}"));
            return true;
        }
        Ok(Proposed::Written { path, lacking: None }) => report.warn(
            ABOUT,
            format!("{} is written for {name}: look at it, then run `vitrine check` again", path.display()),
        ),
        Ok(Proposed::Written { path, lacking: Some(error) }) => report.error(
            ABOUT,
            format!(
                "{} is written for {name}, and lacks something: {}. Complete it, then run `vitrine check` again",
                path.display(),
                ErrorChain(&error)
            ),
        ),
        Err(error) => report.error(ABOUT, format!("nothing is written for {name}: {}", ErrorChain(&error))),
    }
    false
}
