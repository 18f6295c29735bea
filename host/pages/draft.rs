//! A draft: the content and status of a page, decided before anything is rendered.

use std::sync::Arc;

use axum::http::StatusCode;

use super::address::Address;
use crate::catalogue::{Product, Variant};
use crate::contract::{Content, ErrorContent};
use crate::texts::{Key, Texts};

/// A page without the parts that all pages share.
pub(crate) struct Draft {
    /// The page's address: the requested one after limiting it to the data, such as to the last page.
    pub(crate) address: Address,
    /// The address for `rel=canonical`.
    pub(crate) canonical: Address,
    pub(crate) status: StatusCode,
    /// The title, without the shop's name.
    pub(crate) title: String,
    pub(crate) content: Content,
    pub(crate) metadata: Metadata,
}

/// What search engines and link previews read of a page besides its content.
pub(crate) struct Metadata {
    /// May be longer than search engines show.
    pub(crate) description: String,
    /// Address of the picture for link previews; the shop's own without one.
    pub(crate) picture: Option<String>,
    /// Whether search engines may list the page when its status is 200.
    pub(crate) is_indexable: bool,
    /// The product that the page is about, with what only machines read.
    pub(crate) product: Option<Arc<Product>>,
    /// The chosen variant of that product.
    pub(crate) variant: Option<Variant>,
}

impl Metadata {
    pub(crate) fn new(description: impl Into<String>) -> Self {
        Self {
            description: description.into(),
            picture: None,
            is_indexable: true,
            product: None,
            variant: None,
        }
    }
}

impl Draft {
    /// A page with status 200 whose canonical address is its own.
    pub(crate) fn new(
        address: Address,
        title: impl Into<String>,
        content: Content,
        metadata: Metadata,
    ) -> Self {
        let canonical = address.clone();
        Self { address, canonical, status: StatusCode::OK, title: title.into(), content, metadata }
    }

    /// The 404 page of a path that matches no route.
    pub(crate) fn unknown_path(texts: &Texts, path: &str) -> Self {
        let message = texts.text(Key::Status404);
        let content = Content::Error(ErrorContent { message: message.into() });
        let metadata = Metadata { is_indexable: false, ..Metadata::new(message) };
        Self::new(Address::UnknownPath(path.into()), message, content, metadata).not_found()
    }

    /// Sets status 404.
    pub(crate) fn not_found(self) -> Self {
        Self { status: StatusCode::NOT_FOUND, ..self }
    }

    /// Sets status 503, because the catalogue did not answer for the main content.
    pub(crate) fn unavailable(self) -> Self {
        Self { status: StatusCode::SERVICE_UNAVAILABLE, ..self }
    }
}
