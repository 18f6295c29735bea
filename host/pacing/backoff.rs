//! Pauses between attempts.

use std::time::Duration;

/// Pauses between attempts that fail: each is twice as long as the one before, up to the longest.
#[derive(Debug)]
pub(crate) struct Backoff {
    shortest: Duration,
    longest: Duration,
    next: Duration,
}

impl Backoff {
    pub(crate) fn new(shortest: Duration, longest: Duration) -> Self {
        Self { shortest, longest, next: shortest }
    }

    /// The pause before the next attempt.
    pub(crate) fn next_pause(&mut self) -> Duration {
        let pause = self.next;
        self.next = (2 * pause).min(self.longest);
        pause
    }

    /// Begins with the shortest pause again, after a success.
    pub(crate) fn reset(&mut self) {
        self.next = self.shortest;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_the_longest_and_begin_anew_after_a_success() {
        let [shortest, longest] = [50, 1_000].map(Duration::from_millis);
        let mut backoff = Backoff::new(shortest, longest);
        let milliseconds = [(); 7].map(|()| backoff.next_pause().as_millis());
        assert_eq!(milliseconds, [50, 100, 200, 400, 800, 1_000, 1_000]);
        backoff.reset();
        assert_eq!(backoff.next_pause(), shortest);
    }
}
