//! Reads any bytes as the file of a catalogue. They must be refused, or give products within their limits.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| vitrine::fuzzing::check_file(bytes));
