//! What the build has made of `client/` and `worker/`. Builds for development read it from a folder instead.

#[cfg(feature = "dev")]
mod from_folder;
mod parts;

pub use self::parts::{Asset, Client, Compressed, FirstPaint, FirstScreen};

/// The client of this executable, or, in builds for development, of the folder when the process started.
#[cfg(feature = "dev")]
pub static CLIENT: std::sync::LazyLock<Client> = std::sync::LazyLock::new(from_folder::read);

#[cfg(not(feature = "dev"))]
include!(concat!(env!("OUT_DIR"), "/client_files.rs"));
