//! The index of a saved store.

use blake3::Hash;

use super::super::bytes::Bytes;
use super::super::record::Record as _;
use super::SavedError;

/// The first bytes of a saved store. The length of the index follows in four bytes, the lowest first.
pub(super) const MAGIC: [u8; 8] = *b"vitrine\x02";
/// Those of a store whose texts were folded by an earlier rule.
pub(super) const FORMER: [u8; 8] = *b"vitrine\x01";
pub(super) const HEAD: u64 = MAGIC.len() as u64 + size_of::<u32>() as u64;

/// The index at the beginning of a saved store.
#[derive(Debug)]
pub(in super::super) struct Index {
    /// An encoded [`Contents`].
    pub(super) bytes: Box<[u8]>,
    pub(super) digest: Hash,
    /// The length of the whole saved store, in bytes.
    pub(super) length: u64,
    /// Whether the texts were folded by an earlier rule.
    pub(super) is_former: bool,
}

/// The contents of an index.
#[derive(Debug)]
pub(super) struct Contents {
    /// The number of products in the store.
    pub(super) products: u64,
    pub(super) parts: Vec<Piece>,
    pub(super) blocks: Vec<BlockPiece>,
}

/// A part or block of a saved store, which is checked on its own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub(super) length: u64,
    pub(super) hash: Hash,
}

/// A block of details.
#[derive(Debug)]
pub(super) struct BlockPiece {
    /// The number of products in the block.
    pub(super) products: u32,
    /// The length without compression, in bytes.
    pub(super) unpacked: u32,
    pub(super) piece: Piece,
}

mod records {
    //! How an index is written.

    use super::super::super::record::{Record, Result, by_fields};
    use super::{BlockPiece, Contents, Piece};

    by_fields!(Contents { products, parts, blocks });
    by_fields!(Piece { length, hash });
    by_fields!(BlockPiece { products, unpacked, piece });
}

impl Index {
    pub(super) fn of(contents: &Contents) -> Self {
        let mut bytes = Vec::new();
        contents.write(&mut bytes);
        Self {
            digest: blake3::hash(&bytes),
            length: contents.length(bytes.len()),
            bytes: bytes.into(),
            is_former: false,
        }
    }

    /// The index with this digest, and what follows it.
    pub(super) fn read(bytes: &Bytes, digest: Hash) -> Result<(Self, Bytes), SavedError> {
        let (head, rest) = bytes.split_at(HEAD).ok_or(SavedError::Damaged)?;
        let head = head.to_vec()?;
        let is_former = head.starts_with(&FORMER);
        let length = head.strip_prefix(if is_former { &FORMER } else { &MAGIC });
        let length = length.and_then(|length| length.try_into().ok());
        let length = u32::from_le_bytes(length.ok_or(SavedError::Damaged)?);
        let (index, rest) = rest.split_at(length.into()).ok_or(SavedError::Damaged)?;
        let index = Self { bytes: index.to_vec()?.into(), digest, length: bytes.length(), is_former };
        if blake3::hash(&index.bytes) == digest { Ok((index, rest)) } else { Err(SavedError::Damaged) }
    }
}

impl Contents {
    /// The length of a saved store whose index has `index` bytes.
    pub(super) fn length(&self, index: usize) -> u64 {
        let pieces = self.parts.iter().chain(self.blocks.iter().map(|block| &block.piece));
        pieces.fold(HEAD + index as u64, |length, piece| length.saturating_add(piece.length))
    }
}
