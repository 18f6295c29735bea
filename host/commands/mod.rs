//! What each command of the command line does, and how the process ends. `main.rs` only says what
//! was built, and hands over the sockets of a service manager.
//!
//! It promises that a failure (exit code 1) is one line on standard error, that the exit codes 0, 1 and 2 keep their
//! meaning, and that `check` changes nothing but the files of `--rejected` and `--propose`. Reasons:
//! `docs/decisions/0024-settings.md`.

mod check;
mod failure;
mod generated;
mod healthcheck;
mod init;

use std::process;

use self::failure::Failure;
use crate::http::build_date::set_build_date;
use crate::process::choose_cryptography;
use crate::process::listening::HandedOver;
use crate::serve::{serve, serve_sample_catalogue};
use crate::settings::{Cli, Command, ExitCode};

/// Does what the command line asks for. `version` is what `--version` prints after the program's name. `date` is the
/// date of the commit that the program is built from, in seconds since 1970. `handed_over` are the sockets of a service
/// manager or supervisor.
///
/// A failure is one line on standard error, whatever the environment asks of panics and backtraces.
pub fn run(version: &str, date: u64, handed_over: HandedOver) -> process::ExitCode {
    set_build_date(date);
    choose_cryptography();
    let command = match Cli::read(version) {
        Ok(command) => command,
        Err(code) => return code.into(),
    };
    let done = match command {
        Command::Serve(settings) => serve(*settings, handed_over),
        Command::SampleCatalogue(settings) => serve_sample_catalogue(*settings, handed_over),
        Command::Check(settings) => return check::check(*settings).into(),
        Command::Init(settings) => return init::init(&settings).into(),
        Command::Healthcheck(settings) => return healthcheck::healthcheck(&settings).into(),
        Command::Completions(settings) => return generated::completions(&settings, version).into(),
        Command::Man(settings) => return generated::manual(&settings, version).into(),
    };
    match done {
        Ok(()) => ExitCode::Done.into(),
        Err(error) => {
            let failure = Failure(&error);
            eprintln!("error: {failure}");
            failure.exit_code().into()
        }
    }
}
