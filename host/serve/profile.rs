//! What the shop says of itself, as the operator's file says it.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use tokio::time::sleep;

use crate::bounded_file::read_below;
use crate::observe::{Bounded, ErrorChain};
use crate::process::compute::off_runtime;
use crate::profile::{Accent, Currency, Profile, ShopFile};
use crate::settings::{Buy, CatalogueChoice, ServeSettings, bounded_text_of};
use crate::shop::Shop;

/// Largest logo and largest text of a page, in bytes.
const LARGEST: u64 = 500 << 10;
/// Time between two looks at the file.
const PERIOD: Duration = Duration::from_secs(2);

/// What the operator's file says of the shop; `None` without such a file.
///
/// # Errors
/// When there is one that cannot be used.
pub(crate) fn read_shop_file(settings: &ServeSettings) -> anyhow::Result<Option<ShopFile>> {
    let file = settings.shop.as_deref().map(read).transpose()?;
    if let Some((accent, shown)) = file
        .as_ref()
        .and_then(ShopFile::accent)
        .map(Accent::named_and_shown)
        .filter(|(own, shown)| own != shown)
    {
        tracing::info!(accent = %Bounded(&accent), shown = %Bounded(&shown), "the shop's colour would not be readable, and is shown darker");
    }
    Ok(file)
}

fn read(path: &Path) -> anyhow::Result<ShopFile> {
    let named = || format!("cannot use {} (--shop)", path.display());
    let folder = folder_of(path);
    let beside = |name: &str| read_below(folder, Path::new(name), LARGEST);
    let text = bounded_text_of(path).with_context(named)?;
    ShopFile::parse(&text, &beside).with_context(named)
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Gives the shop another profile each time that the file, or a file that it names, has changed. A file that cannot be used
/// changes nothing. Ends at once where there is no file, or it is a pipe, which can be read only once.
pub(super) async fn follow_shop_file(settings: ServeSettings, file: Option<ShopFile>, shop: Arc<Shop>) {
    let (Some(path), Some(file)) = (settings.shop.clone(), file) else { return };
    let mut current = Current { stamp: stamp(&path, &file), file };
    if current.stamp.first().is_none_or(Option::is_none) {
        return;
    }
    let settings = Arc::new(settings);
    let mut last = current.stamp.clone();
    loop {
        sleep(PERIOD).await;
        let (settings, shop, path) = (Arc::clone(&settings), Arc::clone(&shop), path.clone());
        let looked = off_runtime(move || {
            let now = stamp(&path, &current.file);
            // A file that is being written changes again.
            if now == last && now != current.stamp {
                current.stamp = now.clone();
                current.take(&settings, &shop, &path);
            }
            (current, now)
        });
        (current, last) = looked.await;
    }
}

/// A file that is followed.
struct Current {
    /// What the shop shows.
    file: ShopFile,
    /// What was last read, if it could be used or not.
    stamp: Vec<Option<Stamp>>,
}

impl Current {
    /// Reads the file, and has the shop show what it says.
    fn take(&mut self, settings: &ServeSettings, shop: &Shop, path: &Path) {
        let file = match read_shop_file(settings) {
            Ok(Some(file)) => file,
            Ok(None) => return,
            Err(error) => {
                tracing::error!(error = %ErrorChain(&*error), "the shop's file cannot be used; the shop stays as it was");
                return;
            }
        };
        // It may name other files.
        self.stamp = stamp(path, &file);
        if file == self.file {
            return;
        }
        if file.currency() != self.file.currency() {
            tracing::warn!("another currency of the shop's file takes effect at the next start");
        }
        let currency = shop.profile().numbers.currency();
        match shop.set_profile(profile_of(settings, Some(&file), currency)) {
            Ok(()) => tracing::info!("the shop's file has changed, and the shop with it"),
            Err(error) => {
                tracing::error!(error = %ErrorChain(&error), "the shop's file cannot be used; the shop stays as it was");
            }
        }
        self.file = file;
    }
}

/// What tells versions of a file apart: its inode, length and time of change.
type Stamp = (u64, u64, i64, i64);

/// The stamps of the shop's file and of the files that it names; `None` for one that is not there, or is no regular file.
fn stamp(path: &Path, file: &ShopFile) -> Vec<Option<Stamp>> {
    let folder = folder_of(path);
    let beside = file.names().into_iter().map(|name| folder.join(name));
    let stamp = |path: PathBuf| {
        let metadata = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
        Some((metadata.ino(), metadata.len(), metadata.ctime(), metadata.ctime_nsec()))
    };
    [path.to_owned()].into_iter().chain(beside).map(stamp).collect()
}

/// The currency of the sample and of a service, which name none: with a shop's file that of the settings, which the file
/// has been joined to, else the sample's.
pub(crate) fn currency_of(settings: &ServeSettings, file: Option<&ShopFile>) -> Currency {
    file.and(settings.currency).unwrap_or_default()
}

/// What the shop of these settings and this file says of itself, with amounts in the currency of its catalogue. The
/// texts of the sample shop are for the sample and a service without such a file.
pub(crate) fn profile_of(
    settings: &ServeSettings,
    file: Option<&ShopFile>,
    currency: Currency,
) -> Arc<Profile> {
    let is_own = matches!(settings.catalogue, CatalogueChoice::File(_) | CatalogueChoice::Feed(_));
    let profile = match file {
        Some(file) => file.profile(currency),
        None if is_own => Profile::neutral(currency),
        None => return Arc::default(),
    };
    Arc::new(Profile { links: settings.buy == Buy::Link, ..profile })
}
