//! A picture in a folder of the operator's own: what it is, and its bytes. Every access opens the file again, so that
//! no picture keeps one open.

use std::fs::File;
use std::fs::Metadata;
use std::io::{self, ErrorKind, Read as _};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{FileExt as _, MetadataExt as _};
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use blake3::Hasher;
use bytes::Bytes;

use crate::bounded_file::{BoundedFileError, open_below, open_folder, open_in};
use crate::pictures::{Header, Kind};

/// Largest picture, in bytes.
const LARGEST: u64 = 20 << 20;
/// How many bytes at the beginning of a file show its kind.
const HEAD: u64 = 16;
/// Maximum number of bytes that are read at once.
const PIECE: u64 = 256 << 10;

/// Why a picture cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    #[error(transparent)]
    File(#[from] BoundedFileError),
    #[error("its path leads out of the folder")]
    Outside,
    #[error("no JPEG, PNG, WebP, GIF or AVIF")]
    Kind,
    #[error("a HEIC, which few browsers show: save it as a JPEG")]
    Heic,
    #[error("it has changed")]
    Changed,
    #[error("it was not read within {0:?}")]
    Late(Duration),
}

impl From<io::Error> for PictureError {
    fn from(error: io::Error) -> Self {
        Self::File(error.into())
    }
}

/// The operator's folder of pictures.
#[derive(Debug)]
pub(crate) struct Folder {
    pub(super) path: PathBuf,
    /// The folder that was there when it was last read.
    last: Option<OwnedFd>,
}

/// What tells whether a picture has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    inode: u64,
    length: u64,
    modified: (i64, i64),
}

impl Stamp {
    fn of(metadata: &Metadata) -> Self {
        let modified = (metadata.mtime(), metadata.mtime_nsec());
        Self { inode: metadata.ino(), length: metadata.len(), modified }
    }
}

/// What is known of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Picture {
    stamp: Stamp,
    /// What its header says.
    pub(super) header: Header,
    /// The first half of the hash of its content, which is part of its address.
    pub(crate) hash: u128,
}

impl Picture {
    /// Looks at the file at `path` in a folder. Its content is not read if the file has not changed since `last`.
    ///
    /// # Errors
    /// When there is no such file in the folder, or it is not a picture that can be shown.
    pub(super) fn look(folder: &Folder, path: &str, last: Option<&Self>) -> Result<Self, PictureError> {
        let (mut file, metadata) = folder.open(path)?;
        let stamp = Stamp::of(&metadata);
        if let Some(last) = last.filter(|last| last.stamp == stamp) {
            return Ok(*last);
        }
        if stamp.length > LARGEST {
            return Err(BoundedFileError::TooLarge(LARGEST).into());
        }
        let mut head = Vec::new();
        (&file).take(HEAD).read_to_end(&mut head)?;
        let kind = Kind::of(&head).ok_or_else(|| unknown(&head))?;
        let mut hasher = Hasher::new();
        hasher.update(&head).update_reader((&mut file).take(LARGEST))?;
        if hasher.count() != stamp.length || Stamp::of(&file.metadata()?) != stamp {
            return Err(PictureError::Changed);
        }
        let mut hash = [0; 16];
        hasher.finalize_xof().fill(&mut hash);
        let header = Header::read(kind, &file)?;
        Ok(Self { stamp, header, hash: u128::from_be_bytes(hash) })
    }

    /// Reads the bytes of the file at `path` in a folder from `offset` on, at most [`PIECE`] of them.
    ///
    /// # Errors
    /// When the file cannot be read, or is no longer this picture.
    pub(super) fn read(&self, folder: &Folder, path: &str, offset: u64) -> Result<Bytes, PictureError> {
        let (file, metadata) = folder.open(path)?;
        if Stamp::of(&metadata) != self.stamp {
            return Err(PictureError::Changed);
        }
        // The cast is lossless: there are at most `PIECE` bytes.
        let mut bytes = vec![0; self.length().saturating_sub(offset).min(PIECE) as usize];
        file.read_exact_at(&mut bytes, offset)?;
        Ok(bytes.into())
    }

    /// Its length, in bytes.
    pub(crate) fn length(&self) -> u64 {
        self.stamp.length
    }

    pub(crate) fn content_type(&self) -> &'static str {
        match self.header.kind {
            Kind::Jpeg => "image/jpeg",
            Kind::Png => "image/png",
            Kind::WebP => "image/webp",
            Kind::Gif => "image/gif",
            Kind::Avif => "image/avif",
        }
    }

    /// The extension of a file's name for its kind.
    pub(super) fn extension(&self) -> &'static str {
        match self.header.kind {
            Kind::Jpeg => "jpg",
            Kind::Png => "png",
            Kind::WebP => "webp",
            Kind::Gif => "gif",
            Kind::Avif => "avif",
        }
    }
}

/// Why a file that begins with these bytes is no picture.
fn unknown(head: &[u8]) -> PictureError {
    match head.get(4..12) {
        Some(b"ftypheic" | b"ftypheix" | b"ftypmif1") => PictureError::Heic,
        _ => PictureError::Kind,
    }
}

impl Folder {
    /// The folder that is now at this path.
    pub(super) fn new(path: PathBuf) -> Self {
        Self { last: open_folder(&path).ok(), path }
    }

    /// Opens a picture. If the sandbox refuses the folder that has taken this one's name, it is still opened here.
    fn open(&self, path: &str) -> Result<(File, Metadata), PictureError> {
        let path = Path::new(path);
        let is_inside = |part| matches!(part, Component::Normal(_) | Component::CurDir);
        if !path.components().all(is_inside) {
            return Err(PictureError::Outside);
        }
        Ok(match (open_below(&self.path, path), &self.last) {
            (Err(BoundedFileError::Io(error)), Some(last)) if error.kind() == ErrorKind::PermissionDenied => {
                open_in(last, path)
            }
            (opened, _) => opened,
        }?)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_that_has_not_changed_is_not_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("lamp.gif");
        fs::write(&file, "GIF89a one").unwrap();
        let look = |last: Option<&Picture>| {
            Picture::look(&Folder::new(folder.path().into()), "lamp.gif", last).unwrap()
        };
        let first = look(None);
        let modified = fs::metadata(&file).unwrap().modified().unwrap();
        fs::write(&file, "GIF89a two").unwrap();
        let set = |to| File::options().write(true).open(&file).unwrap().set_modified(to).unwrap();
        set(modified);
        assert_eq!(look(Some(&first)), first, "as if it were the same");
        assert_ne!(look(None).hash, first.hash);
        set(modified + std::time::Duration::from_nanos(1));
        assert_eq!(look(Some(&first)).hash, look(None).hash);
        assert!(matches!(
            first.read(&Folder::new(folder.path().into()), "lamp.gif", 0),
            Err(PictureError::Changed)
        ));
    }

    #[test]
    fn a_picture_of_a_sensible_size_in_the_folder_is_shown() {
        let folder = tempfile::tempdir().unwrap();
        let file = File::create(folder.path().join("large.gif")).unwrap();
        file.write_all_at(b"GIF89a", 0).unwrap();
        let look = |path| Picture::look(&Folder::new(folder.path().into()), path, None);
        file.set_len(LARGEST).unwrap();
        assert_eq!(look("large.gif").unwrap().length(), LARGEST);
        file.set_len(LARGEST + 1).unwrap();
        let too_large = look("large.gif").unwrap_err();
        assert_eq!(too_large.to_string(), "larger than 20480 KiB");
        fs::write(folder.path().join("drawing.gif"), "<svg/>").unwrap();
        assert!(matches!(look("drawing.gif"), Err(PictureError::Kind)));
        fs::write(folder.path().join("phone.jpg"), b"\0\0\0\x18ftypheic\0\0\0\0").unwrap();
        assert!(matches!(look("phone.jpg"), Err(PictureError::Heic)));
        for outside in ["../large.gif", "a/../large.gif", "/etc/passwd"] {
            assert!(matches!(look(outside), Err(PictureError::Outside)), "{outside}");
        }
        assert!(matches!(look("missing.gif"), Err(PictureError::File(BoundedFileError::Io(_)))));
    }
}
