//! Any body of the catalogue service is refused, or becomes values within their bounds.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|body: &[u8]| vitrine::fuzzing::check_parsers(body));
