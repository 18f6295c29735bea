//! Elements of XML 1.0 with texts of any content.

use quick_xml::escape::escape;

/// Adds an element with this text, on a line of its own.
pub(super) fn add(element: &str, text: &str, to: &mut Vec<u8>) {
    let text: String = text.chars().filter(|character| is_allowed(*character)).collect();
    to.extend_from_slice(format!("<{element}>{}</{element}>\n", escape(&text)).as_bytes());
}

/// Whether XML 1.0 can have a character, even as a reference (section 2.2).
fn is_allowed(character: char) -> bool {
    match character {
        '\t' | '\n' | '\r' => true,
        '\u{fffe}' | '\u{ffff}' => false,
        other => other >= ' ',
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn written(text: &str) -> String {
        let mut bytes = Vec::new();
        add("g:a", text, &mut bytes);
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn what_is_markup_or_no_text_does_not_reach_a_reader() {
        assert_eq!(
            written("<b>'\"&]]>\0\u{1}\u{b}\u{fffe}x"),
            "<g:a>&lt;b&gt;&apos;&quot;&amp;]]&gt;x</g:a>\n"
        );
    }

    proptest! {
        #[test]
        fn any_text_is_read_as_it_is_but_for_what_xml_forbids(text in "(?s:.{0,20})|[\\x00-\\x7f\u{fffe}\u{ffff}]{0,20}") {
            let document = written(&text).replace("<g:a>", "<g:a xmlns:g=\"urn:g\">");
            let read = roxmltree::Document::parse(&document).unwrap();
            let expected: String = text.chars().filter(|character| is_allowed(*character)).collect();
            prop_assert_eq!(read.root_element().text().unwrap_or_default(), expected);
        }
    }
}
