//! Pages of text: what they may consist of, whatever they are written in.

use serde::Serialize;
use thiserror::Error;
#[cfg(test)]
use ts_rs::TS;

/// The deepest nesting of elements: browsers and the renderer recurse. A list counts twice, because of its items.
pub(super) const DEEPEST: usize = 16;

/// Most elements of a page. Each is an object for the browser and the renderer.
pub(super) const MOST_ELEMENTS: usize = 10_000;

/// Why a text cannot be a page.
#[derive(Debug, PartialEq, Eq, Error)]
pub enum TextPageError {
    #[error("line {line}: {problem}")]
    Link { line: usize, problem: String },
    #[error("line {line}: elements are at most {DEEPEST} deep, and a list counts as two")]
    TooDeep { line: usize },
    #[error("line {line}: at most {MOST_ELEMENTS} paragraphs, links and other elements are shown")]
    TooMany { line: usize },
    #[error("line {line}: no heading has the anchor `{anchor}`")]
    Anchor { line: usize, anchor: String },
    #[error("the text is empty")]
    Empty,
}

/// A page of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextPage {
    /// The page's name in its address, `/page/{slug}`.
    pub slug: String,
    pub title: String,
    pub content: Vec<TextNode>,
}

/// A node of a page's content: a text, or an element with nodes in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(untagged)]
pub enum TextNode {
    Text(String),
    Element(TextElement),
}

/// An element of HTML.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct TextElement {
    pub name: ElementName,
    /// Where a link leads.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub href: Option<String>,
    /// What a link to this part of the page ends with.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub id: Option<String>,
    /// The address of a picture; while the operator's file is read, its path in the folder of pictures.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub src: Option<String>,
    /// What a picture shows.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub alt: Option<String>,
    /// The first number of a list, if it is not 1; at most nine digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, as = "Option<u32>"))]
    pub start: Option<u64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<TextNode>>"))]
    pub content: Vec<TextNode>,
}

/// The elements that a page may have. They run no script, and load only pictures of the operator's folder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "lowercase")]
pub enum ElementName {
    A,
    Blockquote,
    Br,
    Code,
    Del,
    Em,
    H2,
    H3,
    H4,
    Hr,
    Img,
    Li,
    Ol,
    #[default]
    P,
    Pre,
    Strong,
    Sup,
    Table,
    Tbody,
    Td,
    Th,
    Thead,
    Tr,
    Ul,
}

impl TextPage {
    /// The whole text without elements, for search engines. `document/head/mod.rs` shortens it.
    pub(crate) fn plain_text(&self) -> String {
        plain(&self.content)
    }
}

impl TextNode {
    /// The names of the pictures in nodes.
    pub(super) fn pictures(nodes: &[Self]) -> Vec<String> {
        let elements = nodes.iter().filter_map(|node| match node {
            Self::Text(_) => None,
            Self::Element(element) => Some(element),
        });
        elements
            .flat_map(|element| element.src.iter().cloned().chain(Self::pictures(&element.content)))
            .collect()
    }

    /// Gives the pictures in nodes their addresses. One that is not there becomes its description.
    pub(crate) fn place_pictures(nodes: &mut [Self], address: &dyn Fn(&str) -> Option<String>) {
        for node in nodes {
            let Self::Element(element) = node else { continue };
            Self::place_pictures(&mut element.content, address);
            let Some(name) = &element.src else { continue };
            match address(name) {
                Some(src) => element.src = Some(src),
                None => *node = Self::Text(element.alt.clone().unwrap_or_default()),
            }
        }
    }
}

/// An element without attributes.
pub(super) fn element(name: ElementName, content: Vec<TextNode>) -> TextNode {
    TextNode::Element(TextElement { name, content, ..TextElement::default() })
}

/// The text of the nodes, without elements. A space follows each block.
pub(super) fn plain(content: &[TextNode]) -> String {
    content
        .iter()
        .map(|node| match node {
            TextNode::Text(text) => text.replace('\n', " "),
            TextNode::Element(element) => {
                let text = plain(&element.content) + element.alt.as_deref().unwrap_or_default();
                if element.name.is_block() { format!("{text} ") } else { text }
            }
        })
        .collect()
}

impl ElementName {
    /// Whether the text after this element begins on a new line.
    fn is_block(self) -> bool {
        !matches!(self, Self::A | Self::Code | Self::Del | Self::Em | Self::Img | Self::Strong | Self::Sup)
    }
}
