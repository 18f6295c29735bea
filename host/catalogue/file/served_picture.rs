//! A picture of a product, which visitors are answered with.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::Notify;
use tokio::time::timeout;

use super::picture::{Picture, PictureError};
use super::pictures::PictureIndex;
use crate::observe::{Bounded, ErrorChain};
use crate::process::compute::off_runtime;

/// How long a visitor waits for a disk.
const READ_WITHIN: Duration = Duration::from_secs(5);

/// A picture that was found when a file was read.
#[derive(Clone, Debug)]
pub struct ServedPicture {
    picture: Picture,
    path: Arc<str>,
    index: Arc<PictureIndex>,
    /// Asks for a new reading of the file.
    reload: Arc<Notify>,
}

impl ServedPicture {
    /// The picture whose address ends with `name`.
    pub(super) fn find(index: &Arc<PictureIndex>, name: &str, reload: &Arc<Notify>) -> Option<Self> {
        let (picture, path) = index.find(name)?;
        Some(Self { picture, path, index: Arc::clone(index), reload: Arc::clone(reload) })
    }

    pub(crate) fn content_type(&self) -> &'static str {
        self.picture.content_type()
    }

    /// In bytes.
    pub(crate) fn length(&self) -> u64 {
        self.picture.length()
    }

    /// What names its content.
    pub(crate) fn hash(&self) -> u128 {
        self.picture.hash
    }

    /// Some of its bytes, from `offset` on. Few pictures are read at the same time; others wait, but not for long.
    ///
    /// # Errors
    /// When the picture cannot be read in time. The first one that cannot be read at all, or has changed, has the file read
    /// again, whose pages then have the new address.
    pub(crate) async fn read(&self, offset: u64) -> Result<Bytes, PictureError> {
        let late = |_| Err(PictureError::Late(READ_WITHIN));
        let read = timeout(READ_WITHIN, self.read_in_turn(offset)).await.unwrap_or_else(late);
        if let Err(error) = &read
            && !matches!(error, PictureError::Late(_))
            && !self.index.is_outdated.swap(true, Ordering::Relaxed)
        {
            tracing::warn!(
                picture = %Bounded(&self.path), error = %ErrorChain(error),
                "a picture is not any more what it was; the file is read again"
            );
            self.reload.notify_one();
        }
        read
    }

    async fn read_in_turn(&self, offset: u64) -> Result<Bytes, PictureError> {
        // It is never closed.
        let permit = Arc::clone(&self.index.reads).acquire_owned().await.ok();
        let Self { picture, path, index, .. } = self.clone();
        // A disk that does not answer keeps the permit.
        let read = move || {
            let folder = index.folder.as_deref().ok_or(PictureError::Outside)?;
            let read = picture.read(folder, &path, offset);
            drop(permit);
            read
        };
        off_runtime(read).await
    }
}
