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

impl Number for u64 {
    type Bytes = [u8; 8];

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

/// Writes the numbers, but not their count.
///
/// # Errors
/// When they cannot be written.
pub(super) fn write_numbers<N: Number>(numbers: &[N], to: &mut dyn Write) -> io::Result<()> {
    numbers.iter().try_for_each(|number| to.write_all(number.to_bytes().as_ref()))
}

/// Reads `count` numbers. Allocates memory for the numbers that are there, not for those that are announced.
///
/// # Errors
/// When the numbers cannot be read, or there are fewer.
pub(super) fn read_numbers<N: Number>(count: usize, from: &mut dyn Read) -> io::Result<Vec<N>> {
    /// How many numbers are read at a time, because a call of a reader takes longer than a number.
    const AT_ONCE: usize = 1 << 12;
    let size = size_of::<N::Bytes>();
    let mut buffer = vec![0; AT_ONCE.min(count) * size];
    let mut numbers = Vec::new();
    while numbers.len() < count {
        let bytes = &mut buffer[..AT_ONCE.min(count - numbers.len()) * size];
        from.read_exact(bytes)?;
        numbers.extend(bytes.chunks_exact(size).map(|bytes| {
            let mut number = N::Bytes::default();
            number.as_mut().copy_from_slice(bytes);
            N::of_bytes(number)
        }));
    }
    numbers.shrink_to_fit();
    Ok(numbers)
}
