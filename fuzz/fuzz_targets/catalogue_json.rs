//! Parses any bytes as an answer of the catalogue service. They must be rejected, or give values within
//! their limits.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|body: &[u8]| vitrine::fuzzing::check_parsers(body));
