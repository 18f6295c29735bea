//! A machine that has far too much to do, with a crawler that asks for little.

use std::process::{Child, Command, Stdio};
use std::thread;

use futures_util::future::join_all;
use rustix::thread::{CpuSet, sched_setaffinity};

use crate::TURN;
use crate::common::client;
use crate::common::program::{Program, vitrine};

/// Processes that take every processor time that they get.
struct Busy(Vec<Child>);

impl Busy {
    fn start(processes: usize) -> Self {
        let spin = || Command::new("sh").args(["-c", "while :; do :; done"]).stdin(Stdio::null()).spawn();
        Self((0..processes).map(|_| spin().unwrap()).collect())
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        for process in &mut self.0 {
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

/// Starts the program on one core, at a low priority and without pages that are made ahead; then what keeps the core
/// busy, at the usual priority. Both are inherited from the thread that starts them.
fn starved() -> (Program, Busy) {
    let starting = thread::spawn(|| {
        let mut core = CpuSet::new();
        core.set(0);
        sched_setaffinity(None, &core).unwrap();
        let shop = Program::spawn(
            // The shop has one isolate for each core, and the usual limits.
            Command::new("nice")
                .args(["-n", "10"])
                .arg(vitrine().get_program())
                .args(["--render-ahead", "off"]),
        );
        (shop, Busy::start(4))
    });
    starting.join().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_polite_crawler_of_a_starved_shop_gets_no_503_and_no_isolate_is_lost() {
    let _turn = TURN.lock().await;
    let (shop, _busy) = starved();
    let address = shop.address;
    let crawl = (0..4).map(|connection| async move {
        let client = client();
        let mut statuses = Vec::new();
        for id in (1..=100).filter(|id| id % 4 == connection) {
            let answer = client.get(format!("http://{address}/product/{id}")).send().await.unwrap();
            statuses.push(answer.status().as_u16());
            assert!(answer.text().await.unwrap().ends_with("</html>"), "product {id}");
        }
        statuses
    });
    let statuses: Vec<_> = join_all(crawl).await.concat();
    assert!(statuses.len() == 100 && statuses.iter().all(|status| *status == 200), "{statuses:?}");
    let lost: Vec<_> = shop
        .log()
        .filter(|line| line["fields"]["message"] == "an isolate was lost; starting another")
        .collect();
    assert!(lost.is_empty(), "{lost:?}");
}
