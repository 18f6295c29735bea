//! The HTML document around a page's markup, with its head, embedded files, security headers and the
//! shop's public address.

pub mod assets;
pub(crate) mod head;
pub(crate) mod html;
pub(crate) mod security;
mod site;

pub use html::early_script_hash;
pub use site::Site;
