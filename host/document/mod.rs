//! The HTML document around a page's markup, with its head, embedded files, security headers and the
//! shop's public address.
//!
//! It promises that a document paints without waiting for another file, because it contains the styles of its kind
//! of page, and that the content security policy allows inline scripts and styles only by their hash.
//! `docs/decisions/0023-first-paint.md`, `0031-late-client.md` and `0015-service-worker.md` say why.

mod agents;
pub mod assets;
pub(crate) mod blocked_images;
pub mod client;
pub(crate) mod dictionary;
pub(crate) mod first_paint;
pub(crate) mod head;
pub(crate) mod html;
pub(crate) mod icons;
mod image_source;
pub(crate) mod markdown;
pub(crate) mod security;
pub(crate) mod service_worker;
mod site;
pub(crate) mod speculation_rules;
pub(crate) mod texts;

pub use agents::Agents;
pub(crate) use first_paint::ScreenKind;
pub use first_paint::style_hashes;
pub use html::early_script_hash;
pub use image_source::{ImageSource, ImageSourceError};
pub use service_worker::ServiceWorker;
pub use site::Site;
