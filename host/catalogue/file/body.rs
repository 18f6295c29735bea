//! The body of a feed while it arrives: in a file without a name, or in memory.

use std::fmt;
use std::io;
use std::path::PathBuf;

use bytes::Bytes as Chunk;
use rustix::fs::fstatvfs;
use tokio::fs::File;
use tokio::io::AsyncWriteExt as _;

use crate::catalogue::Size;
use crate::catalogue::store::Bytes;
use crate::catalogue::unnamed_file;
use crate::observe::{Bounded, ErrorChain};

/// Most that is received into memory, in bytes, however much there is.
pub(crate) const MOST_IN_MEMORY: u64 = 512 << 20;
/// Most that is received into a file, in bytes.
const MOST_IN_FILE: u64 = 2 << 30;
/// The length of a piece of memory, in bytes. One vector that grows would take half as much again for a moment.
const PIECE: usize = 1 << 20;

/// Where bodies are received, and how large they may be.
#[derive(Clone, Debug)]
pub(crate) struct Room {
    /// The folder in which they are written to a file without a name.
    pub(crate) folder: Option<PathBuf>,
    /// Most that is received into memory without it, in bytes.
    pub(crate) memory: u64,
}

/// What decides how large a body may be, with that number of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    Memory(u64),
    MostInMemory,
    Disk(u64),
    MostInFile,
}

/// Why a body was not received.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BodyError {
    #[error("it is larger than {0}")]
    TooLarge(Bound),
    #[error("it cannot be written to the state directory (--state-dir)")]
    Write(#[source] io::Error),
}

/// What has arrived.
pub(super) struct Body {
    medium: Medium,
    bound: Bound,
    length: u64,
    hash: blake3::Hasher,
}

enum Medium {
    Memory(Vec<Vec<u8>>),
    File(File),
}

impl Room {
    /// A body of which nothing has arrived. If no file can be written, it goes into memory.
    pub(super) fn open(&self) -> Body {
        let file = self.folder.as_ref().and_then(|folder| {
            let file = unnamed_file(folder).and_then(|file| Ok((Bound::on_disk(&file)?, file)));
            file.inspect_err(|error| {
                tracing::warn!(
                    folder = %Bounded(folder.display()), error = %ErrorChain(error),
                    "the feed is received into memory: no file can be written for it"
                );
            })
            .ok()
        });
        let (medium, bound) = match file {
            Some((bound, file)) => (Medium::File(File::from_std(file)), bound),
            None if self.memory < MOST_IN_MEMORY => (Medium::Memory(Vec::new()), Bound::Memory(self.memory)),
            None => (Medium::Memory(Vec::new()), Bound::MostInMemory),
        };
        Body { medium, bound, length: 0, hash: blake3::Hasher::new() }
    }
}

impl Bound {
    /// The bound of a body in this file: what is kept of it takes as much again.
    fn on_disk(file: &std::fs::File) -> io::Result<Self> {
        let disk = fstatvfs(file)?;
        let half = disk.f_bavail.saturating_mul(disk.f_frsize) / 2;
        Ok(if half < MOST_IN_FILE { Self::Disk(half) } else { Self::MostInFile })
    }

    fn bytes(self) -> u64 {
        match self {
            Self::Memory(bytes) | Self::Disk(bytes) => bytes,
            Self::MostInMemory => MOST_IN_MEMORY,
            Self::MostInFile => MOST_IN_FILE,
        }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = Size(usize::try_from(self.bytes()).unwrap_or(usize::MAX));
        let (what, help) = match self {
            Self::Memory(_) => (
                "a quarter of the memory that the shop may take",
                "with --state-dir it goes into a file there",
            ),
            Self::MostInMemory => {
                ("the most that is received into memory", "with --state-dir it goes into a file there")
            }
            Self::Disk(_) => ("half of what is free in --state-dir", "free more there"),
            Self::MostInFile => ("the most that is received", "download it, and name the file with `file:`"),
        };
        write!(formatter, "{size}, {what}: {help}")
    }
}

impl Body {
    /// Checks that this many bytes fit.
    ///
    /// # Errors
    /// When they do not.
    pub(super) fn expect(&self, length: u64) -> Result<(), BodyError> {
        if length > self.bound.bytes() { Err(BodyError::TooLarge(self.bound)) } else { Ok(()) }
    }

    /// Adds what follows.
    ///
    /// # Errors
    /// When it does not fit, or the file cannot be written.
    pub(super) async fn add(&mut self, mut chunk: Chunk) -> Result<(), BodyError> {
        self.length += chunk.len() as u64;
        self.expect(self.length)?;
        self.hash.update(&chunk);
        match &mut self.medium {
            Medium::File(file) => file.write_all(&chunk).await.map_err(BodyError::Write)?,
            Medium::Memory(pieces) => {
                while !chunk.is_empty() {
                    match pieces.last_mut().filter(|piece| piece.len() < PIECE) {
                        Some(piece) => {
                            let fitting = chunk.split_to(chunk.len().min(PIECE - piece.len()));
                            piece.extend_from_slice(&fitting);
                        }
                        None => pieces.push(Vec::with_capacity(PIECE)),
                    }
                }
            }
        }
        Ok(())
    }

    /// All that has arrived, and its hash.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub(super) async fn finish(self) -> Result<(Bytes, blake3::Hash), BodyError> {
        let bytes = match self.medium {
            Medium::Memory(pieces) => Bytes::in_pieces(pieces),
            Medium::File(mut file) => {
                file.flush().await.map_err(BodyError::Write)?;
                Bytes::of_file(file.into_std().await).map_err(BodyError::Write)?
            }
        };
        Ok((bytes, self.hash.finalize()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn received(body: &mut Body, chunks: &[usize]) -> Result<(), BodyError> {
        for length in chunks {
            body.add(vec![b'x'; *length].into()).await?;
        }
        Ok(())
    }

    #[tokio::test]
    async fn a_body_is_the_same_in_a_file_and_in_memory() {
        let folder = tempfile::tempdir().unwrap();
        let chunks = [1, PIECE - 2, 3, 2 * PIECE + 1, 0, 7];
        let all = vec![b'x'; chunks.iter().sum()];
        for folder in [Some(folder.path().to_owned()), None, Some(folder.path().join("missing"))] {
            let mut body = Room { folder, memory: 4 * PIECE as u64 }.open();
            received(&mut body, &chunks).await.unwrap();
            let (bytes, hash) = body.finish().await.unwrap();
            assert!(bytes.to_vec().unwrap() == all && hash == blake3::hash(&all));
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "the file has no name");
    }

    #[tokio::test]
    async fn what_has_no_end_is_refused_at_its_bound() {
        let folder = tempfile::tempdir().unwrap();
        let in_file = || Room { folder: Some(folder.path().to_owned()), memory: 0 }.open();
        // A body in a file is not bounded by memory.
        received(&mut in_file(), &[9]).await.unwrap();
        let in_memory = Room { folder: None, memory: 2 << 20 }.open();
        for (mut body, said) in [
            (in_memory, "2 MiB, a quarter of the memory that the shop may take: with --state-dir"),
            (Body { bound: Bound::Disk(3 << 20), ..in_file() }, "3 MiB, half of what is free in --state-dir"),
        ] {
            let most = body.bound.bytes();
            received(&mut body, &vec![PIECE / 2; usize::try_from(most).unwrap() / (PIECE / 2)])
                .await
                .unwrap();
            let error = received(&mut body, &[1]).await.unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
            assert!(body.expect(most).is_ok() && body.expect(most + 1).is_err());
        }
        let said = [Bound::MostInMemory, Bound::MostInFile].map(|bound| bound.to_string());
        assert!(
            said[0].starts_with("512 MiB, the most") && said[1].starts_with("2048 MiB, the most"),
            "{said:?}"
        );
    }
}
