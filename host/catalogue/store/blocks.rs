//! The products' details: one record after the other, in compressed blocks. They take little memory, but to read one,
//! its whole block is unpacked.

use std::borrow::Cow;
use std::io;
use std::time::Duration;

use blake3::Hash;
use zstd::bulk::{Compressor, decompress};

use super::bytes::Bytes;
use super::record::{Record, RecordError};

/// The largest number of products in a block. Larger blocks compress better, but take longer to read.
const BLOCK: usize = 32;
/// A block is complete when it has this many bytes.
const FULL: usize = 64 << 10;
/// Higher levels take longer and save little.
const LEVEL: i32 = 3;

/// Why a record could not be read. `Late` comes from `version.rs`, which limits the time.
#[derive(Debug, thiserror::Error)]
pub enum DetailsError {
    #[error("its block could not be unpacked")]
    Packed(#[source] io::Error),
    #[error("the file was not read within {0:?}")]
    Late(Duration),
    #[error("its record is not understood")]
    Record(#[from] RecordError),
}

/// A record for each product.
#[derive(Debug, Default)]
pub(super) struct Blocks(Vec<Block>);

/// The records of some products, each after its length.
#[derive(Debug)]
struct Block {
    /// The position of its first product.
    first: u32,
    /// The records, compressed if that makes them shorter.
    packed: Packed,
    /// The length without compression, in bytes.
    length: u32,
}

/// The bytes of a block, compressed or not.
#[derive(Debug)]
enum Packed {
    Kept(Box<[u8]>),
    /// The bytes are read each time they are needed, and must have this hash.
    Saved(Bytes, Hash),
}

impl Packed {
    fn bytes(&self) -> io::Result<Cow<'_, [u8]>> {
        match self {
            Self::Kept(bytes) => Ok(Cow::Borrowed(bytes)),
            Self::Saved(bytes, hash) => {
                let bytes = bytes.to_vec()?;
                if blake3::hash(&bytes) != *hash {
                    return Err(io::Error::new(io::ErrorKind::InvalidData, "its checksum does not match"));
                }
                Ok(Cow::Owned(bytes))
            }
        }
    }
}

/// A block as it is saved.
pub(super) struct SavedBlock<'a> {
    /// How many products it has.
    pub(super) count: u32,
    /// The length without compression, in bytes.
    pub(super) length: u32,
    pub(super) packed: Cow<'a, [u8]>,
}

/// Makes blocks of records.
#[derive(Default)]
pub(super) struct BlocksBuilder {
    blocks: Blocks,
    /// The records of the block that is not yet complete, each after its length.
    open: Vec<u8>,
    /// The number of records in `open`.
    count: usize,
    /// The position of the first product in `open`.
    first: u32,
    compressor: Option<Compressor<'static>>,
}

impl BlocksBuilder {
    /// Longest record, in bytes: as long as the longest answer of a service.
    pub(super) const LONGEST: usize = 16 << 20;

    /// Adds the next product's record, of at most [`Self::LONGEST`] bytes.
    pub(super) fn push(&mut self, record: &[u8]) {
        (record.len() as u64).write(&mut self.open);
        self.open.extend_from_slice(record);
        self.count += 1;
        if self.count == BLOCK || self.open.len() >= FULL {
            self.close();
        }
    }

    pub(super) fn finish(mut self) -> Blocks {
        if self.count > 0 {
            self.close();
        }
        self.blocks.0.shrink_to_fit();
        self.blocks
    }

    fn close(&mut self) {
        let length = u32::try_from(self.open.len()).unwrap_or(u32::MAX);
        // Without memory for a compressor, the records stay uncompressed.
        self.compressor = self.compressor.take().or_else(|| Compressor::new(LEVEL).ok());
        let packed = self.compressor.as_mut().and_then(|compressor| compressor.compress(&self.open).ok());
        let is_shorter = |packed: &Vec<u8>| packed.len() < self.open.len();
        let bytes = packed.filter(is_shorter).unwrap_or_else(|| self.open.clone()).into();
        self.blocks.0.push(Block { first: self.first, packed: Packed::Kept(bytes), length });
        self.open.clear();
        // There are fewer products than 32 bits can count.
        self.first += self.count as u32;
        self.count = 0;
    }
}

impl Block {
    fn unpack(&self) -> io::Result<Vec<u8>> {
        let (length, packed) = (self.length as usize, self.packed.bytes()?);
        if packed.len() == length { Ok(packed.into_owned()) } else { decompress(&packed, length) }
    }
}

impl Blocks {
    /// Adds a block whose first product is at the position `first`, and whose `packed` bytes have this hash. Bytes in a
    /// file are read whenever a product of the block is; bytes in memory are read now.
    ///
    /// # Errors
    /// When its bytes are read now and have another hash, or when `length` is more than a block can have.
    pub(super) fn add_saved(&mut self, first: u32, length: u32, packed: Bytes, hash: Hash) -> io::Result<()> {
        if length as usize > FULL + BlocksBuilder::LONGEST {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let is_in_file = packed.are_in_file();
        let saved = Packed::Saved(packed, hash);
        let packed = if is_in_file { saved } else { Packed::Kept(saved.bytes()?.into()) };
        self.0.push(Block { first, packed, length });
        Ok(())
    }

    /// The blocks as they are saved, of a store with this many `products`.
    pub(super) fn saved(&self, products: usize) -> impl Iterator<Item = io::Result<SavedBlock<'_>>> {
        let firsts = self.0.iter().map(|block| block.first);
        // There are fewer products than 32 bits can count.
        let ends = firsts.skip(1).chain([products as u32]);
        self.0.iter().zip(ends).map(|(block, end)| {
            Ok(SavedBlock { count: end - block.first, length: block.length, packed: block.packed.bytes()? })
        })
    }

    /// Whether reading a record may wait for a disk.
    pub(super) fn are_in_file(&self) -> bool {
        // All blocks of a store are alike.
        self.0.first().is_some_and(|block| matches!(block.packed, Packed::Saved(..)))
    }

    /// Reads the record of the product at this position, which the store must have.
    ///
    /// # Errors
    /// When its block cannot be read or is damaged, or when `read` fails.
    pub(super) fn read<T>(
        &self,
        position: u32,
        read: impl Fn(u32, &mut &[u8]) -> Result<T, RecordError>,
    ) -> Result<T, DetailsError> {
        Unpacked::default().read(self, position, read)
    }

    /// Reads the records of these products. A block is unpacked once for consecutive products in it.
    pub(super) fn read_all<T>(
        &self,
        positions: impl Iterator<Item = u32>,
        read: impl Fn(u32, &mut &[u8]) -> Result<T, RecordError>,
    ) -> impl Iterator<Item = Result<T, DetailsError>> {
        let mut last = Unpacked::default();
        positions.map(move |position| last.read(self, position, &read))
    }

    /// Size in memory, in bytes.
    pub(super) fn size(&self) -> usize {
        let kept = |block: &Block| match &block.packed {
            Packed::Kept(bytes) => bytes.len(),
            Packed::Saved(..) => 0,
        };
        size_of_val(&*self.0) + self.0.iter().map(kept).sum::<usize>()
    }
}

/// The block that was unpacked last, and its number.
#[derive(Default)]
struct Unpacked(Option<(usize, Vec<u8>)>);

impl Unpacked {
    fn read<T>(
        &mut self,
        blocks: &Blocks,
        position: u32,
        read: impl Fn(u32, &mut &[u8]) -> Result<T, RecordError>,
    ) -> Result<T, DetailsError> {
        let number = blocks.0.partition_point(|block| block.first <= position).saturating_sub(1);
        let unpacked = match self.0.take() {
            Some((last, unpacked)) if last == number => unpacked,
            _ => blocks.0[number].unpack().map_err(DetailsError::Packed)?,
        };
        let place = (position - blocks.0[number].first) as usize;
        let (_, unpacked) = self.0.insert((number, unpacked));
        Ok(read(position, &mut record(unpacked, place)?)?)
    }
}

/// The record at a place of an unpacked block.
fn record(mut block: &[u8], place: usize) -> Result<&[u8], RecordError> {
    for skipped in 0..=place {
        let length = usize::try_from(u64::read(&mut block)?).map_err(|_| RecordError::Short)?;
        let (record, rest) = block.split_at_checked(length).ok_or(RecordError::Short)?;
        if skipped == place {
            return Ok(record);
        }
        block = rest;
    }
    Err(RecordError::Short)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(records: &[String]) -> Blocks {
        let mut blocks = BlocksBuilder::default();
        records.iter().for_each(|record| blocks.push(record.as_bytes()));
        blocks.finish()
    }

    fn text(_: u32, record: &mut &[u8]) -> Result<String, RecordError> {
        Ok(String::from_utf8_lossy(record).into_owned())
    }

    #[test]
    fn records_are_read_in_any_order_as_they_were_written() {
        for (count, longest) in
            [(0, 97), (1, 97), (BLOCK - 1, 97), (BLOCK, 97), (2 * BLOCK + 1, 97), (40, 20_011)]
        {
            let records: Vec<String> =
                (0..count).map(|number| "abc ".repeat(number * number * 997 % longest)).collect();
            let blocks = blocks(&records);
            let positions = (0..count as u32).chain((0..count as u32).rev().step_by(3));
            for (position, record) in positions.clone().zip(blocks.read_all(positions, text)) {
                assert_eq!(record.unwrap(), records[position as usize]);
                assert_eq!(blocks.read(position, text).unwrap(), records[position as usize]);
            }
        }
    }

    #[test]
    fn damaged_blocks_are_errors() {
        let whole = blocks(&["abc ".repeat(40), "d".repeat(40)]);
        let read =
            |blocks: &Blocks| blocks.read_all(0..2, text).map(|record| record.is_ok()).collect::<Vec<_>>();
        assert_eq!(read(&whole), [true, true]);
        let length = whole.0[0].length;
        let packed = whole.0[0].packed.bytes().unwrap();
        let block = |bytes: &[u8], length: u32| {
            Blocks(vec![Block { first: 0, packed: Packed::Kept(bytes.into()), length }])
        };
        for at in 0..packed.len() {
            for (bytes, length) in [(&packed[..at], length), (&packed, length - 1), (&[], 1)] {
                read(&block(bytes, length));
            }
            let mut bytes = packed.to_vec();
            bytes[at] ^= 0x55;
            read(&block(&bytes, length));
        }
        assert_eq!(read(&block(&[1, b'a'], 2)), [true, false]);
        assert_eq!(read(&block(&[9, b'a'], 2)), [false, false]);
        assert!(matches!(block(&packed[..9], length).read(0, text), Err(DetailsError::Packed(_))));
    }
}
