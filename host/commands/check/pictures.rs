//! The pictures in a folder: which browsers get as they are, and what the first page of a list weighs.

use std::collections::BTreeMap;

use super::catalogue::Reached;
use super::report::{Report, counted};
use crate::catalogue::ServedPicture;
use crate::pictures::{AsIs, Copies, CopyMemory, Original as _, Size, Width};

const ABOUT: &str = "pictures";
/// Products of the first page of a list.
const LISTED: usize = 24;
/// Most pictures that are named for each reason.
const NAMED: usize = 5;

/// Says of the pictures of an own folder which cannot be copied, and what copies save.
pub(super) async fn check_pictures(reached: &Reached, report: &mut Report) {
    let mut as_they_are = BTreeMap::<String, Vec<String>>::new();
    for picture in reached.catalogue.pictures() {
        // Animations and AVIF are meant as they are.
        if let Some(reason) =
            picture.header().as_is.filter(|reason| !matches!(reason, AsIs::Kind | AsIs::Frames))
        {
            as_they_are.entry(reason.to_string()).or_default().push(picture.name().to_owned());
        }
    }
    for (reason, mut names) in as_they_are {
        names.sort();
        let more = if names.len() > NAMED { ", …" } else { "" };
        let named = names.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
        let count = counted(names.len(), "picture is sent as it is", "pictures are sent as they are");
        report.warn(ABOUT, format!("{count}, because {reason}: {named}{more}"));
    }
    if reached.catalogue.copies().is_some() {
        weigh(reached, report).await;
    }
}

/// Makes the copies of the first page in memory, and says what they save.
async fn weigh(reached: &Reached, report: &mut Report) {
    let thumbnails = reached.products.products().take(LISTED).filter_map(|product| product.thumbnail);
    let own = thumbnails.filter_map(|address| reached.catalogue.picture(address.strip_prefix("/images/")?));
    let pictures: Vec<ServedPicture> = own.collect();
    let copies = Copies::new(None, CopyMemory::MOST);
    let (mut without, mut with) = (0, 0);
    for picture in &pictures {
        let size = Size::Width(Width::W320).at_most(picture.header());
        let copy = if size.is_of(picture.header()) { copies.get(picture, size).await } else { None };
        without += picture.length();
        with += copy.map_or(picture.length(), |copy| copy.len() as u64);
    }
    if !pictures.is_empty() {
        let pictures = counted(pictures.len(), "picture", "pictures");
        let [without, with] = [without, with].map(tenths);
        report.ok(
            ABOUT,
            format!("the {pictures} of the first products have {without} MB, and {with} MB as copies"),
        );
    }
}

/// Bytes as MB with one decimal.
fn tenths(bytes: u64) -> String {
    let tenths = bytes.div_ceil(100_000);
    format!("{}.{}", tenths / 10, tenths % 10)
}
