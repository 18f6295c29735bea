//! The document around a page's markup.

use askama::Template;
use base64::Engine as _;
use sha2::{Digest as _, Sha256};

use crate::assets;
use crate::contract::Page;
use crate::page_json::PageJson;
use crate::seo::Head;

/// The only script that runs inline, before the first paint. It says that the client is awaited,
/// until a script fails, so that the style sheet shows what only the client serves or what only its
/// absence needs; and it applies the remembered theme.
const EARLY_SCRIPT: &str = "{const{dataset:d}=document.documentElement;d.client='awaited';\
    addEventListener('error',({target:t})=>{\
    if(d.client==='awaited'&&(t===window||t.localName==='script'))delete d.client},true);\
    try{const t=localStorage.getItem('vitrine-theme');if(t==='light'||t==='dark')d.theme=t}catch{}}";

/// The source expression that allows the early script in a content security policy.
pub fn early_script_hash() -> String {
    let digest = Sha256::digest(EARLY_SCRIPT);
    format!("sha256-{}", base64::engine::general_purpose::STANDARD.encode(digest))
}

/// A page on its way to a browser.
pub struct Document<'a> {
    pub page: &'a Page,
    pub head: &'a Head,
    pub json: &'a PageJson,
    /// Without markup the document is a shell, which the client draws from the data.
    pub markup: Option<&'a str>,
}

#[derive(Template)]
#[template(path = "document.html", config = "host/askama.toml")]
struct DocumentTemplate<'a> {
    title: &'a str,
    robots: &'a str,
    head: &'a Head,
    structured_data: Option<&'a str>,
    styles: &'a str,
    script: &'a str,
    early_script: &'a str,
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
    pub fn html(&self) -> Result<String, askama::Error> {
        DocumentTemplate {
            title: &self.page.title,
            robots: self.page.robots,
            head: self.head,
            structured_data: self.head.structured_data.as_ref().map(PageJson::as_str),
            styles: assets::STYLES,
            script: assets::SCRIPT,
            early_script: EARLY_SCRIPT,
            markup: self.markup.unwrap_or_default(),
            json: self.json.as_str(),
        }
        .render()
    }
}
