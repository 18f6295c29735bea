//! A picture of a product, served from the operator's folder of pictures.

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

/// Longest time that a visitor waits for a part of a picture.
const READ_WITHIN: Duration = Duration::from_secs(5);

/// A picture that was found when the products were read.
#[derive(Clone, Debug)]
pub struct ServedPicture {
    picture: Picture,
    path: Arc<str>,
    index: Arc<PictureIndex>,
    /// Triggers another reading of the file of products.
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

    /// Its length, in bytes.
    pub(crate) fn length(&self) -> u64 {
        self.picture.length()
    }

    /// The hash of its content.
    pub(crate) fn hash(&self) -> u128 {
        self.picture.hash
    }

    /// The next part of it, from `offset`. Few parts are read at a time, and the others wait, at most [`READ_WITHIN`].
    ///
    /// # Errors
    /// When the picture cannot be read in time, cannot be read at all, or has changed. Unless it was only late, the
    /// first such error triggers another reading of the file of products, so that pages get the picture's new address.
    pub(crate) async fn read(&self, offset: u64) -> Result<Bytes, PictureError> {
        let late = |_| Err(PictureError::Late(READ_WITHIN));
        let read = timeout(READ_WITHIN, self.read_in_turn(offset)).await.unwrap_or_else(late);
        if let Err(error) = &read
            && !matches!(error, PictureError::Late(_))
            && !self.index.is_outdated.swap(true, Ordering::Relaxed)
        {
            tracing::warn!(
                picture = %Bounded(&self.path), error = %ErrorChain(error),
                "a picture has changed or cannot be read; the file of products is read again"
            );
            self.reload.notify_one();
        }
        read
    }

    async fn read_in_turn(&self, offset: u64) -> Result<Bytes, PictureError> {
        // The semaphore is never closed.
        let permit = Arc::clone(&self.index.reads).acquire_owned().await.ok();
        let Self { picture, path, index, .. } = self.clone();
        // A read that is late keeps its permit until it ends.
        let read = move || {
            let folder = index.folder.as_ref().ok_or(PictureError::Outside)?;
            let read = picture.read(folder, &path, offset);
            drop(permit);
            read
        };
        off_runtime(read).await
    }
}
