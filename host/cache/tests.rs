//! The cache on a paused clock, so that no test waits or depends on the machine's speed.

use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, join_all};

use super::Patience::{Brief, UntilFresh};
use super::making::PAUSE_AFTER_FAILURE;
use super::*;

const HOUR: Duration = Duration::from_secs(3_600);

fn cache(fresh: Duration, stale: Duration) -> Cache<u32, usize> {
    Cache::new(Ages { fresh, stale }, 1_000, |_, _| 1)
}

/// Makes the values 1, 2, 3 and so on, and counts them.
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

    /// Makes the next value, which takes this long.
    fn taking(&self, time: Duration) -> impl Fn(Option<usize>) -> BoxFuture<'static, Outcome<usize>> + Copy {
        move |_| {
            let maker = self.clone();
            let make = async move {
                tokio::time::sleep(time).await;
                Outcome::Store(maker.next())
            };
            make.boxed()
        }
    }
}

async fn until(condition: impl Fn() -> bool) {
    while !condition() {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_value_causes_no_work_while_it_is_made_and_as_long_as_it_is_kept() {
    let cache = cache(HOUR, HOUR);
    assert!(!cache.has_or_makes(&1));
    let making = cache.get(1, Brief, |_| async {
        tokio::time::sleep(Duration::from_millis(20)).await;
        Outcome::Store(1)
    });
    let asked_meanwhile = async {
        tokio::time::sleep(Duration::from_millis(10)).await;
        (cache.has_or_makes(&1), cache.has_or_makes(&2))
    };
    let (made, meanwhile) = tokio::join!(making, asked_meanwhile);
    assert_eq!((made.unwrap().value, meanwhile), (1, (true, false)));
    assert!(cache.has_or_makes(&1));
    tokio::time::advance(2 * HOUR).await;
    assert!(!cache.has_or_makes(&1), "too old to be served");
}

#[tokio::test(start_paused = true)]
async fn concurrent_requests_make_one_value() {
    let (cache, maker) = (cache(HOUR, HOUR), Maker::default());
    let crowd = (0..1_000).map(|_| cache.get(1, Brief, maker.taking(Duration::from_millis(20))));
    assert!(join_all(crowd).await.into_iter().all(|hit| hit.unwrap().value == 1));
    assert_eq!(maker.count(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_stale_value_is_served_while_one_task_makes_the_next() {
    let (cache, maker) = (cache(Duration::ZERO, HOUR), Maker::default());
    let make = |_| {
        let maker = maker.clone();
        async move { Outcome::Store(maker.next()) }
    };
    assert_eq!(cache.get(1, Brief, make).await.unwrap().value, 1);
    let hit = cache.get(1, Brief, make).await.unwrap();
    assert_eq!((hit.value, hit.stale), (1, true));
    until(|| maker.count() == 2).await;
}

#[tokio::test(start_paused = true)]
async fn callers_wait_briefly_for_an_overdue_value() {
    let (cache, maker) = (cache(Duration::from_secs(60), HOUR), Maker::default());
    cache.insert(1, 70, Duration::from_secs(90));
    cache.insert(2, 70, Duration::from_secs(600));
    cache.insert(3, 70, Duration::from_secs(600));
    let soon = maker.taking(Duration::from_millis(20));
    assert_eq!(cache.get(1, Brief, soon).await.unwrap().value, 70);
    assert_eq!(cache.get(2, Brief, soon).await.unwrap().value, 2);

    let never = |_| std::future::pending();
    let asked = Instant::now();
    let hit = cache.get(3, Brief, never).await.unwrap();
    assert_eq!((hit.value, hit.stale), (70, true));
    assert!((OVERDUE_WAIT..HOUR).contains(&asked.elapsed()));
    // The wait is counted from the start of the flight, so later callers do not wait.
    let again = Instant::now();
    assert_eq!(cache.get(3, Brief, never).await.unwrap().value, 70);
    assert!(again.elapsed() < OVERDUE_WAIT);
}

#[tokio::test(start_paused = true)]
async fn callers_that_want_no_stale_value_wait_for_one_refresh_however_long_it_takes() {
    let (cache, maker) = (cache(HOUR, HOUR), Maker::default());
    cache.insert(1, 70, HOUR);
    let slow = maker.taking(10 * OVERDUE_WAIT);
    let crowd = (0..1_000).map(|_| cache.get(1, UntilFresh, slow));
    let (hits, brief) = tokio::join!(join_all(crowd), cache.get(1, Brief, slow));
    assert!(hits.into_iter().map(Result::unwrap).all(|hit| hit.value == 1 && !hit.stale));
    assert_eq!((maker.count(), brief.unwrap().value), (1, 70));
    // A failure leaves nothing better.
    cache.purge(|_, _| Some(Purge::Stale));
    let hit = cache.get(1, UntilFresh, |_| async { Outcome::Discard(0) }).await.unwrap();
    assert!((hit.value, hit.stale) == (1, true));
}

#[tokio::test(start_paused = true)]
async fn callers_do_not_wait_after_a_failed_refresh() {
    let cache = cache(Duration::from_secs(60), HOUR);
    cache.insert(1, 70, Duration::from_secs(600));
    let hit = cache.get(1, Brief, |_| async { Outcome::Discard(0) }).await.unwrap();
    assert_eq!((hit.value, hit.refresh_failed), (70, true));
    tokio::time::sleep(PAUSE_AFTER_FAILURE).await;
    let asked = Instant::now();
    let hit = cache.get(1, Brief, |_| std::future::pending()).await.unwrap();
    assert_eq!((hit.value, hit.refresh_failed), (70, true));
    assert!(asked.elapsed() < OVERDUE_WAIT);
}

#[tokio::test(start_paused = true)]
async fn a_failed_refresh_leaves_the_old_value_and_is_not_tried_again_at_once() {
    let (cache, maker) = (cache(Duration::ZERO, HOUR), Maker::default());
    cache.insert(1, 7, Duration::from_secs(60));
    let fail = |_| {
        let maker = maker.clone();
        async move {
            maker.next();
            Outcome::Discard(0)
        }
    };
    assert_eq!(cache.get(1, Brief, fail).await.unwrap().value, 7);
    until(|| cache.inner.flights.lock().is_empty() && maker.count() == 1).await;
    for _ in 0..100 {
        assert_eq!(cache.get(1, Brief, fail).await.unwrap().value, 7);
    }
    assert_eq!(maker.count(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_value_made_from_old_data_has_the_age_of_the_data() {
    let (cache, maker) = (cache(Duration::from_secs(60), HOUR), Maker::default());
    let make = |age| {
        let maker = maker.clone();
        move |_| {
            let maker = maker.clone();
            async move { Outcome::StoreFromOldData(maker.next(), age) }
        }
    };
    assert_eq!(cache.get(1, Brief, make(HOUR / 2)).await.unwrap().value, 1);
    let hit = cache.get(1, Brief, make(HOUR / 2)).await.unwrap();
    assert!(hit.age >= HOUR / 2 && hit.stale && hit.refresh_failed);
    assert_eq!(maker.count(), 1, "it is not made again at once");
    assert_eq!(cache.get(2, Brief, make(2 * HOUR)).await.unwrap().value, 2);
    assert_eq!(cache.get(2, Brief, make(2 * HOUR)).await.unwrap().value, 3, "too old to be hit again");
}

#[tokio::test(start_paused = true)]
async fn retain_removes_rejected_values() {
    let cache = cache(HOUR, HOUR);
    for key in 0..100 {
        cache.insert(key, key as usize, Duration::ZERO);
    }
    cache.retain(|value| value % 4 == 0);
    assert_eq!((cache.weight(), cache.entries().len()), (25, 25));
}

#[tokio::test(start_paused = true)]
async fn the_older_half_is_removed() {
    let cache = cache(HOUR, HOUR);
    for key in 0..9 {
        // The order is by insertion, not by the age of the data.
        cache.insert(key, key as usize, Duration::from_secs(key.into()));
        tokio::time::advance(Duration::from_millis(1)).await;
    }
    cache.remove_older_half();
    let mut kept: Vec<_> = cache.entries().into_iter().map(|(key, ..)| key).collect();
    kept.sort_unstable();
    assert_eq!(kept, [4, 5, 6, 7, 8]);
    (0..4).for_each(|_| cache.remove_older_half());
    cache.remove_older_half();
    assert_eq!(cache.entries().len(), 1, "half of one entry is none");
}

#[tokio::test(start_paused = true)]
async fn discarded_values_are_not_cached_and_briefly_stored_ones_are_never_stale() {
    let cache = cache(HOUR, HOUR);
    assert_eq!(cache.get(1, Brief, |_| async { Outcome::Discard(5) }).await.unwrap().value, 5);
    assert_eq!(
        cache
            .get(1, Brief, |_| async {
                Outcome::StoreFor(6, Ages { fresh: Duration::ZERO, stale: Duration::ZERO })
            })
            .await
            .unwrap()
            .value,
        6
    );
    assert_eq!(cache.get(1, Brief, |_| async { Outcome::Store(7) }).await.unwrap().value, 7);
    assert_eq!(cache.get(1, Brief, |_| async { Outcome::Discard(0) }).await.unwrap().value, 7);
}

#[tokio::test(start_paused = true)]
async fn when_the_maker_dies_one_of_those_who_wait_is_the_next() {
    let (cache, maker) = (cache(HOUR, HOUR), Maker::default());
    let crowd = (0..100).map(|_| {
        cache.get(1, Brief, |_| {
            let maker = maker.clone();
            async move {
                let number = maker.next();
                tokio::time::sleep(Duration::from_millis(20)).await;
                assert!(number > 1, "the first maker dies");
                Outcome::Store(number)
            }
        })
    });
    assert!(join_all(crowd).await.into_iter().all(|hit| hit.unwrap().value == 2));
    assert_eq!(maker.count(), 2);
}

/// Whether a value is made although its first caller is cancelled.
/// `join` happens while that caller waits.
async fn is_made_after(join: impl AsyncFnOnce(&Cache<u32, usize>, &Maker)) -> bool {
    let (cache, maker) = (cache(HOUR, HOUR), Maker::default());
    let slow = maker.taking(Duration::from_millis(100));
    let first = async {
        let waiting = cache.get(1, Brief, slow);
        assert!(tokio::time::timeout(Duration::from_millis(20), waiting).await.is_err());
    };
    tokio::join!(first, async {
        tokio::time::sleep(Duration::from_millis(10)).await;
        join(&cache, &maker).await;
    });
    tokio::time::sleep(HOUR / 2).await;
    assert!(cache.inner.flights.lock().is_empty());
    maker.count() == 1
}

/// A caller who joins a flight makes nothing.
async fn nothing(_: Option<usize>) -> Outcome<usize> {
    Outcome::Discard(0)
}

#[tokio::test(start_paused = true)]
async fn work_that_nobody_waits_for_any_more_is_cancelled() {
    assert!(!is_made_after(async |_, _| {}).await);
}

#[tokio::test(start_paused = true)]
async fn work_that_another_caller_shares_is_finished() {
    let shared = async |cache: &Cache<u32, usize>, _: &Maker| {
        assert_eq!(cache.get(1, Brief, nothing).await.unwrap().value, 1);
    };
    assert!(is_made_after(shared).await);
}

#[tokio::test(start_paused = true)]
async fn a_caller_after_cancelled_work_has_its_value_made() {
    let again = async |cache: &Cache<u32, usize>, maker: &Maker| {
        // By now the first caller is gone, and its work with it.
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert_eq!(maker.count(), 0);
        let made = cache.get(1, Brief, |_| {
            let maker = maker.clone();
            async move { Outcome::Store(maker.next()) }
        });
        assert_eq!(made.await.unwrap().value, 1);
    };
    assert!(is_made_after(again).await);
}

#[tokio::test(start_paused = true)]
async fn a_refresh_is_finished_although_nobody_waits_for_it() {
    let (cache, maker) = (cache(Duration::ZERO, HOUR), Maker::default());
    cache.insert(1, 70, Duration::ZERO);
    let slow = maker.taking(Duration::from_millis(100));
    assert_eq!(cache.get(1, Brief, slow).await.unwrap().value, 70);
    until(|| maker.count() == 1).await;
}

#[tokio::test(start_paused = true)]
async fn keys_requested_once_do_not_evict_popular_ones() {
    let cache = Cache::<u32, usize>::new(Ages { fresh: HOUR, stale: HOUR }, 100, |_, _| 1);
    for key in 2..5_000 {
        cache.get(key, Brief, |_| async { Outcome::Store(0) }).await.unwrap();
        if key < 4_000 && key % 10 == 0 {
            cache.get(1, Brief, |_| async { Outcome::Store(1) }).await.unwrap();
        }
    }
    cache.inner.entries.run_pending_tasks();
    assert!(cache.inner.entries.entry_count() <= 100);
    assert_eq!(cache.get(1, Brief, |_| async { Outcome::Discard(0) }).await.unwrap().value, 1);
}

#[tokio::test(start_paused = true)]
async fn a_purged_value_is_stale_overdue_or_gone() {
    let (cache, maker) = (cache(HOUR, HOUR), Maker::default());
    let make = maker.taking(Duration::from_millis(20));
    let get = async |key| {
        let hit = cache.get(key, Brief, make).await.unwrap();
        (hit.value, hit.stale)
    };
    assert_eq!([get(1).await, get(2).await], [(1, false), (2, false)]);

    assert_eq!(cache.purge(|key, _| (*key == 1).then_some(Purge::Stale)), 1);
    assert_eq!([get(1).await, get(2).await], [(1, true), (2, false)], "the old value is served meanwhile");
    until(|| maker.count() == 3).await;
    assert_eq!(get(1).await, (3, false));

    assert_eq!(cache.purge(|key, _| (*key == 1).then_some(Purge::Overdue)), 1);
    assert_eq!(get(1).await, (4, false), "a caller waits for the next value");

    assert_eq!(cache.purge(|_, value| (value == Some(&2)).then_some(Purge::Remove)), 1);
    assert_eq!([get(1).await, get(2).await], [(4, false), (5, false)]);
}

#[tokio::test(start_paused = true)]
async fn what_was_being_made_before_a_purge_is_not_stored() {
    let (cache, maker) = (cache(HOUR, HOUR), Maker::default());
    let make = maker.taking(Duration::from_millis(20));
    let purge = async {
        tokio::time::sleep(Duration::from_millis(10)).await;
        cache.purge(|_, _| Some(Purge::Remove))
    };
    let (early, purged) = tokio::join!(cache.get(1, Brief, make), purge);
    assert_eq!((early.unwrap().value, purged), (1, 0), "who waited gets what was made");
    assert_eq!(cache.get(1, Brief, make).await.unwrap().value, 2);
}

#[tokio::test(start_paused = true)]
async fn values_for_which_there_is_no_room_are_counted() {
    let cache = cache(HOUR, HOUR);
    for key in 0..3_000 {
        cache.insert(key, 1, Duration::ZERO);
        cache.purge(|_, _| None);
    }
    assert!(cache.evictions().size.get() > 0);
    assert_eq!(cache.evictions().expired.get(), 0);
}
