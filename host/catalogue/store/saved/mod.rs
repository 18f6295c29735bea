//! A store as bytes, which a later process or another replica uses as they are: an index, the parts that are read
//! whole, and the blocks of details, each of which is read when a page needs it.
//!
//! The index has the length and the hash of each part and of each block. Its own hash, the digest, names the content:
//! stores that one version of the program builds from equal products have equal bytes.

mod for_sale;
mod index;
mod parts;
#[cfg(test)]
mod tests;

use std::io::{self, BufReader, BufWriter, Read, Write};
use std::ops::Range;
use std::sync::OnceLock;

use blake3::{Hash, Hasher};

pub(super) use self::index::Index;
use self::index::{BlockPiece, Contents, MAGIC, Piece};
use self::parts::PARTS;
use super::bytes::{Bytes, Reader};
use super::cleaning::Cleaning;
use super::lookup::Lookup;
use super::record::{Record as _, RecordError};
use super::rows::Rows;
use super::{NONE, Store, card};
use crate::catalogue::model::Product;
use crate::catalogue::search::fold;
use crate::process::compute::{assert_off_runtime, at_once, in_parts};
use crate::profile::Currency;

/// How many bytes are read, written and hashed at a time. BLAKE3 uses all of its parallelism from 16 KiB on.
const BUFFER: usize = 1 << 18;

/// Why saved bytes cannot be opened as a store.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SavedError {
    #[error("the saved products cannot be read")]
    Io(#[from] io::Error),
    /// The bytes have changed since they were written, or never were a store.
    #[error("the saved products are damaged")]
    Damaged,
    /// There are more products than may be held in memory.
    #[error("there are {0} saved products, which memory does not allow")]
    TooMany(u64),
    /// The products are not as this program writes them.
    #[error("the saved products are not understood")]
    Record(#[from] RecordError),
}

impl Store {
    /// The hash that all stores have which one version of the program builds from equal products.
    ///
    /// # Errors
    /// When details that lie in a file cannot be read.
    pub(crate) fn digest(&self) -> io::Result<Hash> {
        self.index().map(|index| index.digest)
    }

    /// How many bytes [`Self::write`] writes.
    ///
    /// # Errors
    /// When details that lie in a file cannot be read.
    pub(crate) fn saved_length(&self) -> io::Result<u64> {
        self.index().map(|index| index.length)
    }

    /// Writes the store. Needs little memory besides the store's.
    ///
    /// # Errors
    /// When the store cannot be written, or details that lie in a file cannot be read.
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
            let mut measured = BufWriter::with_capacity(BUFFER, Measured::default());
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

    /// The store with this digest, with prices in `currency` and at most `most` products. What pages show must pass the
    /// rules: cards now, details when they are read.
    ///
    /// # Errors
    /// When the bytes cannot be read, or are not those of such a store.
    pub(crate) fn open(
        bytes: &Bytes,
        digest: Hash,
        currency: Currency,
        most: u64,
        rules: Cleaning,
    ) -> Result<Self, SavedError> {
        assert_off_runtime();
        let (index, mut rest) = Index::read(bytes, digest)?;
        let contents = Contents::read(&mut &*index.bytes)?;
        if index.length != contents.length(index.bytes.len()) || contents.parts.len() != PARTS.len() {
            return Err(SavedError::Damaged);
        }
        if contents.products > most {
            return Err(SavedError::TooMany(contents.products));
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
            let mut reader = BufReader::with_capacity(BUFFER, Checked::new(next(piece)?));
            let outcome = (part.read)(&mut store, count as usize, &mut reader);
            let left = io::copy(&mut reader, &mut io::sink())?;
            // Damage may be the reason why a part could not be read.
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
        let is_former = index.is_former;
        if is_former {
            store.fold_again();
        }
        // A store whose cards the rules have changed, or whose texts are folded again, has other bytes.
        if store.check_cards(rules)? && !is_former {
            store.index = OnceLock::from(index);
        }
        let make: [fn(&Self) -> Lookup; 2] = [Self::lookup_by_key, Self::lookup_by_title];
        let mut lookups = at_once(make.to_vec(), |make| make(&store)).into_iter();
        (store.by_key, store.by_title) =
            (lookups.next().unwrap_or_default(), lookups.next().unwrap_or_default());
        if store.has_twins() { Err(RecordError::Invalid("key").into()) } else { Ok(store) }
    }

    /// Folds the texts by the rule of this program, which is stricter than earlier ones.
    fn fold_again(&mut self) {
        let mut texts = Rows::default();
        for position in (0..).take(self.len()) {
            let row = self.texts.get(position);
            match std::str::from_utf8(row) {
                Ok(row) if !row.is_ascii() => {
                    let lines: Vec<String> = row.split('\n').map(fold).collect();
                    texts.push(lines.join("\n").as_bytes());
                }
                _ => texts.push(row),
            }
        }
        self.texts = texts.finish();
    }

    /// Applies the rules to every card, and derives what follows from it. Returns whether no card has changed.
    ///
    /// # Errors
    /// When a card cannot be read, or a product or tag would not be shown.
    fn check_cards(&mut self, rules: Cleaning) -> Result<bool, RecordError> {
        let mut have_passed = true;
        let mut tags = self.tags.spellings().iter().map(|tag| &**tag);
        if !tags.all(|tag| (rules.label)(tag).as_deref() == Some(tag)) {
            return Err(RecordError::Invalid("tag"));
        }
        let mut values = self.for_sale.parts().spellings.into_iter().flatten();
        if !values.all(|value| (rules.label)(value).as_deref() == Some(value)) {
            return Err(RecordError::Invalid("option"));
        }
        let check = |positions: Range<u32>| {
            let (mut derived, mut have_passed) = (Self::empty(self.currency), true);
            for position in positions {
                let card = self.card(position)?;
                let clean = (rules.card)(card.clone()).ok_or(RecordError::Invalid("product"))?;
                // Values that lie in columns are valid or not; they are not cleaned.
                if (clean.price, clean.rating, &clean.brand, &clean.category)
                    != (card.price, card.rating, &card.brand, &card.category)
                {
                    return Err(RecordError::Invalid("product"));
                }
                have_passed &= clean == card;
                derived.derive(&clean);
                derived.text_lengths.push(self.text_length(position));
            }
            Ok((derived, have_passed))
        };
        let count = u32::try_from(self.len()).unwrap_or(NONE);
        for checked in in_parts(count, check) {
            let (derived, has_passed) = checked?;
            have_passed &= has_passed;
            self.text_lengths.extend(derived.text_lengths);
            self.discounts.extend(derived.discounts);
            self.flags.extend(derived.flags);
            self.has_ratings |= derived.has_ratings;
            self.is_numbered &= derived.is_numbered;
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

/// Counts and hashes the bytes that are written to it.
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

/// A reader that counts and hashes the bytes it reads.
struct Checked {
    from: Reader,
    read: Measured,
}

impl Checked {
    fn new(bytes: Bytes) -> Self {
        Self { from: bytes.reader(), read: Measured::default() }
    }

    /// Whether the bytes that were read are all of this piece.
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
