//! A log that a test reads.

use std::io;
use std::sync::{Arc, Mutex};

use tracing::subscriber::set_default;
use tracing::{Level, Subscriber};
use tracing_subscriber::fmt::format::FmtSpan;

/// What a subscriber writes to; clones share the text.
#[derive(Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    /// What was logged so far.
    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }

    /// A subscriber that writes here, with these events in the life of each span.
    pub(crate) fn subscriber(&self, level: Level, spans: FmtSpan) -> impl Subscriber + Send + Sync + use<> {
        let log = self.clone();
        let subscriber = tracing_subscriber::fmt().with_max_level(level).with_span_events(spans);
        subscriber.with_ansi(false).with_writer(move || log.clone()).finish()
    }
}

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What this thread logs while `work` is done.
pub(crate) async fn logged(work: impl Future<Output = ()>) -> String {
    let log = Log::default();
    let guard = set_default(log.subscriber(Level::INFO, FmtSpan::NONE));
    work.await;
    drop(guard);
    log.text()
}
