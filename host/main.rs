//! Starts the program that the command line names: a worker, its supervisor, or the sample catalogue.

use vitrine::process::listening::HandedOver;
use vitrine::serve::{serve, serve_sample_catalogue, supervise};
use vitrine::settings::{Cli, Command};

fn main() -> anyhow::Result<()> {
    // Must run before any other thread exists, because it removes variables from the environment.
    let handed_over = HandedOver::from_env();
    match Cli::read() {
        Command::Serve(settings) if settings.supervise => supervise(*settings, handed_over),
        Command::Serve(settings) => serve(*settings, handed_over),
        Command::SampleCatalogue(settings) => serve_sample_catalogue(settings, handed_over),
    }
}
