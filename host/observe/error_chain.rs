//! An error with its causes, for a log line.

use std::error::Error;
use std::fmt;

use super::bounded::Bounded;

/// The largest number of errors of a chain that are displayed.
const LONGEST_CHAIN: usize = 8;

/// Displays an error with its causes, the outermost first. Without it the JSON log format writes only the
/// outermost error, which rarely says what to do. Number and length of the causes are bounded, because some
/// repeat what the catalogue sent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ErrorChain<'a>(pub(crate) &'a dyn Error);

impl fmt::Display for ErrorChain<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", Bounded(self.0))?;
        let causes = std::iter::successors(self.0.source(), |&error| error.source());
        for cause in causes.take(LONGEST_CHAIN - 1) {
            write!(formatter, ": {}", Bounded(cause))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;
    use crate::observe::bounded::LONGEST_FIELD;

    #[derive(Debug, thiserror::Error)]
    #[error("the file was not read")]
    struct NotRead(#[source] io::Error);

    #[derive(Debug, thiserror::Error)]
    #[error("outer")]
    struct Outer(#[source] Option<Box<Outer>>);

    #[test]
    fn an_error_is_written_with_its_causes() {
        let error = NotRead(io::Error::other("the disk is full"));
        assert_eq!(ErrorChain(&error).to_string(), "the file was not read: the disk is full");
        assert_eq!(ErrorChain(&io::Error::other("alone")).to_string(), "alone");
    }

    #[test]
    fn length_and_number_of_the_causes_are_bounded() {
        let long = NotRead(io::Error::other("x".repeat(100_000)));
        let written = ErrorChain(&long).to_string();
        assert!(written.len() < 2 * LONGEST_FIELD && written.starts_with("the file was not read: xxx"));
        let deep = (0..100).fold(Outer(None), |inner, _| Outer(Some(Box::new(inner))));
        assert_eq!(ErrorChain(&deep).to_string(), ["outer"; LONGEST_CHAIN].join(": "));
    }
}
