//! Reads any bytes as the header of each kind of picture. What it says must be within bounds, and few bytes are read for it.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| vitrine::fuzzing::check_header(bytes));
