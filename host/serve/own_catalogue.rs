//! The catalogue of a file with products of one's own.

use std::collections::HashSet;
use std::sync::Arc;

use anyhow::Context as _;
use url::Url;

use super::profile::own_profile;
use crate::catalogue::FileCatalogue;
use crate::catalogue::file::{FileState, Origin, Pictures, Place, PricesIn, Reading, Received, follow, now};
use crate::document::ImageSource;
use crate::observe::{Bounded, ErrorChain};
use crate::process::compute::off_runtime;
use crate::profile::{Currency, Profile};
use crate::settings::ServeSettings;

/// Most hosts of pictures of a file. They are part of a header of every page.
const MOST_HOSTS: usize = 20;
/// Most bytes that they take together.
const LONGEST_HOSTS: usize = 1_000;

/// The catalogue, which is read again whenever it changes, and what the shop says of itself. The hosts of its pictures are added to the settings.
pub(super) async fn open_own(
    place: Place,
    settings: &mut ServeSettings,
) -> anyhow::Result<(Arc<FileCatalogue>, Arc<Profile>)> {
    let (reading, catalogue, received) = read_catalogue(place, settings).await?;
    settings.image_hosts.extend(hosts(reading.pictures()));
    let profile = own_profile(settings.buy, reading.currency().unwrap_or_default());
    let catalogue = Arc::new(catalogue);
    tokio::spawn(follow(Arc::clone(&catalogue), received, settings.fresh));
    Ok((catalogue, profile))
}

/// What a file or feed has, its catalogue, and what was received of a feed.
///
/// # Errors
/// When it cannot be read, or has lost half of its products since the last start.
pub(crate) async fn read_catalogue(
    place: Place,
    settings: &ServeSettings,
) -> anyhow::Result<(Reading, FileCatalogue, Received)> {
    let origin = Origin::new(place, settings.catalogue_options.as_deref());
    let state = settings.state_dir.as_deref().map(|directory| FileState::new(directory, &origin));
    let received = receive(&origin, state.as_ref()).await?;
    let bytes = received.bytes.clone();
    let (currency, accepts_loss) = (settings.currency, settings.accept_loss);
    let pictures = Pictures::new(settings.images.clone());
    let read = off_runtime(move || {
        let reading = origin.read(bytes.clone(), pictures, PricesIn::OwnOr(currency), now());
        let reading = reading.and_then(|reading| {
            let known = state.as_ref().filter(|_| !accepts_loss).and_then(FileState::count);
            reading.check_loss(known).map(|()| reading)
        });
        let reading = reading.with_context(|| format!("cannot sell from {} (--catalogue)", origin.name()))?;
        let currency = reading.currency().unwrap_or_else(|| {
            let currency = Currency::default();
            tracing::warn!(
                currency = currency.code(),
                "the file names no currency; --currency says which it is"
            );
            currency
        });
        if let Some(state) = &state {
            state.keep(&reading, bytes.as_deref());
        }
        let catalogue = FileCatalogue::new(origin, &reading, currency, state);
        anyhow::Ok((reading, catalogue))
    });
    let (reading, catalogue) = read.await?;
    Ok((reading, catalogue, received))
}

/// What a feed sends now or, while it is away, what it sent before this start.
async fn receive(origin: &Origin, state: Option<&FileState>) -> anyhow::Result<Received> {
    let mut received = Received::default();
    let Place::Feed(feed) = origin.place() else { return Ok(received) };
    let error = match feed.receive(&mut received.known).await {
        Ok(bytes) => {
            received.bytes = bytes;
            return Ok(received);
        }
        Err(error) => error,
    };
    let copy = match state.cloned() {
        Some(state) => off_runtime(move || state.copy()).await.context("the feed's copy cannot be read")?,
        None => None,
    };
    if copy.is_none() {
        return Err(
            anyhow::Error::new(error).context(format!("cannot receive {} (--catalogue)", origin.name()))
        );
    }
    tracing::warn!(
        feed = %Bounded(origin.name()), error = %ErrorChain(&error),
        "the feed is not received; what was kept of it is on sale"
    );
    Ok(Received { bytes: copy, ..received })
}

/// The hosts of pictures, of which at most [`MOST_HOSTS`] are allowed without being asked for.
fn hosts<'a>(pictures: impl Iterator<Item = &'a str>) -> Vec<ImageSource> {
    let (mut known, mut hosts, mut length) = (HashSet::new(), Vec::new(), 0);
    for picture in pictures {
        let end = picture.match_indices('/').nth(2).map_or(picture.len(), |(end, _)| end);
        let host = &picture[..end];
        // Others are on the shop's own host.
        if !host.contains("://") || known.contains(host) || known.len() == MOST_HOSTS {
            continue;
        }
        length += host.len();
        let source = Url::parse(host).ok().and_then(|url| ImageSource::of(&url).ok());
        if let Some(source) = source.filter(|_| length <= LONGEST_HOSTS) {
            known.insert(host);
            hosts.push(source);
        }
    }
    hosts
}
