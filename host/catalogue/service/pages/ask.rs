//! Repeats a call that fails, because a pass has time.

use std::time::Duration;

use tokio::time::{Instant, sleep};

use crate::catalogue::error::{CatalogueError, Phase};
use crate::catalogue::query::Result;
use crate::pacing::Backoff;

/// Shortest pause before a call is repeated.
const SHORTEST: Duration = Duration::from_millis(500);
/// Longest pause that is not the service's wish.
const LONGEST: Duration = Duration::from_secs(30);

/// Whether a call asks for a part of the list that can be made smaller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Divisible,
    Smallest,
}

/// The answer of a call that is repeated for this long, after the pauses that the guard asks for. It is not repeated if
/// a smaller part may be answered, or if the answer would be too large again.
///
/// # Errors
/// The last one.
pub(super) async fn ask<T, F: Future<Output = Result<T>>>(
    patience: Duration,
    part: Part,
    call: impl Fn() -> F,
) -> Result<T> {
    let started = Instant::now();
    let mut backoff = Backoff::new(SHORTEST, LONGEST);
    loop {
        let error = match call().await {
            Err(error) => error,
            answered => return answered,
        };
        let is_final = match part {
            Part::Divisible => is_too_large(&error),
            Part::Smallest => matches!(error.cause(), CatalogueError::TooLarge { .. }),
        };
        if is_final {
            return Err(error);
        }
        let pause = match error.cause() {
            CatalogueError::RateLimited { retry_after } | CatalogueError::CircuitOpen { retry_after } => {
                (*retry_after).max(SHORTEST)
            }
            CatalogueError::Throttled => SHORTEST,
            _ => backoff.next_pause(),
        };
        if started.elapsed() + pause > patience {
            return Err(error);
        }
        sleep(pause).await;
    }
}

/// Whether a smaller part of the list may be answered: this one has too many bytes, or takes too long.
pub(crate) fn is_too_large(error: &CatalogueError) -> bool {
    matches!(error.cause(), CatalogueError::TooLarge { .. }) || is_too_slow(error)
}

/// Whether the service was reached, and takes too long.
pub(super) fn is_too_slow(error: &CatalogueError) -> bool {
    matches!(error.cause(), CatalogueError::TimedOut(Phase::FirstByte | Phase::Read | Phase::Total))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_call_is_repeated_after_the_guard_s_pause_and_not_for_ever() {
        let retry_after = Duration::from_secs(7);
        let calls = AtomicUsize::new(0);
        let twice = || async {
            match calls.fetch_add(1, Ordering::SeqCst) {
                0 => Err(CatalogueError::RateLimited { retry_after }),
                1 => Err(CatalogueError::CircuitOpen { retry_after: Duration::ZERO }),
                2 => Err(CatalogueError::Status(500)),
                calls => Ok(calls),
            }
        };
        let started = Instant::now();
        assert_eq!(ask(Duration::from_secs(60), Part::Divisible, twice).await.unwrap(), 3);
        assert_eq!(started.elapsed().as_secs(), 8);
        let started = Instant::now();
        let never = || async { Err::<(), _>(CatalogueError::Died) };
        ask(Duration::from_secs(60), Part::Divisible, never).await.unwrap_err();
        assert!((25..=60).contains(&started.elapsed().as_secs()));
        let large = CatalogueError::TooLarge { limit: 1 };
        let slow = CatalogueError::TimedOut(Phase::FirstByte);
        for (part, error, is_repeated) in [
            (Part::Divisible, &large, false),
            (Part::Smallest, &large, false),
            (Part::Divisible, &slow, false),
            (Part::Smallest, &slow, true),
        ] {
            let started = Instant::now();
            let call = || async { Err::<(), _>(error.clone()) };
            ask(Duration::from_secs(60), part, call).await.unwrap_err();
            assert_eq!(!started.elapsed().is_zero(), is_repeated, "{part:?} {error}");
        }
    }
}
