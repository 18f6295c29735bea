//! Compressed records of the products, one product after the other. They take little memory, and reading one takes
//! longer.

use std::io;

use zstd::bulk::{Compressor, decompress};

use super::record::{Record, RecordError};

/// Most products of a block. Larger blocks are smaller together, and take longer to read.
const BLOCK: usize = 32;
/// A block is complete when it has this many bytes.
const FULL: usize = 64 << 10;
/// Higher levels take longer and save little.
const LEVEL: i32 = 3;

/// Why a record could not be read.
#[derive(Debug, thiserror::Error)]
pub enum DetailsError {
    #[error("its block could not be unpacked")]
    Packed(#[source] io::Error),
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
    /// Compressed, unless that would be as long.
    bytes: Box<[u8]>,
    /// Without compression, in bytes.
    length: u32,
}

/// Makes blocks of records.
#[derive(Default)]
pub(super) struct BlocksBuilder {
    blocks: Blocks,
    /// The records of the block that is not complete, each after its length.
    open: Vec<u8>,
    /// How many those are.
    count: usize,
    /// The position of the first of them.
    first: u32,
    compressor: Option<Compressor<'static>>,
}

impl BlocksBuilder {
    /// Longest record, in bytes. The length of a block fits in 32 bits.
    pub(super) const LONGEST: usize = (u32::MAX as usize) / (BLOCK + 1);

    /// Adds the record of the next product, which is at most [`Self::LONGEST`].
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
        // Without memory for a compressor the records stay as they are.
        self.compressor = self.compressor.take().or_else(|| Compressor::new(LEVEL).ok());
        let packed = self.compressor.as_mut().and_then(|compressor| compressor.compress(&self.open).ok());
        let is_shorter = |packed: &Vec<u8>| packed.len() < self.open.len();
        let bytes = packed.filter(is_shorter).unwrap_or_else(|| self.open.clone()).into();
        self.blocks.0.push(Block { first: self.first, bytes, length });
        self.open.clear();
        // There are fewer products than 32 bits can count.
        self.first += self.count as u32;
        self.count = 0;
    }
}

impl Block {
    fn unpack(&self) -> io::Result<Vec<u8>> {
        let length = self.length as usize;
        if self.bytes.len() == length { Ok(self.bytes.to_vec()) } else { decompress(&self.bytes, length) }
    }
}

impl Blocks {
    /// Reads the record of a product.
    ///
    /// # Errors
    /// When the record is damaged.
    pub(super) fn read<T>(
        &self,
        position: u32,
        read: impl Fn(u32, &mut &[u8]) -> Result<T, RecordError>,
    ) -> Result<T, DetailsError> {
        Unpacked::default().read(self, position, read)
    }

    /// Reads the records of these products. A block is unpacked once for all of its products that follow each other.
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
        size_of_val(&*self.0) + self.0.iter().map(|block| block.bytes.len()).sum::<usize>()
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
        for at in 0..whole.0[0].bytes.len() {
            let Block { bytes, length, .. } = &whole.0[0];
            for (bytes, length) in [(&bytes[..at], *length), (bytes, *length - 1), (&[], 1)] {
                read(&Blocks(vec![Block { first: 0, bytes: bytes.into(), length }]));
            }
            let mut bytes = bytes.clone();
            bytes[at] ^= 0x55;
            read(&Blocks(vec![Block { first: 0, bytes, length: *length }]));
        }
        let plain =
            |bytes: &[u8]| Blocks(vec![Block { first: 0, bytes: bytes.into(), length: bytes.len() as u32 }]);
        assert_eq!(read(&plain(&[1, b'a'])), [true, false]);
        assert_eq!(read(&plain(&[9, b'a'])), [false, false]);
        let cut =
            Blocks(vec![Block { first: 0, bytes: whole.0[0].bytes[..9].into(), length: whole.0[0].length }]);
        assert!(matches!(cut.read(0, text), Err(DetailsError::Packed(_))));
    }
}
