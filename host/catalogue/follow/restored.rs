//! Versions that this process has not read itself: they were kept in a file, or other replicas have read them.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::past::Past;
use super::state::StateError;
use super::{Current, Followed, Sold};
use crate::catalogue::Source;
use crate::catalogue::version::Version;

impl<C: Source> Followed<C> {
    /// Sells a version that was kept or shared since it was asked for and last received as a whole, unless a younger
    /// one is sold.
    ///
    /// # Errors
    /// When it is too old to be sold, or most of what is sold is missing in it.
    pub(super) fn restore(&self, version: &Arc<Version>, asked: Past, whole: Past) -> Result<(), StateError> {
        if !self.may_be_sold(asked.elapsed()) {
            return Err(StateError::TooOld);
        }
        let newer = self.newer_since(asked);
        let laid = if newer.is_empty() { Arc::clone(version) } else { Arc::new(version.with_newer(&newer)) };
        let mut sold = self.sold.lock();
        let Sold { current, loss, newer, .. } = &mut *sold;
        if current.as_ref().is_some_and(|current| !current.asked.is_before(asked)) {
            return Ok(());
        }
        let (old, new) =
            (current.as_ref().map_or(0, |current| current.read.products().len()), version.products().len());
        if !loss.accepts(old, new, asked, self.losses_apart()) {
            self.rejected.increment();
            return Err(StateError::Loss);
        }
        version.set_damaged(current.as_ref().is_some_and(|current| current.read.is_damaged()));
        newer.retain(|_, (since, _)| !since.is_before(asked));
        let new = Current { version: laid, whole, ..Current::new(Arc::clone(version), asked, None) };
        let replaced = current.replace(new);
        self.note_answer(&mut sold, asked);
        drop(sold);
        self.announce(replaced);
        Ok(())
    }

    /// Notes that another replica has asked for the version on sale again, and when it received it as a whole.
    pub(super) fn confirm(&self, read: &Arc<Version>, asked: Past, whole: Past) {
        let mut sold = self.sold.lock();
        let Some(current) = sold.current.as_mut().filter(|current| Arc::ptr_eq(&current.read, read)) else {
            return;
        };
        if current.asked.is_before(asked) {
            current.asked = asked;
            if current.whole.is_before(whole) {
                current.whole = whole;
            }
            self.note_answer(&mut sold, asked);
        }
    }

    /// Notes that the source has answered another replica, or this one earlier. If that is an answer to the latest order,
    /// visitors need not wait for one.
    fn note_answer(&self, sold: &mut Sold, asked: Past) {
        sold.answered = sold.answered.filter(|answered| asked.is_before(*answered)).or(Some(asked));
        sold.trouble = None;
        if !sold.is_order_open() {
            self.end_wait();
        }
    }

    /// Notes how long readings of other replicas take.
    pub(super) fn note_their_reading_time(&self, time: Duration) {
        let time = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        self.their_reading_time.store(time, Ordering::Relaxed);
    }
}
