//! The pictures that products name: what is written becomes an address. A path names a file in the operator's folder of
//! pictures, and the shop serves that file at an address with the hash of its content.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use parking_lot::Mutex;
use tokio::sync::Semaphore;
use url::{ParseError, Url};

use super::picture::Picture;
use super::report::MissingPictures;
use crate::observe::ErrorChain;

/// How many pieces of pictures are read at a time. Each takes a thread, and a disk may be slow.
const READS: usize = 16;
/// Longest part of an address that is made of a file's name, in letters.
const LONGEST_STEM: usize = 40;

/// Makes addresses of the pictures that products name, while a file is read.
pub(crate) struct Pictures {
    folder: Option<Arc<Path>>,
    /// The pictures of the version before.
    last: Option<Arc<PictureIndex>>,
    looked: Mutex<Looked>,
}

/// What was found so far.
#[derive(Default)]
struct Looked {
    /// The pictures by their paths in the folder; `None` for a file that cannot be shown.
    pictures: HashMap<Arc<str>, Option<Picture>>,
    missing: MissingPictures,
}

/// The pictures in the folder that the products of a version name.
#[derive(Debug)]
pub(crate) struct PictureIndex {
    pub(super) folder: Option<Arc<Path>>,
    by_path: HashMap<Arc<str>, Picture>,
    by_hash: HashMap<u128, Arc<str>>,
    /// Limits how many pieces are read at a time.
    pub(super) reads: Arc<Semaphore>,
    /// Whether a picture has changed, or can no longer be read, since it was found.
    pub(super) is_outdated: AtomicBool,
}

impl Pictures {
    /// The pictures in this folder.
    pub(crate) fn new(folder: Option<PathBuf>) -> Self {
        Self { folder: folder.map(Arc::from), last: None, looked: Mutex::default() }
    }

    /// The pictures in the same folder as before. Files that have not changed are not read again.
    pub(super) fn after(last: Arc<PictureIndex>) -> Self {
        Self { folder: last.folder.clone(), last: Some(last), looked: Mutex::default() }
    }

    /// The address of a picture that is `written` in the file of products. An address stays as it is. A path becomes an
    /// address on the shop's own host; a path without a picture is counted, and becomes `None`.
    pub(super) fn address(&self, written: &str) -> Option<String> {
        // Parsing takes long, and most addresses begin like this.
        let is_address = written.starts_with("https://") || written.starts_with('/');
        if is_address || Url::parse(written) != Err(ParseError::RelativeUrlWithoutBase) {
            return Some(written.to_owned());
        }
        if written.trim().is_empty() {
            return None;
        }
        let mut looked = self.looked.lock();
        let known = looked.pictures.get(written).copied();
        let picture = known.unwrap_or_else(|| {
            let picture = self.look(written, &mut looked.missing);
            looked.pictures.insert(written.into(), picture);
            picture
        })?;
        let stem = Path::new(written).file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let plain =
            |letter: char| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '-' };
        let stem: String = stem.chars().map(plain).take(LONGEST_STEM).collect();
        Some(format!("/images/{stem}-{:032x}.{}", picture.hash, picture.extension()))
    }

    fn look(&self, path: &str, missing: &mut MissingPictures) -> Option<Picture> {
        let Some(folder) = &self.folder else {
            missing.add(path);
            return None;
        };
        let last = self.last.as_ref().and_then(|last| last.by_path.get(path));
        let looked = Picture::look(folder, path, last);
        looked.map_err(|error| missing.add(&format!("{path} ({})", ErrorChain(&error)))).ok()
    }

    /// The pictures that were found, and the missing ones.
    pub(super) fn finish(self) -> (PictureIndex, MissingPictures) {
        let Looked { pictures, missing } = self.looked.into_inner();
        let by_path: HashMap<Arc<str>, Picture> =
            pictures.into_iter().filter_map(|(path, picture)| Some((path, picture?))).collect();
        let index = PictureIndex {
            by_hash: by_path.iter().map(|(path, picture)| (picture.hash, Arc::clone(path))).collect(),
            by_path,
            reads: Arc::new(Semaphore::new(READS)),
            is_outdated: AtomicBool::default(),
            folder: self.folder,
        };
        let has_folder = index.folder.is_some();
        (index, MissingPictures { has_folder, ..missing })
    }
}

impl PictureIndex {
    /// The picture whose address ends with `name`, and its path in the folder. Only the hash in the name counts.
    pub(super) fn find(&self, name: &str) -> Option<(Picture, Arc<str>)> {
        let (hash, _) = name.rsplit_once('-')?.1.split_once('.')?;
        let hash = u128::from_str_radix(hash, 16).ok().filter(|parsed| format!("{parsed:032x}") == hash)?;
        let path = self.by_hash.get(&hash)?;
        Some((*self.by_path.get(path)?, Arc::clone(path)))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_path_becomes_the_address_of_a_picture_and_other_addresses_stay() {
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in
            [("Oak Lamp é.GIF", "GIF89a one"), ("same.gif", "GIF89a one"), ("b.gif", "GIF87a")]
        {
            fs::write(folder.path().join(name), content).unwrap();
        }
        let pictures = Pictures::new(Some(folder.path().into()));
        for other in ["https://cdn.example/a.webp", "/a.webp", "//cdn.example/a.webp", "data:image/gif,x"] {
            assert_eq!(pictures.address(other).as_deref(), Some(other));
        }
        let [lamp, same, other] =
            ["Oak Lamp é.GIF", "same.gif", "./b.gif"].map(|path| pictures.address(path).unwrap());
        assert!(lamp.starts_with("/images/oak-lamp---") && lamp.ends_with(".gif"), "{lamp}");
        assert_eq!(lamp.rsplit_once('-').unwrap().1, same.rsplit_once('-').unwrap().1);
        for missing in ["a.gif", "", "../b.gif", " ", "a.gif"] {
            assert_eq!(pictures.address(missing), None, "{missing}");
        }
        let (index, missing) = pictures.finish();
        assert_eq!((missing.count, missing.has_folder), (2, true));
        assert_eq!(missing.names[1], "../b.gif (its path leads out of the folder)");
        for address in [&lamp, &same, &other] {
            assert!(index.find(address.strip_prefix("/images/").unwrap()).is_some(), "{address}");
        }
        for unknown in ["", "-.gif", "a-0.gif", "a-g.gif", "lamp", "a-123456789012345678901234567890123.gif"]
        {
            assert_eq!(index.find(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn without_a_folder_paths_are_missing() {
        let pictures = Pictures::new(None);
        assert_eq!(pictures.address("a.gif"), None);
        let (_, missing) = pictures.finish();
        assert_eq!(
            (missing.count, missing.has_folder, &*missing.names),
            (1, false, &["a.gif".to_owned()][..])
        );
    }
}
