//! Compresses popular answers once more in idle time: visitors who wait get what is made quickly, later
//! ones get fewer bytes.

use std::io;
use std::sync::{Arc, Weak};
use std::thread;
use std::time::Duration;

use flume::{Receiver, RecvTimeoutError, Sender};

use crate::http::compression::{Accepted, Encoding};
use crate::http::dictionaries::Dictionaries;
use crate::http::variants::Variants;
use crate::observe::ErrorChain;
use crate::process::allocator;
use crate::process::pressure::Pressure;
use crate::process::priority::lower_priority;
use crate::render::Renderer;

/// The lowest priority that there is: the thread runs while nothing else wants the core.
pub const IDLE_NICENESS: i32 = 19;
/// Most variants that wait to be made. Later requests ask for further ones again.
const QUEUE: usize = 256;
/// So many variants may wait while pages are made ahead: each keeps the uncompressed body of its page in memory.
const FEW: usize = 4;
/// How long a variant waits at most for the end of the renders under way.
const POLITENESS: Duration = Duration::from_secs(2);
/// Time between two looks at the renderer.
const LOOK: Duration = Duration::from_millis(5);
/// After this time without a variant to make, memory that was freed is returned to the operating system.
const IDLE_AFTER: Duration = Duration::from_secs(10);

/// The thread that makes final variants. It ends when the handle is dropped.
#[derive(Debug)]
pub(in crate::shop) struct Finisher {
    jobs: Sender<Job>,
}

/// A variant to make, unless its answer has been dropped before.
#[derive(Debug)]
struct Job {
    variants: Weak<Variants>,
    coding: Encoding,
}

impl Finisher {
    /// Starts the thread with this niceness.
    ///
    /// # Errors
    /// Fails when the thread cannot be started.
    pub(in crate::shop) fn start(
        renderer: Renderer,
        pressure: Pressure,
        dictionaries: Dictionaries,
        niceness: i32,
    ) -> io::Result<Self> {
        let (jobs, received) = flume::bounded(QUEUE);
        let work = move || {
            lower_priority(niceness);
            run(&received, &renderer, &pressure, &dictionaries);
        };
        thread::Builder::new().name("variants".into()).spawn(work)?;
        Ok(Self { jobs })
    }

    /// Queues the variant that clients which accept these codings should get later, if it is missing.
    pub(in crate::shop) fn finish_later(&self, variants: &Arc<Variants>, accepted: Accepted) {
        if let Some(coding) = variants.claim_missing(accepted) {
            let job = Job { variants: Arc::downgrade(variants), coding };
            if self.jobs.try_send(job).is_err() {
                variants.release(coding);
            }
        }
    }

    /// Whether pages that nobody waits for should not add to the variants that wait.
    pub(in crate::shop) fn is_behind(&self) -> bool {
        self.jobs.len() >= FEW
    }
}

fn run(jobs: &Receiver<Job>, renderer: &Renderer, pressure: &Pressure, dictionaries: &Dictionaries) {
    let mut has_worked = false;
    loop {
        // Compressing takes megabytes for each page, which the allocator keeps after a burst of pages.
        let job = if has_worked { jobs.recv_timeout(IDLE_AFTER) } else { jobs.recv().map_err(Into::into) };
        match job {
            Ok(job) => {
                finish(&job, renderer, pressure, dictionaries);
                has_worked = true;
            }
            Err(RecvTimeoutError::Timeout) => {
                allocator::request_release();
                has_worked = false;
            }
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

/// Makes a variant as soon as nothing is rendered.
fn finish(job: &Job, renderer: &Renderer, pressure: &Pressure, dictionaries: &Dictionaries) {
    let mut waited = Duration::ZERO;
    while !renderer.is_idle() && waited < POLITENESS {
        thread::sleep(LOOK);
        waited += LOOK;
    }
    let Some(variants) = job.variants.upgrade() else { return };
    if pressure.is_tight() {
        variants.release(job.coding);
    } else {
        let current = dictionaries.current();
        // After a failure clients get another variant.
        if let Err(error) = variants.finish(job.coding, current.as_ref().map(|known| &known.dictionary)) {
            tracing::error!(error = %ErrorChain(&error), "a final variant was not made");
        }
    }
}
