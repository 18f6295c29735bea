//! Generates completions and manual pages from the definition of the command line.

use std::fmt::Write as _;
use std::io;

use clap_mangen::Man;

use crate::settings::{Cli, CompletionsSettings, ExitCode, ManSettings, print};

/// Prints the script that completes the command line in a shell.
pub(super) fn completions(settings: &CompletionsSettings, version: &str) -> ExitCode {
    let mut script = Vec::new();
    clap_complete::generate(settings.shell, &mut Cli::definition(version), "vitrine", &mut script);
    print(&String::from_utf8_lossy(&script))
}

/// Prints the manual page of the program or of one command.
pub(super) fn manual(settings: &ManSettings, version: &str) -> ExitCode {
    let mut program = Cli::definition(version);
    // Gives every command its full name.
    program.build();
    let described = match &settings.command {
        None => Some(&program),
        Some(name) => program.find_subcommand(name),
    };
    let Some(described) = described else {
        let names: Vec<&str> = program.get_subcommands().map(clap::Command::get_name).collect();
        eprintln!("error: there is no such command; expected one of: {}", names.join(", "));
        return ExitCode::Usage;
    };
    match page(described.clone()) {
        Ok(page) => print(&page),
        Err(error) => {
            eprintln!("error: the manual page cannot be made: {error}");
            ExitCode::Failed
        }
    }
}

fn page(command: clap::Command) -> io::Result<String> {
    let mut page = Vec::new();
    Man::new(command).render(&mut page)?;
    let mut page = String::from_utf8_lossy(&page).into_owned();
    page.push_str(".SH \"EXIT STATUS\"\n");
    for code in ExitCode::EVERY {
        // Markdown's quotes of code mean nothing here; an unescaped hyphen would become a typographic one.
        let meaning = code.meaning().replace('`', "").replace('-', "\\-");
        let _ = write!(page, ".TP\n{}\n{meaning}\n", code.number());
    }
    Ok(page)
}
