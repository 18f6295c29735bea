//! Answers of one kind, remembered: fresh, then stale while one call asks again, then stale because
//! nobody answers. An answer that looks like an accident is doubted before it replaces a good one.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;

use super::Result;
use super::error::CatalogueError;
use super::staleness::Staleness;
use crate::causes::Causes;
use crate::memory::{Ages, Failure, Made, Memory, Served};
use crate::seldom::Seldom;

/// So often a suspicious answer has to be heard, one refresh after the other, before it is believed.
const BELIEVED_AFTER: u32 = 3;

/// Remembered answers by query.
pub struct Answers<K, V> {
    memory: Memory<K, V, CatalogueError>,
    judge: Judge<K, V>,
}

/// Decides whether a new answer is believed. Clones share the suspicions.
struct Judge<K, V> {
    /// How many things an answer lists; nothing where fewer are no reason for doubt.
    count: fn(&V) -> Option<usize>,
    suspicions: Arc<Mutex<HashMap<K, Suspicion>>>,
    staleness: Staleness,
    seldom: Arc<Seldom>,
}

/// What is not believed yet.
#[derive(Clone, Copy)]
struct Suspicion {
    /// How many things the latest answer lists.
    count: usize,
    /// So often in a row something like it was heard.
    heard: u32,
}

impl Suspicion {
    /// Counts one more answer. One that tells another story starts anew: nothing twice and a half
    /// once are two accidents, of which neither is true yet.
    fn after(last: Option<Self>, count: usize) -> Self {
        let is_alike = |last: &Self| !is_loss(last.count, count) && !is_loss(count, last.count);
        let heard = last.filter(is_alike).map_or(1, |last| last.heard + 1);
        Self { count, heard }
    }
}

/// Nothing where there was something, or half of it gone, or more.
fn is_loss(old: usize, new: usize) -> bool {
    old > 0 && new <= old / 2
}

impl<K, V> Clone for Judge<K, V> {
    fn clone(&self) -> Self {
        Self {
            count: self.count,
            suspicions: Arc::clone(&self.suspicions),
            staleness: self.staleness.clone(),
            seldom: Arc::clone(&self.seldom),
        }
    }
}

impl<K, V> Answers<K, V>
where
    K: Hash + Eq + Clone + Send + Sync + 'static,
    V: Clone + Send + Sync + 'static,
{
    /// A memory of `capacity` bytes, as `weigh` estimates them. `count` says how many things an
    /// answer lists, where losing half of them would be suspicious.
    pub fn new(
        ages: Ages,
        capacity: u64,
        staleness: Staleness,
        weigh: fn(&V) -> usize,
        count: fn(&V) -> Option<usize>,
    ) -> Self {
        let weigh = move |_: &K, value: &V| u32::try_from(weigh(value)).unwrap_or(u32::MAX);
        let judge = Judge::new(count, staleness);
        Self { memory: Memory::new(ages, capacity, weigh), judge }
    }

    /// The remembered answer, or the one that `ask` gets.
    pub async fn get<F>(&self, query: K, ask: impl Fn() -> F) -> Result<V>
    where
        F: Future<Output = Result<Made<V>>> + Send + 'static,
    {
        let judged = |last| self.judge.clone().hear(query.clone(), last, ask());
        match self.memory.get(query.clone(), judged).await {
            Ok(served) => Ok(self.served(served)),
            Err(Failure::Error(error)) => Err(error),
            Err(Failure::Died) => Err(CatalogueError::Died),
        }
    }

    /// The remembered answer, if there is one already; otherwise it is being asked for from now on.
    pub async fn ready<F>(&self, query: &K, ask: impl Fn(Option<V>) -> F) -> Option<V>
    where
        F: Future<Output = Result<Made<V>>> + Send + 'static,
    {
        let judged = |last: Option<V>| self.judge.clone().hear(query.clone(), last.clone(), ask(last));
        self.memory.ready(query, judged).await.map(|served| self.served(served))
    }

    /// Everything that is remembered, with its age.
    pub fn entries(&self) -> Vec<(K, V, Duration)> {
        self.memory.entries()
    }

    /// Remembers an answer that was got `age` ago.
    pub fn insert(&self, query: K, answer: V, age: Duration) {
        self.judge.staleness.heard(age);
        self.memory.insert(query, answer, age);
    }

    fn served(&self, served: Served<V>) -> V {
        // Old because nobody has asked in a long time is not old because nobody answers.
        if served.failing {
            self.judge.staleness.served(served.age);
        }
        served.value
    }
}

impl<K, V> Judge<K, V>
where
    K: Hash + Eq,
    V: Clone,
{
    fn new(count: fn(&V) -> Option<usize>, staleness: Staleness) -> Self {
        Self { count, suspicions: Arc::default(), staleness, seldom: Arc::default() }
    }

    async fn hear(
        self,
        query: K,
        last: Option<V>,
        ask: impl Future<Output = Result<Made<V>>>,
    ) -> Result<Made<V>> {
        let made = ask.await.inspect_err(|error| {
            // Without a last answer the error reaches whoever asked.
            if last.is_some() && self.seldom.is_time_for("refresh") {
                tracing::warn!(
                    error = %Causes(error),
                    "the catalogue gives no new answer; the last one stays"
                );
            }
        })?;
        if matches!(made, Made::Keep(_)) {
            self.staleness.heard(Duration::ZERO);
        }
        let (Made::Keep(answer) | Made::KeepFor(answer, _)) = &made else { return Ok(made) };
        let (Some(last), Some(new)) = (last, (self.count)(answer)) else { return Ok(made) };
        let old = (self.count)(&last).unwrap_or_default();
        let mut suspicions = self.suspicions.lock();
        if !is_loss(old, new) {
            suspicions.remove(&query);
            return Ok(made);
        }
        let suspicion = Suspicion::after(suspicions.get(&query).copied(), new);
        if suspicion.heard >= BELIEVED_AFTER {
            suspicions.remove(&query);
            tracing::warn!(
                old,
                new,
                "the catalogue keeps saying that most of it is gone; it is believed now"
            );
            return Ok(made);
        }
        suspicions.insert(query, suspicion);
        self.staleness.doubt();
        tracing::warn!(
            old,
            new,
            heard = suspicion.heard,
            "the catalogue says that most of it is gone; the last good answer stays"
        );
        // Good for another while, so that the next look comes one refresh later.
        Ok(Made::Keep(last))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// An answer lists as many things as its number says.
    async fn judge(answers: &[usize]) -> Vec<usize> {
        let judge = Judge::new(|count: &usize| Some(*count), Staleness::default());
        let mut kept = None;
        let mut history = Vec::new();
        for answer in answers {
            let ask = async { Ok(Made::Keep(*answer)) };
            let Ok(Made::Keep(now)) = judge.clone().hear("all", kept, ask).await else { panic!("not kept") };
            history.push(now);
            kept = Some(now);
        }
        history
    }

    #[tokio::test]
    async fn a_catalogue_that_shrinks_suddenly_is_believed_the_third_time() {
        assert_eq!(judge(&[0]).await, [0]);
        assert_eq!(judge(&[194, 0, 0, 0]).await, [194, 194, 194, 0]);
        assert_eq!(judge(&[194, 96, 96, 96, 95]).await, [194, 194, 194, 96, 95]);
        assert_eq!(judge(&[194, 97, 150]).await, [194, 194, 150]);
        assert_eq!(judge(&[194, 98, 150]).await, [194, 98, 150]);
        assert_eq!(judge(&[189, 94, 95]).await, [189, 189, 95]);
        assert_eq!(judge(&[194, 0, 194, 0, 0, 194]).await, [194, 194, 194, 194, 194, 194]);
        assert_eq!(judge(&[1, 0, 0]).await, [1, 1, 1]);
    }

    #[tokio::test]
    async fn what_is_believed_was_itself_heard_three_times() {
        assert_eq!(judge(&[194, 0, 0, 97, 97, 97]).await, [194, 194, 194, 194, 194, 97]);
        assert_eq!(judge(&[194, 90, 80, 0, 0, 0]).await, [194, 194, 194, 194, 194, 0]);
        assert_eq!(judge(&[194, 90, 80, 70]).await, [194, 194, 194, 70]);
    }

    #[tokio::test]
    async fn an_answer_that_fails_leaves_the_last_one() {
        let ages = Ages { fresh: Duration::ZERO, stale: Duration::from_secs(60) };
        let staleness = Staleness::default();
        let answers = Answers::new(ages, 1_000, staleness.clone(), |_: &usize| 1, |count| Some(*count));
        answers.insert("all", 5, Duration::from_secs(42));
        let calls = Arc::new(AtomicUsize::new(0));
        let ask = || {
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
