//! What a document consists of, as lines that two documents can be compared by.
//!
//! Elements stand with the names of their attributes, data with its keys, and each at its depth. Texts and
//! values stand with letters and digits only, whatever is between them, so that a text may be replaced by
//! its [`harmless`] twin without a difference.

use percent_encoding::percent_decode_str;
use roxmltree::NodeType;
use scraper::{Html, Node};
use serde_json::Value;

/// The text with another character in place of everything that could be markup in any language. Hyphens stay:
/// alone they are no markup, and cards keep words with hyphens in one line.
pub(crate) fn harmless(text: &str) -> String {
    let harmless = |character: char| match character {
        _ if character.is_whitespace() => ' ',
        _ if character.is_alphanumeric() || matches!(character, '.' | ',' | '-') => character,
        _ => 'x',
    };
    text.chars().map(harmless).collect()
}

/// What is left of a text or of an address with a text in it.
fn outline(text: &str) -> String {
    harmless(&percent_decode_str(text).decode_utf8_lossy())
}

/// The lines of a document.
///
/// # Errors
/// When it cannot be parsed as what it says it is.
pub(crate) fn lines(content_type: &str, body: &str) -> Result<Vec<String>, String> {
    match content_type.split(';').next().unwrap_or_default() {
        "text/html" => of_html(body),
        "application/json" => of_json(body),
        "application/xml" | "application/atom+xml" => of_xml(body),
        // Plain text has no other structure than its lines.
        "text/plain" => Ok(vec![format!("{} lines", body.lines().count())]),
        other => Err(format!("a content type without a parser: {other}")),
    }
}

fn of_html(text: &str) -> Result<Vec<String>, String> {
    let document = Html::parse_document(text);
    let mut lines = Vec::new();
    for node in document.tree.root().descendants() {
        let depth = node.ancestors().count();
        let is_data = node.parent().is_some_and(|parent| {
            let element = parent.value().as_element();
            element.and_then(|element| element.attr("type")).is_some_and(|kind| kind.ends_with("json"))
        });
        match node.value() {
            Node::Element(element) => {
                lines.push(format!("{depth} <{}>", element.name()));
                let mut attributes: Vec<_> = element.attrs().collect();
                attributes.sort_unstable();
                lines.extend(
                    attributes.iter().map(|(name, value)| format!("{depth} {name}={}", outline(value))),
                );
            }
            Node::Text(text) if is_data => lines.extend(of_json(text)?),
            Node::Text(text) => lines.push(format!("{depth} text {}", outline(text))),
            Node::Comment(comment) => lines.push(format!("{depth} comment {}", outline(comment))),
            Node::Document | Node::Fragment => {}
            other => lines.push(format!("{depth} {other:?}")),
        }
    }
    Ok(lines)
}

fn of_xml(text: &str) -> Result<Vec<String>, String> {
    let document = roxmltree::Document::parse(text).map_err(|error| error.to_string())?;
    let mut lines = Vec::new();
    for node in document.descendants() {
        let depth = node.ancestors().count();
        match node.node_type() {
            NodeType::Element => {
                lines.push(format!("{depth} <{:?}>", node.tag_name()));
                let attributes = node.attributes();
                lines.extend(
                    attributes.map(|pair| format!("{depth} {}={}", pair.name(), outline(pair.value()))),
                );
            }
            NodeType::Root => {}
            other => lines.push(format!("{depth} {other:?} {}", outline(node.text().unwrap_or_default()))),
        }
    }
    Ok(lines)
}

fn of_json(text: &str) -> Result<Vec<String>, String> {
    let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let mut lines = Vec::new();
    flatten("", &value, &mut lines);
    Ok(lines)
}

fn flatten(path: &str, value: &Value, lines: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            lines.push(format!("{path} {{}}"));
            fields.iter().for_each(|(name, value)| flatten(&format!("{path}.{name}"), value, lines));
        }
        Value::Array(entries) => {
            lines.push(format!("{path} []"));
            entries.iter().for_each(|value| flatten(&format!("{path}[]"), value, lines));
        }
        Value::String(text) => lines.push(format!("{path} \"{}\"", outline(text))),
        other => lines.push(format!("{path} {other}")),
    }
}

/// The first lines in which two documents differ.
pub(crate) fn difference(expected: &[String], got: &[String]) -> Option<String> {
    let at = expected.iter().zip(got).position(|(expected, got)| expected != got);
    let at = at.or_else(|| (expected.len() != got.len()).then(|| expected.len().min(got.len())))?;
    Some(format!("{:?} instead of {:?}, the lines {at}", got.get(at), expected.get(at)))
}
