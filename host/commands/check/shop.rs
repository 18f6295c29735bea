//! What owners should know of their shop: the file about it, its links, and pages without anything behind them.

use std::path::Path;

use super::report::{Report, counted};
use crate::catalogue::{Category, Features};
use crate::pages::address::Address;
use crate::pages::listing_query::ListingQuery;
use crate::profile::{Accent, ShopFile};
use crate::settings::{CatalogueChoice, ServeSettings};
use crate::shop::{DeadLink, DeadRedirects, NoTarget, Shop};

pub(super) const ABOUT: &str = "shop";
/// The usual name of the shop's file.
const SHOP_FILE: &str = "shop.toml";

/// Says what of the shop's file shows otherwise than it is written, and whether there is one that is not named.
pub(super) fn check_file(settings: &ServeSettings, file: Option<&ShopFile>, report: &mut Report) {
    let Some(file) = file else {
        if let (None, CatalogueChoice::File(catalogue)) = (&settings.shop, &settings.catalogue) {
            check_beside(catalogue, report);
        }
        return;
    };
    if let Some((named, shown)) =
        file.accent().map(Accent::named_and_shown).filter(|(named, shown)| named != shown)
    {
        report.warn(
            ABOUT,
            format!(
                "accent: {named} would not be readable on the shop's grounds, so that links and buttons are {shown}: \
                 write that one to have the same everywhere"
            ),
        );
    }
    let advice = [
        ("logo", "light", "name a darker one"),
        ("logo_dark", "dark", "name a lighter one of the same proportions"),
    ];
    for ((key, theme, advice), _) in
        advice.into_iter().zip(file.logo_has_plate()).filter(|(_, has_plate)| *has_plate)
    {
        report.warn(
            ABOUT,
            format!(
                "{key}: more than a third of the logo has less contrast than 3:1 to the header of the {theme} theme, \
                 so that it stands on a plate there: {advice} as `{key}`"
            ),
        );
    }
}

/// Warns of a shop's file beside the catalogue's that nothing names.
fn check_beside(catalogue: &Path, report: &mut Report) {
    let beside = catalogue.with_file_name(SHOP_FILE);
    if beside.is_file() {
        report.warn(
            ABOUT,
            format!(
                "{path} lies beside the catalogue and is not used: start the shop with --shop {path}",
                path = beside.display()
            ),
        );
    }
}

/// Names the links and categories of the shop's file that lead nowhere, the addresses that have moved to nowhere, and the
/// pages that would be empty, with what to write.
pub(super) fn check_links(shop: &Shop, report: &mut Report) {
    let Some(version) = shop.catalogue().version() else { return };
    for DeadLink { key, text, to, reason } in shop.dead_links(&version) {
        let (what, advice) = match (text.as_str(), reason) {
            ("", _) => (
                format!("the category `{to}`"),
                "write the name of a category as the catalogue's file has it, or remove the line".into(),
            ),
            (text, NoTarget::Category) if !version.categories().is_empty() => (
                format!("the link `{text}` to {to}"),
                format!("write one such as {}, or remove the link", addresses(version.categories())),
            ),
            (text, _) => (format!("the link `{text}` to {to}"), "correct `to`, or remove the link".into()),
        };
        report.error(ABOUT, format!("{key}: {what} is not shown, because {reason}: {advice}"));
    }
    check_redirects(shop, &shop.dead_redirects(&version), report);
    check_features(version.features(), report);
}

/// The addresses of the first categories, with their names.
fn addresses(categories: &[Category]) -> String {
    /// How many are named.
    const NAMED: usize = 5;
    let named = categories.iter().take(NAMED);
    let addresses: Vec<String> = named
        .map(|category| {
            let address = Address::Category(category.slug.clone(), ListingQuery::default());
            format!("{} ({})", address.path(), category.name)
        })
        .collect();
    addresses.join(", ")
}

fn check_redirects(shop: &Shop, dead: &DeadRedirects, report: &mut Report) {
    let redirects = &shop.profile().redirects;
    if redirects.is_empty() {
        return;
    }
    report.ok(
        ABOUT,
        format!("redirects: {}", counted(redirects.len(), "address has moved", "addresses have moved")),
    );
    let DeadRedirects { nowhere, unused } = dead;
    if nowhere.count > 0 {
        let lead = counted(nowhere.count, "address leads", "addresses lead");
        report.error(
            ABOUT,
            format!(
                "redirects: {lead} to a page that the shop does not have: {}: correct `to`",
                nowhere.named()
            ),
        );
    }
    if unused.count > 0 {
        let are = counted(unused.count, "line has no effect", "lines have no effect");
        report.warn(
            ABOUT,
            format!("redirects: {are}, because the shop has a page there: {}: remove them", unused.named()),
        );
    }
}

/// Says which pages nothing leads to, and what would fill them.
fn check_features(features: Features, report: &mut Report) {
    for (has, page, advice) in [
        (features.categories, "Categories", "no product has a category; the column `category` names them"),
        (features.brands, "Brands", "no product has a brand; the column `brand` names them"),
        (
            features.discounts,
            "Sale and Deals",
            "no product has a discount; the column `list_price` has the price without it",
        ),
        (
            features.dates,
            "New Arrivals and the feed",
            "no product has a date; the column `added` says since when the shop has it",
        ),
        (features.ratings, "Best Sellers", "no product has a rating; only products of JSON can have one"),
    ] {
        if !has {
            report.ok(ABOUT, format!("nothing leads to {page}: {advice}"));
        }
    }
}
