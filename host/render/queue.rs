//! The bounded queue of jobs in front of the isolates. A caller that stops waiting takes its job out, so that the
//! queue's length is the number of callers that wait.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

/// Jobs in the order in which they came.
#[derive(Debug)]
pub(super) struct Queue<T> {
    capacity: usize,
    state: Mutex<State<T>>,
    /// Signalled when a job comes, and when the queue is closed.
    changed: Condvar,
}

#[derive(Debug)]
struct State<T> {
    /// Each job with its number, in ascending order.
    jobs: VecDeque<(u64, T)>,
    next: u64,
    is_closed: bool,
}

/// Every place in the queue is taken.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Full;

/// Why there is no job.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Empty {
    /// No job came in time.
    Timeout,
    /// The queue is closed, and no job will come.
    Closed,
}

impl<T> Queue<T> {
    pub(super) fn new(capacity: usize) -> Self {
        let state = State { jobs: VecDeque::new(), next: 0, is_closed: false };
        Self { capacity, state: Mutex::new(state), changed: Condvar::new() }
    }

    pub(super) fn capacity(&self) -> usize {
        self.capacity
    }

    /// How many jobs wait.
    pub(super) fn len(&self) -> usize {
        self.state.lock().jobs.len()
    }

    /// Puts a job at the end. It leaves the queue at the latest when the place is dropped.
    ///
    /// # Errors
    /// When every place is taken.
    pub(super) fn push(&self, job: T) -> Result<Place<'_, T>, Full> {
        let mut state = self.state.lock();
        if state.jobs.len() >= self.capacity {
            return Err(Full);
        }
        let number = state.next;
        state.next += 1;
        state.jobs.push_back((number, job));
        drop(state);
        self.changed.notify_one();
        Ok(Place { queue: self, number })
    }

    /// The job that has waited longest, or the next one that comes within `patience`.
    ///
    /// # Errors
    /// When no job came in time, or no job will come.
    pub(super) fn pop(&self, patience: Duration) -> Result<T, Empty> {
        let until = Instant::now() + patience;
        let mut state = self.state.lock();
        loop {
            if let Some((_, job)) = state.jobs.pop_front() {
                return Ok(job);
            }
            if state.is_closed {
                return Err(Empty::Closed);
            }
            if self.changed.wait_until(&mut state, until).timed_out() {
                return state.jobs.pop_front().map(|(_, job)| job).ok_or(Empty::Timeout);
            }
        }
    }

    /// Tells those who wait for jobs that no further one will come.
    pub(super) fn close(&self) {
        self.state.lock().is_closed = true;
        self.changed.notify_all();
    }
}

/// A job's place in the queue, which is given up when this is dropped.
#[derive(Debug)]
pub(super) struct Place<'a, T> {
    queue: &'a Queue<T>,
    number: u64,
}

impl<T> Drop for Place<'_, T> {
    fn drop(&mut self) {
        let mut state = self.queue.state.lock();
        let found = state.jobs.binary_search_by_key(&self.number, |(number, _)| *number);
        let job = found.ok().and_then(|index| state.jobs.remove(index));
        // The job, with all that it owns, is dropped without the lock.
        drop(state);
        drop(job);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT_ONCE: Duration = Duration::ZERO;

    #[test]
    fn a_job_whose_place_is_given_up_makes_room() {
        let queue = Queue::new(2);
        let first = queue.push("first").unwrap();
        let second = queue.push("second").unwrap();
        assert_eq!(queue.push("third").err(), Some(Full));
        drop(first);
        assert_eq!(queue.len(), 1);
        let third = queue.push("third").unwrap();
        assert_eq!(queue.pop(AT_ONCE), Ok("second"));
        // The job is with an isolate already.
        drop(second);
        assert_eq!((queue.len(), queue.pop(AT_ONCE)), (1, Ok("third")));
        drop(third);
        assert_eq!(queue.pop(AT_ONCE), Err(Empty::Timeout));
        queue.close();
        assert_eq!(queue.pop(Duration::from_secs(60)), Err(Empty::Closed));
    }
}
