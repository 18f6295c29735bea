//! The picture in the banner's window: that of what the banner links to.

use super::address::Preset;
use super::questions::Questions;
use super::tint;
use crate::catalogue::{ProductKey, Slug};
use crate::contract::Section;
use crate::profile::{Banner, BannerPicture};

/// What a link of the banner leads to.
#[derive(Debug, PartialEq)]
enum Target {
    Product(ProductKey),
    Category(Slug),
    /// A list of the shop's products.
    List(Preset),
}

/// The picture of the first product, category or list that a link of the banner leads to. `sections` are those of the home
/// page: new arrivals, best sellers and featured products.
pub(super) async fn of_links(
    questions: &Questions<'_>,
    banner: &Banner,
    [new_arrivals, best_sellers, featured]: [Option<&Section>; 3],
) -> Option<BannerPicture> {
    for link in banner.links.iter().flatten() {
        let found = match target(&link.href) {
            Some(Target::Product(key)) => of_product(questions, &key).await,
            Some(Target::Category(slug)) => {
                let thumbnail = questions.preview(&slug).await.thumbnail;
                thumbnail.map(|src| BannerPicture { src, tint: Some(tint::of_category(slug.as_str())) })
            }
            Some(Target::List(Preset::NewArrivals)) => new_arrivals.and_then(first),
            Some(Target::List(Preset::BestSellers)) => best_sellers.and_then(first),
            Some(Target::List(_)) => featured.and_then(first),
            None => None,
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

fn target(href: &str) -> Option<Target> {
    let (path, _) = href.split_once(['?', '#']).unwrap_or((href, ""));
    if let Some(key) = path.strip_prefix("/product/") {
        return ProductKey::parse(key).map(Target::Product);
    }
    if let Some(slug) = path.strip_prefix("/category/") {
        return Slug::parse(slug).map(Target::Category);
    }
    Preset::EVERY.into_iter().find(|preset| preset.path() == path).map(Target::List)
}

async fn of_product(questions: &Questions<'_>, key: &ProductKey) -> Option<BannerPicture> {
    let product = questions.product(key).await??;
    let src = product.images.first().or(product.summary.thumbnail.as_ref())?;
    Some(BannerPicture { src: src.clone(), tint: Some(tint::of_product(&product.summary)) })
}

fn first(section: &Section) -> Option<BannerPicture> {
    let picture = |card: &crate::contract::ProductCard| {
        Some(BannerPicture { src: card.thumbnail.clone()?, tint: Some(card.tint) })
    };
    section.products.iter().find_map(picture)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_into_the_shop_have_a_target() {
        for (href, expected) in [
            ("/product/oak-lamp", Some(Target::Product(ProductKey::of("oak-lamp")))),
            ("/category/lamps?sort=price-asc", Slug::parse("lamps").map(Target::Category)),
            ("/new-arrivals#x", Some(Target::List(Preset::NewArrivals))),
            ("/products", Some(Target::List(Preset::All))),
            ("/product/a b", None),
            ("/page/terms", None),
            ("https://shop.example/products", None),
        ] {
            assert_eq!(target(href), expected, "{href}");
        }
    }
}
