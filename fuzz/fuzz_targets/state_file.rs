//! Loads any state file, with a valid checksum or without. It must be ignored, or give a catalogue that
//! answers every query, with values within the bounds of those that the service sends.

#![no_main]

use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::Duration;

use async_trait::async_trait;
use libfuzzer_sys::fuzz_target;
use sha2::{Digest as _, Sha256};
use tokio::runtime::Runtime;
use vitrine::cache::Ages;
use vitrine::catalogue::{
    Aged, Ask, Catalogue as _, CatalogueError, Change, Followed, Listing, ProductSet, Query, Result, Source,
    Section, StateDir, Wanted,
};
use vitrine::fuzzing::{check_product, check_summary};

/// A catalogue service that is down, so that every answer comes from the file.
struct Down;

#[async_trait]
impl<Q: Query> Ask<Q> for Down {
    async fn ask(&self, _: &Q) -> Result<Q::Answer> {
        Err(CatalogueError::Status(503))
    }
}

#[async_trait]
impl Source for Down {
    async fn changes(&self, _: Wanted<'_>) -> Result<Aged<Change<ProductSet>>> {
        Err(CatalogueError::Status(503))
    }
}

static RUNTIME: LazyLock<Runtime> =
    LazyLock::new(|| tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap());
/// A folder for the state file, in memory where the system has such a file system.
static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let memory = PathBuf::from("/dev/shm");
    let parent = if memory.is_dir() { memory } else { std::env::temp_dir() };
    tempfile::Builder::new().prefix("vitrine-fuzz").tempdir_in(parent).unwrap().keep()
});

/// The state file of the service `s`.
static STATE: LazyLock<StateDir> = LazyLock::new(|| StateDir::new(&FOLDER, "s"));

/// Writes the state file. An input that begins with `!` is written as it is, without the `!`. Any other input gets a
/// first line with a valid checksum and the lengths of the JSON and of the products; a NUL in the input divides these
/// two.
fn write(bytes: &[u8]) {
    let whole = match bytes {
        [b'!', whole @ ..] => whole.to_vec(),
        _ => {
            let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
            let (json, products) = (&bytes[..end], bytes.get(end + 1..).unwrap_or_default());
            let (form, checksum) = (StateDir::FORM, checksum(json));
            let head = format!("vitrine-catalogue-{form} {checksum} {} {}\n", json.len(), products.len());
            [head.as_bytes(), json, products].concat()
        }
    };
    std::fs::write(STATE.file(), whole).unwrap();
}

fn checksum(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fuzz_target!(|bytes: &[u8]| {
    write(bytes);
    let ages = Ages { fresh: Duration::from_secs(60), stale: Duration::from_secs(604_800) };
    let catalogue = Followed::new(Down, ages, 5_000);
    if STATE.load(&catalogue).is_err() {
        return;
    }
    RUNTIME.block_on(async {
        let stock = catalogue.stock().await;
        let Some(version) = stock.version() else { return };
        for listing in [Listing::All, Listing::Search("a".into())] {
            let found = version.listing(&listing);
            found.whole().for_each(|product| check_summary(&product.unwrap().summary));
        }
        if let Ok(Some(product)) = stock.product(&1.into()).await {
            check_product(&product);
        }
        for category in version.categories().iter() {
            let _ = version.preview(&category.slug);
            let _ = version.listing(&Listing::Category(category.slug.clone()));
        }
        for section in [Section::Featured, Section::BestSellers, Section::NewArrivals] {
            version.section(section).iter().for_each(check_summary);
        }
    });
});
