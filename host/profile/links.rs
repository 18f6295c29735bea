//! The links that an operator has chosen, of which pages show only those that lead somewhere.

use super::{Newsletter, Profile, ShopLink};

/// A link that the operator has chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OwnLink<'a> {
    /// The key of the shop's file that it is in.
    pub(crate) key: &'static str,
    pub(crate) text: &'a str,
    pub(crate) href: &'a str,
}

impl Profile {
    /// Every link that the operator has chosen.
    pub(crate) fn own_links(&self) -> Vec<OwnLink<'_>> {
        let banner = self.banner.as_ref().and_then(|banner| banner.links.as_deref()).unwrap_or_default();
        let navigation = self.navigation.links.as_deref().unwrap_or_default();
        let lists: [(&'static str, &[ShopLink]); 5] = [
            ("banner.links", banner),
            ("navigation.links", navigation),
            ("contact", &self.contact),
            ("price_note", self.price_note.as_slice()),
            ("legal", &self.legal),
        ];
        let listed = lists.into_iter().flat_map(|(key, links)| {
            links.iter().map(move |link| OwnLink { key, text: &link.text, href: &link.href })
        });
        let newsletter = self.newsletter.iter().filter_map(|Newsletter { invitation, href, .. }| {
            Some(OwnLink { key: "newsletter", text: invitation, href: href.as_deref()? })
        });
        listed.chain(newsletter).collect()
    }

    /// The profile with only those links that `is_shown` accepts.
    pub(crate) fn with_links(mut self, is_shown: impl Fn(&str) -> bool) -> Self {
        let banner = self.banner.as_mut().and_then(|banner| banner.links.as_mut());
        let lists = [banner, self.navigation.links.as_mut(), Some(&mut self.contact), Some(&mut self.legal)];
        for links in lists.into_iter().flatten() {
            links.retain(|link| is_shown(&link.href));
        }
        self.price_note = self.price_note.filter(|note| is_shown(&note.href));
        self.newsletter =
            self.newsletter.filter(|newsletter| newsletter.href.as_deref().is_none_or(&is_shown));
        self
    }
}
