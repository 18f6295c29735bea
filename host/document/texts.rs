//! The script with the interface's texts in another language than English.

use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use twox_hash::XxHash3_128;

use super::client::CLIENT;
use crate::http::caching::Caching;
use crate::http::representation::Representation;
use crate::texts::Texts;

/// The script, at an address with its hash. The texts have the numbers of this build's keys.
pub(crate) struct TextsFile {
    path: String,
    file: Representation,
}

impl TextsFile {
    /// The script for these texts; `None` where the client has them already.
    pub(crate) fn of(texts: &Texts) -> Option<Self> {
        let script = texts.script()?;
        let path = format!("{}{:032x}.js", beginning(), XxHash3_128::oneshot(script.as_bytes()));
        Some(Self { path, file: Representation::new("text/javascript; charset=utf-8", script) })
    }

    /// The script's address, for documents.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// The script. A document that is older, or of another replica, may name other texts, and gets these instead; but a
    /// client of another build cannot use them.
    pub(crate) async fn show(&self, path: &str, request: &HeaderMap) -> Option<Response> {
        let caching = if path == self.path { Caching::Forever } else { Caching::Never };
        if !path.starts_with(&beginning()) {
            return None;
        }
        Some(self.file.answer(request, StatusCode::OK, caching).await)
    }
}

/// The beginning of the address of all texts for this build.
fn beginning() -> String {
    format!("/texts/{}-", CLIENT.build)
}
