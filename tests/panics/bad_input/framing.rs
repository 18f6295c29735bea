//! A request that is cut or changed in one byte. Other bad framing has an exact answer, in
//! `tests/parallel/connections/framing_cases/`.

use super::case::Case;

pub(crate) fn cases() -> Vec<Case> {
    let whole = b"GET /products HTTP/1.1\r\nHost: shop.example\r\nCookie: a=b\r\n\r\n";
    let mut cases = Vec::new();
    for at in 0..whole.len() {
        cases.push(Case::raw(format!("framing: cut after {at} bytes"), &whole[..at]));
        for byte in [0_u8, b'\n', b'\r', 0x80] {
            let mut changed = whole.to_vec();
            changed[at] = byte;
            cases.push(Case::raw(format!("framing: byte {at} is {byte}"), changed));
        }
    }
    cases
}
