//! The settings of the commands that serve nothing: `check`, `init`, `healthcheck`, `completions` and `man`.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap_complete::Shell;
use url::Url;

use super::parse::{parse_health_url, parse_listen, parse_milliseconds};
use super::serve::{DEFAULT_LISTEN, ServeSettings};

/// Settings of `check`: those of the storefront, and its own.
#[derive(Args, Debug)]
pub struct CheckSettings {
    /// Fail also when there are only warnings.
    #[arg(long)]
    pub(crate) strict: bool,

    /// File for the rows of a catalogue of one's own that are left out: a table with the reasons. An earlier table is
    /// replaced, and no other file.
    #[arg(long, value_name = "FILE")]
    pub(crate) rejected: Option<PathBuf>,

    /// Write a proposal of options for a table whose columns are of no known form, to the file beside it, such as
    /// `products.csv.toml`, or to that of `--catalogue-options`. No file is written over.
    #[arg(long)]
    pub(crate) propose: bool,

    #[command(flatten)]
    pub(crate) serve: ServeSettings,
}

/// Settings of `init`.
#[derive(Args, Debug)]
pub struct InitSettings {
    /// Folder for the files. It is made, and may not have any files yet.
    #[arg(value_name = "DIRECTORY")]
    pub(crate) directory: PathBuf,
    /// Language of the shop, such as de or pt-BR. If the program has no texts in it, the shop's file lists them all to
    /// be translated.
    #[arg(long, value_name = "TAG", default_value = "en")]
    pub(crate) language: String,
}

/// Settings of `healthcheck`.
#[derive(Args, Debug)]
pub struct HealthcheckSettings {
    /// Address to ask, such as `https://shop.example`; `/healthz` is added if it has no path. Without it the
    /// storefront at the address of `--listen` is asked.
    #[arg(value_parser = parse_health_url)]
    pub(crate) url: Option<Url>,

    /// Address and port that the storefront listens on.
    #[arg(long, env = "VITRINE_LISTEN", default_value = DEFAULT_LISTEN, value_parser = parse_listen, value_name = "ADDRESS")]
    pub(crate) listen: SocketAddr,

    /// The storefront's certificate, which is not read: with it connections are encrypted.
    #[arg(long, env = "VITRINE_TLS_CERT", value_name = "FILE")]
    pub(crate) tls_cert: Option<PathBuf>,

    /// Time within which it has to answer, in milliseconds.
    #[arg(long, default_value = "2000", value_parser = parse_milliseconds, value_name = "MILLISECONDS")]
    pub(crate) timeout: Duration,
}

/// Settings of `completions`.
#[derive(Args, Debug)]
pub struct CompletionsSettings {
    /// The shell that runs the script.
    pub(crate) shell: Shell,
}

/// Settings of `man`.
#[derive(Args, Debug)]
pub struct ManSettings {
    /// The command to describe; without it the program as a whole.
    pub(crate) command: Option<String>,
}
