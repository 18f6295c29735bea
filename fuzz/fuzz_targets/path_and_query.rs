//! Resolves any path parameter and query string. They must lead to a page with a valid cache key, or to a
//! redirect that stays on the host and leads to a page. The first line of the input is the parameter,
//! percent-encoded as in a request; the rest is the query string.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let (path, query) = text.split_once('\n').unwrap_or((text, ""));
    // HTTP parsers reject control characters, so a query never contains them.
    let query: String = query.chars().filter(|character| !character.is_ascii_control()).collect();
    if let Ok(text) = percent_encoding::percent_decode_str(path).decode_utf8() {
        vitrine::fuzzing::check_address(&text, &query);
    }
});
