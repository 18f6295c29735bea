//! Any state file, with a right checksum or a wrong one, is ignored or loaded, and whatever was
//! loaded answers every query.

#![no_main]

use std::path::PathBuf;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use async_trait::async_trait;
use libfuzzer_sys::fuzz_target;
use sha2::{Digest as _, Sha256};
use tokio::runtime::Runtime;
use vitrine::catalogue::{
    Catalogue, CatalogueError, Category, CategoryPreview, MirrorPolicy, Product, ProductId, Remembered,
    Result, Section, Slug, StateDir, Summary, Whole,
};
use vitrine::memory::Ages;
use vitrine::shelf::Shelf;

/// The service is down, so that only the file answers.
struct Down;

fn down<T>() -> Result<T> {
    Err(CatalogueError::Status(503))
}

#[async_trait]
impl Catalogue for Down {
    async fn categories(&self) -> Result<Arc<[Category]>> {
        down()
    }
    async fn category_preview(&self, _: &Slug) -> Result<CategoryPreview> {
        down()
    }
    async fn category_products(&self, _: &Slug) -> Result<Arc<Shelf>> {
        down()
    }
    async fn all_products(&self) -> Result<Arc<Shelf>> {
        down()
    }
    async fn search(&self, _: &str) -> Result<Arc<Shelf>> {
        down()
    }
    async fn product(&self, _: ProductId) -> Result<Option<Arc<Product>>> {
        down()
    }
    async fn section(&self, _: Section) -> Result<Arc<[Summary]>> {
        down()
    }
}

#[async_trait]
impl Whole for Down {
    async fn size(&self) -> Result<u64> {
        down()
    }
    async fn everything(&self) -> Result<Vec<Arc<Product>>> {
        down()
    }
}

static RUNTIME: LazyLock<Runtime> =
    LazyLock::new(|| tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap());
/// In memory, where there is such a folder.
static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let memory = PathBuf::from("/dev/shm");
    let parent = if memory.is_dir() { memory } else { std::env::temp_dir() };
    tempfile::Builder::new().prefix("vitrine-fuzz").tempdir_in(parent).unwrap().keep()
});

/// Inputs that begin with `!` are written as they are, all others get the head that makes them whole.
fn write(bytes: &[u8]) {
    let file = FOLDER.join("catalogue.state");
    let whole = match bytes.strip_prefix(b"!") {
        Some(rest) => rest.to_vec(),
        None => {
            let sum: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
            [format!("vitrine-catalogue-1 {sum}\n").as_bytes(), bytes].concat()
        }
    };
    std::fs::write(file, whole).unwrap();
}

fuzz_target!(|bytes: &[u8]| {
    write(bytes);
    let ages = Ages { fresh: Duration::from_secs(60), stale: Duration::from_secs(604_800) };
    let catalogue = Remembered::new(Down, ages, MirrorPolicy::UpTo(5_000));
    if StateDir::new(&FOLDER, "s").load(&catalogue).is_err() {
        return;
    }
    RUNTIME.block_on(async {
        let _ = catalogue.all_products().await;
        let _ = catalogue.search("a").await;
        let _ = catalogue.product(1).await;
        for category in catalogue.categories().await.iter().flat_map(|all| all.iter()) {
            let _ = catalogue.category_preview(&category.slug).await;
            let _ = catalogue.category_products(&category.slug).await;
        }
        for section in [Section::Featured, Section::BestSellers, Section::NewArrivals] {
            let _ = catalogue.section(section).await;
        }
    });
});
