//! The pictures in a folder: which browsers get as they are, and what the first page of a list weighs.

use std::collections::BTreeMap;

use super::catalogue::Reached;
use super::report::{Report, counted};
use crate::catalogue::ServedPicture;
use crate::observe::ErrorChain;
use crate::pictures::{AsIs, Copies, CopyMemory, Original as _, OtherHosts, Size, Width};
use crate::public_network::Reach;

const ABOUT: &str = "pictures";
/// Products of the first page of a list.
const LISTED: usize = 24;
/// The copies that are weighed.
const WEIGHED: Size = Size::Width(Width::W320);
/// Most pictures that are named for each reason.
const NAMED: usize = 5;

/// Says of the pictures of an own folder which cannot be copied, and what copies save.
/// Pictures on other hosts are received for that if copies of them are made.
pub(super) async fn check_pictures(reached: &Reached, reach: Option<Reach>, report: &mut Report) {
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
    let copies = Copies::new(None, CopyMemory::MOST);
    let others = match reach.map(|reach| OtherHosts::new(copies.clone(), reach)).transpose() {
        Ok(others) => others,
        Err(error) => return report.error(ABOUT, format!("none can be asked for: {}", ErrorChain(&error))),
    };
    if reached.catalogue.copies().is_some() || others.is_some() {
        weigh(reached, &copies, others.as_ref(), report).await;
    }
}

/// Makes the copies of the first page in memory, and says what they save.
async fn weigh(reached: &Reached, copies: &Copies, others: Option<&OtherHosts>, report: &mut Report) {
    let (mut pictures, mut without, mut with, mut missing) = (0, 0, 0, Vec::new());
    for address in reached.products.products().take(LISTED).filter_map(|product| product.thumbnail) {
        let own = address.strip_prefix("/images/").and_then(|name| reached.catalogue.picture(name));
        let other = others.and_then(|others| Some((others, others.picture(&address)?)));
        let (original, copy) = match (own, other) {
            (Some(picture), _) => weigh_own(&picture, copies).await,
            (None, Some((others, picture))) => match others.weigh(&picture, WEIGHED).await {
                Ok(bytes) => bytes,
                Err(error) => {
                    missing.push(format!("{} ({})", picture.name(), ErrorChain(&error)));
                    continue;
                }
            },
            (None, None) => continue,
        };
        (pictures, without, with) = (pictures + 1, without + original, with + copy);
    }
    if !missing.is_empty() {
        let more = if missing.len() > NAMED { ", …" } else { "" };
        let count = counted(missing.len(), "picture is not received", "pictures are not received");
        report.warn(ABOUT, format!("{count}: {}{more}", missing[..missing.len().min(NAMED)].join(", ")));
    }
    if pictures > 0 {
        let pictures = counted(pictures, "picture", "pictures");
        let [without, with] = [without, with].map(tenths);
        report.ok(
            ABOUT,
            format!("the {pictures} of the first products have {without} MB, and {with} MB as copies"),
        );
    }
}

/// Bytes of a picture, and of its copy; of the picture again if there is none.
async fn weigh_own(picture: &ServedPicture, copies: &Copies) -> (u64, u64) {
    let size = WEIGHED.at_most(picture.header());
    let copy = if size.is_of(picture.header()) { copies.get(picture, size).await } else { None };
    (picture.length(), copy.map_or(picture.length(), |copy| copy.len() as u64))
}

/// Bytes as MB with one decimal.
fn tenths(bytes: u64) -> String {
    let tenths = bytes.div_ceil(100_000);
    format!("{}.{}", tenths / 10, tenths % 10)
}
