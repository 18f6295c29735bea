//! The shop's profile: what it says of itself, as the operator's file has it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use tokio::task::JoinHandle;
use tokio::time::sleep;

use crate::bounded_file::{FileStamp, read_below};
use crate::catalogue::Spelling;
use crate::http::connections::App;
use crate::observe::{Bounded, ErrorChain};
use crate::process::compute::off_runtime;
use crate::profile::{Accent, Currency, Profile, RefusedLogo, ShopFile};
use crate::server;
use crate::settings::{Buy, ServeSettings, bounded_text_of};
use crate::shop::{Shop, make_ahead};

/// Time between two checks of the file.
const PERIOD: Duration = Duration::from_secs(2);

/// What the operator's file says of the shop; `None` without such a file.
///
/// # Errors
/// When there is a file that cannot be used.
pub(crate) fn read_shop_file(settings: &ServeSettings) -> anyhow::Result<Option<ShopFile>> {
    let file = settings.shop.as_deref().map(read).transpose()?;
    if let Some(file) = &file {
        log_notes(file);
    }
    Ok(file)
}

fn read(path: &Path) -> anyhow::Result<ShopFile> {
    let named = || format!("cannot use {} (--shop)", path.display());
    let folder = folder_of(path);
    let beside = |name: &str, most| read_below(folder, Path::new(name), most);
    let text = bounded_text_of(path).with_context(named)?;
    ShopFile::parse(&text, &beside).with_context(named)
}

/// Logs a line if the accent is not shown in the colour that the file names, and one if the logo is not the drawing.
fn log_notes(file: &ShopFile) {
    if let Some(RefusedLogo { name, reason, picture }) = file.refused_logo() {
        tracing::warn!(
            logo = %Bounded(name), error = %Bounded(reason), picture = %Bounded(picture),
            "the logo is not used; the picture beside it is"
        );
    }
    let accent = file.accent().map(Accent::named_and_shown);
    if let Some((accent, shown)) = accent.filter(|(named, shown)| named != shown) {
        tracing::info!(accent = %Bounded(&accent), shown = %Bounded(&shown), "the shop's colour would not be readable, and is shown darker");
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A shop whose profile can change while it serves.
pub(super) struct ChangingShop {
    shop: Arc<Shop>,
    app: App,
    /// Makes the pages of `shop` ahead, unless the settings switch that off.
    ahead: Option<JoinHandle<()>>,
}

impl ChangingShop {
    /// The shop that `app` serves. With `renders_ahead` its pages are made ahead, now and after each change.
    pub(super) fn new(shop: Arc<Shop>, app: App, renders_ahead: bool) -> Self {
        let ahead = renders_ahead.then(|| tokio::spawn(make_ahead(Arc::clone(&shop))));
        Self { shop, app, ahead }
    }

    /// Serves the shop with another profile. Requests under way get the former one.
    async fn show(&mut self, profile: Arc<Profile>) -> anyhow::Result<()> {
        self.shop.catalogue().name_pictures(profile.picture_names());
        let former = Arc::clone(&self.shop);
        // Off the runtime, because icons are drawn.
        let shop = Arc::new(off_runtime(move || former.with_profile(profile)).await);
        let router = server::router(Arc::clone(&shop)).context("an image host cannot stand in a header")?;
        self.app.replace(router);
        if let Some(ahead) = &mut self.ahead {
            ahead.abort();
            *ahead = tokio::spawn(make_ahead(Arc::clone(&shop)));
        }
        self.shop = Arc::clone(&shop);
        off_runtime(move || shop.forget_other_profiles()).await;
        Ok(())
    }
}

/// Shows the new profile whenever the file, or a file that it names, has changed. A file that cannot be used changes
/// nothing, and is read again until it can be used. A pipe is not followed, because it can be read only once.
pub(super) async fn follow_shop_file(settings: ServeSettings, mut file: ShopFile, mut shop: ChangingShop) {
    let Some(path) = settings.shop.clone() else { return };
    if fs::metadata(&path).is_ok_and(|metadata| !metadata.is_file()) {
        return;
    }
    // Empty, so that the file is read once more: it may have changed since the start read it.
    let (mut read_at, mut last) = (Vec::new(), Vec::new());
    let mut failure = None;
    loop {
        sleep(PERIOD).await;
        let looked = (path.clone(), file.clone());
        let now = off_runtime(move || stamps(&looked.0, &looked.1)).await;
        // A file that is being written differs at the next check.
        let is_settled = now == last;
        last.clone_from(&now);
        if !is_settled || (now == read_at && failure.is_none()) {
            continue;
        }
        // Taken before the file is read, so that a change meanwhile is noticed at the next check.
        read_at = now;
        let looked = path.clone();
        let shown = match off_runtime(move || read(&looked)).await {
            Ok(new) if new == file => Ok(()),
            Ok(new) => {
                let shown = shop.show(changed_profile(&settings, &shop, &file, &new)).await;
                file = new;
                shown.inspect(|()| tracing::info!("the shop's file has changed, and the shop with it"))
            }
            Err(error) => Err(error),
        };
        let failed = shown.err().map(|error| ErrorChain(&*error).to_string());
        if let Some(error) = failed.as_ref().filter(|error| failure.as_ref() != Some(*error)) {
            tracing::error!(error = %Bounded(error), "the shop's file cannot be used; the shop stays as it was");
        }
        failure = failed;
    }
}

/// The profile of a file that has changed. Amounts stay in the currency of the catalogue.
fn changed_profile(
    settings: &ServeSettings,
    shop: &ChangingShop,
    former: &ShopFile,
    file: &ShopFile,
) -> Arc<Profile> {
    let currency = shop.shop.profile().numbers.currency();
    if file.currency() != former.currency() && file.currency().is_some_and(|named| named != currency) {
        tracing::warn!("another currency of the shop's file takes effect at the next start");
    }
    if spelling_of(Some(file)) != spelling_of(Some(former)) && settings.catalogue.is_file_or_feed() {
        tracing::warn!("addresses are written as in the language of the shop's file from the next start");
    }
    log_notes(file);
    profile_of(settings, Some(file), currency)
}

/// The stamps of the shop's file and of the files that it names; `None` for one that is missing, or not a regular file.
fn stamps(path: &Path, file: &ShopFile) -> Vec<Option<FileStamp>> {
    let folder = folder_of(path);
    let beside = file.names().into_iter().map(|name| folder.join(name));
    let stamp = |path: PathBuf| {
        let metadata = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
        Some(FileStamp::of(&metadata))
    };
    [path.to_owned()].into_iter().chain(beside).map(stamp).collect()
}

/// How the addresses of a shop with this file are written.
pub(crate) fn spelling_of(file: Option<&ShopFile>) -> Spelling {
    file.map(|file| Spelling::of(file.language())).unwrap_or_default()
}

/// The currency of the sample and of a service, which name none: with a shop's file the settings' currency, which
/// includes the file's, else the sample's.
pub(crate) fn currency_of(settings: &ServeSettings, file: Option<&ShopFile>) -> Currency {
    file.and(settings.currency).unwrap_or_default()
}

/// The profile of the shop with these settings and this file, with amounts in the currency of its catalogue. Without a
/// file, the sample and a service have the texts of the sample shop.
pub(crate) fn profile_of(
    settings: &ServeSettings,
    file: Option<&ShopFile>,
    currency: Currency,
) -> Arc<Profile> {
    let profile = match file {
        Some(file) => file.profile(currency),
        None if settings.catalogue.is_file_or_feed() => Profile::neutral(currency),
        None => return Arc::default(),
    };
    let is_own = settings.catalogue.is_file_or_feed();
    Arc::new(Profile { links: settings.buy == Buy::Link, is_own, ..profile })
}
