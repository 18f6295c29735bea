//! Every bad request and answer: none does harm, as in `panics/`, and none makes the shop slow.

use std::time::Duration;

use crate::TURN;
use crate::bad_inputs::{Share, no_answer_of_the_catalogue_does_harm, no_request_does_harm};

/// The longest that an answer may take.
const LONGEST: Duration = Duration::from_secs(1);

#[tokio::test(flavor = "multi_thread")]
async fn every_bad_request_is_answered_soon() {
    let _turn = TURN.lock().await;
    let longest = no_request_does_harm(Share::All).await;
    assert!(longest <= LONGEST, "{longest:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_page_of_a_bad_answer_is_made_soon() {
    let _turn = TURN.lock().await;
    let longest = no_answer_of_the_catalogue_does_harm(Share::All).await;
    assert!(longest <= LONGEST, "{longest:?}");
}
