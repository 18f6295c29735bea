//! The settings of `sample-catalogue`.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;

use super::log::LogSettings;
use super::parse::parse_listen;

/// Settings of `sample-catalogue`.
#[derive(Args, Debug)]
pub struct SampleCatalogueSettings {
    /// Address and port to listen on.
    #[arg(long, env = "VITRINE_LISTEN", default_value = "127.0.0.1:3001", value_parser = parse_listen, value_name = "ADDRESS")]
    pub(crate) listen: SocketAddr,

    /// Serve the `products` of this JSON file instead of the embedded ones.
    #[arg(long, env = "VITRINE_PRODUCTS", value_name = "FILE")]
    pub(crate) products: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) log: LogSettings,
}
