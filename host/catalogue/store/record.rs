//! How values are written as bytes and read again. The bytes are not trusted: whatever they are, reading gives a value
//! or an error.
//!
//! `Serialize` cannot be used for this: only a self-describing format can tell the numbers from the names in what it
//! writes.

use std::num::NonZeroU32;

use blake3::Hash;

use crate::catalogue::availability::Availability;
use crate::catalogue::colour::Colour;
use crate::catalogue::gtin::Gtin;
use crate::catalogue::key::ProductKey;
use crate::catalogue::model::{
    Condition, Content, Dimensions, EnergyClass, Measure, Review, ReviewDate, Terms,
};
use crate::catalogue::variant::{Variant, VariantOption};
use crate::profile::Money;

/// Why bytes are not a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    #[error("it ends early")]
    Short,
    #[error("it has no valid {0}")]
    Invalid(&'static str),
}

pub(super) type Result<T> = std::result::Result<T, RecordError>;

/// A value that is written as bytes.
pub(super) trait Record: Sized {
    fn write(&self, bytes: &mut Vec<u8>);

    /// Reads what [`Self::write`] wrote, and moves `from` past it. Takes at least one byte, so that a list has at most
    /// as many values as there are bytes.
    ///
    /// # Errors
    /// When the bytes are not those of a value.
    fn read(from: &mut &[u8]) -> Result<Self>;
}

/// Writes a text as its length and its bytes.
pub(super) fn write_text(text: &str, bytes: &mut Vec<u8>) {
    (text.len() as u64).write(bytes);
    bytes.extend_from_slice(text.as_bytes());
}

/// Reads a text without copying it.
///
/// # Errors
/// As [`Record::read`].
pub(super) fn read_text<'a>(from: &mut &'a [u8]) -> Result<&'a str> {
    let length = usize::try_from(u64::read(from)?).map_err(|_| RecordError::Short)?;
    let (text, rest) = from.split_at_checked(length).ok_or(RecordError::Short)?;
    *from = rest;
    std::str::from_utf8(text).map_err(|_| RecordError::Invalid("text"))
}

/// Seven bits in each byte, the lowest bits first. All bytes but the last have the highest bit set (LEB128).
impl Record for u64 {
    fn write(&self, bytes: &mut Vec<u8>) {
        let mut rest = *self;
        while rest >= 0x80 {
            bytes.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        bytes.push(rest as u8);
    }

    fn read(from: &mut &[u8]) -> Result<Self> {
        // Most numbers are small.
        if let Some((&byte, rest)) = from.split_first()
            && byte < 0x80
        {
            *from = rest;
            return Ok(byte.into());
        }
        let mut value = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let (&byte, rest) = from.split_first().ok_or(RecordError::Short)?;
            *from = rest;
            let bits = Self::from(byte & 0x7f);
            if bits << shift >> shift != bits {
                break;
            }
            value |= bits << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(RecordError::Invalid("number"))
    }
}

/// Implements `Record` for a type that is written as another type.
macro_rules! as_other {
    ($type:ty, $other:ty, $name:literal, $write:expr, $read:expr) => {
        impl Record for $type {
            fn write(&self, bytes: &mut Vec<u8>) {
                let write: fn(&Self) -> $other = $write;
                write(self).write(bytes);
            }

            fn read(from: &mut &[u8]) -> Result<Self> {
                let read: fn($other) -> Option<Self> = $read;
                read(<$other>::read(from)?).ok_or(RecordError::Invalid($name))
            }
        }
    };
}

as_other!(u32, u64, "number", |value| (*value).into(), |value| value.try_into().ok());
as_other!(u8, u64, "number", |value| (*value).into(), |value| value.try_into().ok());
as_other!(bool, u64, "flag", |value| (*value).into(), |value| (value < 2).then_some(value == 1));
// Times are after 1970; a negative number takes ten bytes.
as_other!(i64, u64, "number", |value| value.cast_unsigned(), |value| Some(value.cast_signed()));
as_other!(Money, u64, "amount", |money| money.minor(), |minor| Some(Self::from_minor(minor)));
as_other!(Colour, u64, "colour", |colour| colour.number().into(), |number| Self::of_number(
    number.try_into().ok()?
));
as_other!(Condition, u64, "condition", |condition| *condition as u64, |number| {
    Self::EVERY.get(usize::try_from(number).ok()?).copied()
});
as_other!(Measure, String, "measure", |measure| (*measure).into(), |text| Self::parse(&text));
as_other!(Content, Vec<Measure>, "content", |content| vec![content.measure(), content.base()], |measures| {
    let [measure, base] = measures[..] else { return None };
    Self::new(measure, Some(base))
});
as_other!(
    EnergyClass,
    Vec<String>,
    "energy class",
    |energy| energy.names().map(String::from).into(),
    |names| {
        let [class, best, worst] = &names[..] else { return None };
        Self::parse(class, best, worst)
    }
);
as_other!(Gtin, String, "barcode", |gtin| gtin.as_str().into(), |text| Self::parse(&text));
as_other!(ReviewDate, String, "date", |date| date.as_str().into(), |text| Self::parse(&text));
as_other!(
    Availability,
    u64,
    "availability",
    |availability| match availability {
        Self::Unknown => 0,
        Self::SoldOut => 1,
        Self::PreOrder => 2,
        Self::BackOrder => 3,
        Self::InStock(units) => 4 + u64::from(units.map_or(0, NonZeroU32::get)),
    },
    |number| match number {
        0 => Some(Self::Unknown),
        1 => Some(Self::SoldOut),
        2 => Some(Self::PreOrder),
        3 => Some(Self::BackOrder),
        units => Some(Self::InStock(NonZeroU32::new((units - 4).try_into().ok()?))),
    }
);

/// Most numbers of products have at most two decimals and take at most five bytes; others take nine.
impl Record for f64 {
    fn write(&self, bytes: &mut Vec<u8>) {
        let hundredths = (self * 100.0).round().clamp(0.0, f64::from(u32::MAX)) as u32;
        if (f64::from(hundredths) / 100.0).to_bits() == self.to_bits() {
            (u64::from(hundredths) + 1).write(bytes);
        } else {
            0_u64.write(bytes);
            bytes.extend_from_slice(&self.to_le_bytes());
        }
    }

    fn read(from: &mut &[u8]) -> Result<Self> {
        if let Some(hundredths) = u64::read(from)?.checked_sub(1) {
            let hundredths = u32::try_from(hundredths).map_err(|_| RecordError::Invalid("number"))?;
            return Ok(Self::from(hundredths) / 100.0);
        }
        let (&bytes, rest) = from.split_first_chunk().ok_or(RecordError::Short)?;
        *from = rest;
        Ok(Self::from_le_bytes(bytes))
    }
}

impl Record for Hash {
    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(self.as_bytes());
    }

    fn read(from: &mut &[u8]) -> Result<Self> {
        let (&bytes, rest) = from.split_first_chunk().ok_or(RecordError::Short)?;
        *from = rest;
        Ok(Self::from_bytes(bytes))
    }
}

impl Record for String {
    fn write(&self, bytes: &mut Vec<u8>) {
        write_text(self, bytes);
    }

    fn read(from: &mut &[u8]) -> Result<Self> {
        read_text(from).map(Self::from)
    }
}

impl<T: Record> Record for Option<T> {
    fn write(&self, bytes: &mut Vec<u8>) {
        self.is_some().write(bytes);
        if let Some(value) = self {
            value.write(bytes);
        }
    }

    fn read(from: &mut &[u8]) -> Result<Self> {
        bool::read(from)?.then(|| T::read(from)).transpose()
    }
}

impl<T: Record> Record for Vec<T> {
    fn write(&self, bytes: &mut Vec<u8>) {
        (self.len() as u64).write(bytes);
        self.iter().for_each(|value| value.write(bytes));
    }

    fn read(from: &mut &[u8]) -> Result<Self> {
        (0..u64::read(from)?).map(|_| T::read(from)).collect()
    }
}

/// An optional number; if there is none, a text follows.
impl Record for ProductKey {
    fn write(&self, bytes: &mut Vec<u8>) {
        let number = self.number();
        number.write(bytes);
        if number.is_none() {
            self.to_string().write(bytes);
        }
    }

    fn read(from: &mut &[u8]) -> Result<Self> {
        match Option::<u64>::read(from)? {
            Some(number) => Ok(number.into()),
            None => Self::parse(read_text(from)?).ok_or(RecordError::Invalid("key")),
        }
    }
}

/// Implements `Record` for a type by writing its fields.
macro_rules! by_fields {
    ($type:ident { $($field:ident),* }) => {
        impl Record for $type {
            fn write(&self, bytes: &mut Vec<u8>) {
                $(self.$field.write(bytes);)*
            }

            fn read(from: &mut &[u8]) -> Result<Self> {
                Ok(Self { $($field: Record::read(from)?),* })
            }
        }
    };
}
pub(super) use by_fields;

by_fields!(Dimensions { width, height, depth });
by_fields!(Review { reviewer_name, rating, date, comment });
by_fields!(VariantOption { name, value });
by_fields!(Variant { options, price, list_price, availability, sku, gtin, picture, link, terms });
by_fields!(Terms { condition, content, lowest });

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn again<T: Record>(value: &T) -> Result<T> {
        let mut bytes = Vec::new();
        value.write(&mut bytes);
        let mut rest = &*bytes;
        let read = T::read(&mut rest)?;
        assert!(rest.is_empty());
        for short in 0..bytes.len() {
            assert_eq!(T::read(&mut &bytes[..short]).err(), Some(RecordError::Short));
        }
        Ok(read)
    }

    proptest! {
        #[test]
        fn numbers_and_texts_are_read_as_they_were_written(
            number: u64, small in 0_u64..300, signed: i64, bits: u64, cents in 0_u32..100_000,
            text in "\\PC{0,40}", list in prop::collection::vec(prop::option::of(".{0,9}"), 0..5), units: u32,
        ) {
            prop_assert_eq!(again(&number), Ok(number));
            prop_assert_eq!(again(&small), Ok(small));
            prop_assert_eq!(again(&signed), Ok(signed));
            prop_assert_eq!(again(&f64::from_bits(bits)).map(f64::to_bits), Ok(bits));
            prop_assert_eq!(again(&(f64::from(cents) / 100.0)), Ok(f64::from(cents) / 100.0));
            prop_assert_eq!(again(&text), Ok(text));
            prop_assert_eq!(again(&list), Ok(list));
            prop_assert_eq!(again(&ProductKey::from(number)), Ok(number.into()));
            let availability = Availability::of_stock(units);
            prop_assert_eq!(again(&availability), Ok(availability));
        }

        #[test]
        fn whatever_the_bytes_are_reading_them_ends(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let _ = Vec::<Variant>::read(&mut &*bytes);
            let _ = Option::<Vec<Review>>::read(&mut &*bytes);
            let _ = Vec::<Option<f64>>::read(&mut &*bytes);
            let _ = ProductKey::read(&mut &*bytes);
        }
    }

    #[test]
    fn what_no_value_has_is_refused() {
        for number in [[0xff; 11].as_slice(), &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2]] {
            assert_eq!(u64::read(&mut &*number), Err(RecordError::Invalid("number")));
        }
        assert_eq!(bool::read(&mut [2].as_slice()), Err(RecordError::Invalid("flag")));
        assert_eq!(u8::read(&mut [0x80, 2].as_slice()), Err(RecordError::Invalid("number")));
        assert_eq!(String::read(&mut [1, 0xff].as_slice()), Err(RecordError::Invalid("text")));
        assert_eq!(ProductKey::read(&mut [0, 1, b'/'].as_slice()), Err(RecordError::Invalid("key")));
        assert_eq!(Gtin::read(&mut [1, b'5'].as_slice()), Err(RecordError::Invalid("barcode")));
        assert_eq!(ReviewDate::read(&mut [1, b'5'].as_slice()), Err(RecordError::Invalid("date")));
        // A list that claims to be long, but nothing follows.
        assert_eq!(Vec::<u8>::read(&mut [0xff, 0xff, 0xff, 0xff, 1].as_slice()), Err(RecordError::Short));
    }

    #[test]
    fn every_availability_is_read_as_it_was_written() {
        let most = NonZeroU32::new(u32::MAX);
        for availability in [
            Availability::Unknown,
            Availability::SoldOut,
            Availability::PreOrder,
            Availability::BackOrder,
            Availability::InStock(None),
            Availability::InStock(most),
        ] {
            assert_eq!(again(&availability), Ok(availability));
        }
    }
}
