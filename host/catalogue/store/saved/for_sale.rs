//! What products are for sale with, as a part of a saved store.

use std::io::{self, Read, Write};

use super::super::Store;
use super::super::for_sale::{Combination, FILTERED, ForSale, Parts};
use super::super::numbers::{read_numbers, write_numbers};
use super::super::record::RecordError;
use super::SavedError;
use super::parts::{all_read, read_texts, write_texts};

pub(super) fn write(store: &Store, to: &mut dyn Write) -> io::Result<()> {
    let Parts { spellings, combinations, joined, ends, set_of } = store.for_sale.parts();
    let mut texts = Vec::new();
    spellings.into_iter().for_each(|spellings| write_texts(spellings, &mut texts));
    let lengths = [texts.len(), combinations.len(), joined.len(), ends.len(), set_of.len()];
    write_numbers(&lengths.map(|length| length as u64), to)?;
    to.write_all(&texts)?;
    write_numbers(combinations.as_flattened(), to)?;
    [joined, ends, set_of].into_iter().try_for_each(|numbers| write_numbers(numbers, to))
}

pub(super) fn read(store: &mut Store, count: usize, from: &mut dyn Read) -> Result<(), SavedError> {
    let lengths: Vec<u64> = read_numbers(5, from)?;
    let length = |at: usize| {
        lengths.get(at).and_then(|length| usize::try_from(*length).ok()).ok_or(SavedError::Damaged)
    };
    let mut texts = Vec::new();
    (&mut *from).take(length(0)? as u64).read_to_end(&mut texts)?;
    let numbers = length(1)?.checked_mul(FILTERED).ok_or(SavedError::Damaged)?;
    let combinations: Vec<Combination> = read_numbers(numbers, from)?.as_chunks().0.to_vec();
    let (joined, ends) = (read_numbers(length(2)?, from)?, read_numbers(length(3)?, from)?);
    if ![0, count].contains(&length(4)?) {
        return Err(SavedError::Damaged);
    }
    let set_of = read_numbers(length(4)?, from)?;
    let texts = &mut &*texts;
    let mut spellings: [Vec<String>; FILTERED] = Default::default();
    for spellings in &mut spellings {
        // Every value is in a combination.
        *spellings = read_texts(combinations.len(), texts)?;
    }
    all_read(texts)?;
    let read = ForSale::of(spellings, combinations, joined, ends, set_of);
    store.for_sale = read.ok_or(RecordError::Invalid("option"))?;
    Ok(())
}
