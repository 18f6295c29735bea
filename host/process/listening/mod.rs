//! The listening sockets: inherited from a service manager or supervisor, or opened here. One is the shop's;
//! another one, named `admin`, is for operators.
//!
//! - `address`: addresses of the listener for operators.
//! - `admin`: the operators' socket.
//! - `handed_over`: sockets of a service manager or supervisor.
//! - `shop`: the shop's socket.

mod address;
mod admin;
mod handed_over;
mod shop;

use std::io;

use thiserror::Error;

pub(crate) use self::address::Address;
pub(crate) use self::admin::AdminListener;
pub use self::handed_over::HandedOver;
pub(crate) use self::handed_over::{ADMIN, NAMES_VARIABLE, SHOP};
pub(crate) use self::shop::open;

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
