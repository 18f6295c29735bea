//! Any path parameter and query string lead to a page with a sound key, or to a redirect that stays
//! on the host and ends at a page. The first line is the parameter, percent-encoded as in a request.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let (path, query) = text.split_once('\n').unwrap_or((text, ""));
    // What HTTP parsers let through is all that a query can hold.
    let query: String = query.chars().filter(|character| !character.is_ascii_control()).collect();
    if let Ok(text) = percent_encoding::percent_decode_str(path).decode_utf8() {
        vitrine::fuzzing::check_address(&text, &query);
    }
});
