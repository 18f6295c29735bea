//! The HTML document around a page's markup.

use askama::Template;

use super::client::{CLIENT, FirstScreen};
use super::first_paint::{self, source_expression};
use super::head::Head;
use super::service_worker::{self, ServiceWorker};
use crate::contract::{Page, PageJson};
use crate::pages::address::Preset;
use crate::pictures::{PREVIEW_HEIGHT, PREVIEW_WIDTH};
use crate::profile::Profile;
use crate::texts::Key;

/// The source expression of the only inline script, `client/early/main.ts`, for the content security policy.
pub fn early_script_hash() -> String {
    source_expression(CLIENT.early_script)
}

/// The place of further styles in the markup. No text can contain it, because React escapes texts.
const FURTHER_STYLES: &str = "<style></style>";

/// The parts of a document.
#[derive(Template)]
#[template(path = "document.html", config = "host/askama.toml")]
pub(crate) struct Document<'a> {
    pub profile: &'a Profile,
    pub page: &'a Page,
    pub head: &'a Head,
    /// Safe in a script element.
    pub json: &'a PageJson,
    /// Rendered by React, which escapes all texts. Without markup the document is a shell, which the client renders from
    /// the JSON.
    pub markup: Option<&'a str>,
    pub service_worker: ServiceWorker,
    /// The address of the texts that replace the English ones, if others do.
    pub texts: Option<&'a str>,
}

impl Document<'_> {
    /// Renders the document.
    ///
    /// # Errors
    /// Fails when the template fails, which no input can cause.
    pub(crate) fn html(&self) -> Result<String, askama::Error> {
        // A buffer that grows would be copied several times.
        let mut html = String::with_capacity(self.length());
        self.render_into(&mut html)?;
        Ok(html)
    }

    /// What the first screen needs. The policy allows its styles by their hashes.
    fn first_screen(&self) -> &'static FirstScreen {
        first_paint::first_screen_of(&self.page.content)
    }

    /// The markup before and after the place of further styles, see `client/ui/FurtherStyles.tsx`. Without such a place
    /// they stand in the head.
    fn parts(&self) -> (&str, Option<&str>) {
        let markup = self.markup.unwrap_or_default();
        match markup.split_once(FURTHER_STYLES) {
            Some((first, further)) => (first, Some(further)),
            None => (markup, None),
        }
    }

    fn structured_data(&self) -> Option<&str> {
        self.head.structured_data.as_ref().map(PageJson::as_str)
    }

    /// Whether the feed has products: without dates it has none.
    fn has_feed(&self) -> bool {
        !self.page.empty.contains(&Preset::NewArrivals.path().trim_start_matches('/'))
    }

    /// The address of the service worker, if the page is to install it.
    fn worker(&self) -> Option<&'static str> {
        (self.service_worker == ServiceWorker::On).then_some(service_worker::PATH)
    }

    /// About the document's length in bytes, and hardly ever less.
    fn length(&self) -> usize {
        let (title, head) = (&*self.page.title, self.head);
        let FirstScreen { styles, further_styles, icons, further_icons } = self.first_screen();
        let own = [styles, further_styles, icons, further_icons, CLIENT.early_script, self.json.as_str()];
        let texts = [title, title, &head.description, &head.description];
        let addresses = [&*head.canonical, &head.canonical, &head.image];
        let further = [self.markup, self.structured_data()];
        let texts = own.iter().chain(&texts).chain(&addresses).chain(further.iter().flatten());
        Self::SIZE_HINT + texts.map(|text| text.len()).sum::<usize>()
    }
}
