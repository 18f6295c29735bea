//! Whether a shop is ready, asked of the real program.

use crate::common::faults::Fault;
use crate::common::operators::ask;
use crate::common::program::Program;
use crate::common::until::blocking_until;
use crate::common::upstream::Upstream;

#[tokio::test(flavor = "multi_thread")]
async fn a_shop_that_starts_in_an_outage_is_ready_soon_after_it_without_a_visitor() {
    let upstream = Upstream::start().await;
    upstream.set(Fault::Status(500)).await;
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("admin.sock");
    let address = format!("unix:{}", socket.display());
    let _shop = Program::quiet(&["--catalogue", upstream.base().as_ref(), "--admin", &address]);
    assert!(ask(&socket, "GET /readyz").starts_with("HTTP/1.1 503 "));
    upstream.set(Fault::None).await;
    blocking_until("the first products", || ask(&socket, "GET /readyz").starts_with("HTTP/1.1 200 "));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_catalogue_that_is_too_large_is_named_with_the_limit() {
    let upstream = Upstream::start().await;
    upstream.set(Fault::HugeAndHonest).await;
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("admin.sock");
    let address = format!("unix:{}", socket.display());
    let _shop =
        Program::quiet(&["--catalogue", upstream.base().as_ref(), "--mirror", "off", "--admin", &address]);
    let limit = "larger than the 16 MiB that are read";
    blocking_until("the limit", || ask(&socket, "GET /readyz").contains(limit));
    assert!(ask(&socket, "GET /readyz").starts_with("HTTP/1.1 503 "), "there is nothing to sell");
    assert!(ask(&socket, "GET /status").contains(limit));
}
