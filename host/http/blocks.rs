//! A gzip body that is made in parts, of which no more than one is in memory, and consists of blocks that can be unpacked
//! one by one. So who takes no gzip can be sent a body that is kept in gzip, and no decoder waits until a slow client
//! has taken what was unpacked.

use std::io;

use flate2::{Compress, Crc, Decompress, FlushCompress, FlushDecompress};

use super::compression::Effort;

/// Most bytes of the body in a block. Smaller blocks cost a client less memory, and larger ones compress better: of
/// products as JSON, gzip makes a sixth with and without them, 8 % more with blocks of this size.
pub(crate) const BLOCK: usize = 64 << 10;

/// A header without a name and a date, so that the same parts give the same bytes (RFC 1952).
const HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];

/// Most bytes that a block takes beyond nine eighths of its length, for what cannot be compressed.
const OVERHEAD: usize = 1 << 10;

/// A piece of a gzip body.
#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) packed: Box<[u8]>,
    /// How many bytes [`unpack`] makes of it; 0 for what is gzip's own.
    pub(crate) length: usize,
}

/// A gzip body, so far. The same parts give the same bytes.
#[derive(Debug)]
pub(crate) struct Packing {
    deflate: Compress,
    crc: Crc,
    /// What comes before the next part.
    header: Option<Block>,
}

impl Packing {
    /// Begins a body for which somebody waits.
    pub(crate) fn begin() -> Self {
        Self {
            deflate: Compress::new(Effort::Quick.gzip_level(), false),
            crc: Crc::new(),
            header: Some(Block { packed: HEADER.into(), length: 0 }),
        }
    }

    /// Adds a part, and returns all of its blocks.
    ///
    /// # Errors
    /// When the encoder fails.
    pub(crate) fn add(&mut self, part: &[u8]) -> io::Result<Vec<Block>> {
        self.crc.update(part);
        let mut blocks: Vec<_> = self.header.take().into_iter().collect();
        for block in part.chunks(BLOCK) {
            // A full flush ends at a byte, and nothing that follows refers to what was before it.
            let packed = self.deflate(block, FlushCompress::Full)?;
            blocks.push(Block { packed: packed.into(), length: block.len() });
        }
        Ok(blocks)
    }

    /// Ends the body. Returns the rest of it.
    ///
    /// # Errors
    /// When the encoder fails.
    pub(crate) fn end(&mut self) -> io::Result<Vec<Block>> {
        let mut blocks: Vec<_> = self.header.take().into_iter().collect();
        let mut packed = self.deflate(&[], FlushCompress::Finish)?;
        packed.extend_from_slice(&self.crc.sum().to_le_bytes());
        packed.extend_from_slice(&self.crc.amount().to_le_bytes());
        blocks.push(Block { packed: packed.into(), length: 0 });
        Ok(blocks)
    }

    fn deflate(&mut self, bytes: &[u8], flush: FlushCompress) -> io::Result<Vec<u8>> {
        let mut packed = Vec::with_capacity(bytes.len() + bytes.len() / 8 + OVERHEAD);
        let read = self.deflate.total_in() + bytes.len() as u64;
        self.deflate.compress_vec(bytes, &mut packed, flush)?;
        // With more room than that the encoder would have had more to write.
        if self.deflate.total_in() != read || packed.len() == packed.capacity() {
            return Err(io::Error::other("a block was not compressed as a whole"));
        }
        Ok(packed)
    }
}

/// The bytes of a block of this length.
///
/// # Errors
/// When it is no such block.
pub(crate) fn unpack(packed: &[u8], length: usize) -> io::Result<Vec<u8>> {
    let mut body = Vec::with_capacity(length);
    if length > 0 {
        Decompress::new(false).decompress_vec(packed, &mut body, FlushDecompress::Sync)?;
    }
    if body.len() == length { Ok(body) } else { Err(io::ErrorKind::InvalidData.into()) }
}

/// The packed bytes of blocks, one behind the other.
pub(crate) fn concatenated(blocks: &[Block]) -> Vec<u8> {
    blocks.iter().map(|block| &*block.packed).collect::<Vec<_>>().concat()
}

#[cfg(test)]
mod tests {
    use super::super::compression::Encoding;
    use super::*;

    fn packed(parts: &[Vec<u8>]) -> Vec<Block> {
        let mut packing = Packing::begin();
        let mut blocks: Vec<Block> = parts.iter().flat_map(|part| packing.add(part).unwrap()).collect();
        blocks.extend(packing.end().unwrap());
        blocks
    }

    #[test]
    fn parts_are_one_member_whose_blocks_are_unpacked_one_by_one() {
        // Part 7 cannot be compressed.
        let noise = |number: u32| fastrand::Rng::with_seed(number.into()).u8(..);
        let parts: Vec<Vec<u8>> = (0_u32..40)
            .map(|part| {
                let numbers = (0..part * 4_997).map(|number| number.wrapping_mul(part));
                numbers.map(|number| if part == 7 { noise(number) } else { (number >> 9) as u8 }).collect()
            })
            .collect();
        let (whole, blocks) = (parts.concat(), packed(&parts));
        let body = concatenated(&blocks);
        assert!(body.len() < whole.len() / 2, "{} of {}", body.len(), whole.len());
        assert!(Encoding::Gzip.decompress(&body, whole.len()).unwrap() == whole);
        assert!(blocks.iter().all(|block| block.length <= BLOCK));
        let unpacked: Vec<u8> =
            blocks.iter().flat_map(|block| unpack(&block.packed, block.length).unwrap()).collect();
        assert!(unpacked == whole);
        assert!(concatenated(&packed(&parts)) == body, "the same parts give the same bytes");
    }

    #[test]
    fn an_empty_body_has_an_end() {
        assert_eq!(Encoding::Gzip.decompress(&concatenated(&packed(&[])), 0).unwrap(), b"");
    }

    #[test]
    fn what_is_no_block_of_its_length_is_refused() {
        let block = &packed(&[vec![7; 5_000]])[1];
        unpack(&block.packed, 5_000).unwrap();
        for (bytes, length) in
            [(&block.packed[..], 5_001), (&block.packed[..4], 5_000), (&[0xff; 9], 5_000), (&[], 1)]
        {
            unpack(bytes, length).unwrap_err();
        }
    }
}
