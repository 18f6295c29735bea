//! What the shop says of itself stands in its profile alone: in no other source, and on no page of a shop with
//! another profile.

mod money;
mod other_shop;
mod shop_file;
mod sources;

use vitrine::profile::{Banner, Figure, Newsletter, Profile, ShopPromise, Story};

/// Files that name the shop.
const FILES: [&str; 7] = [
    "/manifest.webmanifest",
    "/opensearch.xml",
    "/feed.xml",
    "/llms.txt",
    "/robots.txt",
    "/sitemap.xml",
    "/merchant.xml",
];

/// The texts of a profile that no other shop would have by chance.
fn texts(profile: &Profile) -> Vec<String> {
    // A new field has to be named here.
    let Profile {
        name,
        language: _,
        numbers: _,
        promises,
        notes,
        newsletter,
        contact,
        legal,
        closing,
        sale,
        banner,
        figures,
        story,
        description,
        navigation,
        pages,
        logo: _,
        accent: _,
        ornament: _,
        cart: _,
        links: _,
    } = profile.clone();
    let promised =
        promises.into_iter().map(|ShopPromise { icon: _, text, detail, end }| text + &detail + &end);
    let mut texts = vec![name, closing, sale, description];
    texts.extend(promised);
    texts.extend(profile.promises.iter().map(|promise| promise.text.clone()));
    texts.extend(notes);
    texts.extend(contact.into_iter().chain(legal).map(|link| link.text));
    texts.extend(navigation.links.into_iter().flatten().map(|link| link.text));
    texts.extend(pages.into_iter().map(|page| page.title));
    if let Some(Newsletter { title, invitation, href: _ }) = newsletter {
        texts.extend([title, invitation]);
    }
    if let Some(Banner { occasion, title, text, tag: _, links: _ }) = banner {
        texts.extend([occasion, title, text]);
    }
    texts.extend(figures.into_iter().map(|Figure { figure, meaning: _ }| figure));
    if let Some(Story { title, text, link }) = story {
        texts.extend([title, text, link]);
    }
    texts.sort();
    texts.dedup();
    texts
}
