//! The pictures that products name: what is written becomes an address. A path names a file in the operator's folder of
//! pictures, and the shop serves that file at an address with the hash of its content.

use std::collections::HashMap;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use icu_normalizer::{ComposingNormalizerBorrowed, DecomposingNormalizerBorrowed};
use parking_lot::Mutex;
use percent_encoding::percent_decode_str;
use tokio::sync::Semaphore;
use url::{ParseError, Url};

use super::error::FileError;
use super::picture::{Folder, Picture};
use super::report::MissingPictures;
use crate::observe::ErrorChain;
use crate::pictures::{Copies, Shown, Size};
use crate::process::sandbox;

/// How many pieces of pictures are read at a time. Each takes a thread, and a disk may be slow.
const READS: usize = 16;
/// Longest part of an address that is made of a file's name, in letters.
const LONGEST_STEM: usize = 40;

/// How many names of a folder are read to find one with other letters.
const MOST_NAMES: usize = 200_000;
/// The composed and decomposed forms of letters: file systems and spreadsheets use either.
const NFC: ComposingNormalizerBorrowed<'static> = ComposingNormalizerBorrowed::new_nfc();
const NFD: DecomposingNormalizerBorrowed<'static> = DecomposingNormalizerBorrowed::new_nfd();

/// Makes addresses of the pictures that products name, while a file is read.
pub(crate) struct Pictures {
    folder: Option<Folder>,
    copies: Option<Copies>,
    /// The pictures of the version before.
    last: Option<Arc<PictureIndex>>,
    /// The pictures that the shop's own texts name.
    named: Vec<String>,
    looked: Mutex<Looked>,
}

/// What was found so far.
#[derive(Default)]
struct Looked {
    /// The pictures by what the products call them, with their paths in the folder; `None` for a file that cannot be shown.
    pictures: HashMap<Arc<str>, Option<(Picture, Arc<str>)>>,
    missing: MissingPictures,
    /// The names in a folder by their lower-case form, as they are read for names with other letters; `None` for a form
    /// that several names have.
    folders: HashMap<PathBuf, HashMap<String, Option<String>>>,
}

/// The pictures in the folder that the products of a version name.
#[derive(Debug)]
pub(crate) struct PictureIndex {
    pub(super) folder: Option<Folder>,
    /// The copies of the pictures, if any are made.
    pub(super) copies: Option<Copies>,
    by_path: HashMap<Arc<str>, Picture>,
    by_hash: HashMap<u128, Arc<str>>,
    /// The addresses of the pictures that the shop's own texts name.
    named: HashMap<String, String>,
    /// Limits how many pieces are read at a time.
    pub(super) reads: Arc<Semaphore>,
    /// Whether a picture has changed, or can no longer be read, since it was found.
    pub(super) is_outdated: AtomicBool,
}

impl Pictures {
    /// The pictures in this folder, and their copies.
    pub(crate) fn new(folder: Option<PathBuf>, copies: Option<Copies>) -> Self {
        Self {
            folder: folder.map(Folder::new),
            copies,
            last: None,
            named: Vec::new(),
            looked: Mutex::default(),
        }
    }

    /// The pictures in the same folder as before. Files that have not changed are not read again.
    pub(super) fn after(last: Arc<PictureIndex>) -> Self {
        let folder = last.folder.as_ref().map(|folder| Folder::new(folder.path.clone()));
        let copies = last.copies.clone();
        Self { folder, copies, last: Some(last), named: Vec::new(), looked: Mutex::default() }
    }

    /// The same, with the pictures that the shop's own texts name.
    pub(crate) fn naming(self, named: Vec<String>) -> Self {
        Self { named, ..self }
    }

    /// Checks that the folder may be read.
    ///
    /// # Errors
    /// When it is another one than at the start, which the sandbox refuses.
    pub(super) fn check_folder(&self) -> Result<(), FileError> {
        match &self.folder {
            Some(Folder { path, .. }) if sandbox::refuses(path) => {
                Err(FileError::Refused { path: path.clone() })
            }
            _ => Ok(()),
        }
    }

    /// The address of a picture that is `written` in the file of products. An address stays as it is. A path becomes an
    /// address on the shop's own host, with what is known of the picture behind a `#`; a path without a picture is counted,
    /// and becomes `None`.
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
        let known = looked.pictures.get(written).cloned();
        let (picture, _) = known.unwrap_or_else(|| {
            let picture = self.look(written, &mut looked);
            looked.pictures.insert(written.into(), picture.clone());
            picture
        })?;
        let stem = Path::new(written).file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let plain =
            |letter: char| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '-' };
        let stem: String = stem.chars().map(plain).take(LONGEST_STEM).collect();
        let address = format!("/images/{stem}-{:032x}.{}", picture.hash, picture.extension());
        let shown = self.copies.as_ref().map(|copies| Shown::of(&picture.header, copies.fit(picture.hash)));
        Some(shown.map_or_else(|| address.clone(), |shown| format!("{address}{shown}")))
    }

    /// Looks for the picture with this path, or one that differs in how its letters are written.
    fn look(&self, written: &str, looked: &mut Looked) -> Option<(Picture, Arc<str>)> {
        let Some(folder) = &self.folder else {
            looked.missing.add(written);
            return None;
        };
        let look = |path: &str| {
            let last = self.last.as_ref().and_then(|last| last.by_path.get(path));
            Picture::look(folder, path, last).map(|picture| (picture, Arc::from(path)))
        };
        let error = match look(written) {
            Ok(found) => return Some(found),
            Err(error) => error,
        };
        let decoded = percent_decode_str(written).decode_utf8_lossy();
        let slashes = decoded.replace('\\', "/");
        let spellings = [&*decoded, &slashes].map(|path| [NFC.normalize(path), NFD.normalize(path)]);
        if let Some(found) = spellings.iter().flatten().find_map(|path| look(path).ok()) {
            return Some(found);
        }
        if let Some(found) = looked.same_letters(&folder.path, &slashes).and_then(|path| look(&path).ok()) {
            return Some(found);
        }
        looked.missing.add(&format!("{written} ({})", ErrorChain(&error)));
        None
    }

    /// The pictures that were found, and the missing ones.
    pub(super) fn finish(self) -> (PictureIndex, MissingPictures) {
        let address = |name: &String| Some((name.clone(), self.address(name)?));
        let named = self.named.iter().filter_map(address).collect();
        let Looked { pictures, missing, .. } = self.looked.into_inner();
        let by_path: HashMap<Arc<str>, Picture> =
            pictures.into_values().flatten().map(|(picture, path)| (path, picture)).collect();
        let index = PictureIndex {
            by_hash: by_path.iter().map(|(path, picture)| (picture.hash, Arc::clone(path))).collect(),
            by_path,
            named,
            reads: Arc::new(Semaphore::new(READS)),
            is_outdated: AtomicBool::default(),
            folder: self.folder,
            copies: self.copies,
        };
        let has_folder = index.folder.is_some();
        (index, MissingPictures { has_folder, ..missing })
    }
}

impl Looked {
    /// The path of the one file whose name differs from this one only in the case of letters and in how they are composed.
    fn same_letters(&mut self, folder: &Path, path: &str) -> Option<String> {
        let path = Path::new(path);
        let within = path
            .parent()
            .filter(|parent| parent.components().all(|part| matches!(part, Component::Normal(_))))?;
        let names = self.folders.entry(within.to_owned()).or_insert_with(|| names_of(&folder.join(within)));
        let name = names.get(&NFC.normalize(path.file_name()?.to_str()?).to_lowercase())?.as_ref()?;
        within.join(name).to_str().map(str::to_owned)
    }
}

/// The names of the files in a folder by their lower-case form; `None` for a form that several have.
fn names_of(folder: &Path) -> HashMap<String, Option<String>> {
    let mut names = HashMap::new();
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok).take(MOST_NAMES);
    for name in entries.filter_map(|entry| entry.file_name().into_string().ok()) {
        let known = names.entry(NFC.normalize(&name).to_lowercase());
        known.and_modify(|name| *name = None).or_insert(Some(name));
    }
    names
}

impl PictureIndex {
    /// All pictures, with their paths in the folder.
    pub(super) fn all(&self) -> impl Iterator<Item = (Picture, Arc<str>)> {
        self.by_path.iter().map(|(path, picture)| (*picture, Arc::clone(path)))
    }

    /// The address of a picture that the shop's own texts name, if it is there.
    pub(super) fn named(&self, name: &str) -> Option<&String> {
        self.named.get(name)
    }

    /// The picture whose address ends with `name`, and its path in the folder. Only the hash in the name counts, and what
    /// follows it.
    pub(super) fn find(&self, name: &str) -> Option<(Picture, Arc<str>, Option<Size>)> {
        let (rest, last) = name.rsplit_once('-')?;
        let (hash, size) = match Size::parse(last) {
            Some(size) => (rest.rsplit_once('-')?.1, Some(size)),
            None => (last.split_once('.')?.0, None),
        };
        let hash = u128::from_str_radix(hash, 16).ok().filter(|parsed| format!("{parsed:032x}") == hash)?;
        let path = self.by_hash.get(&hash)?;
        let picture = *self.by_path.get(path)?;
        let is_there = |size: &Size| self.copies.is_some() && size.is_of(&picture.header);
        size.as_ref().is_none_or(is_there).then(|| (picture, Arc::clone(path), size))
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
        let pictures = Pictures::new(Some(folder.path().into()), None);
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
    fn a_picture_is_found_however_its_name_is_written() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("Oak")).unwrap();
        for name in ["Caf\u{e9}.gif", "Oak/My Lamp.gif", "one.GIF", "ONE.gif"] {
            fs::write(folder.path().join(name), format!("GIF89a {name}")).unwrap();
        }
        let pictures = Pictures::new(Some(folder.path().into()), None);
        for written in
            ["Cafe\u{301}.gif", "caf\u{e9}.GIF", "Oak/My%20Lamp.gif", "Oak\\My Lamp.gif", "Oak/my lamp.gif"]
        {
            let address = pictures.address(written).unwrap_or_else(|| panic!("{written}"));
            assert_eq!(pictures.address(written).as_ref(), Some(&address));
        }
        assert_eq!(pictures.address("one.gif"), None, "two names have these letters");
        assert_eq!(pictures.address("..%2Fb.gif"), None);
        let (index, missing) = pictures.finish();
        assert_eq!((index.by_path.len(), missing.count), (2, 2));
    }

    #[test]
    fn pictures_of_the_shop_s_own_texts_have_addresses_too() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("shop.gif"), "GIF89a shop").unwrap();
        let names = ["Shop.gif", "gone.gif"].map(String::from).to_vec();
        let (index, missing) = Pictures::new(Some(folder.path().into()), None).naming(names.clone()).finish();
        let address = index.named("Shop.gif").unwrap();
        assert!(index.find(address.strip_prefix("/images/").unwrap()).is_some(), "{address}");
        assert_eq!((index.named("gone.gif"), missing.count), (None, 1));
        let (again, _) = Pictures::after(Arc::new(index)).naming(names).finish();
        assert!(again.named("Shop.gif").is_some());
        let (none, missing) = Pictures::after(Arc::new(again)).finish();
        assert_eq!((none.named("Shop.gif"), missing.count), (None, 0));
    }

    #[test]
    fn without_a_folder_paths_are_missing() {
        let pictures = Pictures::new(None, None);
        assert_eq!(pictures.address("a.gif"), None);
        let (_, missing) = pictures.finish();
        assert_eq!(
            (missing.count, missing.has_folder, &*missing.names),
            (1, false, &["a.gif".to_owned()][..])
        );
    }
}
