//! The lines of a check.

use std::fmt;

/// How good a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grade {
    Ok,
    /// The storefront starts, but something will not be as its operator expects.
    Warning,
    /// The storefront does not start, or does not sell.
    Error,
}

/// Prints findings as they come, and counts them.
#[derive(Debug, Default)]
pub(super) struct Report {
    warnings: usize,
    errors: usize,
}

impl Report {
    pub(super) fn ok(&mut self, about: &str, finding: impl fmt::Display) {
        self.add(Grade::Ok, about, &finding);
    }

    pub(super) fn warn(&mut self, about: &str, finding: impl fmt::Display) {
        self.add(Grade::Warning, about, &finding);
    }

    pub(super) fn error(&mut self, about: &str, finding: impl fmt::Display) {
        self.add(Grade::Error, about, &finding);
    }

    fn add(&mut self, grade: Grade, about: &str, finding: &dyn fmt::Display) {
        match grade {
            Grade::Ok => {}
            Grade::Warning => self.warnings += 1,
            Grade::Error => self.errors += 1,
        }
        // A closed pipe is not a failure: the exit code tells the result as well.
        let _ = crate::settings::print(&line(grade, about, finding));
    }

    /// Prints the numbers of errors and warnings.
    pub(super) fn finish(&self) {
        let errors = counted(self.errors, "error", "errors");
        let sum = format!("\n{errors}, {}\n", counted(self.warnings, "warning", "warnings"));
        let _ = crate::settings::print(&sum);
    }

    /// Whether the check has passed; if it is `strict`, warnings count too.
    pub(super) fn is_good(&self, strict: bool) -> bool {
        self.errors == 0 && !(strict && self.warnings > 0)
    }
}

/// A number with the name of what it counts.
pub(super) fn counted<Number: PartialEq + From<u8> + fmt::Display>(
    number: Number,
    one: &str,
    several: &str,
) -> String {
    let what = if number == Number::from(1) { one } else { several };
    format!("{number} {what}")
}

fn line(grade: Grade, about: &str, finding: &dyn fmt::Display) -> String {
    let grade = match grade {
        Grade::Ok => "ok",
        Grade::Warning => "warning",
        Grade::Error => "error",
    };
    // Text from the catalogue or a file must not begin a line of its own, nor control a terminal.
    let finding: String = finding.to_string().chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    format!("{grade:<8} {about:<13} {finding}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_is_one_line() {
        assert_eq!(line(Grade::Ok, "listen", &"a\nb\u{1b}[1m"), "ok       listen        a b [1m\n");
    }

    #[test]
    fn warnings_fail_a_strict_check_only_and_errors_every_one() {
        let report = |warnings, errors| Report { warnings, errors };
        assert!(report(0, 0).is_good(true) && report(1, 0).is_good(false));
        assert!(!report(1, 0).is_good(true) && !report(0, 1).is_good(false));
    }
}
