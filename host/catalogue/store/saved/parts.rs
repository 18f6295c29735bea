//! The parts of a saved store that are read whole. What follows from them, such as flags and orders, is not saved.

use std::io::{self, Read, Write};

use super::super::names::Names;
use super::super::numbers::{read_numbers, write_numbers};
use super::super::record::{Record as _, RecordError, write_text};
use super::super::rows::Rows;
use super::super::tags::TagIndex;
use super::super::{NONE, Store};
use super::{SavedError, for_sale};
use crate::catalogue::columns::Column;
use crate::catalogue::slug::Slug;

/// A part: how it is written and read.
pub(super) struct Part {
    pub(super) write: fn(&Store, &mut dyn Write) -> io::Result<()>,
    /// Reads the part of a store with this many products. Whatever the bytes are, what is read is safe to use.
    pub(super) read: fn(&mut Store, usize, &mut dyn Read) -> Result<(), SavedError>,
}

/// The parts in the order of their bytes. Columns refer to names, so names come first.
pub(super) const PARTS: [Part; 6] = [
    Part { write: write_names, read: read_names },
    Part { write: write_columns, read: read_columns },
    Part { write: write_tags, read: read_tags },
    Part { write: for_sale::write, read: for_sale::read },
    Part {
        write: |store, to| store.cards.write(to),
        read: |store, count, from| {
            store.cards = Rows::read(count, from)?;
            Ok(())
        },
    },
    Part {
        write: |store, to| store.texts.write(to),
        read: |store, count, from| {
            store.texts = Rows::read(count, from)?;
            Ok(())
        },
    },
];

fn write_names(store: &Store, to: &mut dyn Write) -> io::Result<()> {
    let mut bytes = Vec::new();
    for column in Column::EVERY {
        write_texts(store.names(column), &mut bytes);
    }
    // A category's slug is its name in the column.
    for slug in &store.categories {
        slug.name().map(str::to_owned).write(&mut bytes);
    }
    to.write_all(&bytes)
}

fn read_names(store: &mut Store, count: usize, from: &mut dyn Read) -> Result<(), SavedError> {
    let mut bytes = Vec::new();
    from.read_to_end(&mut bytes)?;
    let from = &mut &*bytes;
    for column in Column::EVERY {
        let names = Names::distinct(read_texts(count, from)?).ok_or(RecordError::Invalid("name"))?;
        store.names[column as usize] = names;
    }
    for text in store.names[Column::Category as usize].names() {
        let slug = match Option::<String>::read(from)? {
            Some(name) => Slug::of(&name).filter(|slug| slug.as_str() == text),
            None => Slug::parse(text),
        };
        store.categories.push(slug.ok_or(RecordError::Invalid("category"))?);
    }
    all_read(from)
}

fn write_columns(store: &Store, to: &mut dyn Write) -> io::Result<()> {
    write_numbers(&store.prices, to)?;
    write_numbers(&store.ratings, to)?;
    store.name_of.iter().try_for_each(|numbers| write_numbers(numbers, to))
}

fn read_columns(store: &mut Store, count: usize, from: &mut dyn Read) -> Result<(), SavedError> {
    store.prices = read_numbers(count, from)?;
    store.ratings = read_numbers(count, from)?;
    for (numbers, names) in store.name_of.iter_mut().zip(&store.names) {
        *numbers = read_numbers(count, from)?.into();
        let known = names.names().len();
        if numbers.iter().any(|&number| number != NONE && number as usize >= known) {
            return Err(RecordError::Invalid("name").into());
        }
    }
    Ok(())
}

fn write_tags(store: &Store, to: &mut dyn Write) -> io::Result<()> {
    let mut bytes = Vec::new();
    write_texts(store.tags.spellings(), &mut bytes);
    let (joined, ends) = store.tags.carried();
    for length in [bytes.len(), joined.len()] {
        to.write_all(&(length as u64).to_le_bytes())?;
    }
    to.write_all(&bytes)?;
    write_numbers(joined, to)?;
    write_numbers(ends, to)
}

fn read_tags(store: &mut Store, count: usize, from: &mut dyn Read) -> Result<(), SavedError> {
    let mut length = || {
        let mut bytes = [0; size_of::<u64>()];
        from.read_exact(&mut bytes)?;
        Ok::<_, io::Error>(u64::from_le_bytes(bytes))
    };
    let (texts, joined) = (length()?, length()?);
    let mut bytes = Vec::new();
    (&mut *from).take(texts).read_to_end(&mut bytes)?;
    let joined = read_numbers(usize::try_from(joined).map_err(|_| SavedError::Damaged)?, from)?;
    let spellings = &mut &*bytes;
    // Every tag is carried by a product.
    let read = read_texts(joined.len(), spellings)?;
    all_read(spellings)?;
    let ends = read_numbers(count, from)?;
    store.tags = TagIndex::of(read, joined, ends).ok_or(RecordError::Invalid("tag"))?;
    Ok(())
}

pub(super) fn write_texts(texts: &[impl AsRef<str>], bytes: &mut Vec<u8>) {
    (texts.len() as u64).write(bytes);
    texts.iter().for_each(|text| write_text(text.as_ref(), bytes));
}

/// Reads at most `most` texts: an empty text takes one byte here, but many in memory.
pub(super) fn read_texts(most: usize, from: &mut &[u8]) -> Result<Vec<String>, RecordError> {
    let count = u64::read(from)?;
    if count > most as u64 {
        return Err(RecordError::Invalid("number of texts"));
    }
    (0..count).map(|_| String::read(from)).collect()
}

pub(super) fn all_read(rest: &[u8]) -> Result<(), SavedError> {
    if rest.is_empty() { Ok(()) } else { Err(SavedError::Damaged) }
}
