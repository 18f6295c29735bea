//! The JSON serialisation of pages.
//!
//! The text is pure ASCII, and `<`, `>` and `&` are escaped as `\uXXXX`. It can therefore be inlined in a
//! `<script>` element, passed to V8 without copying, and sent as a response body.

use std::io;
use std::sync::Arc;

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

/// Serialised JSON that is safe to inline in a `<script>` element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageJson(Arc<str>);

impl PageJson {
    /// Serialises `value`.
    ///
    /// # Errors
    /// Fails when a map's key is not a string, or the value's own `Serialize` fails.
    pub fn new(value: &impl Serialize) -> Result<Self, serde_json::Error> {
        let mut bytes = Vec::with_capacity(16 * 1024);
        value.serialize(&mut Serializer::with_formatter(&mut bytes, ScriptSafe))?;
        let text = String::from_utf8(bytes).map_err(serde::ser::Error::custom)?;
        Ok(Self(text.into()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn as_bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

/// Escapes, in strings, non-ASCII characters and those with a meaning in HTML.
struct ScriptSafe;

impl Formatter for ScriptSafe {
    fn write_string_fragment<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let is_special = |byte: u8| !byte.is_ascii() || matches!(byte, b'<' | b'>' | b'&' | 0x7f);
        // Most texts have nothing to escape, which is seen fastest without a branch for each byte.
        if !fragment.bytes().fold(false, |any, byte| any | is_special(byte)) {
            return writer.write_all(fragment.as_bytes());
        }
        let mut rest = fragment;
        while let Some(at) = rest.bytes().position(is_special) {
            let (plain, escaped) = rest.split_at(at);
            writer.write_all(plain.as_bytes())?;
            let mut characters = escaped.chars();
            for unit in characters.next().unwrap_or_default().encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
            rest = characters.as_str();
        }
        writer.write_all(rest.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::PageJson;

    #[test]
    fn closing_tags_and_separators_are_escaped() {
        let json = PageJson::new(&"</script><!--&\u{2028}\u{2029}\u{1f6d2}é").unwrap();
        assert_eq!(json.as_str(), r#""\u003c/script\u003e\u003c!--\u0026\u2028\u2029\ud83d\uded2\u00e9""#);
    }

    proptest! {
        #[test]
        fn any_text_becomes_ascii_and_parses_back(text in any::<String>()) {
            let json = PageJson::new(&text).unwrap();
            prop_assert!(json.as_str().is_ascii());
            prop_assert!(!json.as_str().contains(['<', '>', '&']));
            prop_assert_eq!(serde_json::from_str::<String>(json.as_str()).unwrap(), text);
        }
    }
}
