//! The listening sockets: inherited from a service manager or supervisor, or opened here. One is the shop's;
//! another one, named `admin`, is for operators.
//!
//! - `address`: addresses of the listener for operators.
//! - `admin`: the operators' socket.
//! - `error`: why the storefront cannot listen.
//! - `handed_over`: sockets of a service manager or supervisor.
//! - `shop`: the shop's socket.

mod address;
mod admin;
mod error;
mod handed_over;
mod shop;

pub(crate) use self::address::Address;
pub(crate) use self::admin::AdminListener;
pub(crate) use self::error::ListenError;
pub use self::handed_over::HandedOver;
pub(crate) use self::handed_over::{ADMIN, NAMES_VARIABLE, SHOP};
pub(crate) use self::shop::open;
