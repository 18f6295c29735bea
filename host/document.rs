//! The document around a page's markup.

use askama::Template;
use axum::response::{Html, IntoResponse, Response};

use crate::assets;
use crate::contract::Page;
use crate::page_json::PageJson;

/// Applies the remembered theme before the first paint; the only script that runs inline.
const THEME_SCRIPT: &str = "try{const t=localStorage.getItem('vitrine-theme');\
    if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch{}";

/// A page on its way to a browser.
pub struct Document<'a> {
    pub page: &'a Page,
    pub json: &'a PageJson,
    /// Without markup the document is a shell, which the client draws from the data.
    pub markup: Option<&'a str>,
}

#[derive(Template)]
#[template(path = "document.html", config = "host/askama.toml")]
struct DocumentTemplate<'a> {
    title: &'a str,
    styles: &'a str,
    script: &'a str,
    theme_script: &'a str,
    /// Made by React, which escapes every text in it.
    markup: &'a str,
    /// Script-safe by construction, see [`PageJson`].
    json: &'a str,
}

impl Document<'_> {
    /// Renders the document.
    ///
    /// # Errors
    /// Fails when the template does, which no input can cause.
    pub fn answer(&self) -> Result<Response, askama::Error> {
        let template = DocumentTemplate {
            title: &self.page.title,
            styles: assets::STYLES,
            script: assets::SCRIPT,
            theme_script: THEME_SCRIPT,
            markup: self.markup.unwrap_or_default(),
            json: self.json.as_str(),
        };
        Ok(Html(template.render()?).into_response())
    }
}
