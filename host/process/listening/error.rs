//! Why the storefront cannot listen.

use std::io;

use thiserror::Error;

use super::address::Address;

/// Why the storefront cannot listen.
#[derive(Debug, Error)]
pub(crate) enum ListenError {
    /// `setting` is the flag that names the address.
    #[error("cannot listen on {address}")]
    Bind { setting: &'static str, address: Address, source: io::Error },
    #[error("cannot listen on the socket that was handed over")]
    HandedOver(#[source] io::Error),
    #[error("{0} sockets were handed over; the storefront listens on one, and on one named `admin`")]
    Several(usize),
    #[error("{0} sockets named `admin` were handed over; operators are listened to on one")]
    SeveralForOperators(usize),
}
