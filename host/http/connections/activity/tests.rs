//! Connections in every phase, without sockets.

use std::time::Duration;

use super::*;

fn after(activity: &Activity, milliseconds: u64) -> Verdict {
    let since = activity.state.lock().since;
    activity.verdict(since + Duration::from_millis(milliseconds), &ConnectionLimits::default())
}

fn new() -> Arc<Activity> {
    Arc::new(Activity::new(Instant::now(), false))
}

fn idle() -> Arc<Activity> {
    let activity = new();
    drop(activity.begin_answer());
    activity.flushed();
    activity
}

#[test]
fn a_silent_connection_gets_the_head_timeout() {
    assert!(matches!(after(&new(), 9_999), Verdict::Keep(Some(_))));
    assert_eq!(after(&new(), 10_000), Verdict::Close(Reason::Head));
}

#[test]
fn further_bytes_do_not_extend_the_head_timeout() {
    let activity = idle();
    activity.received();
    let began = activity.state.lock().since;
    std::thread::sleep(Duration::from_millis(2));
    activity.received();
    assert_eq!(activity.state.lock().since, began);
    assert_eq!(after(&activity, 10_000), Verdict::Close(Reason::Head));
}

#[test]
fn an_idle_connection_gets_the_idle_timeout() {
    assert!(matches!(after(&idle(), 59_999), Verdict::Keep(Some(_))));
    assert_eq!(after(&idle(), 60_000), Verdict::Close(Reason::Idle));
}

#[test]
fn an_answer_has_no_deadline_until_its_client_stalls() {
    let activity = new();
    let answer = activity.begin_answer();
    assert_eq!(after(&activity, 1_000_000), Verdict::Keep(None));
    drop(answer);
    assert_eq!(after(&activity, 1_000_000), Verdict::Keep(None));
    activity.stalled();
    assert_eq!(after(&activity, 16_000), Verdict::Close(Reason::Stall));
    activity.wrote();
    assert_eq!(after(&activity, 16_000), Verdict::Keep(None));
}

#[test]
fn draining_leaves_a_short_grace_period_for_a_request() {
    for activity in [new(), idle()] {
        let now = activity.state.lock().since;
        activity.drain(now);
        assert!(matches!(after(&activity, 499), Verdict::Keep(Some(_))));
        assert_eq!(after(&activity, 500), Verdict::Close(Reason::Grace));
    }
}

#[test]
fn draining_does_not_cut_off_an_answer() {
    let activity = new();
    let answer = activity.begin_answer();
    activity.drain(Instant::now());
    assert!(answer.is_draining());
    assert_eq!(after(&activity, 9_000), Verdict::Keep(None));
    activity.stalled();
    assert!(matches!(after(&activity, 9_000), Verdict::Keep(Some(_))));
}

#[test]
fn only_a_connection_that_waits_for_its_client_is_evicted() {
    let limits = ConnectionLimits::default();
    let later = Instant::now() + Duration::from_secs(5);
    let activity = new();
    assert!(activity.eviction_order(later, &limits).is_some());
    assert!(activity.eviction_order(Instant::now(), &limits).is_none(), "it has not waited long enough");
    activity.evict();
    let answer = activity.begin_answer();
    assert!(activity.eviction_order(later, &limits).is_none());
    assert_eq!(after(&activity, 1), Verdict::Keep(None), "a request arrived before the eviction");
    activity.stalled();
    assert!(activity.eviction_order(later, &limits) > idle().eviction_order(later, &limits));
    activity.evict();
    assert_eq!(after(&activity, 1), Verdict::Close(Reason::Evicted));
    drop(answer);
}

#[test]
fn a_handshake_has_a_limit_of_its_own_and_the_first_head_begins_after_it() {
    let limits = ConnectionLimits { handshake: Duration::from_secs(3), ..ConnectionLimits::default() };
    let activity = Activity::new(Instant::now(), true);
    let began = activity.state.lock().since;
    activity.received();
    let verdict =
        |activity: &Activity, seconds| activity.verdict(began + Duration::from_secs(seconds), &limits);
    assert!(matches!(verdict(&activity, 2), Verdict::Keep(Some(_))));
    assert_eq!(verdict(&activity, 3), Verdict::Close(Reason::Handshake));
    assert!(activity.eviction_order(began + Duration::from_secs(2), &limits).is_some());
    activity.agreed(false);
    assert!(matches!(verdict(&activity, 9), Verdict::Keep(Some(_))));
    assert_eq!(verdict(&activity, 11), Verdict::Close(Reason::Head));
}

fn multiplexed() -> Arc<Activity> {
    let activity = Arc::new(Activity::new(Instant::now(), true));
    activity.agreed(true);
    activity
}

/// The verdict this long after now.
fn later(activity: &Activity, milliseconds: u64) -> Verdict {
    activity.verdict(Instant::now() + Duration::from_millis(milliseconds), &ConnectionLimits::default())
}

#[test]
fn frames_without_a_request_do_not_extend_the_time_for_one() {
    let activity = multiplexed();
    activity.received();
    activity.flushed();
    assert_eq!(later(&activity, 10_000), Verdict::Close(Reason::Head));
}

#[test]
fn an_idle_multiplexed_connection_is_asked_to_leave_and_then_closed() {
    let activity = multiplexed();
    let mut stream = activity.begin_stream();
    stream.answered();
    drop(stream);
    activity.received();
    assert!(matches!(later(&activity, 59_000), Verdict::Keep(Some(_))));
    assert!(!activity.is_draining());
    assert_eq!(later(&activity, 60_000), Verdict::Leave);
    assert!(activity.is_draining());
    assert_eq!(later(&activity, 61_000), Verdict::Close(Reason::Grace));
    let _late = activity.begin_stream();
    assert_eq!(later(&activity, 61_000), Verdict::Keep(None), "a request arrived after all");
}

#[test]
fn draining_does_not_cut_off_streams() {
    let activity = multiplexed();
    let (mut first, second) = (activity.begin_stream(), activity.begin_stream());
    activity.drain(Instant::now());
    first.answered();
    assert!(matches!(later(&activity, 9_000), Verdict::Keep(Some(_))), "it is being read");
    drop(first);
    assert_eq!(later(&activity, 9_000), Verdict::Keep(None), "the other one is worked on");
    drop(second);
    assert_eq!(later(&activity, 9_000), Verdict::Close(Reason::Grace));
}

#[test]
fn a_multiplexed_connection_is_evicted_only_while_it_waits_for_its_client() {
    let (activity, limits) = (multiplexed(), ConnectionLimits::default());
    let soon = Instant::now() + Duration::from_secs(5);
    assert!(activity.eviction_order(soon, &limits).is_some());
    let mut stream = activity.begin_stream();
    assert!(activity.eviction_order(soon, &limits).is_none());
    activity.evict();
    assert_eq!(later(&activity, 1), Verdict::Keep(None));
    stream.answered();
    let unread = activity.eviction_order(soon, &limits);
    assert!(unread > multiplexed().eviction_order(soon, &limits), "idle connections come first");
    activity.evict();
    assert_eq!(later(&activity, 1), Verdict::Close(Reason::Evicted));
}
