//! A store as bytes, which a later process or another replica uses as they are: an index, the parts that are read
//! whole, and the blocks of details, which are read from their place when a page needs them.
//!
//! The index has the length and the hash of each part and of each block. Its own hash, the digest, names the content:
//! stores of equal products have equal bytes.

mod parts;
#[cfg(test)]
mod tests;

use std::io::{self, BufReader, BufWriter, Read, Write};
use std::sync::OnceLock;

use blake3::{Hash, Hasher};

use self::parts::PARTS;
use super::bytes::{Bytes, Reader};
use super::record::{Record, RecordError, by_fields};
use super::rows::Rows;
use super::{NONE, Store, card};
use crate::catalogue::model::{Product, Summary};
use crate::process::compute::assert_off_runtime;
use crate::profile::Currency;

/// The first bytes. The length of the index follows in four bytes, the lowest first.
const MAGIC: [u8; 8] = *b"vitrine\x01";
const HEAD: u64 = MAGIC.len() as u64 + size_of::<u32>() as u64;

/// Why bytes are no store.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SavedError {
    #[error("the saved products cannot be read")]
    Io(#[from] io::Error),
    /// They have changed since they were written, or never were a store.
    #[error("the saved products are damaged")]
    Damaged,
    /// They are not as this program writes them.
    #[error("the saved products are not understood")]
    Record(#[from] RecordError),
}

/// The rules that products from outside the program pass; `None` for what is not shown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    /// For a product as lists show it.
    pub(crate) card: fn(Summary) -> Option<Summary>,
    /// For a product with its details.
    pub(crate) product: fn(Product) -> Option<Product>,
    pub(crate) tag: fn(&str) -> Option<String>,
}

/// What the bytes of a store begin with.
#[derive(Debug)]
pub(super) struct Index {
    /// An encoded [`Contents`].
    bytes: Box<[u8]>,
    digest: Hash,
    /// Length of the store's bytes.
    length: u64,
}

/// What an index says.
#[derive(Debug)]
struct Contents {
    /// How many products there are.
    products: u64,
    parts: Vec<Piece>,
    blocks: Vec<BlockPiece>,
}

/// Bytes that are checked by themselves.
#[derive(Clone, Copy, Debug)]
struct Piece {
    length: u64,
    hash: Hash,
}

/// A block of details.
#[derive(Debug)]
struct BlockPiece {
    /// How many products it has.
    products: u32,
    /// Without compression, in bytes.
    unpacked: u32,
    piece: Piece,
}

mod records {
    //! How an index is written.

    use super::super::record::Result;
    use super::{BlockPiece, Contents, Piece, Record, by_fields};

    by_fields!(Contents { products, parts, blocks });
    by_fields!(Piece { length, hash });
    by_fields!(BlockPiece { products, unpacked, piece });
}

impl Store {
    /// The hash that stores of equal products have. The first time takes long, see `process/compute.rs`.
    ///
    /// # Errors
    /// When details that lie in a file cannot be read.
    pub(crate) fn digest(&self) -> io::Result<Hash> {
        self.index().map(|index| index.digest)
    }

    /// How many bytes [`Self::write`] writes. As [`Self::digest`].
    ///
    /// # Errors
    /// As there.
    pub(crate) fn saved_length(&self) -> io::Result<u64> {
        self.index().map(|index| index.length)
    }

    /// Writes the store. Needs little memory beside it.
    ///
    /// # Errors
    /// When it cannot be written, or details that lie in a file cannot be read.
    pub(crate) fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        let index = self.index()?;
        to.write_all(&MAGIC)?;
        // There are at most as many blocks as products, and few bytes for each.
        to.write_all(&u32::try_from(index.bytes.len()).map_err(io::Error::other)?.to_le_bytes())?;
        to.write_all(&index.bytes)?;
        PARTS.iter().try_for_each(|part| (part.write)(self, to))?;
        self.details.saved(self.len()).try_for_each(|block| to.write_all(&block?.packed))
    }

    fn index(&self) -> io::Result<&Index> {
        if let Some(index) = self.index.get() {
            return Ok(index);
        }
        assert_off_runtime();
        let mut parts = Vec::new();
        for part in PARTS {
            let mut measured = BufWriter::new(Measured::default());
            (part.write)(self, &mut measured)?;
            measured.flush()?;
            parts.push(measured.get_ref().piece());
        }
        let mut blocks = Vec::new();
        for block in self.details.saved(self.len()) {
            let block = block?;
            let piece = Piece { length: block.packed.len() as u64, hash: blake3::hash(&block.packed) };
            blocks.push(BlockPiece { products: block.count, unpacked: block.length, piece });
        }
        let contents = Contents { products: self.len() as u64, parts, blocks };
        Ok(self.index.get_or_init(|| Index::of(&contents)))
    }

    /// The store with this digest, with prices in `currency`. What pages show passes the rules: cards now, details when
    /// they are read. Takes long, see `process/compute.rs`.
    ///
    /// # Errors
    /// When the bytes cannot be read, or are not those of such a store.
    pub(crate) fn open(
        bytes: &Bytes,
        digest: Hash,
        currency: Currency,
        rules: Rules,
    ) -> Result<Self, SavedError> {
        assert_off_runtime();
        let (index, mut rest) = Index::read(bytes, digest)?;
        let contents = Contents::read(&mut &*index.bytes)?;
        if index.length != contents.length(index.bytes.len()) || contents.parts.len() != PARTS.len() {
            return Err(SavedError::Damaged);
        }
        let mut next = |piece: &Piece| {
            let (bytes, after) = rest.split_at(piece.length).ok_or(SavedError::Damaged)?;
            rest = after;
            Ok::<_, SavedError>(bytes)
        };
        let mut store = Self::empty(currency);
        store.rules = Some(rules);
        let count = u32::try_from(contents.products).ok().filter(|count| *count < NONE);
        let count = count.ok_or(SavedError::Damaged)?;
        for (part, piece) in PARTS.iter().zip(&contents.parts) {
            let mut reader = BufReader::new(Checked::new(next(piece)?));
            let outcome = (part.read)(&mut store, count as usize, &mut reader);
            let left = io::copy(&mut reader, &mut io::sink())?;
            // Damage may be what could not be read.
            if !reader.get_ref().is_whole(piece) {
                return Err(SavedError::Damaged);
            }
            outcome?;
            if left > 0 {
                return Err(SavedError::Damaged);
            }
        }
        let mut first = 0;
        for BlockPiece { products, unpacked, piece } in &contents.blocks {
            store.details.add_saved(first, *unpacked, next(piece)?, piece.hash)?;
            let end = first.checked_add(*products).filter(|end| (first + 1..=count).contains(end));
            first = end.ok_or(SavedError::Damaged)?;
        }
        if first != count {
            return Err(SavedError::Damaged);
        }
        // What the rules have changed has other bytes.
        if store.check_cards(rules)? {
            store.index = OnceLock::from(index);
        }
        store.find_by_hashes();
        if store.has_twins() { Err(RecordError::Invalid("key").into()) } else { Ok(store) }
    }

    /// Makes every card pass the rules, and derives what follows from it. Returns whether all have passed as they are.
    ///
    /// # Errors
    /// When a card cannot be read, or a product or tag would not be shown.
    fn check_cards(&mut self, rules: Rules) -> Result<bool, RecordError> {
        let mut have_passed = true;
        let is_tag = |tag: &Box<str>| (rules.tag)(tag).as_deref() == Some(tag);
        if !self.tags.spellings().iter().all(is_tag) {
            return Err(RecordError::Invalid("tag"));
        }
        for position in (0..).take(self.len()) {
            let card = self.card(position)?;
            let clean = (rules.card)(card.clone()).ok_or(RecordError::Invalid("product"))?;
            // What lies in columns is valid or not.
            if (clean.price, clean.rating, &clean.brand, &clean.category)
                != (card.price, card.rating, &card.brand, &card.category)
            {
                return Err(RecordError::Invalid("product"));
            }
            have_passed &= clean == card;
            self.derive(&clean);
        }
        if !have_passed {
            let mut cards = Rows::default();
            let mut row = Vec::new();
            for position in (0..).take(self.len()) {
                let summary = (rules.card)(self.summary(position)).unwrap_or_default();
                row.clear();
                card::write(&Product { summary, ..Product::default() }, &mut row);
                cards.push(&row);
            }
            self.cards = cards.finish();
        }
        Ok(have_passed)
    }
}

impl Index {
    fn of(contents: &Contents) -> Self {
        let mut bytes = Vec::new();
        contents.write(&mut bytes);
        Self { digest: blake3::hash(&bytes), length: contents.length(bytes.len()), bytes: bytes.into() }
    }

    /// The index with this digest, and what follows it.
    fn read(bytes: &Bytes, digest: Hash) -> Result<(Self, Bytes), SavedError> {
        let (head, rest) = bytes.split_at(HEAD).ok_or(SavedError::Damaged)?;
        let head = head.to_vec()?;
        let length = head.strip_prefix(&MAGIC).and_then(|length| length.try_into().ok());
        let length = u32::from_le_bytes(length.ok_or(SavedError::Damaged)?);
        let (index, rest) = rest.split_at(length.into()).ok_or(SavedError::Damaged)?;
        let index = Self { bytes: index.to_vec()?.into(), digest, length: bytes.length() };
        if blake3::hash(&index.bytes) == digest { Ok((index, rest)) } else { Err(SavedError::Damaged) }
    }
}

impl Contents {
    /// Length of the bytes of a store with an index of `index` bytes.
    fn length(&self, index: usize) -> u64 {
        let pieces = self.parts.iter().chain(self.blocks.iter().map(|block| &block.piece));
        pieces.fold(HEAD + index as u64, |length, piece| length.saturating_add(piece.length))
    }
}

/// Counts and hashes what is written.
#[derive(Default)]
struct Measured {
    length: u64,
    hasher: Hasher,
}

impl Measured {
    fn piece(&self) -> Piece {
        Piece { length: self.length, hash: self.hasher.finalize() }
    }
}

impl Write for Measured {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.length += bytes.len() as u64;
        self.hasher.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Reads bytes, and counts and hashes them.
struct Checked {
    from: Reader,
    read: Measured,
}

impl Checked {
    fn new(bytes: Bytes) -> Self {
        Self { from: bytes.reader(), read: Measured::default() }
    }

    /// Whether what was read is all of this piece.
    fn is_whole(&self, piece: &Piece) -> bool {
        let Piece { length, hash } = self.read.piece();
        (length, hash) == (piece.length, piece.hash)
    }
}

impl Read for Checked {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.from.read(buffer)?;
        self.read.write_all(&buffer[..read])?;
        Ok(read)
    }
}
