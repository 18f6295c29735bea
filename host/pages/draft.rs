//! A page on its way: content and status, decided before anything is rendered.

use std::sync::Arc;

use axum::http::StatusCode;

use super::cards;
use crate::catalogue::{Category, Product};
use crate::contract::{Content, ErrorContent, Page};
use crate::seo;

/// A page without what all pages have.
pub struct Draft {
    pub path: String,
    pub canonical: String,
    /// The product that the page is about, with what only machines read.
    pub product: Option<Arc<Product>>,
    pub status: StatusCode,
    pub title: String,
    pub content: Content,
}

impl Draft {
    pub fn new(path: impl Into<String>, title: impl Into<String>, content: Content) -> Self {
        let path = path.into();
        let canonical = path.clone();
        Self { path, canonical, product: None, status: StatusCode::OK, title: title.into(), content }
    }

    /// The page of a path that names nothing.
    pub fn nowhere(path: &str) -> Self {
        let status = StatusCode::NOT_FOUND;
        let message = status.canonical_reason().unwrap_or("Unknown error");
        let content = Content::Error(ErrorContent { message: message.into() });
        Self::new(path, message, content).not_found()
    }

    pub fn not_found(self) -> Self {
        Self { status: StatusCode::NOT_FOUND, ..self }
    }

    /// The catalogue did not answer for what matters on this page.
    pub fn unavailable(self) -> Self {
        Self { status: StatusCode::SERVICE_UNAVAILABLE, ..self }
    }

    pub fn complete(self, categories: &[Category]) -> Page {
        let title = match &self.content {
            Content::Home(_) => self.title,
            _ => format!("{} | Vitrine", self.title),
        };
        Page {
            path: self.path,
            canonical: self.canonical,
            status: self.status.as_u16(),
            title,
            robots: seo::robots(self.status, &self.content),
            categories: categories.iter().map(cards::category).collect(),
            content: self.content,
        }
    }
}
