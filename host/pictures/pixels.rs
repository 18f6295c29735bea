//! A decoded picture in memory.

/// Pixels of 8 bits a channel, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pixels {
    pub(super) width: usize,
    pub(super) height: usize,
    /// Whether each pixel has a fourth byte, its opacity.
    pub(super) has_alpha: bool,
    /// `width × height` pixels of 3 or 4 bytes.
    pub(super) bytes: Vec<u8>,
}

impl Pixels {
    /// How many bytes a pixel has.
    pub(super) fn channels(&self) -> usize {
        if self.has_alpha { 4 } else { 3 }
    }

    /// How many bytes a row has.
    pub(super) fn stride(&self) -> usize {
        self.width * self.channels()
    }

    /// The bytes of the pixel in this column and row.
    pub(super) fn at(&self, x: usize, y: usize) -> &[u8] {
        let at = (y * self.width + x) * self.channels();
        &self.bytes[at..at + self.channels()]
    }
}
