//! The real process without descriptors left.

use std::net::TcpStream;

use crate::admin::workers::scrape;
use crate::common::program::Program;
use crate::common::raw::{good_request, statuses};

const SHORTAGE: &str = "connections cannot be accepted for now";

#[tokio::test]
async fn accepting_pauses_without_descriptors_and_recovers_by_itself() {
    let folder = tempfile::tempdir().unwrap();
    let operators = folder.path().join("admin.sock");
    let mut program = Program::with_descriptors(64, &["--admin", &format!("unix:{}", operators.display())]);
    let errors = || scrape(&operators).sum("vitrine_accept_errors_total", "");
    assert!(errors() == 0.0);
    let address = program.address;
    let crowd: Vec<_> = (0..100).map(|_| TcpStream::connect(address).unwrap()).collect();
    let shortage = program.logged(SHORTAGE);
    assert!(shortage["error"].as_str().unwrap().contains("os error 24"), "{shortage}");
    drop(crowd);
    for _ in 0..100 {
        assert_eq!(statuses(good_request(address, "/healthz").await.as_bytes()), [200]);
    }
    assert!(errors() > 0.0);
    // The shortage was logged once, although accepting failed time and again.
    assert!(program.log().all(|entry| entry["fields"]["message"] != SHORTAGE));
    program.signal("TERM");
    assert!(program.exit_status().success());
}
