//! The real process without descriptors left.

use std::net::TcpStream;
use std::process::Command;

use crate::admin::workers::scrape;
use crate::common::program::{Program, vitrine};
use crate::common::raw::{good_request, statuses};

const SHORTAGE: &str = "connections cannot be accepted for now";

/// Starts the storefront with this limit of descriptors, through a shell that lowers it.
fn start(descriptors: u32, arguments: &[&str]) -> Program {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("ulimit -n {descriptors}; exec \"$0\" \"$@\"")]);
    command.arg(vitrine().get_program()).args(["--isolates", "1"]).args(arguments);
    Program::spawn(&mut command)
}

#[tokio::test]
async fn accepting_pauses_without_descriptors_and_recovers_by_itself() {
    let folder = tempfile::tempdir().unwrap();
    let operators = folder.path().join("admin.sock");
    let mut program = start(64, &["--admin", &format!("unix:{}", operators.display())]);
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
