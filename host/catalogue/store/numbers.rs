//! Lists of numbers of one size as bytes, the lowest byte of each first.

use std::io::{self, Read, Write};

use crate::profile::Money;

/// A number of a fixed size.
pub(super) trait Number: Copy {
    type Bytes: AsRef<[u8]> + AsMut<[u8]> + Default;

    fn to_bytes(self) -> Self::Bytes;

    fn of_bytes(bytes: Self::Bytes) -> Self;
}

impl Number for u32 {
    type Bytes = [u8; 4];

    fn to_bytes(self) -> Self::Bytes {
        self.to_le_bytes()
    }

    fn of_bytes(bytes: Self::Bytes) -> Self {
        Self::from_le_bytes(bytes)
    }
}

impl Number for f64 {
    type Bytes = [u8; 8];

    fn to_bytes(self) -> Self::Bytes {
        self.to_le_bytes()
    }

    fn of_bytes(bytes: Self::Bytes) -> Self {
        Self::from_le_bytes(bytes)
    }
}

impl Number for Money {
    type Bytes = [u8; 8];

    fn to_bytes(self) -> Self::Bytes {
        self.minor().to_le_bytes()
    }

    fn of_bytes(bytes: Self::Bytes) -> Self {
        Self::from_minor(u64::from_le_bytes(bytes))
    }
}

/// Writes the numbers without their count.
///
/// # Errors
/// When they cannot be written.
pub(super) fn write_numbers<N: Number>(numbers: &[N], to: &mut dyn Write) -> io::Result<()> {
    numbers.iter().try_for_each(|number| to.write_all(number.to_bytes().as_ref()))
}

/// Reads `count` numbers. Memory is taken for those that are there, not for those that are announced.
///
/// # Errors
/// When they cannot be read, or there are fewer.
pub(super) fn read_numbers<N: Number>(count: usize, from: &mut dyn Read) -> io::Result<Vec<N>> {
    let mut numbers = Vec::new();
    for _ in 0..count {
        let mut bytes = N::Bytes::default();
        from.read_exact(bytes.as_mut())?;
        numbers.push(N::of_bytes(bytes));
    }
    numbers.shrink_to_fit();
    Ok(numbers)
}
