//! Every shape of bytes against the shop.

use std::time::Duration;

use vitrine::http::connections::ConnectionLimits;

use super::framing_cases::try_all;
use crate::common::small_server::{generous, shop, until_counted};

#[tokio::test(flavor = "multi_thread")]
async fn every_shape_of_bytes_gets_its_answer_and_harms_no_other_client() {
    // Cases that wait for a limit wait together, and each request comes within it.
    let limit = Duration::from_secs(5);
    let limits = ConnectionLimits { head: limit, idle: limit, linger: limit, ..generous() };
    let (address, connections) = shop(limits).await;
    try_all(address, 200).await;
    until_counted(|| connections.counters().open.get(), 0).await;
}
