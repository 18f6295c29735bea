//! The loop over a service that answers when a test says so.

use std::collections::BTreeMap;

use parking_lot::Mutex;
use tokio::sync::Semaphore;

use super::*;
use crate::catalogue::ProductById;
use crate::catalogue::query::{Ask, Categories, Listing, Preview, Query};
use crate::catalogue::revision::Change;
use crate::catalogue::{Category, ProductSet, PurgeMode, Section, Slug, Summary, Wanted};
use crate::process::compute::in_background;

const AGES: Ages = Ages { fresh: Duration::from_secs(300), stale: Duration::from_secs(3_600) };

/// The titles of a list, and those of the pages of four products.
type Titles = (Vec<String>, Vec<Option<String>>);

/// A service of products with titles, whose readings begin and end one after the other.
struct Stub {
    titles: Mutex<BTreeMap<u64, &'static str>>,
    /// A reading takes the titles first, and ends when it gets a permit.
    ends: Semaphore,
    readings: watch::Sender<usize>,
}

fn product(id: u64, title: &str) -> Product {
    let summary =
        Summary { id: id.into(), title: title.into(), category: Slug::parse("mugs"), ..Summary::default() };
    Product { summary, ..Product::default() }
}

#[async_trait]
impl Source for Stub {
    async fn changes(&self, _: Wanted<'_>) -> Result<Aged<Change<ProductSet>>> {
        let titles = self.titles.lock().clone();
        let products: Vec<_> = titles.iter().map(|(id, title)| product(*id, title)).collect();
        self.readings.send_modify(|readings| *readings += 1);
        self.ends.acquire().await.unwrap().forget();
        let set = in_background(move || ProductSet::of(products.iter(), Currency::default())).await;
        Ok(Aged::new(Change::New(set, None)))
    }
}

#[async_trait]
impl Ask<ProductById> for Stub {
    async fn ask(&self, ProductById(key): &ProductById) -> Result<Option<Arc<Product>>> {
        let id = key.number().unwrap();
        Ok(self.titles.lock().get(&id).map(|title| Arc::new(product(id, title))))
    }
}

#[async_trait]
impl Ask<Categories> for Stub {
    async fn ask(&self, _: &Categories) -> Result<Arc<[Category]>> {
        Err(CatalogueError::Status(500))
    }
}

/// Nothing else is asked for while there is a version.
macro_rules! never_asked {
    ($($query:ty),*) => {$(
        #[async_trait]
        impl Ask<$query> for Stub {
            async fn ask(&self, _: &$query) -> Result<<$query as Query>::Answer> {
                Err(CatalogueError::Status(500))
            }
        }
    )*};
}
never_asked!(Preview, Listing, Section);

/// A catalogue that has read these titles once. Its next readings end when the test lets them.
async fn followed(titles: &[(u64, &'static str)]) -> Arc<Followed<Stub>> {
    let stub = Stub {
        titles: Mutex::new(titles.iter().copied().collect()),
        ends: Semaphore::new(1),
        readings: watch::Sender::new(0),
    };
    let catalogue = Arc::new(Followed::new(stub, AGES, 1_000));
    let mut versions = catalogue.versions.subscribe();
    tokio::spawn(catalogue.follow());
    versions.changed().await.unwrap();
    catalogue
}

impl Followed<Stub> {
    fn set(&self, id: u64, title: Option<&'static str>) {
        let mut titles = self.source.titles.lock();
        match title {
            Some(title) => drop(titles.insert(id, title)),
            None => drop(titles.remove(&id)),
        }
    }

    fn order(&self, outdated: Outdated) {
        self.purge(&[CataloguePurge { outdated, mode: PurgeMode::Soft, ago: Duration::ZERO }]);
    }

    /// Waits until this many readings have begun, and have taken the titles.
    async fn until_begun(&self, readings: usize) {
        self.source.readings.subscribe().wait_for(|begun| *begun >= readings).await.unwrap();
    }

    /// Waits until this is shown, which each new version may change.
    async fn until_shown(&self, expected: &Titles) {
        let mut versions = self.versions.subscribe();
        let shown = async {
            while self.shown().await != *expected {
                versions.changed().await.unwrap();
            }
        };
        tokio::time::timeout(Duration::from_secs(10), shown).await.expect("it is never shown");
    }

    /// The titles of the list, and those of the products' pages.
    async fn shown(&self) -> Titles {
        let stock = self.stock().await;
        let version = stock.version().unwrap();
        let listed = version.listing(&Listing::Category(Slug::parse("mugs").unwrap()));
        let titles = |set: &ProductSet| set.products().map(|product| product.title).collect::<Vec<_>>();
        assert_eq!(titles(&listed), titles(version.products()));
        let whole = version.products().whole().map(|product| product.unwrap().summary.title);
        assert_eq!(whole.collect::<Vec<_>>(), titles(&listed));
        let mut pages = Vec::new();
        for id in 1..=4_u64 {
            let product = stock.product(&id.into()).await.unwrap();
            pages.push(product.map(|product| product.summary.title.clone()));
        }
        (titles(&listed), pages)
    }
}

fn named(titles: &[&str], pages: [Option<&str>; 4]) -> Titles {
    let titles = titles.iter().map(|title| (*title).to_owned()).collect();
    (titles, pages.map(|title| title.map(str::to_owned)).to_vec())
}

#[tokio::test]
async fn a_purged_product_is_asked_for_and_laid_over_the_version() {
    let catalogue = followed(&[(1, "a"), (2, "b"), (3, "c")]).await;
    let read = catalogue.version().unwrap();
    catalogue.set(1, Some("A"));
    catalogue.set(2, None);
    catalogue.set(4, Some("d"));
    for id in [1, 2, 4_u64] {
        catalogue.order(Outdated::Product(id.into()));
    }
    // A new product only has its page.
    catalogue.until_shown(&named(&["A", "c"], [Some("A"), None, Some("c"), Some("d")])).await;
    assert_eq!(*catalogue.source.readings.borrow(), 1, "nothing else is read");
    let laid = catalogue.version().unwrap();
    let [read, laid] = [read, laid].map(|version| Arc::clone(version.products()));
    let are_equal = in_background(move || read.digest().unwrap() == laid.digest().unwrap()).await;
    assert!(!are_equal, "exports are others");
    // The next version has all of it.
    catalogue.source.ends.add_permits(1);
    catalogue.order(Outdated::Everything);
    catalogue.until_shown(&named(&["A", "c", "d"], [Some("A"), None, Some("c"), Some("d")])).await;
    assert!(catalogue.sold.lock().newer.is_empty());
}

#[tokio::test]
async fn a_product_that_is_purged_during_a_reading_stays_as_new_as_it_was_asked_for() {
    let catalogue = followed(&[(1, "a"), (2, "b")]).await;
    catalogue.order(Outdated::Everything);
    catalogue.until_begun(2).await;
    // The reading has the old titles already.
    catalogue.set(1, Some("A"));
    catalogue.set(2, Some("B"));
    catalogue.order(Outdated::Product(1.into()));
    let new = named(&["A", "b"], [Some("A"), Some("b"), None, None]);
    catalogue.until_shown(&new).await;
    let before = catalogue.version().unwrap();
    catalogue.source.ends.add_permits(1);
    let mut versions = catalogue.versions.subscribe();
    while Arc::ptr_eq(&before, &catalogue.version().unwrap()) {
        versions.changed().await.unwrap();
    }
    catalogue.until_shown(&new).await;
    assert_eq!(*catalogue.source.readings.borrow(), 2, "the purge ended no reading, and asked for none");
}

#[tokio::test]
async fn a_purge_of_everything_during_a_reading_asks_for_another_one() {
    let catalogue = followed(&[(1, "a")]).await;
    catalogue.order(Outdated::Everything);
    catalogue.until_begun(2).await;
    catalogue.set(1, Some("A"));
    catalogue.order(Outdated::Everything);
    catalogue.source.ends.add_permits(2);
    catalogue.until_begun(3).await;
    catalogue.until_shown(&named(&["A"], [Some("A"), None, None, None])).await;
    catalogue.source.ends.add_permits(1);
    tokio::time::timeout(Duration::from_millis(50), catalogue.until_begun(4)).await.unwrap_err();
}

#[tokio::test(start_paused = true)]
async fn a_version_is_sold_until_it_is_too_old_whatever_the_ages() {
    let seconds = Duration::from_secs;
    for (fresh, stale, lasts) in [(0, 0, 2), (0, 60, 62), (60, 0, 120), (60, 600, 720)] {
        let stub = Stub {
            titles: Mutex::new([(1, "a")].into()),
            ends: Semaphore::new(1),
            readings: watch::Sender::new(0),
        };
        let ages = Ages { fresh: seconds(fresh), stale: seconds(stale) };
        let catalogue = Followed::new(stub, ages, 1_000);
        catalogue.read().await.unwrap();
        for (age, is_sold) in [(lasts - 1, true), (lasts, false)] {
            let since = catalogue.sold.lock().current.as_ref().unwrap().asked.elapsed();
            tokio::time::advance(seconds(age).saturating_sub(since)).await;
            assert_eq!(catalogue.version().is_some(), is_sold, "{ages:?} at {age} s");
        }
    }
}

/// A moment this many seconds ago.
fn ago(seconds: u64) -> Past {
    Past::new(Duration::from_secs(seconds))
}

impl Followed<Stub> {
    /// Sells what another replica has asked for at this moment.
    async fn adopt(
        self: &Arc<Self>,
        version: &Arc<Version>,
        asked: Past,
    ) -> std::result::Result<(), StateError> {
        let (catalogue, version) = (Arc::clone(self), Arc::clone(version));
        in_background(move || catalogue.restore(&version, asked, asked)).await
    }

    fn titles(&self) -> Vec<String> {
        self.version().unwrap().products().products().map(|product| product.title).collect()
    }
}

#[tokio::test]
async fn what_another_replica_has_read_is_sold_if_it_is_younger_and_believed() {
    let catalogue = followed(&[(1, "a"), (2, "b"), (3, "c")]).await;
    let theirs = followed(&[(1, "A"), (2, "B"), (3, "C")]).await.version().unwrap();
    catalogue.adopt(&theirs, ago(60)).await.unwrap();
    assert_eq!(catalogue.titles(), ["a", "b", "c"], "it is older");
    let old = catalogue.adopt(&theirs, ago(1_000_000)).await;
    assert!(matches!(old, Err(StateError::TooOld)), "{old:?}");
    catalogue.adopt(&theirs, ago(0)).await.unwrap();
    assert_eq!(catalogue.titles(), ["A", "B", "C"]);

    let few = followed(&[(1, "A")]).await.version().unwrap();
    let refused = catalogue.adopt(&few, ago(0)).await;
    assert!(matches!(refused, Err(StateError::Loss)), "{refused:?}");
    assert_eq!((catalogue.titles().len(), catalogue.rejected()), (3, 1));
    let accepting =
        CataloguePurge { outdated: Outdated::Everything, mode: PurgeMode::Hard, ago: Duration::ZERO };
    catalogue.purge(&[accepting]);
    catalogue.adopt(&few, ago(0)).await.unwrap();
    assert_eq!(catalogue.titles(), ["A"], "an operator has said so");
}

#[tokio::test]
async fn a_product_that_was_asked_for_stays_over_an_older_version_of_another_replica() {
    let catalogue = followed(&[(1, "a"), (2, "b")]).await;
    let theirs = followed(&[(1, "a"), (2, "B")]).await.version().unwrap();
    let asked = ago(0);
    catalogue.set(1, Some("A"));
    catalogue.order(Outdated::Product(1.into()));
    catalogue.until_shown(&named(&["A", "b"], [Some("A"), Some("b"), None, None])).await;
    catalogue.adopt(&theirs, asked).await.unwrap();
    assert_eq!(catalogue.titles(), ["A", "B"]);
    catalogue.adopt(&theirs, ago(0)).await.unwrap();
    assert_eq!(catalogue.titles(), ["a", "B"], "it was read later");
}

#[tokio::test]
async fn a_version_that_was_only_confirmed_since_an_order_is_no_answer_to_it() {
    let catalogue = followed(&[(1, "a")]).await;
    let read = catalogue.version().unwrap();
    catalogue.order(Outdated::Everything);
    let is_awaited = || catalogue.awaited.borrow().is_some();
    catalogue.confirm(&read, ago(0), ago(5));
    assert!(is_awaited());
    catalogue.confirm(&read, ago(0), ago(0));
    assert!(!is_awaited());
}

#[tokio::test]
async fn a_replica_reads_only_while_no_other_does() {
    let catalogue = followed(&[(1, "a")]).await;
    catalogue.role.send_replace(Role::Follows);
    catalogue.order(Outdated::Everything);
    tokio::time::timeout(2 * APART, catalogue.until_begun(2)).await.unwrap_err();
    catalogue.role.send_replace(Role::Reads);
    tokio::time::timeout(Duration::from_secs(10), catalogue.until_begun(2)).await.unwrap();
}
