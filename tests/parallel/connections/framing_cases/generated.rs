//! Cases that differ in one byte.

use super::{BAD, CLOSED, Case, OK, case, headers, line, target};

/// Every control character in every part of a head.
fn control_characters() -> Vec<Case> {
    let mut cases = Vec::new();
    for byte in (0..0x20).chain([0x7f]) {
        let byte = char::from(byte);
        let name = |part: &str| format!("character {:#04x} in a {part}", u32::from(byte));
        let header_name = if byte == '\n' { "a line of its own" } else { "name" };
        cases.push(case(name("method"), line(&format!("G{byte}T /healthz HTTP/1.1")), BAD));
        cases.push(case(name("target"), target(&format!("/health{byte}z")), BAD));
        cases.push(case(name(header_name), headers(&format!("x{byte}y: z")), BAD));
        let in_value = match byte {
            '\t' => OK,
            _ => BAD,
        };
        cases.push(case(name("value"), headers(&format!("x: y{byte}z")), in_value));
    }
    cases
}

/// A request that ends too early, wherever that is.
fn cuts() -> Vec<Case> {
    let whole = headers("accept: */*");
    let cuts = (1..whole.len()).step_by(3);
    cuts.map(|length| case(format!("cut after {length} bytes"), &whole[..length], CLOSED)).collect()
}

/// Every printable character that is neither a letter nor a digit, and bytes that are no character, in
/// a path and in a query.
fn odd_bytes() -> Vec<Case> {
    const NOWHERE: &[u8] = b"<>";
    const NOT_IN_PATHS: &[u8] = b"`";
    const NOT_IN_QUERIES: &[u8] = b"\"";
    let mut cases = Vec::new();
    for byte in (b'!'..=b'~').filter(|byte| !byte.is_ascii_alphanumeric()).chain([0x80, 0xa0, 0xc0, 0xff]) {
        let refused = !byte.is_ascii() || NOWHERE.contains(&byte);
        let in_path: &[u16] = match byte {
            b'#' | b'?' => OK,
            _ if refused || NOT_IN_PATHS.contains(&byte) => BAD,
            _ => &[404],
        };
        let in_query = if refused || NOT_IN_QUERIES.contains(&byte) { BAD } else { OK };
        let with =
            |before: &str| [b"GET ", before.as_bytes(), &[byte], b"x HTTP/1.1\r\nhost: s\r\n\r\n"].concat();
        cases.push(case(format!("byte {byte:#04x} in a path"), with("/healthz"), in_path));
        cases.push(case(format!("byte {byte:#04x} in a query"), with("/healthz?"), in_query));
    }
    cases
}

pub(super) fn cases() -> Vec<Case> {
    [control_characters(), cuts(), odd_bytes()].into_iter().flatten().collect()
}
