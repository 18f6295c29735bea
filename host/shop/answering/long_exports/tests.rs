//! Long exports on the disk and in memory.

use std::path::Path;
use std::sync::atomic::Ordering;

use axum::body::to_bytes;
use futures_util::future::join_all;

use super::export::Progress;
use super::*;
use crate::catalogue::Sample;
use crate::document::Site;
use crate::exports::About;
use crate::process::compute::OffRuntime;

async fn writing() -> Writing {
    let sample = off_runtime(|| Sample::load().unwrap()).await;
    let site = Site::new(&"https://shop.example".parse().unwrap(), Vec::new());
    Writing::new(Format::Lines, About { profile: Arc::default(), site }, sample.set())
}

/// The text of a body, if it has an end.
async fn text(body: Body, coding: Option<Encoding>) -> Option<String> {
    let sent = to_bytes(body, usize::MAX).await.ok()?;
    let bytes = coding.map_or(Ok(sent.to_vec()), |coding| coding.decompress(&sent, 1 << 24));
    Some(String::from_utf8(bytes.unwrap()).unwrap())
}

async fn begin(exports: &LongExports, tag: &str) -> Option<Arc<LongExport>> {
    exports.begin(tag, writing().await, &ExportLimits::default()).await
}

/// A body of the export with this tag.
async fn body(exports: &LongExports, tag: &str) -> Body {
    let export = begin(exports, tag).await.unwrap();
    exports.body(export, None)
}

/// The lines of what has to be whole.
async fn lines(body: Body) -> usize {
    text(body, None).await.unwrap().lines().count()
}

/// Waits for room that is given back elsewhere.
async fn until_taken(exports: &LongExports, medium: Medium, bytes: u64) {
    while exports.bytes(medium) != bytes {
        tokio::task::yield_now().await;
    }
}

fn are_files_in(folder: &Path) -> bool {
    folder.read_dir().unwrap().next().is_some()
}

#[tokio::test]
async fn who_asks_at_the_same_time_reads_one_export_that_is_made_once() {
    let folder = tempfile::tempdir().unwrap();
    let counted = FilesInMemory::default();
    let on_disk = LongExports::new(0, Some(folder.path().into()), Arc::clone(&counted));
    let in_memory = LongExports::new(u64::MAX, None, Arc::clone(&counted));
    for (exports, medium) in [(&on_disk, Medium::Disk), (&in_memory, Medium::Memory)] {
        let asked = join_all((0..20).map(|_| begin(exports, "one"))).await;
        let read = asked.into_iter().enumerate().map(|(number, export)| {
            let coding = (number % 2 == 0).then_some(Encoding::Gzip);
            text(exports.body(export.unwrap(), coding), coding)
        });
        let texts: Vec<String> = join_all(read).await.into_iter().map(Option::unwrap).collect();
        let kept = exports.bytes(medium);
        let length = texts[0].len() as u64;
        assert!(texts[0].lines().count() > 100 && kept * 3 < length, "{kept} of {length} bytes");
        assert!(texts.iter().all(|text| *text == texts[0]));
        assert_eq!(exports.begun(), 1);
        // It is there for later ones, too, whatever is in the folder.
        assert_eq!(text(body(exports, "one").await, None).await.as_ref(), texts.first());
        assert_eq!((exports.begun(), exports.bytes(medium)), (1, kept));
    }
    assert!(!are_files_in(folder.path()));
    assert_eq!(counted.load(Ordering::Relaxed), in_memory.bytes(Medium::Memory));
}

#[tokio::test]
async fn who_reads_the_version_before_the_latest_one_gets_all_of_it_and_older_ones_break_off() {
    let exports = LongExports::new(u64::MAX, None, Arc::default());
    let mut bodies = Vec::new();
    for tag in ["one", "two", "three"] {
        lines(body(&exports, tag).await).await;
        bodies.push(body(&exports, tag).await);
    }
    let of_two = exports.bytes(Medium::Memory);
    let mut whole = Vec::new();
    for body in bodies {
        whole.push(text(body, None).await.is_some());
    }
    assert_eq!(whole, [false, true, true]);
    // What no client reads any more is given back, but for the latest.
    until_taken(&exports, Medium::Memory, of_two / 2).await;
    drop(body(&exports, "four").await);
    assert_eq!(begin(&exports, "three").await.unwrap().progress(), Progress::Growing, "it is made anew");
}

#[tokio::test]
async fn what_is_too_large_is_not_begun_again() {
    let exports = LongExports::new(2 * 1_024, None, Arc::default());
    assert_eq!(text(body(&exports, "one").await, None).await, None, "it is cut");
    until_taken(&exports, Medium::Memory, 0).await;
    assert!(begin(&exports, "two").await.is_none());
    let least = |products: usize| exports.versions.least(Format::Lines, products);
    let count = writing().await.products();
    assert!(least(count) > 0);
    assert_eq!(least(count / 2), 0, "fewer products may fit");
    assert!(begin(&LongExports::new(0, None, Arc::default()), "one").await.is_none());
}

/// An export that is made step by step.
async fn making(exports: &LongExports) -> (Arc<LongExport>, Making) {
    let writing = writing().await;
    let export = Arc::new(LongExport::new("one".into(), exports.room.open(0).unwrap()));
    (Arc::clone(&export), Making::new(exports.versions.clone(), export, writing))
}

#[tokio::test]
async fn an_export_goes_on_in_memory_when_half_of_the_disk_is_taken() {
    let folder = tempfile::tempdir().unwrap();
    let exports = LongExports::new(u64::MAX, Some(folder.path().into()), Arc::default());
    let (export, mut making) = making(&exports).await;
    let mut making = off_runtime(move |off: &OffRuntime| making.step(off).map(|_| making)).await.unwrap();
    let so_far = exports.bytes(Medium::Disk);
    assert!(so_far > 0);
    let reader = exports.body(Arc::clone(&export), None);
    let rest = exports.room.taken[Medium::Disk as usize].fetch_add(u64::MAX / 2, Ordering::Relaxed);
    assert_eq!(rest, so_far);
    off_runtime(move |off: &OffRuntime| while making.step(off).unwrap() {}).await;
    assert_eq!(lines(reader).await, writing().await.products(), "who has begun to read reads to the end");
    until_taken(&exports, Medium::Disk, u64::MAX / 2).await;
    assert!(exports.bytes(Medium::Memory) > so_far);
    // The next one does not begin on the disk.
    lines(body(&exports, "two").await).await;
    assert_eq!(exports.bytes(Medium::Disk), u64::MAX / 2);
}

#[tokio::test]
async fn what_can_neither_be_written_nor_be_kept_in_memory_breaks_off_and_is_not_tried_again() {
    let folder = tempfile::tempdir().unwrap();
    let exports = LongExports::new(0, Some(folder.path().into()), Arc::default());
    let (export, making) = making(&exports).await;
    let read_only = std::fs::File::open("/dev/null").unwrap();
    export.move_to(Arc::new(exports.room.store(read_only, Medium::Disk)));
    let reader = exports.body(Arc::clone(&export), None);
    making.run(ExportLimits::default()).await;
    assert_eq!(text(reader, None).await, None);
    assert!(begin(&exports, "two").await.is_none());
}

#[tokio::test]
async fn a_directory_that_takes_no_unnamed_file_is_not_used() {
    let exports = LongExports::new(u64::MAX, Some("/proc".into()), Arc::default());
    assert_eq!(lines(body(&exports, "one").await).await, writing().await.products());
    assert!(exports.bytes(Medium::Memory) > 0);
}

#[tokio::test]
async fn an_export_that_nobody_can_read_any_more_is_not_made_to_its_end() {
    let exports = LongExports::new(u64::MAX, None, Arc::default());
    let (export, making) = making(&exports).await;
    drop(export);
    making.run(ExportLimits::default()).await;
    until_taken(&exports, Medium::Memory, 0).await;
}
