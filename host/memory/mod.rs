//! A bounded memory of values that are costly to make: fresh ones are served at once, stale ones
//! are served while one task makes them anew, and of many who miss the same value one makes it
//! while the others wait.
//!
//! What is stale is served for long, because an old page or product list is worth more to a
//! shopper than an error. What nobody asked for in a long time is worth a short wait for the new
//! one. Who makes a value is a task of its own: a caller that goes away takes nothing with it, and
//! when the task itself dies, one of those who waited starts another.

mod age;

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use moka::sync::Cache;
use parking_lot::Mutex;
use tokio::sync::watch;

use age::Kept;
pub use age::{Ages, Served};

/// How long a value that is overdue may be waited for; then the old one is served after all.
const PATIENCE: Duration = Duration::from_millis(500);

/// How long nobody tries again after a refresh has failed.
const PAUSE_AFTER_FAILURE: Duration = Duration::from_secs(1);

/// Who makes a value has this long before somebody else may start as well.
const LEASE: Duration = Duration::from_secs(15);

/// What making a value gave.
#[derive(Clone, Debug)]
pub enum Made<V> {
    /// Remember it.
    Keep(V),
    /// Remember it as something that was true so long ago, because nobody can tell what is true now.
    KeepAged(V, Duration),
    /// Remember it for this long only, and never serve it stale.
    KeepFor(V, Duration),
    /// Give it to those who wait, and forget it; an older value stays.
    Pass(V),
}

impl<V> Made<V> {
    fn value(&self) -> &V {
        match self {
            Self::Keep(value) | Self::KeepAged(value, _) | Self::KeepFor(value, _) | Self::Pass(value) => {
                value
            }
        }
    }
}

/// Why there is no value.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Failure<E> {
    /// It could not be made.
    #[error(transparent)]
    Error(E),
    /// Whoever made it died, and so did the next one.
    #[error("a task ended before its work was done")]
    Died,
}

/// The memory. Clones share it.
pub struct Memory<K, V, E> {
    inner: Arc<Inner<K, V, E>>,
}

impl<K, V, E> Clone for Memory<K, V, E> {
    fn clone(&self) -> Self {
        Self { inner: Arc::clone(&self.inner) }
    }
}

struct Inner<K, V, E> {
    ages: Ages,
    kept: Cache<K, Kept<V>>,
    /// Who makes what right now.
    flights: Mutex<HashMap<K, Flight<V, E>>>,
    /// The number of the next flight.
    next: AtomicU64,
}

/// What there is under a key.
enum Found<V, E> {
    Ready(Served<V>),
    /// Servable, but so old that the next one is worth waiting for until then.
    Overdue(watch::Receiver<Outcome<V, E>>, Instant),
    Nothing(watch::Receiver<Outcome<V, E>>),
}

type Outcome<V, E> = Option<Result<V, E>>;

#[derive(Clone)]
struct Flight<V, E> {
    started: Instant,
    /// Tells this flight from its successor under the same key.
    number: u64,
    outcome: watch::Receiver<Outcome<V, E>>,
}

impl<K, V, E> Memory<K, V, E>
where
    K: Hash + Eq + Clone + Send + Sync + 'static,
    V: Clone + Send + Sync + 'static,
    E: Clone + Send + Sync + 'static,
{
    /// A memory that holds values of `capacity` together, as `weigh` weighs them. Values that are
    /// asked for once do not push out those that are asked for often.
    pub fn new(ages: Ages, capacity: u64, weigh: impl Fn(&K, &V) -> u32 + Send + Sync + 'static) -> Self {
        let kept = Cache::builder()
            .max_capacity(capacity)
            .weigher(move |key, kept: &Kept<V>| weigh(key, &kept.value))
            .time_to_live(ages.fresh.saturating_add(ages.stale))
            .build();
        Self { inner: Arc::new(Inner { ages, kept, flights: Mutex::default(), next: AtomicU64::new(0) }) }
    }

    /// The value of `key`. `make` gets the last value, if there is one.
    ///
    /// # Errors
    /// Only when there is no value that could be served, not even a stale one.
    pub async fn get<F, M>(&self, key: K, make: M) -> Result<Served<V>, Failure<E>>
    where
        M: Fn(Option<V>) -> F,
        F: Future<Output = Result<Made<V>, E>> + Send + 'static,
    {
        for _attempt in 0..2 {
            let mut flight = match self.look_up(&key, &make) {
                Found::Ready(served) => return Ok(served),
                Found::Overdue(flight, until) => match self.after(&key, flight, until).await {
                    Some(served) => return Ok(served),
                    None => continue,
                },
                Found::Nothing(flight) => flight,
            };
            // An error here means that the flight's task is gone.
            if let Ok(outcome) = flight.wait_for(Option::is_some).await
                && let Some(outcome) = outcome.clone()
            {
                return outcome
                    .map(|value| Served { value, age: Duration::ZERO, stale: false, failing: false })
                    .map_err(Failure::Error);
            }
        }
        Err(Failure::Died)
    }

    /// The value of `key` if there is one already; otherwise it is being made from now on.
    pub async fn ready<F, M>(&self, key: &K, make: M) -> Option<Served<V>>
    where
        M: Fn(Option<V>) -> F,
        F: Future<Output = Result<Made<V>, E>> + Send + 'static,
    {
        match self.look_up(key, &make) {
            Found::Ready(served) => Some(served),
            Found::Overdue(flight, until) => self.after(key, flight, until).await,
            Found::Nothing(_) => None,
        }
    }

    /// What is kept once the flight has landed, or at `until`.
    async fn after(
        &self,
        key: &K,
        mut flight: watch::Receiver<Outcome<V, E>>,
        until: Instant,
    ) -> Option<Served<V>> {
        // Whether it has landed, failed or died: the best there is is what is kept.
        let _ = tokio::time::timeout_at(until.into(), flight.wait_for(Option::is_some)).await;
        let now = Instant::now();
        self.inner.kept.get(key).filter(|kept| kept.is_servable(now)).map(|kept| kept.served(now))
    }

    /// What is remembered and would be served, with its age.
    pub fn entries(&self) -> Vec<(K, V, Duration)> {
        let now = Instant::now();
        let kept = self.inner.kept.iter().filter(|(_, kept)| kept.is_servable(now));
        kept.map(|(key, kept)| ((*key).clone(), kept.value.clone(), kept.age_at(now))).collect()
    }

    /// What is remembered weighs so much, as of a moment ago.
    pub fn weight(&self) -> u64 {
        self.inner.kept.weighted_size()
    }

    /// Forgets what is not worth being kept. Whatever is asked for again is made again.
    pub fn retain(&self, is_kept: impl Fn(&V) -> bool) {
        let kept = self.inner.kept.iter().filter(|(_, kept)| !is_kept(&kept.value));
        self.forget(kept.map(|(key, _)| key));
    }

    /// Forgets the half that was made or confirmed longest ago: nobody has asked for it since it went
    /// stale, and what lies beside it in memory is as old.
    pub fn forget_older_half(&self) {
        let mut ages: Vec<_> = self.inner.kept.iter().map(|(key, kept)| (kept.since, key)).collect();
        let half = ages.len() / 2;
        if !ages.is_empty() {
            ages.select_nth_unstable_by_key(half, |(since, _)| *since);
        }
        self.forget(ages.drain(..half).map(|(_, key)| key));
    }

    fn forget(&self, keys: impl Iterator<Item = Arc<K>>) {
        keys.for_each(|key| self.inner.kept.invalidate(&*key));
        // The memory of what was forgotten is wanted now.
        self.inner.kept.run_pending_tasks();
    }

    /// Puts a value in that somebody else made `age` ago.
    pub fn insert(&self, key: K, value: V, age: Duration) {
        let since = Instant::now();
        let ages = self.inner.ages;
        self.inner.kept.insert(key, Kept { value, age, since, ages, not_before: since, failing: false });
    }

    /// The value to serve, or the flight to wait for.
    fn look_up<F>(&self, key: &K, make: &impl Fn(Option<V>) -> F) -> Found<V, E>
    where
        F: Future<Output = Result<Made<V>, E>> + Send + 'static,
    {
        let now = Instant::now();
        let servable = || self.inner.kept.get(key).filter(|kept| kept.is_servable(now));
        let mut kept = servable();
        if let Some(kept) = kept.take_if(|kept| kept.is_settled(now)) {
            return Found::Ready(kept.served(now));
        }
        let mut flights = self.inner.flights.lock();
        let live = flights.get(key).filter(|flight| now.saturating_duration_since(flight.started) < LEASE);
        let (flight, launch) = match live {
            Some(flight) => (flight.clone(), None),
            None => {
                // A flight may have landed since. What is not there is not looked up again, because
                // that would make a value that nobody else wants look popular.
                if self.inner.kept.contains_key(key) {
                    kept = servable();
                }
                if let Some(kept) = kept.take_if(|kept| kept.is_settled(now)) {
                    return Found::Ready(kept.served(now));
                }
                let last = kept.as_ref().map(|kept| kept.value.clone());
                let (flight, launch) = self.prepare(key, now, make(last));
                flights.insert(key.clone(), flight.clone());
                (flight, Some(launch))
            }
        };
        drop(flights);
        if let Some(launch) = launch {
            // A runtime that is ending drops the task at once, and its landing takes the lock.
            tokio::spawn(launch);
        }
        match kept {
            None => Found::Nothing(flight.outcome),
            Some(kept) if kept.failing || kept.age_at(now) < kept.ages.overdue() => {
                Found::Ready(kept.served(now))
            }
            Some(_) => Found::Overdue(flight.outcome, flight.started + PATIENCE),
        }
    }

    /// A flight, and the task that makes its value.
    fn prepare(
        &self,
        key: &K,
        now: Instant,
        work: impl Future<Output = Result<Made<V>, E>> + Send + 'static,
    ) -> (Flight<V, E>, impl Future<Output = ()> + Send + 'static) {
        let number = self.inner.next.fetch_add(1, Ordering::Relaxed);
        let (sender, outcome) = watch::channel(None);
        let landing = Landing { inner: Arc::clone(&self.inner), key: key.clone(), number };
        let launch = async move {
            let made = work.await;
            landing.settle(&made);
            drop(landing);
            // Nobody has to be waiting.
            let _ = sender.send(Some(made.map(|made| made.value().clone())));
        };
        (Flight { started: now, number, outcome }, launch)
    }
}

/// The end of a flight. Dropping it clears the way for the next one, also after a panic.
struct Landing<K: Hash + Eq, V, E> {
    inner: Arc<Inner<K, V, E>>,
    key: K,
    number: u64,
}

impl<K, V, E> Landing<K, V, E>
where
    K: Hash + Eq + Clone + Send + Sync + 'static,
    V: Clone + Send + Sync + 'static,
{
    fn settle(&self, made: &Result<Made<V>, E>) {
        // Somebody else was faster after this flight's lease had run out.
        let current = self.inner.flights.lock().get(&self.key).map(|flight| flight.number);
        if current != Some(self.number) {
            return;
        }
        let now = Instant::now();
        let kept = |value: &V, ages| Kept {
            value: value.clone(),
            age: Duration::ZERO,
            since: now,
            ages,
            not_before: now,
            failing: false,
        };
        let kept = match made {
            Ok(Made::Keep(value)) => Some(kept(value, self.inner.ages)),
            Ok(Made::KeepAged(value, age)) => Some(Kept {
                age: *age,
                not_before: now + self.inner.ages.fresh,
                failing: true,
                ..kept(value, self.inner.ages)
            }),
            Ok(Made::KeepFor(value, fresh)) => {
                Some(kept(value, Ages { fresh: *fresh, stale: Duration::ZERO }))
            }
            Ok(Made::Pass(_)) | Err(_) => self.inner.kept.get(&self.key).map(|kept| Kept {
                not_before: now + PAUSE_AFTER_FAILURE,
                failing: true,
                ..kept
            }),
        };
        if let Some(kept) = kept {
            self.inner.kept.insert(self.key.clone(), kept);
        }
    }
}

impl<K: Hash + Eq, V, E> Drop for Landing<K, V, E> {
    fn drop(&mut self) {
        let mut flights = self.inner.flights.lock();
        if flights.get(&self.key).is_some_and(|flight| flight.number == self.number) {
            flights.remove(&self.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use futures_util::future::join_all;

    use super::*;

    const HOUR: Duration = Duration::from_secs(3_600);

    fn memory(fresh: Duration, stale: Duration) -> Memory<u32, usize, &'static str> {
        Memory::new(Ages { fresh, stale }, 1_000, |_, _| 1)
    }

    /// Counts how often a value is made; each is the number of its making.
    #[derive(Clone, Default)]
    struct Maker {
        made: Arc<AtomicUsize>,
    }

    impl Maker {
        fn next(&self) -> usize {
            self.made.fetch_add(1, Ordering::SeqCst) + 1
        }

        fn count(&self) -> usize {
            self.made.load(Ordering::SeqCst)
        }
    }

    async fn until(condition: impl Fn() -> bool) {
        while !condition() {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }

    #[tokio::test]
    async fn a_crowd_makes_one_value() {
        let (memory, maker) = (memory(HOUR, HOUR), Maker::default());
        let crowd = (0..1_000).map(|_| {
            memory.get(1, |_| {
                let maker = maker.clone();
                async move {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                    Ok(Made::Keep(maker.next()))
                }
            })
        });
        assert!(join_all(crowd).await.into_iter().all(|served| served.unwrap().value == 1));
        assert_eq!(maker.count(), 1);
    }

    #[tokio::test]
    async fn a_stale_value_is_served_while_one_task_makes_the_next() {
        let (memory, maker) = (memory(Duration::ZERO, HOUR), Maker::default());
        let make = |_| {
            let maker = maker.clone();
            async move { Ok(Made::Keep(maker.next())) }
        };
        assert_eq!(memory.get(1, make).await.unwrap().value, 1);
        let served = memory.get(1, make).await.unwrap();
        assert_eq!((served.value, served.stale), (1, true));
        until(|| maker.count() == 2).await;
    }

    #[tokio::test]
    async fn what_is_overdue_is_waited_for_but_not_long() {
        let (memory, maker) = (memory(Duration::from_secs(60), HOUR), Maker::default());
        memory.insert(1, 70, Duration::from_secs(90));
        memory.insert(2, 70, Duration::from_secs(600));
        memory.insert(3, 70, Duration::from_secs(600));
        memory.insert(4, 70, Duration::from_secs(600));
        let soon = |_| {
            let maker = maker.clone();
            async move {
                tokio::time::sleep(Duration::from_millis(20)).await;
                Ok(Made::Keep(maker.next()))
            }
        };
        assert_eq!(memory.get(1, soon).await.unwrap().value, 70);
        assert_eq!(memory.get(2, soon).await.unwrap().value, 2);
        assert_eq!(memory.ready(&3, soon).await.unwrap().value, 3);

        let never = |_| std::future::pending();
        let asked = Instant::now();
        let served = memory.get(4, never).await.unwrap();
        assert_eq!((served.value, served.stale), (70, true));
        assert!((PATIENCE..HOUR).contains(&asked.elapsed()));
        // Who comes later has nothing to wait for.
        let again = Instant::now();
        assert_eq!(memory.get(4, never).await.unwrap().value, 70);
        assert!(again.elapsed() < PATIENCE);
    }

    #[tokio::test]
    async fn nobody_waits_for_what_keeps_failing() {
        let memory = memory(Duration::from_secs(60), HOUR);
        memory.insert(1, 70, Duration::from_secs(600));
        let served = memory.get(1, |_| async { Err("down") }).await.unwrap();
        assert_eq!((served.value, served.failing), (70, true));
        tokio::time::sleep(PAUSE_AFTER_FAILURE).await;
        let asked = Instant::now();
        let served = memory.get(1, |_| std::future::pending()).await.unwrap();
        assert_eq!((served.value, served.failing), (70, true));
        assert!(asked.elapsed() < PATIENCE);
    }

    #[tokio::test]
    async fn a_failed_refresh_leaves_the_old_value_and_is_not_tried_again_at_once() {
        let (memory, maker) = (memory(Duration::ZERO, HOUR), Maker::default());
        memory.insert(1, 7, Duration::from_secs(60));
        let fail = |_| {
            let maker = maker.clone();
            async move {
                maker.next();
                Err("down")
            }
        };
        assert_eq!(memory.get(1, fail).await.unwrap().value, 7);
        until(|| memory.inner.flights.lock().is_empty() && maker.count() == 1).await;
        for _ in 0..100 {
            assert_eq!(memory.get(1, fail).await.unwrap().value, 7);
        }
        assert_eq!(maker.count(), 1);
    }

    #[tokio::test]
    async fn what_is_made_of_old_data_ages_with_it() {
        let (memory, maker) = (memory(Duration::from_secs(60), HOUR), Maker::default());
        let make = |age| {
            let maker = maker.clone();
            move |_| {
                let maker = maker.clone();
                async move { Ok(Made::KeepAged(maker.next(), age)) }
            }
        };
        assert_eq!(memory.get(1, make(HOUR / 2)).await.unwrap().value, 1);
        let served = memory.get(1, make(HOUR / 2)).await.unwrap();
        assert!(served.age >= HOUR / 2 && served.stale && served.failing);
        assert_eq!(maker.count(), 1, "it is not made again at once");
        assert_eq!(memory.get(2, make(2 * HOUR)).await.unwrap().value, 2);
        assert_eq!(memory.get(2, make(2 * HOUR)).await.unwrap().value, 3, "too old to be served again");
    }

    #[tokio::test]
    async fn what_is_not_worth_being_kept_is_forgotten() {
        let memory = memory(HOUR, HOUR);
        for key in 0..100 {
            memory.insert(key, key as usize, Duration::ZERO);
        }
        memory.retain(|value| value % 4 == 0);
        assert_eq!((memory.weight(), memory.entries().len()), (25, 25));
    }

    #[tokio::test]
    async fn of_what_is_kept_the_older_half_is_forgotten() {
        let memory = memory(HOUR, HOUR);
        for key in 0..9 {
            // How old a value is says nothing of when it was last asked for.
            memory.insert(key, key as usize, Duration::from_secs(key.into()));
        }
        memory.forget_older_half();
        let mut kept: Vec<_> = memory.entries().into_iter().map(|(key, ..)| key).collect();
        kept.sort_unstable();
        assert_eq!(kept, [4, 5, 6, 7, 8]);
        (0..4).for_each(|_| memory.forget_older_half());
        memory.forget_older_half();
        assert_eq!(memory.entries().len(), 1, "the last one is nobody's older half");
    }

    #[tokio::test]
    async fn an_error_is_given_to_everyone_who_waits_and_not_kept() {
        let memory = memory(HOUR, HOUR);
        let fail = || memory.get(1, |_| async { Err("down") });
        for outcome in join_all([fail(), fail()]).await {
            assert!(matches!(outcome, Err(Failure::Error("down"))));
        }
        assert_eq!(memory.get(1, |_| async { Ok(Made::Keep(5)) }).await.unwrap().value, 5);
    }

    #[tokio::test]
    async fn what_is_passed_is_not_kept_and_what_is_kept_for_a_moment_is_never_stale() {
        let memory = memory(HOUR, HOUR);
        assert_eq!(memory.get(1, |_| async { Ok(Made::Pass(5)) }).await.unwrap().value, 5);
        assert_eq!(memory.get(1, |_| async { Ok(Made::KeepFor(6, Duration::ZERO)) }).await.unwrap().value, 6);
        assert_eq!(memory.get(1, |_| async { Ok(Made::Keep(7)) }).await.unwrap().value, 7);
        assert_eq!(memory.get(1, |_| async { Err("not asked") }).await.unwrap().value, 7);
    }

    #[tokio::test]
    async fn when_the_maker_dies_one_of_those_who_wait_is_the_next() {
        let (memory, maker) = (memory(HOUR, HOUR), Maker::default());
        let crowd = (0..100).map(|_| {
            memory.get(1, |_| {
                let maker = maker.clone();
                async move {
                    let number = maker.next();
                    tokio::time::sleep(Duration::from_millis(20)).await;
                    assert!(number > 1, "the first maker dies");
                    Ok(Made::Keep(number))
                }
            })
        });
        assert!(join_all(crowd).await.into_iter().all(|served| served.unwrap().value == 2));
        assert_eq!(maker.count(), 2);
    }

    #[tokio::test]
    async fn a_caller_that_goes_away_does_not_stop_the_making() {
        let (memory, maker) = (memory(HOUR, HOUR), Maker::default());
        let waiting = memory.get(1, |_| {
            let maker = maker.clone();
            async move {
                tokio::time::sleep(Duration::from_millis(10)).await;
                Ok(Made::Keep(maker.next()))
            }
        });
        assert!(tokio::time::timeout(Duration::from_millis(1), waiting).await.is_err());
        until(|| maker.count() == 1).await;
    }

    #[tokio::test]
    async fn keys_asked_for_once_do_not_push_out_popular_ones() {
        let memory = Memory::<u32, usize, &str>::new(Ages { fresh: HOUR, stale: HOUR }, 100, |_, _| 1);
        for key in 2..5_000 {
            memory.get(key, |_| async { Ok(Made::Keep(0)) }).await.unwrap();
            if key < 4_000 && key % 10 == 0 {
                memory.get(1, |_| async { Ok(Made::Keep(1)) }).await.unwrap();
            }
        }
        memory.inner.kept.run_pending_tasks();
        assert!(memory.inner.kept.entry_count() <= 100);
        assert_eq!(memory.get(1, |_| async { Err("pushed out") }).await.unwrap().value, 1);
    }
}
