//! Bytes of each product, one product after the other.

use std::io::{self, Read, Write};

use super::numbers::{read_numbers, write_numbers};

/// How many products have their rows in one chunk.
const CHUNK: usize = 1 << 10;

/// A row of bytes for each product. The rows of [`CHUNK`] products lie together, so that growing copies little.
#[derive(Debug, Default)]
pub(super) struct Rows {
    chunks: Vec<Box<[u8]>>,
    /// Where each row ends in its chunk.
    ends: Vec<u32>,
    /// The chunk that rows are added to. They can be read once it is closed.
    open: Vec<u8>,
}

impl Rows {
    /// The longest row, in bytes. Even in a chunk of such rows, 32 bits can say where each row ends.
    pub(super) const LONGEST: usize = (u32::MAX as usize) / CHUNK;

    /// Adds the row of the next product, which is at most [`Self::LONGEST`].
    pub(super) fn push(&mut self, row: &[u8]) {
        self.open.extend_from_slice(row);
        self.ends.push(u32::try_from(self.open.len()).unwrap_or(u32::MAX));
        if self.ends.len().is_multiple_of(CHUNK) {
            self.close();
        }
    }

    /// The rows, to which no more are added.
    pub(super) fn finish(mut self) -> Self {
        self.close();
        Self { chunks: self.chunks, ends: self.ends, open: Vec::new() }
    }

    fn close(&mut self) {
        // A copy has no spare capacity; shrinking an allocation may leave some.
        self.chunks.push(self.open.as_slice().into());
        self.open.clear();
    }

    pub(super) fn get(&self, position: u32) -> &[u8] {
        let position = position as usize;
        let start = if position.is_multiple_of(CHUNK) { 0 } else { self.ends[position - 1] };
        &self.chunks[position / CHUNK][start as usize..self.ends[position] as usize]
    }

    /// Writes all rows: first where each ends in its chunk, then the chunks.
    ///
    /// # Errors
    /// When the rows cannot be written.
    pub(super) fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        write_numbers(&self.ends, to)?;
        self.chunks.iter().try_for_each(|chunk| to.write_all(chunk))
    }

    /// Reads the rows of `count` products as [`Self::write`] wrote them.
    ///
    /// # Errors
    /// When the bytes cannot be read, or are not rows.
    pub(super) fn read(count: usize, from: &mut dyn Read) -> io::Result<Self> {
        let ends: Vec<u32> = read_numbers(count, from)?;
        let mut chunks = Vec::new();
        for ends in ends.chunks(CHUNK) {
            let length = ends.last().copied().unwrap_or_default();
            if !ends.is_sorted() || length as usize > CHUNK * Self::LONGEST {
                return Err(io::ErrorKind::InvalidData.into());
            }
            let mut chunk = Vec::new();
            // Allocates memory for the bytes that are there, not for those that are announced.
            if (&mut *from).take(length.into()).read_to_end(&mut chunk)? as u64 != u64::from(length) {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            chunks.push(chunk.into());
        }
        Ok(Self { chunks, ends, open: Vec::new() })
    }

    /// The length of all rows together, in bytes.
    pub(super) fn length(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.len()).sum()
    }

    /// Size in memory, in bytes.
    pub(super) fn size(&self) -> usize {
        self.length() + size_of_val(&*self.chunks) + size_of_val(&*self.ends)
    }
}
