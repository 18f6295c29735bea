//! What the products of an owner's shop lack: pictures, texts and prices, and what merchants' programs ask for.

use std::cmp::Reverse;
use std::sync::Arc;

use super::catalogue::Reached;
use super::report::Report;
use super::shop::ABOUT;
use crate::catalogue::{DetailsError, Product};
use crate::observe::ErrorChain;
use crate::pictures::Original as _;
use crate::process::compute::off_runtime;
use crate::profile::Money;

/// How many products are named for each finding.
const NAMED: usize = 3;
/// How many pictures are named.
const PICTURES: usize = 10;
/// Longest title that is shown, in characters.
const SHOWN: usize = 60;

/// What products may lack, with what to write where, and whether a product lacks it.
type Lack = (&'static str, fn(&Product) -> bool);

const LACKS: [Lack; 6] = [
    ("have no picture: the column `images` names files of --images, or addresses", |product| {
        product.images.is_empty() && product.summary.thumbnail.is_none()
    }),
    ("have no text: the column `description`", |product| product.summary.description.is_empty()),
    ("are free: the column `price`", |product| product.summary.price == Money::default()),
    (
        "do not say whether they can be had, which merchants need: the column `availability` or `stock`",
        |product| product.summary.availability.word().is_none(),
    ),
    ("have no barcode, by which merchants know them: the column `gtin`", |product| {
        product.gtin.is_none() && product.variants.iter().all(|variant| variant.gtin.is_none())
    }),
    ("have no brand, which merchants want: the column `brand`", |product| product.summary.brand.is_none()),
];

/// Counts the products that lack something, and names the first ones.
pub(super) async fn check_products(reached: &Reached, report: &mut Report) {
    let products = Arc::clone(&reached.products);
    let counted = off_runtime(move || {
        let mut found: [(usize, Vec<String>); LACKS.len()] = Default::default();
        for product in products.whole() {
            let product = product?;
            for ((_, lacks), (count, titles)) in LACKS.iter().zip(&mut found) {
                if lacks(&product) {
                    *count += 1;
                    if titles.len() < NAMED {
                        titles.push(product.summary.title.chars().take(SHOWN).collect());
                    }
                }
            }
        }
        Ok::<_, DetailsError>(found)
    });
    match counted.await {
        Ok(found) => {
            let all = reached.products.len();
            for ((what, _), (count, titles)) in LACKS.iter().zip(found).filter(|(_, (count, _))| *count > 0) {
                let more = if count > titles.len() { ", …" } else { "" };
                report.ok(ABOUT, format!("{count} of {all} products {what} ({}{more})", titles.join(", ")));
            }
        }
        Err(error) => report.error(ABOUT, format!("products cannot be read: {}", ErrorChain(&error))),
    }
    name_largest(reached, report);
}

/// Names the largest pictures of an own folder.
fn name_largest(reached: &Reached, report: &mut Report) {
    let mut pictures: Vec<(u64, String)> = reached
        .catalogue
        .pictures()
        .iter()
        .map(|picture| (picture.length(), picture.name().to_owned()))
        .collect();
    pictures.sort_unstable_by(|one, other| (Reverse(one.0), &one.1).cmp(&(Reverse(other.0), &other.1)));
    pictures.truncate(PICTURES);
    if !pictures.is_empty() {
        let named: Vec<String> = pictures
            .iter()
            .map(|(length, name)| format!("{name} ({} KiB)", length.div_ceil(1 << 10)))
            .collect();
        report.ok(ABOUT, format!("the largest pictures: {}", named.join(", ")));
    }
}
