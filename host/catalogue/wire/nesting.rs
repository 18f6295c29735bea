//! How deep an answer may be nested.

use serde::de::Error as _;

/// A product with its reviews takes five levels.
const DEEPEST: usize = 64;

/// Refuses what is nested deeper than any catalogue, in the parts that nobody reads too.
///
/// The parser limits the depth of what it builds, but skips what is not asked for at any depth.
pub fn check_nesting(body: &[u8]) -> serde_json::Result<()> {
    let (mut depth, mut in_text, mut escaped) = (0_usize, false, false);
    for byte in body {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = in_text,
            b'"' => in_text = !in_text,
            _ if in_text => {}
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEEPEST {
            return Err(serde_json::Error::custom("nested too deeply"));
        }
    }
    Ok(())
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
            assert!(check_nesting(nested(open, close, DEEPEST).as_bytes()).is_ok());
            assert!(check_nesting(nested(open, close, DEEPEST + 1).as_bytes()).is_err());
            assert!(check_nesting(open.repeat(1_000_000).as_bytes()).is_err());
        }
        assert!(check_nesting("[],".repeat(100_000).as_bytes()).is_ok());
    }

    #[test]
    fn brackets_in_texts_do_not_count() {
        let brackets = "[".repeat(1_000);
        for text in [format!(r#"["{brackets}"]"#), format!(r#"["\"{brackets}\\\""]"#)] {
            assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok(), "{text:.20}");
            assert!(check_nesting(text.as_bytes()).is_ok(), "{text:.20}");
        }
        assert!(check_nesting(format!(r#"["\\",{brackets}"#).as_bytes()).is_err());
    }
}
