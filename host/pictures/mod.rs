//! Copies of pictures that fit a screen: what a picture's header says, how it becomes smaller, and where its copies are kept.
//!
//! - `header`: width, height and what else tells whether a picture can be copied, from a few bytes of its file.
//! - `decode`, `resize`, `webp`, `preview`: from the bytes of a picture to those of its copies.
//! - `maker`, `room`: copies are made when they are asked for, and kept.
//! - `elsewhere`, `other_hosts`, `fetch`, `origin`: pictures on other hosts, which are received for their copies.
//! - `fit`, `fits`: how a picture stands in a frame of other proportions.
//!
//! It promises that pictures are decoded in safe Rust, that nothing of a header is believed before it is bounded, and that
//! a copy has no metadata but a profile of its colours. The reasons are in `docs/decisions/0053-pictures.md`.

mod copies;
mod decode;
mod elsewhere;
mod fetch;
mod fit;
mod fits;
#[cfg(any(test, feature = "fuzzing"))]
mod fuzzing;
mod header;
mod maker;
mod orientation;
mod origin;
mod other_hosts;
mod pixels;
mod preview;
mod resize;
mod room;
mod shown;
mod size;
#[cfg(test)]
mod tests;
mod webp;

pub(crate) use self::elsewhere::{Elsewhere, OtherName};
pub(crate) use self::fetch::FetchError;
#[cfg(any(test, feature = "fuzzing"))]
pub use self::fuzzing::check_header;
pub(crate) use self::header::{AsIs, Header, Kind};
pub use self::maker::Copies;
pub(crate) use self::maker::{CopyMemory, Original};
pub(crate) use self::other_hosts::{OtherHosts, OtherPicture};
pub(crate) use self::preview::{HEIGHT as PREVIEW_HEIGHT, WIDTH as PREVIEW_WIDTH};
pub(crate) use self::shown::{Shown, plain, preview};
pub(crate) use self::size::{Size, Width};
