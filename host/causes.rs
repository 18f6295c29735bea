//! An error and why it happened, for a line of the log.

use std::error::Error;
use std::fmt;

/// Writes an error with all of its causes, the outermost first. The log's JSON form would write the
/// error alone, which seldom says what to do.
#[derive(Clone, Copy, Debug)]
pub struct Causes<'a>(pub &'a dyn Error);

impl fmt::Display for Causes<'_> {
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
    fn an_error_is_told_with_its_causes() {
        let error = NotRead(io::Error::other("the disk is full"));
        assert_eq!(Causes(&error).to_string(), "the file was not read: the disk is full");
        assert_eq!(Causes(&io::Error::other("alone")).to_string(), "alone");
    }
}
