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
use crate::pictures::{Header, Original, Size};
use crate::process::compute::off_runtime;

/// Longest time that a visitor waits for a part of a picture.
const READ_WITHIN: Duration = Duration::from_secs(5);

/// A picture that was found when the products were read.
#[derive(Clone, Debug)]
pub struct ServedPicture {
    picture: Picture,
    /// The copy that was asked for.
    size: Option<Size>,
    path: Arc<str>,
    index: Arc<PictureIndex>,
    /// Triggers another reading of the file of products.
    reload: Arc<Notify>,
}

impl ServedPicture {
    /// The picture whose address ends with `name`.
    pub(super) fn find(index: &Arc<PictureIndex>, name: &str, reload: &Arc<Notify>) -> Option<Self> {
        let (picture, path, size) = index.find(name)?;
        Some(Self { picture, size, path, index: Arc::clone(index), reload: Arc::clone(reload) })
    }

    /// All pictures of an index.
    pub(super) fn all(index: &Arc<PictureIndex>, reload: &Arc<Notify>) -> Vec<Self> {
        let of = |(picture, path)| Self {
            picture,
            size: None,
            path,
            index: Arc::clone(index),
            reload: Arc::clone(reload),
        };
        index.all().map(of).collect()
    }

    /// The size of the copy that its address names, if it names one.
    pub(crate) fn size(&self) -> Option<Size> {
        self.size
    }

    /// The copy that its address names; `None` if the picture itself is to be sent.
    pub(crate) async fn copy(&self) -> Option<Bytes> {
        let (copies, size) = self.index.copies.as_ref().zip(self.size)?;
        copies.get(self, size).await
    }

    pub(crate) fn content_type(&self) -> &'static str {
        self.picture.content_type()
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

impl Original for ServedPicture {
    fn hash(&self) -> u128 {
        self.picture.hash
    }

    fn header(&self) -> &Header {
        &self.picture.header
    }

    fn length(&self) -> u64 {
        self.picture.length()
    }

    fn name(&self) -> &str {
        &self.path
    }

    async fn whole(&self) -> Option<Bytes> {
        let length = usize::try_from(self.length()).ok()?;
        let mut bytes = Vec::with_capacity(length);
        while bytes.len() < length {
            bytes.extend_from_slice(&self.read(bytes.len() as u64).await.ok()?);
        }
        Some(bytes.into())
    }
}
