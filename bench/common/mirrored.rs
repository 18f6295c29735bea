//! The program in front of a generated catalogue, which it has copied.

use std::net::SocketAddr;
use std::process::Command;

use anyhow::{Result, ensure};

use super::client;
use super::generated::{Generated, Style, products};
use super::program::Program;

/// More tries than a copy takes, even on a slow machine.
const TRIES: usize = 600;

/// A shop that answers every query from its copy of `count` products.
pub(crate) struct MirroredShop {
    pub(crate) program: Program,
    /// Kept, because the copy is renewed while the benchmark runs.
    _service: Generated,
}

impl MirroredShop {
    /// Starts the program on `command`, which may be another build of it.
    pub(crate) async fn start(command: &mut Command, count: usize, style: Style) -> Result<Self> {
        let service = Generated::serve(products(count, style)).await?;
        command.args(["--catalogue", &format!("http://{}", service.address), "--mirror", "50000"]);
        let program = Program::spawn(command);
        until_read(&service, program.address).await?;
        Ok(Self { program, _service: service })
    }
}

/// Searches for something new until a search makes no call of the service.
async fn until_read(service: &Generated, shop: SocketAddr) -> Result<()> {
    let client = client()?;
    for number in 0..TRIES {
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        let before = service.calls();
        client.get(format!("http://{shop}/_data/search/nothing%20{number}")).send().await?;
        if before > 0 && service.calls() == before {
            return Ok(());
        }
    }
    ensure!(false, "the catalogue was not copied");
    Ok(())
}
