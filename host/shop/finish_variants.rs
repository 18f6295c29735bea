//! Compresses popular answers once more in idle time: visitors who wait get what is made quickly, later
//! ones get fewer bytes.

use std::io;
use std::sync::{Arc, Weak};
use std::thread;
use std::time::Duration;

use flume::{Receiver, Sender};

use crate::http::compression::{Accepted, Encoding};
use crate::http::variants::Variants;
use crate::process::pressure::Pressure;
use crate::process::priority::lower_priority;
use crate::render::Renderer;

/// The lowest priority that there is: the thread runs while nothing else wants the core.
const NICENESS: i32 = 19;
/// Most variants that wait to be made. Those beyond are asked for again by later requests.
const QUEUE: usize = 256;
/// How long a variant waits at most for the end of the renders under way.
const POLITENESS: Duration = Duration::from_secs(2);
/// Time between two looks at the renderer.
const LOOK: Duration = Duration::from_millis(5);

/// The thread that makes final variants. It ends when the handle is dropped.
#[derive(Debug)]
pub(super) struct Finisher {
    jobs: Sender<Job>,
}

/// A variant to make, unless its answer has been dropped before.
#[derive(Debug)]
struct Job {
    variants: Weak<Variants>,
    coding: Encoding,
}

impl Finisher {
    /// Starts the thread.
    ///
    /// # Errors
    /// Fails when the thread cannot be started.
    pub(super) fn start(renderer: Renderer, pressure: Pressure) -> io::Result<Self> {
        let (jobs, received) = flume::bounded(QUEUE);
        let work = move || {
            lower_priority(NICENESS);
            run(&received, &renderer, &pressure);
        };
        thread::Builder::new().name("variants".into()).spawn(work)?;
        Ok(Self { jobs })
    }

    /// Has the variant made that clients which accept these codings should get later, if it is missing.
    pub(super) fn finish_later(&self, variants: &Arc<Variants>, accepted: Accepted) {
        if let Some(coding) = variants.claim_missing(accepted) {
            let job = Job { variants: Arc::downgrade(variants), coding };
            if self.jobs.try_send(job).is_err() {
                variants.release(coding);
            }
        }
    }
}

fn run(jobs: &Receiver<Job>, renderer: &Renderer, pressure: &Pressure) {
    for Job { variants, coding } in jobs {
        let mut waited = Duration::ZERO;
        while !renderer.is_idle() && waited < POLITENESS {
            thread::sleep(LOOK);
            waited += LOOK;
        }
        let Some(variants) = variants.upgrade() else { continue };
        if pressure.is_tight() {
            variants.release(coding);
        } else {
            variants.finish(coding);
        }
    }
}
