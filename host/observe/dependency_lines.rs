//! Limits what libraries log. Clients decide how often some of their lines are written: the `h2` crate has warnings
//! about single frames.

use std::fmt::{Debug, Write as _};

use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;

use super::log_throttle::LogThrottle;

/// Lets through every line of the shop itself, and from each place in a library's code one line per period.
/// Lines for debugging, which an operator has to ask for, are let through too.
#[derive(Debug, Default)]
pub(super) struct DependencyLines(LogThrottle);

impl<S: Subscriber> Layer<S> for DependencyLines {
    fn event_enabled(&self, event: &Event<'_>, _: Context<'_, S>) -> bool {
        let line = event.metadata();
        let is_own = line.target().split("::").next() == Some(env!("CARGO_PKG_NAME"));
        if is_own || *line.level() > Level::INFO {
            return true;
        }
        // The name of an event is its place in the code. Events of the crate `log` have it in fields.
        if line.target() == LOG {
            let mut place = PlaceOfLog::default();
            event.record(&mut place);
            return self.0.allows(place.0);
        }
        self.0.allows(line.name())
    }
}

/// The target of every line of the crate `log`.
const LOG: &str = "log";

/// The place in the code from which a line of the crate `log` comes.
#[derive(Default)]
struct PlaceOfLog(String);

impl Visit for PlaceOfLog {
    fn record_str(&mut self, field: &Field, value: &str) {
        if matches!(field.name(), "log.target" | "log.file") {
            self.0.push_str(value);
            self.0.push(' ');
        }
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        if field.name() == "log.line" {
            // Writing to a text does not fail.
            let _ = write!(self.0, "{value} ");
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn Debug) {}
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tracing_subscriber::layer::SubscriberExt as _;

    use super::*;

    #[test]
    fn a_library_s_line_is_written_once_and_the_shop_s_own_every_time() {
        let log = tempfile::NamedTempFile::new().unwrap();
        let lines = tracing_subscriber::fmt::layer().with_writer(Arc::new(log.reopen().unwrap()));
        let subscriber = tracing_subscriber::registry().with(lines).with(DependencyLines::default());
        tracing::subscriber::with_default(subscriber, || {
            for _ in 0..50 {
                tracing::warn!(target: "h2::proto", "a strange frame");
                tracing::warn!(target: "h2::proto", "another one");
                tracing::warn!("the shop's own");
                tracing::debug!(target: "h2::proto", "a detail");
                for (line, place) in [(7_u64, "here"), (8, "there")] {
                    tracing::warn!(
                        target: "log", { log.target = "old", log.file = "a.rs", log.line = line }, "log, {place}"
                    );
                }
            }
        });
        let text = std::fs::read_to_string(log.path()).unwrap();
        let count = |message: &str| text.lines().filter(|line| line.contains(message)).count();
        assert_eq!(
            ["a strange frame", "another one", "the shop's own", "a detail", "log, here", "log, there"]
                .map(count),
            [1, 1, 50, 50, 1, 1]
        );
    }
}
