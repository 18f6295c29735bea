//! The cached answers to one kind of query. A stale answer is served while one call refreshes it, and
//! while the service does not answer. An answer that lists at most half as many entries as the last one
//! is suspicious: it replaces the last one only when it has been confirmed.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::Instant;

use super::staleness::Staleness;
use crate::cache::{Ages, Cache, Cached, Failure, Hit, Key, Outcome, Purge};
use crate::catalogue::error::CatalogueError;
use crate::catalogue::query::Result;
use crate::observe::{ErrorChain, LogThrottle};

/// How many refreshes in a row must give a suspicious answer before it is accepted.
const ACCEPTED_AFTER: u32 = 3;
/// Maximum number of queries whose suspicious answers are counted. If there are more, counting starts again.
const MOST_SUSPICIOUS: usize = 10_000;

/// Cached answers by query.
pub(crate) struct Answers<K, V> {
    cache: Cache<K, V, CatalogueError>,
    check: LossCheck<K, V>,
}

/// Decides whether a new answer replaces the last one. Clones share their state.
struct LossCheck<K, V> {
    /// How many entries an answer lists; `None` if the number may change freely.
    count: fn(&V) -> Option<usize>,
    suspicious: Arc<Mutex<HashMap<K, Suspicious>>>,
    staleness: Staleness,
    throttle: Arc<LogThrottle>,
}

/// A suspicious answer that is not accepted yet.
#[derive(Clone, Copy)]
struct Suspicious {
    /// How many entries the latest answer lists.
    count: usize,
    /// How many refreshes in a row gave a similar answer; [`ACCEPTED_AFTER`] if an operator said that the
    /// next one is to be believed.
    times: u32,
    /// When the operator's order was given; `None` without an order.
    ordered: Option<Ordered>,
}

/// When an order was given. Two fields, because an `Instant` cannot be earlier than the machine's start.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ordered {
    learned: Instant,
    /// How long before `learned` the order was given.
    ago: Duration,
}

impl Ordered {
    /// An order that was given `ago` and is learned now.
    pub(super) fn new(ago: Duration) -> Self {
        Self { learned: Instant::now(), ago }
    }

    /// The time since it was given.
    pub(super) fn age(self) -> Duration {
        self.ago.saturating_add(self.learned.elapsed())
    }

    /// Whether it concerns what was asked for `since`. Not if that was asked for after the order was learned.
    pub(super) fn concerns(self, since: Duration) -> bool {
        since >= self.age()
    }

    /// Whether a call that `began` at this time may have an answer from before the order.
    fn is_after(self, began: Instant) -> bool {
        self.learned.saturating_duration_since(began) > self.ago
    }
}

impl Suspicious {
    /// Counts one more answer. A dissimilar answer restarts the count: two empty answers and one with half
    /// of the entries do not confirm each other.
    fn after(last: Option<Self>, count: usize) -> Self {
        if let Some(believed) = last.filter(|last| last.times >= ACCEPTED_AFTER) {
            return believed;
        }
        let is_similar = |last: &Self| !is_loss(last.count, count) && !is_loss(count, last.count);
        let times = last.filter(is_similar).map_or(1, |last| last.times + 1);
        Self { count, times, ordered: None }
    }
}

/// Whether at least half of the entries are gone.
pub(super) fn is_loss(old: usize, new: usize) -> bool {
    old > 0 && new <= old / 2
}

impl<K, V> Clone for LossCheck<K, V> {
    fn clone(&self) -> Self {
        Self {
            count: self.count,
            suspicious: Arc::clone(&self.suspicious),
            staleness: self.staleness.clone(),
            throttle: Arc::clone(&self.throttle),
        }
    }
}

impl<K: Key, V: Cached> Answers<K, V> {
    /// A cache of at most `capacity` bytes, as estimated by `weigh`. `count` returns how many entries an
    /// answer lists, if losing half of them would be suspicious.
    pub(crate) fn new(
        ages: Ages,
        capacity: u64,
        staleness: Staleness,
        weigh: fn(&V) -> usize,
        count: fn(&V) -> Option<usize>,
    ) -> Self {
        let weigh = move |_: &K, value: &V| u32::try_from(weigh(value)).unwrap_or(u32::MAX);
        let check = LossCheck::new(count, staleness);
        Self { cache: Cache::new(ages, capacity, weigh), check }
    }

    /// A cache of one answer, which takes up to the `lease` to make, and whose size is limited elsewhere.
    pub(crate) fn of_one(
        lease: Duration,
        ages: Ages,
        staleness: Staleness,
        count: fn(&V) -> Option<usize>,
    ) -> Self {
        let check = LossCheck::new(count, staleness);
        Self { cache: Cache::with_lease(lease, ages, u64::MAX, |_, _| 1), check }
    }

    /// The cached answer, or the one that `ask` returns. `ask` receives the stale answer, if there is one.
    pub(crate) async fn get<F>(&self, query: K, ask: impl Fn(Option<V>) -> F) -> Result<V>
    where
        F: Future<Output = Result<Outcome<V>>> + Send + 'static,
    {
        let checked = |last: Option<V>| self.check.clone().run(query.clone(), last.clone(), ask(last));
        match self.cache.get(query.clone(), checked).await {
            Ok(served) => Ok(self.served(served)),
            Err(Failure::Error(error)) => Err(error),
            Err(Failure::Died) => Err(CatalogueError::Died),
        }
    }

    /// The cached answer, if there is one; otherwise `None`, and `ask` starts in the background.
    pub(crate) async fn ready<F>(&self, query: &K, ask: impl Fn(Option<V>) -> F) -> Option<V>
    where
        F: Future<Output = Result<Outcome<V>>> + Send + 'static,
    {
        let checked = |last: Option<V>| self.check.clone().run(query.clone(), last.clone(), ask(last));
        self.cache.ready(query, checked).await.map(|served| self.served(served))
    }

    /// All cached answers, each with the time since it was asked for.
    pub(crate) fn entries_since_asked(&self) -> Vec<(K, V, Duration)> {
        self.cache.entries_since_asked()
    }

    /// Purges the answers for which `order` says how, see [`Cache::purge`].
    pub(super) fn purge(&self, order: impl Fn(&K, Option<&V>, Duration) -> Option<Purge>) {
        self.cache.purge(order);
    }

    /// Accepts the next answer to this query even if it is suspicious: the first answer that was asked for after an
    /// order that was given this long `ago`. Does nothing if such an answer is stored already. The age of a stored
    /// answer counts as at least `oldest`.
    pub(super) fn believe(&self, query: K, ago: Duration, oldest: Duration) {
        let since = |(other, _, asked): &(K, V, Duration)| *other == query && (*asked).max(oldest) < ago;
        if !self.cache.entries_since_asked().iter().any(since) {
            self.check.believe(query, ago);
        }
    }

    /// The cached answer to this query and its age, if there is one. Makes no call.
    pub(crate) fn stored(&self, query: &K) -> Option<(V, Duration)> {
        self.cache.stored(query)
    }

    /// All cached answers, with their ages.
    pub(crate) fn entries(&self) -> Vec<(K, V, Duration)> {
        self.cache.entries()
    }

    /// Stores an answer that was received `age` ago, and that an order may have purged since.
    pub(crate) fn insert(&self, query: K, answer: V, age: Duration, purged: Option<Purge>) {
        self.check.staleness.record_answer(age);
        self.cache.insert_purged(query, answer, age, purged);
    }

    fn served(&self, hit: Hit<V>) -> V {
        // If the refresh has not failed, the answer is stale only because nobody requested it for a while.
        if hit.refresh_failed {
            self.check.staleness.record_stale(hit.age);
        }
        hit.value
    }
}

impl<K: Hash + Eq, V: Clone> LossCheck<K, V> {
    fn new(count: fn(&V) -> Option<usize>, staleness: Staleness) -> Self {
        Self { count, suspicious: Arc::default(), staleness, throttle: Arc::default() }
    }

    fn believe(&self, query: K, ago: Duration) {
        let ordered = Some(Ordered::new(ago));
        self.suspicious.lock().insert(query, Suspicious { count: 0, times: ACCEPTED_AFTER, ordered });
    }

    /// Awaits `ask`, and returns its answer or, while that is suspicious, the last one.
    fn run(
        self,
        query: K,
        last: Option<V>,
        ask: impl Future<Output = Result<Outcome<V>>>,
    ) -> impl Future<Output = Result<Outcome<V>>> {
        self.run_since(Instant::now(), query, last, ask)
    }

    /// As [`Self::run`], for a call that `began` at this time.
    async fn run_since(
        self,
        began: Instant,
        query: K,
        last: Option<V>,
        ask: impl Future<Output = Result<Outcome<V>>>,
    ) -> Result<Outcome<V>> {
        let made = ask.await.inspect_err(|error| {
            // Without a last answer the caller gets the error, and logs it.
            if last.is_some() && self.throttle.allows("refresh") {
                tracing::warn!(
                    error = %ErrorChain(error),
                    "the catalogue gives no new answer; the last one stays"
                );
            }
        })?;
        match &made {
            Outcome::Store(_) => self.staleness.record_answer(Duration::ZERO),
            Outcome::StoreWithAge(_, age) => self.staleness.record_answer(*age),
            _ => {}
        }
        let (Outcome::Store(answer) | Outcome::StoreWithAge(answer, _) | Outcome::StoreFor(answer, _)) =
            &made
        else {
            return Ok(made);
        };
        let Some(new) = (self.count)(answer) else { return Ok(made) };
        let mut suspicious = self.suspicious.lock();
        let ordered = suspicious.get(&query).and_then(|believed| believed.ordered);
        if ordered.is_some_and(|ordered| ordered.is_after(began)) {
            // The order purges this answer, and accepts the next one.
            return Ok(made);
        }
        let old = last.as_ref().and_then(self.count).unwrap_or_default();
        let Some(last) = last.filter(|_| is_loss(old, new)) else {
            suspicious.remove(&query);
            return Ok(made);
        };
        let latest = Suspicious::after(suspicious.get(&query).copied(), new);
        if latest.times >= ACCEPTED_AFTER {
            suspicious.remove(&query);
            tracing::warn!(
                old,
                new,
                "the catalogue keeps saying that most of it is gone; it is believed now"
            );
            return Ok(made);
        }
        if suspicious.len() >= MOST_SUSPICIOUS {
            suspicious.retain(|_, counted| counted.ordered.is_some());
        }
        suspicious.insert(query, latest);
        self.staleness.record_rejected();
        tracing::warn!(
            old,
            new,
            heard = latest.times,
            "the catalogue says that most of it is gone; the last good answer stays"
        );
        // The next attempt comes one refresh later.
        Ok(Outcome::Keep(last))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// The answers that are kept after each of `answers`; an answer is the number of its entries.
    async fn kept_after(answers: &[usize]) -> Vec<usize> {
        let check = LossCheck::new(|count: &usize| Some(*count), Staleness::default());
        let mut kept = None;
        let mut history = Vec::new();
        for answer in answers {
            let ask = async { Ok(Outcome::Store(*answer)) };
            kept = Some(*check.clone().run("all", kept, ask).await.unwrap().value());
            history.extend(kept);
        }
        history
    }

    #[tokio::test]
    async fn the_number_of_suspicious_answers_is_bounded() {
        let check = LossCheck::new(|count: &usize| Some(*count), Staleness::default());
        for query in 0..=MOST_SUSPICIOUS {
            let kept = check.clone().run(query, Some(190), async { Ok(Outcome::Store(1)) }).await.unwrap();
            assert_eq!(*kept.value(), 190);
        }
        assert_eq!(check.suspicious.lock().len(), 1);
    }

    #[tokio::test]
    async fn a_catalogue_that_shrinks_suddenly_is_believed_the_third_time() {
        assert_eq!(kept_after(&[0]).await, [0]);
        assert_eq!(kept_after(&[194, 0, 0, 0]).await, [194, 194, 194, 0]);
        assert_eq!(kept_after(&[194, 96, 96, 96, 95]).await, [194, 194, 194, 96, 95]);
        assert_eq!(kept_after(&[194, 97, 150]).await, [194, 194, 150]);
        assert_eq!(kept_after(&[194, 98, 150]).await, [194, 98, 150]);
        assert_eq!(kept_after(&[189, 94, 95]).await, [189, 189, 95]);
        assert_eq!(kept_after(&[194, 0, 194, 0, 0, 194]).await, [194, 194, 194, 194, 194, 194]);
        assert_eq!(kept_after(&[1, 0, 0]).await, [1, 1, 1]);
    }

    #[tokio::test]
    async fn the_next_answer_is_believed_at_once_when_an_operator_says_so() {
        let check = LossCheck::new(|count: &usize| Some(*count), Staleness::default());
        let kept = async |answer, last| {
            let ask = async move { Ok(Outcome::Store(answer)) };
            let kept = check.clone().run("all", Some(last), ask).await.unwrap();
            *kept.value()
        };
        let believe = || check.believe("all", Duration::ZERO);
        believe();
        assert_eq!(kept(3, 194).await, 3);
        assert_eq!(kept(1, 3).await, 3, "only that one");
        believe();
        assert_eq!(kept(190, 194).await, 190);
        assert_eq!(kept(3, 190).await, 190, "whether it needed to be believed or not");
        let ask = async { Ok(Outcome::Store(190)) };
        let under_way = check.clone().run("all", Some(190), ask);
        believe();
        assert_eq!(*under_way.await.unwrap().value(), 190);
        assert_eq!(kept(3, 190).await, 3, "an answer that was on its way is not the next one");
        believe();
        let first = check.clone().run("all", None, async { Ok(Outcome::Store(190)) });
        assert_eq!(*first.await.unwrap().value(), 190);
        assert_eq!(kept(3, 190).await, 190, "the first answer of all is the next one too");
    }

    #[tokio::test(start_paused = true)]
    async fn an_order_of_a_while_ago_is_meant_for_the_first_answer_that_was_asked_for_since() {
        let seconds = Duration::from_secs;
        let ages = Ages { fresh: seconds(3_600), stale: seconds(3_600) };
        // `asked` is the time from asking for the answer to learning of the order, which is then 5 s old.
        // An answer that was only confirmed since is as old as the answer that was confirmed.
        for (asked, oldest, is_next) in [(9, 0, true), (4, 0, false), (4, 9, true)] {
            let answers =
                Answers::new(ages, 1_000, Staleness::default(), |_: &usize| 1, |count| Some(*count));
            let answer = |count| move |_| async move { Ok(Outcome::Store(count)) };
            assert_eq!(answers.get("all", answer(194)).await.unwrap(), 194);
            tokio::time::advance(seconds(asked)).await;
            answers.believe("all", seconds(5), seconds(oldest));
            answers.purge(|_, _, _| Some(Purge::Overdue));
            let next = answers.get("all", answer(3)).await.unwrap();
            assert_eq!(next == 3, is_next, "an answer of {asked} s, of at least {oldest} s");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_that_stays_because_the_next_one_is_suspicious_stays_as_old_as_it_was() {
        let seconds = Duration::from_secs;
        let ages = Ages { fresh: seconds(60), stale: seconds(3_600) };
        let answers = Answers::new(ages, 1_000, Staleness::default(), |_: &usize| 1, |count| Some(*count));
        answers.insert("all", 194, seconds(100), None);
        let calls = Arc::new(AtomicUsize::new(0));
        let ask = |_| {
            calls.fetch_add(1, Ordering::SeqCst);
            async { Ok(Outcome::Store(1)) }
        };
        for expected in [1, 1, 2] {
            assert_eq!(answers.get("all", ask).await.unwrap(), 194);
            tokio::time::sleep(seconds(1)).await;
            assert_eq!(calls.load(Ordering::SeqCst), expected, "it is asked for once in a period");
            tokio::time::advance(seconds(if expected == 1 { 29 } else { 0 })).await;
        }
        assert_eq!(answers.stored(&"all"), Some((194, seconds(161))));
    }

    #[tokio::test]
    async fn what_is_believed_was_itself_heard_three_times() {
        assert_eq!(kept_after(&[194, 0, 0, 97, 97, 97]).await, [194, 194, 194, 194, 194, 97]);
        assert_eq!(kept_after(&[194, 90, 80, 0, 0, 0]).await, [194, 194, 194, 194, 194, 0]);
        assert_eq!(kept_after(&[194, 90, 80, 70]).await, [194, 194, 194, 70]);
    }

    #[tokio::test]
    async fn a_failed_refresh_leaves_the_last_answer() {
        let ages = Ages { fresh: Duration::ZERO, stale: Duration::from_secs(60) };
        let staleness = Staleness::default();
        let answers = Answers::new(ages, 1_000, staleness.clone(), |_: &usize| 1, |count| Some(*count));
        answers.insert("all", 5, Duration::from_secs(42), None);
        let calls = Arc::new(AtomicUsize::new(0));
        let ask = |_| {
            let calls = Arc::clone(&calls);
            async move {
                calls.fetch_add(1, Ordering::SeqCst);
                Err(CatalogueError::Status(500))
            }
        };
        assert_eq!(answers.get("all", ask).await.unwrap(), 5);
        assert_eq!(staleness.oldest(), Duration::from_secs(42));
        assert!(answers.get("other", ask).await.is_err());
    }
}
