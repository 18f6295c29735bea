//! Limits how deeply an answer may be nested.

use serde::de::Error as _;

/// Maximum number of levels of nesting. A product with its reviews needs five.
const MAX_DEPTH: usize = 64;

/// Rejects a body with more than [`MAX_DEPTH`] levels of nesting.
///
/// `serde_json` limits the depth of values that it builds, but not of fields that it skips.
pub(crate) fn check_nesting(body: &[u8]) -> serde_json::Result<()> {
    if is_nested_within(MAX_DEPTH, body) {
        return Ok(());
    }
    Err(serde_json::Error::custom("nested too deeply"))
}

/// Whether a body of JSON has at most this many levels of nesting.
pub(crate) fn is_nested_within(levels: usize, body: &[u8]) -> bool {
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    for byte in body {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = in_string,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > levels {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nested(open: &str, close: &str, levels: usize) -> String {
        open.repeat(levels) + &close.repeat(levels)
    }

    #[test]
    fn depth_is_limited_and_length_is_not() {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            assert!(check_nesting(nested(open, close, MAX_DEPTH).as_bytes()).is_ok());
            assert!(check_nesting(nested(open, close, MAX_DEPTH + 1).as_bytes()).is_err());
            assert!(check_nesting(open.repeat(1_000_000).as_bytes()).is_err());
        }
        assert!(check_nesting("[],".repeat(100_000).as_bytes()).is_ok());
    }

    #[test]
    fn brackets_in_strings_do_not_count() {
        let brackets = "[".repeat(1_000);
        for text in [format!(r#"["{brackets}"]"#), format!(r#"["\"{brackets}\\\""]"#)] {
            assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok(), "{text:.20}");
            assert!(check_nesting(text.as_bytes()).is_ok(), "{text:.20}");
        }
        assert!(check_nesting(format!(r#"["\\",{brackets}"#).as_bytes()).is_err());
    }
}
