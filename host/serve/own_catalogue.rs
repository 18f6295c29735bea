//! The catalogue of an operator's own products, from a file or a feed.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use url::Url;

use super::profile::{profile_of, spelling_of};
use crate::catalogue::file::{
    FileState, Origin, Pictures, Place, PricesIn, ReadOptions, Reading, Received, follow, now,
};
use crate::catalogue::{FileCatalogue, Spelling, StateDir};
use crate::document::ImageSource;
use crate::observe::{Bounded, ErrorChain};
use crate::process::compute::off_runtime;
use crate::profile::{Currency, Profile, ShopFile};
use crate::settings::ServeSettings;

/// The largest number of picture hosts that are named. They are part of a header of every page.
const MOST_HOSTS: usize = 20;
/// The largest length of all their names together, in bytes.
const LONGEST_HOSTS: usize = 1_000;

/// The pause before a feed is asked for again whose reading ended the program.
const AFTER_DEATH: Duration = Duration::from_secs(60);

/// What the shop's file says of its addresses, and the pictures that it names.
type Said<'a> = (Spelling, &'a [String]);

/// Opens the catalogue, which is read again whenever it changes. Returns it with the shop's profile. Adds the hosts of
/// its pictures to the settings.
pub(super) async fn open_own(
    place: Place,
    settings: &mut ServeSettings,
    file: Option<&ShopFile>,
) -> anyhow::Result<(Arc<FileCatalogue>, Arc<Profile>)> {
    let origin = Origin::new(place, settings.catalogue_options.as_deref());
    let state = settings.state_dir.as_deref().map(|directory| FileState::new(directory, &origin));
    if let Some(directory) = settings.state_dir.clone() {
        // If this fails, the first use of the directory says so.
        let _ = off_runtime(move || StateDir::create(&directory)).await;
    }
    let names = file.map(ShopFile::picture_names).unwrap_or_default();
    let spelling = spelling_of(file);
    let Own { reading, catalogue, received } =
        read_or_copy(origin, state.clone(), settings, (spelling, &names)).await?;
    settings.image_hosts.extend(hosts(reading.picture_hosts()));
    let profile = profile_of(settings, file, reading.currency.unwrap_or_default());
    // A copy that comes first was kept before.
    if let Some(state) = state.filter(|_| received.ask_after.is_none()) {
        let bytes = received.bytes.clone();
        off_runtime(move || state.keep(&reading, bytes.as_ref())).await;
    }
    // It is for what is received, even if that comes later.
    catalogue.permit(settings.accept_loss && received.ask_after.is_some());
    let catalogue = Arc::new(catalogue);
    tokio::spawn(follow(Arc::clone(&catalogue), received, settings.fresh));
    Ok((catalogue, profile))
}

/// A catalogue that was read.
pub(crate) struct Own {
    pub(crate) reading: Reading,
    pub(crate) catalogue: FileCatalogue,
    /// What was received from a feed.
    received: Received,
}

/// Reads the catalogue at this place, ignoring a copy that was kept. The rows that are left out are written to the file
/// `rejected`.
///
/// # Errors
/// When it cannot be used.
pub(crate) async fn read_catalogue(
    place: Place,
    settings: &ServeSettings,
    spelling: Spelling,
    rejected: Option<PathBuf>,
) -> anyhow::Result<Own> {
    let origin = Origin::new(place, settings.catalogue_options.as_deref());
    read(origin, None, Received::default(), (settings, (spelling, &[])), rejected).await
}

/// Reads the catalogue or, if a feed cannot be used now, the copy of it that was kept. The copy comes first if reading the
/// feed ended the program before, and of a shop, whose pages take minutes.
async fn read_or_copy(
    origin: Origin,
    state: Option<FileState>,
    settings: &ServeSettings,
    said: Said<'_>,
) -> anyhow::Result<Own> {
    let kept = state.clone().filter(|_| origin.is_feed());
    let marked = kept.clone();
    let is_marked = off_runtime(move || marked.is_some_and(|state| state.is_marked())).await;
    if is_marked || origin.is_shop() {
        match read_copy(&origin, kept.clone(), settings, said).await {
            Ok(Some(mut own)) => {
                let of_shop = kept.as_ref().map(|state| origin.shortest().saturating_sub(state.age()));
                own.received.ask_after = if is_marked { Some(AFTER_DEATH) } else { of_shop };
                if is_marked {
                    tracing::warn!(
                        feed = %Bounded(origin.name()),
                        "reading the feed ended the program; what was kept of it is on sale, and it is read in a minute"
                    );
                }
                return Ok(own);
            }
            Ok(None) => {}
            Err(error) => {
                tracing::warn!(error = %ErrorChain(&*error), "what was kept of the feed cannot be used");
            }
        }
    }
    let error = match read(origin.clone(), state, Received::default(), (settings, said), None).await {
        Ok(own) => return Ok(own),
        Err(error) => error,
    };
    match read_copy(&origin, kept, settings, said).await {
        Ok(Some(own)) => {
            tracing::warn!(
                feed = %Bounded(origin.name()), error = %ErrorChain(&*error),
                "the feed is not used; what was kept of it is on sale"
            );
            Ok(own)
        }
        Ok(None) => Err(error),
        Err(unused) => {
            Err(error.context(format!("what was kept of the feed is not used either: {unused:#}")))
        }
    }
}

/// Reads the copy that was kept of a feed; `None` without one.
async fn read_copy(
    origin: &Origin,
    state: Option<FileState>,
    settings: &ServeSettings,
    said: Said<'_>,
) -> anyhow::Result<Option<Own>> {
    let Some(kept) = state.clone() else { return Ok(None) };
    let copy = off_runtime(move || kept.copy()).await.context("it cannot be read")?;
    let Some(copy) = copy else { return Ok(None) };
    let copy = Received { bytes: Some(copy), ..Received::default() };
    read(origin.clone(), state, copy, (settings, said), None).await.map(Some)
}

/// Reads the catalogue from what was `received` from a feed, else from the file, or from what the feed sends now.
async fn read(
    origin: Origin,
    state: Option<FileState>,
    mut received: Received,
    (settings, (spelling, names)): (&ServeSettings, Said<'_>),
    rejected: Option<PathBuf>,
) -> anyhow::Result<Own> {
    let names = names.to_vec();
    let is_copy = received.bytes.is_some();
    if let (Place::Feed(feed), false) = (origin.place(), is_copy) {
        let sent = feed.receive(&mut received.known).await;
        received.bytes = sent.with_context(|| format!("cannot receive {} (--catalogue)", origin.name()))?;
    }
    let (bytes, now, most) = (received.bytes.clone(), now(), settings.shares().products);
    let prices = PricesIn::OwnOr(settings.currency);
    let accepts_loss = settings.accept_loss;
    // Only a file has pictures in a folder.
    let folder = settings.images.clone().filter(|_| matches!(origin.place(), Place::File(_)));
    let copies = settings.copies().filter(|_| folder.is_some());
    let opened = off_runtime(move || {
        // What ended no program before needs no mark.
        let _mark = state.as_ref().filter(|_| origin.is_feed() && !is_copy).and_then(FileState::mark);
        let read = ReadOptions { prices, now, most, spelling, rejected: rejected.as_deref() };
        let reading = origin.read(bytes, Pictures::new(folder, copies).naming(names.clone()), read).and_then(
            |reading| {
                let known = state.as_ref().filter(|_| !accepts_loss).and_then(FileState::count);
                reading.check_loss(known).map(|()| reading)
            },
        );
        let reading = reading.with_context(|| format!("cannot sell from {} (--catalogue)", origin.name()))?;
        if origin.is_shop() && reading.currency.is_none() {
            anyhow::bail!("the shop does not say the currency of its prices: --currency says which it is");
        }
        let currency = reading.currency.unwrap_or_else(|| {
            let currency = Currency::default();
            tracing::warn!(
                currency = currency.code(),
                "the file names no currency; --currency says which it is"
            );
            currency
        });
        let catalogue =
            FileCatalogue::new(origin, &reading, currency, prices.given(), (most, spelling), state)
                .naming(names);
        anyhow::Ok((reading, catalogue))
    });
    let (reading, catalogue) = opened.await?;
    Ok(Own { reading, catalogue, received })
}

/// The sources of pictures at these hosts: each host, or every host by https if there are more than
/// [`MOST_HOSTS`] or their names are too long.
fn hosts<'a>(all: impl Iterator<Item = &'a str>) -> Vec<ImageSource> {
    let (mut known, mut hosts, mut length) = (HashSet::new(), Vec::new(), 0);
    for host in all {
        if known.contains(host) {
            continue;
        }
        let source = Url::parse(host).ok().and_then(|url| ImageSource::of(&url).ok());
        let Some(source) = source else { continue };
        length += host.len();
        if known.len() == MOST_HOSTS || length > LONGEST_HOSTS {
            tracing::warn!("pictures are on too many hosts to name: every host is allowed by https");
            return vec![ImageSource::every_https()];
        }
        known.insert(host);
        hosts.push(source);
    }
    hosts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_on_many_hosts_are_allowed_by_https_alone() {
        let named = |count: usize| {
            let all: Vec<String> = (0..count).map(|number| format!("https://{number}.example")).collect();
            hosts(all.iter().chain(&all).map(String::as_str))
                .iter()
                .map(ImageSource::to_string)
                .collect::<Vec<_>>()
        };
        assert_eq!(named(2), ["https://0.example", "https://1.example"]);
        assert_eq!((named(20).len(), named(21)), (20, vec!["https:".to_owned()]));
        let long: Vec<String> =
            (0..4).map(|number| format!("https://{number}.{}", "a.".repeat(150))).collect();
        assert_eq!(hosts(long.iter().map(String::as_str)), [ImageSource::every_https()]);
    }
}
