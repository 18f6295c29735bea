//! What the shop says of itself stands in its profile alone: in no other source, and on no page of a shop with
//! another profile.

mod money;
mod other_shop;
mod shop_file;
mod sources;
mod words;

use vitrine::profile::{Banner, Figure, Newsletter, Profile, ShopPromise, Story};

/// The texts of a profile that no other shop would have by chance.
fn texts(profile: &Profile) -> Vec<String> {
    // A new field has to be named here.
    let Profile {
        name,
        language: _,
        numbers: _,
        texts: _,
        searches: _,
        promises,
        notes,
        newsletter,
        enquiry,
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
        redirects: _,
        logo: _,
        logo_dark: _,
        accent: _,
        tints: _,
        ornament: _,
        pictures: _,
        cart: _,
        links: _,
        is_own: _,
        saved: _,
        price_note,
    } = profile.clone();
    let mut texts = vec![name, closing, sale, description];
    texts.extend(profile.promises.iter().map(|promise| promise.text.clone()));
    let promised = |ShopPromise { icon: _, text, detail, end }| text + &detail + &end;
    texts.extend(promises.into_iter().map(promised));
    texts.extend(notes);
    let links = contact.into_iter().chain(legal).chain(enquiry).chain(price_note);
    let links = links.chain(navigation.links.into_iter().flatten());
    texts.extend(links.map(|link| link.text));
    texts.extend(pages.into_iter().map(|page| page.title));
    let invited = newsletter.map(|Newsletter { title, invitation, href: _ }| [title, invitation]);
    texts.extend(invited.into_iter().flatten());
    let banner =
        banner.map(|Banner { occasion, title, text, tag: _, links: _, picture_name: _, picture: _ }| {
            [occasion, title, text]
        });
    texts.extend(banner.into_iter().flatten());
    texts.extend(figures.into_iter().map(|Figure { figure, meaning: _ }| figure));
    texts.extend(story.into_iter().flat_map(|Story { title, text, link }| [title, text, link]));
    texts.sort();
    texts.dedup();
    texts
}
