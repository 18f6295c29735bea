//! What pages say of pictures on other hosts, for the copies of them.

use crate::catalogue::{Product, Slug, Version};
use crate::contract::{Content, ProductCard, ProductDetail};
use crate::pictures::Elsewhere;

/// Adds it to the pictures of a page that shows products of this version, and that may be about one `product` of it.
pub(crate) fn show_copies(
    content: &mut Content,
    elsewhere: &Elsewhere,
    version: &Version,
    product: Option<&Product>,
) {
    if matches!(elsewhere, Elsewhere::Off) {
        return;
    }
    let (tiles, cards) = content.cards_mut();
    for tile in tiles {
        let first = Slug::parse(&tile.slug).and_then(|slug| version.first_of(&slug));
        if let Some(first) = first.filter(|first| first.thumbnail == tile.thumbnail) {
            show(elsewhere, &first.id.to_string(), 0, tile.thumbnail.as_mut());
        }
    }
    show_copies_on(cards, elsewhere);
    if let Content::Product(page) = content
        && let (Some(detail), Some(product)) = (&mut page.product, product)
    {
        let ProductDetail { id, thumbnail, images, .. } = detail;
        for image in images.iter_mut().chain(thumbnail) {
            let number = product.picture_number(image).unwrap_or_default();
            show(elsewhere, id, number, Some(image));
        }
    }
}

/// Adds it to the pictures of cards.
pub(crate) fn show_copies_on<'a>(
    cards: impl IntoIterator<Item = &'a mut ProductCard>,
    elsewhere: &Elsewhere,
) {
    for ProductCard { id, thumbnail, second, .. } in cards {
        show(elsewhere, id, 0, thumbnail.as_mut());
        // See `catalogue/store/card.rs`.
        show(elsewhere, id, 2, second.as_mut());
    }
}

fn show(elsewhere: &Elsewhere, key: &str, number: usize, picture: Option<&mut String>) {
    if let Some(picture) = picture
        && let Some(shown) = elsewhere.shown(picture, key, number)
    {
        *picture = shown;
    }
}
