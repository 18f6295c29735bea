//! `/page/{slug}`

use super::address::Address;
use super::draft::{Draft, Metadata};
use crate::contract::{Content, TextPageContent};
use crate::profile::Profile;

/// The operator's text of this name, or the page of an unknown path.
pub(crate) fn draft(profile: &Profile, slug: &str) -> Draft {
    let address = Address::TextPage(slug.into());
    let Some(page) = profile.text_page(slug) else {
        return Draft::unknown_path(&profile.texts, &address.path());
    };
    let content =
        Content::TextPage(TextPageContent { title: page.title.clone(), text: page.content.clone() });
    Draft::new(address, page.title.as_str(), content, Metadata::new(page.plain_text()))
}
