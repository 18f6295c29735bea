//! How often a supervisor has started another worker. Only the supervisor knows it, and tells each worker at its start:
//! every later start is that of another worker.

use crate::observe::counters::Counter;

/// Starts of a worker after the first one, whether they succeeded or not.
#[derive(Debug, Default)]
pub struct Restarts {
    /// The worker before it had died.
    pub died: Counter,
    /// The worker before it no longer answered its own requests.
    pub hung: Counter,
    /// The worker before it was replaced by order, such as SIGHUP.
    pub ordered: Counter,
}

impl Restarts {
    /// The counts in a [`Self::line`]; zero for each that is missing or not a number.
    pub(super) fn parse(line: &str) -> Self {
        let restarts = Self::default();
        let counters = [&restarts.died, &restarts.hung, &restarts.ordered];
        for (counter, number) in counters.into_iter().zip(line.split(' ')) {
            counter.add(number.parse().unwrap_or_default());
        }
        restarts
    }

    /// The counts, for a worker's environment.
    pub(super) fn line(&self) -> String {
        format!("{} {} {}", self.died.get(), self.hung.get(), self.ordered.get())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_reads_what_its_supervisor_has_counted() {
        let restarts = Restarts::default();
        restarts.died.add(3);
        restarts.ordered.add(12);
        assert_eq!(Restarts::parse(&restarts.line()).line(), "3 0 12");
        assert_eq!(Restarts::parse("many").line(), "0 0 0");
    }
}
