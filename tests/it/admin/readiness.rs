//! Whether a shop is ready while its catalogue is away, too large or being read.

use super::ShopWithAdmin;
use crate::common::days::settings;
use crate::common::faults::Fault;
use crate::common::large::{Large, open};
use crate::common::operators::Socket;
use crate::common::program::Program;
use crate::common::real_renderer;
use crate::common::until::{blocking_until, until};
use crate::common::upstream::Upstream;

/// The program with a catalogue that fails, and its operators' socket.
async fn start(fault: Fault, further: &[&str]) -> (Upstream, Program, Socket) {
    let (upstream, socket) = (Upstream::start().await, Socket::new());
    upstream.set(fault).await;
    let (base, address) = (upstream.base(), socket.address());
    let shop = Program::quiet(&[&["--catalogue", base.as_str(), "--admin", &address], further].concat());
    (upstream, shop, socket)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shop_that_starts_in_an_outage_is_ready_soon_after_it_without_a_visitor() {
    let (upstream, _shop, socket) = start(Fault::Status(500), &[]).await;
    let answer = socket.ask("GET /readyz");
    assert!(answer.starts_with("HTTP/1.1 503 ") && answer.contains("catalogue: empty"), "{answer}");
    upstream.set(Fault::None).await;
    blocking_until("the first products", || socket.ask("GET /readyz").starts_with("HTTP/1.1 200 "));
    upstream.set(Fault::RefuseConnections).await;
    assert!(socket.ask("GET /readyz").starts_with("HTTP/1.1 200 "), "it stays so in the next outage");
}

#[tokio::test(flavor = "multi_thread")]
async fn why_a_catalogue_cannot_be_read_is_named() {
    for (fault, most, cause) in [
        (Fault::HugeAndHonest, "auto", "larger than the 16 MiB that are read"),
        (Fault::None, "1", "the catalogue has more than 1 products"),
    ] {
        let (_upstream, _shop, socket) = start(fault.clone(), &["--mirror", most]).await;
        blocking_until("the cause", || socket.ask("GET /readyz").contains(cause));
        assert!(socket.ask("GET /status").contains(cause), "{cause}");
        // A catalogue that is only too large is sold by its calls.
        let status = if matches!(fault, Fault::None) { " 200 " } else { " 503 " };
        blocking_until("its readiness", || {
            socket.ask("GET /readyz").starts_with(&format!("HTTP/1.1{status}"))
        });
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn operators_see_how_far_a_large_catalogue_is_read() {
    let large = Large::default();
    large.0.lock().fails_behind = Some(1_500);
    let catalogue = open(&large.start().await);
    let watched = ShopWithAdmin::start(catalogue.clone(), real_renderer(1).await, settings()).await;
    // Two pages, which overlap by eight products.
    let read = "1992 of 6000 products";
    until("two pages", async || {
        let (status, text) = watched.ask("/readyz").await;
        // The shop opens a second after its start.
        let state = if status == 200 { "ok" } else { "empty" };
        text == format!("render: ok\ncatalogue: {state}, {read} are read\n")
    })
    .await;
    assert!(watched.ask("/status").await.1.contains(read));
    assert_eq!(watched.figure("vitrine_catalogue_pass_products", "").await, 1_992.0);

    large.0.lock().fails_behind = None;
    // The shop may be open before, and what is being read has as many products.
    let is_copy = async || watched.ask("/status").await.1.contains("6000 products, ");
    until("a copy", is_copy).await;
    assert_eq!(watched.ask("/readyz").await.0, 200);
}
