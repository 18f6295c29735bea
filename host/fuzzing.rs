//! Ways into private parsers, for the targets in `fuzz/` alone.
