//! An error with its causes, for a log line.

use std::error::Error;
use std::fmt;

/// Displays an error with all of its causes, the outermost first. Without it the JSON log format writes
/// only the outermost error, which rarely says what to do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ErrorChain<'a>(pub(crate) &'a dyn Error);

impl fmt::Display for ErrorChain<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.0)?;
        let mut next = self.0.source();
        while let Some(cause) = next {
            write!(formatter, ": {cause}")?;
            next = cause.source();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("the file was not read")]
    struct NotRead(#[source] io::Error);

    #[test]
    fn an_error_is_written_with_its_causes() {
        let error = NotRead(io::Error::other("the disk is full"));
        assert_eq!(ErrorChain(&error).to_string(), "the file was not read: the disk is full");
        assert_eq!(ErrorChain(&io::Error::other("alone")).to_string(), "alone");
    }
}
