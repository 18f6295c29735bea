//! The HTML document around a page's markup.

use askama::Template;

use super::client::CLIENT;
use super::first_paint::{self, source_expression};
use super::head::Head;
use super::service_worker::{self, ServiceWorker};
use crate::contract::{Page, PageJson};
use crate::profile::Profile;

/// The source expression of the only inline script, `client/early/main.ts`, for the content security policy.
pub fn early_script_hash() -> String {
    source_expression(CLIENT.early_script)
}

/// The parts of a document.
pub(crate) struct Document<'a> {
    pub profile: &'a Profile,
    pub page: &'a Page,
    pub head: &'a Head,
    pub json: &'a PageJson,
    /// Without markup the document is a shell, which the client renders from the JSON.
    pub markup: Option<&'a str>,
    pub service_worker: ServiceWorker,
}

#[derive(Template)]
#[template(path = "document.html", config = "host/askama.toml")]
struct DocumentTemplate<'a> {
    profile: &'a Profile,
    title: &'a str,
    robots: &'a str,
    head: &'a Head,
    structured_data: Option<&'a str>,
    /// What the first paint needs; allowed by its hash.
    first_styles: &'a str,
    /// The whole style sheet, which repeats the first styles, so that the order of its rules holds.
    styles: &'a str,
    font: &'a str,
    /// Runs before the first paint, and loads the client; allowed by its hash.
    early_script: &'a str,
    /// The symbols that the markup's icons refer to, written by the build.
    icons: &'a str,
    /// The build of the client. The client compares the build of later answers with it.
    build: &'a str,
    /// The address of the service worker, if the page is to install it.
    service_worker: Option<&'a str>,
    /// Rendered by React, which escapes all texts.
    markup: &'a str,
    /// Safe in a script element, see [`PageJson`].
    json: &'a str,
}

impl DocumentTemplate<'_> {
    /// About the document's length in bytes, and hardly ever less.
    fn length(&self) -> usize {
        let own = [self.first_styles, self.icons, self.markup, self.json, self.early_script];
        let head = [self.title, self.title, &self.head.description, &self.head.description];
        let addresses = [self.head.canonical.as_str(), &self.head.canonical, &self.head.image];
        let texts = own.iter().chain(&head).chain(&addresses).chain(&self.structured_data);
        Self::SIZE_HINT + texts.map(|text| text.len()).sum::<usize>()
    }
}

impl Document<'_> {
    /// Renders the document.
    ///
    /// # Errors
    /// Fails when the template fails, which no input can cause.
    pub(crate) fn html(&self) -> Result<String, askama::Error> {
        let template = DocumentTemplate {
            profile: self.profile,
            title: &self.page.title,
            robots: self.page.robots,
            head: self.head,
            structured_data: self.head.structured_data.as_ref().map(PageJson::as_str),
            first_styles: first_paint::styles_of(&self.page.content),
            styles: CLIENT.styles,
            font: CLIENT.font,
            early_script: CLIENT.early_script,
            icons: CLIENT.icons,
            build: CLIENT.build,
            service_worker: (self.service_worker == ServiceWorker::On).then_some(service_worker::PATH),
            markup: self.markup.unwrap_or_default(),
            json: self.json.as_str(),
        };
        // A buffer that grows would be copied several times.
        let mut html = String::with_capacity(template.length());
        template.render_into(&mut html)?;
        Ok(html)
    }
}
