//! The text of a dictionary for documents: what stands in several documents, each part of it once.

use std::collections::HashSet;

/// Most bytes of a dictionary. Browsers keep it in memory while they decompress.
const MOST: usize = 160_000;
/// Elements that documents have many of, alike but for their texts.
const PARTS: [&str; 6] = ["<article", "<section", "<li", "<div", "<style", "<script"];

/// The text of a dictionary for documents like these: their parts in order, each where it first stands.
pub(crate) fn dictionary_of(documents: &[String]) -> Vec<u8> {
    let mut known = HashSet::new();
    let mut text = Vec::new();
    for part in documents.iter().flat_map(|document| parts(document)) {
        if text.len() + part.len() <= MOST && known.insert(part) {
            text.extend_from_slice(part.as_bytes());
        }
    }
    text
}

/// A document in parts: it is cut before elements, and between the rules of styles and the values of data.
fn parts(document: &str) -> impl Iterator<Item = &str> {
    let mut rest = document;
    std::iter::from_fn(move || {
        let (part, after) = rest.split_at(next_cut(rest)?);
        rest = after;
        Some(part)
    })
}

/// Where the next part begins; `None` for an empty text.
fn next_cut(text: &str) -> Option<usize> {
    let is_cut = |position: usize| {
        let (before, after) = text.as_bytes().split_at(position);
        let is_rule = before.last() == Some(&b'}')
            && after
                .first()
                .is_some_and(|next| matches!(next, b'.' | b'@' | b':' | b'#' | b'[' | b'a'..=b'z'));
        is_rule || PARTS.iter().any(|part| after.starts_with(part.as_bytes()))
    };
    let places = memchr::memchr2_iter(b'<', b'}', text.as_bytes());
    let positions = places.flat_map(|place| [place, place + 1]).filter(|position| *position > 0);
    let first = positions.filter(|position| *position < text.len()).find(|position| is_cut(*position));
    (!text.is_empty()).then(|| first.unwrap_or(text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_cut_before_elements_and_between_rules() {
        let document = "<style>.a{b:c}.d{e:f}@media x{.g{h:i}}</style><main><div>é}</div><li>1<li>2</main>";
        let expected = [
            "<style>.a{b:c}",
            ".d{e:f}",
            "@media x{.g{h:i}}</style><main>",
            "<div>é}</div>",
            "<li>1",
            "<li>2</main>",
        ];
        assert_eq!(parts(document).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn each_part_is_there_once_in_the_order_of_the_documents() {
        let documents = ["<p><li>1<li>2<li>1", "<p><li>2<li>3"].map(String::from);
        assert_eq!(dictionary_of(&documents), b"<p><li>1<li>2<li>3");
    }

    #[test]
    fn what_does_not_fit_is_left_out() {
        let documents = ["<li>1".to_owned(), format!("<li>{}", "x".repeat(MOST)), "<li>2".to_owned()];
        assert_eq!(dictionary_of(&documents), b"<li>1<li>2");
        assert_eq!(dictionary_of(&[String::new()]), b"");
    }
}
