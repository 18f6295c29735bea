//! Ways into private parsers, for the targets in `fuzz/` alone: each takes any input and checks what
//! has to be true of the outcome.
//!
//! Only built with the feature `fuzzing`, which nothing but those targets asks for.

pub use crate::catalogue::check_parsers;
pub use crate::pages::check_address;
