//! Pages of text that the operator writes in Markdown.

use pulldown_cmark::{Event, HeadingLevel, LinkType, Options, Parser, Tag};
use serde::Serialize;
use thiserror::Error;
#[cfg(test)]
use ts_rs::TS;

use super::text::Href;

/// The deepest nesting of elements: browsers and the renderer recurse. A list counts twice, because of its items.
const DEEPEST: usize = 16;

/// Most elements of a page. Each is an object for the browser and the renderer.
const MOST_ELEMENTS: usize = 10_000;

/// Why a text cannot be a page.
#[derive(Debug, PartialEq, Eq, Error)]
pub enum TextPageError {
    #[error("line {line}: {problem}")]
    Link { line: usize, problem: String },
    #[error("line {line}: elements are at most {DEEPEST} deep, and a list counts as two")]
    TooDeep { line: usize },
    #[error("line {line}: at most {MOST_ELEMENTS} paragraphs, links and other elements are shown")]
    TooMany { line: usize },
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct TextElement {
    pub name: ElementName,
    /// Where a link leads.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub href: Option<String>,
    /// The first number of a list, if it is not 1; at most nine digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, as = "Option<u32>"))]
    pub start: Option<u64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<TextNode>>"))]
    pub content: Vec<TextNode>,
}

/// The elements that a page may have. None of them loads a resource or runs a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
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
    Li,
    Ol,
    P,
    Pre,
    Strong,
    Table,
    Tbody,
    Td,
    Th,
    Thead,
    Tr,
    Ul,
}

/// An element whose end tag has not been read yet.
#[derive(Default)]
struct Open {
    kind: Kind,
    href: Option<String>,
    start: Option<u64>,
    content: Vec<TextNode>,
}

/// What is added to the page when the end of an element is read.
#[derive(Clone, Copy, Default)]
enum Kind {
    Named(ElementName),
    /// A heading of the first level. The first one becomes the page's title, later ones become `h2`.
    Title,
    TableHead,
    Table,
    /// Not an element of the page: its content is added to the element around it.
    #[default]
    Unwrapped,
}

impl TextPage {
    /// Reads Markdown (CommonMark, with GitHub's tables and strikethrough). The first heading of the first level is the
    /// page's title; without one it is `title`. HTML blocks and tags are left out. A picture becomes its alternative text.
    ///
    /// # Errors
    /// When `Href` refuses a link, elements are nested too deeply, there are too many, or the page has no content.
    pub fn parse(slug: &str, title: &str, markdown: &str) -> Result<Self, TextPageError> {
        let line = |at: usize| markdown.bytes().take(at).filter(|byte| *byte == b'\n').count() + 1;
        let mut page = PageBuilder { title: None, open: vec![Open::default()] };
        let mut elements = 0;
        let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
        for (event, range) in Parser::new_ext(markdown, options).into_offset_iter() {
            elements += match event {
                // The table, its body, and the row of its head.
                Event::Start(Tag::Table(_)) => 3,
                Event::Start(_) | Event::Code(_) | Event::HardBreak | Event::Rule => 1,
                _ => 0,
            };
            if elements > MOST_ELEMENTS {
                return Err(TextPageError::TooMany { line: line(range.start) });
            }
            match event {
                Event::Start(_) if page.open.len() > DEEPEST => {
                    return Err(TextPageError::TooDeep { line: line(range.start) });
                }
                Event::Start(tag) => {
                    let opened = Open::new(&tag);
                    let link = |problem| TextPageError::Link { line: line(range.start), problem };
                    page.open.push(opened.map_err(link)?);
                }
                Event::End(_) => page.end(),
                Event::Text(text) => page.text(&text),
                Event::Code(text) => page.element(ElementName::Code, vec![TextNode::Text(text.to_string())]),
                Event::SoftBreak => page.text("\n"),
                Event::HardBreak => page.element(ElementName::Br, Vec::new()),
                Event::Rule => page.element(ElementName::Hr, Vec::new()),
                // HTML, and events of extensions that are not enabled.
                _ => {}
            }
        }
        let content = page.open.pop().map(|root| root.content).unwrap_or_default();
        if content.is_empty() {
            return Err(TextPageError::Empty);
        }
        Ok(Self { slug: slug.into(), title: page.title.unwrap_or_else(|| title.into()), content })
    }

    /// The whole text without elements, for search engines. `document/head/mod.rs` shortens it.
    pub(crate) fn plain_text(&self) -> String {
        plain(&self.content)
    }
}

/// A page that is being read.
struct PageBuilder {
    title: Option<String>,
    /// A stack: the root, then each element that has not ended yet, the innermost last.
    open: Vec<Open>,
}

impl PageBuilder {
    fn content(&mut self) -> Option<&mut Vec<TextNode>> {
        self.open.last_mut().map(|open| &mut open.content)
    }

    /// Adds a text. Adjacent texts are joined to one node.
    fn text(&mut self, text: &str) {
        let Some(content) = self.content() else { return };
        match content.last_mut() {
            Some(TextNode::Text(last)) => last.push_str(text),
            _ => content.push(TextNode::Text(text.into())),
        }
    }

    fn element(&mut self, name: ElementName, content: Vec<TextNode>) {
        self.push(element(name, content));
    }

    fn push(&mut self, node: TextNode) {
        if let Some(content) = self.content() {
            content.push(node);
        }
    }

    /// Ends the innermost element.
    fn end(&mut self) {
        let Some(Open { kind, href, start, content }) = self.open.pop() else { return };
        match kind {
            Kind::Named(name) => self.push(TextNode::Element(TextElement { name, href, start, content })),
            Kind::Title => match (plain(&content).trim(), &self.title) {
                ("", _) => {}
                (text, None) => self.title = Some(text.into()),
                _ => self.element(ElementName::H2, content),
            },
            Kind::TableHead => {
                let cells = content.into_iter().map(as_head).collect();
                self.element(ElementName::Thead, vec![element(ElementName::Tr, cells)]);
            }
            Kind::Table => {
                let mut parts = content.into_iter();
                let head = parts.next();
                let body = element(ElementName::Tbody, parts.collect());
                self.element(ElementName::Table, head.into_iter().chain([body]).collect());
            }
            Kind::Unwrapped => {
                for node in content {
                    match node {
                        TextNode::Text(text) => self.text(&text),
                        element @ TextNode::Element(_) => self.push(element),
                    }
                }
            }
        }
    }
}

impl Open {
    fn new(tag: &Tag<'_>) -> Result<Self, String> {
        let kind = match tag {
            Tag::Heading { level: HeadingLevel::H1, .. } => Kind::Title,
            Tag::Table(_) => Kind::Table,
            Tag::TableHead => Kind::TableHead,
            other => name(other).map_or(Kind::Unwrapped, Kind::Named),
        };
        let href = match tag {
            Tag::Link { link_type: LinkType::Email, dest_url, .. } => Some(format!("mailto:{dest_url}")),
            Tag::Link { dest_url, .. } => Some(dest_url.to_string()),
            _ => None,
        };
        let href = href.map(Href::try_from).transpose()?.map(|Href(href)| href);
        let start = match tag {
            Tag::List(start) => start.filter(|start| *start != 1),
            _ => None,
        };
        Ok(Self { kind, href, start, content: Vec::new() })
    }
}

/// The element for a Markdown tag; `None` if the tag has no element of its own.
fn name(tag: &Tag<'_>) -> Option<ElementName> {
    Some(match tag {
        Tag::Paragraph => ElementName::P,
        Tag::Heading { level: HeadingLevel::H2, .. } => ElementName::H2,
        Tag::Heading { level: HeadingLevel::H3, .. } => ElementName::H3,
        Tag::Heading { .. } => ElementName::H4,
        Tag::BlockQuote(_) => ElementName::Blockquote,
        Tag::CodeBlock(_) => ElementName::Pre,
        Tag::List(Some(_)) => ElementName::Ol,
        Tag::List(None) => ElementName::Ul,
        Tag::Item => ElementName::Li,
        Tag::TableRow => ElementName::Tr,
        Tag::TableCell => ElementName::Td,
        Tag::Emphasis => ElementName::Em,
        Tag::Strong => ElementName::Strong,
        Tag::Strikethrough => ElementName::Del,
        Tag::Link { .. } => ElementName::A,
        _ => return None,
    })
}

fn element(name: ElementName, content: Vec<TextNode>) -> TextNode {
    TextNode::Element(TextElement { name, href: None, start: None, content })
}

/// Turns a cell of a table's head from `td` into `th`.
fn as_head(cell: TextNode) -> TextNode {
    match cell {
        TextNode::Element(cell) => TextNode::Element(TextElement { name: ElementName::Th, ..cell }),
        text @ TextNode::Text(_) => text,
    }
}

/// The text of the nodes, without elements. A space follows each block.
fn plain(content: &[TextNode]) -> String {
    content
        .iter()
        .map(|node| match node {
            TextNode::Text(text) => text.replace('\n', " "),
            TextNode::Element(element) => {
                let text = plain(&element.content);
                if element.name.is_block() { format!("{text} ") } else { text }
            }
        })
        .collect()
}

impl ElementName {
    /// Whether the text after this element begins on a new line.
    fn is_block(self) -> bool {
        !matches!(self, Self::A | Self::Code | Self::Del | Self::Em | Self::Strong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(markdown: &str) -> String {
        serde_json::to_string(&TextPage::parse("terms", "Terms", markdown).unwrap().content).unwrap()
    }

    #[test]
    fn the_first_heading_is_the_title() {
        let page = TextPage::parse("terms", "Terms", "# Our *terms*\n\nText\n\n# More\n\n### Deep").unwrap();
        assert_eq!(page.title, "Our terms");
        assert_eq!(page.plain_text(), "Text More Deep ");
        let names: Vec<ElementName> = page
            .content
            .iter()
            .map(|node| match node {
                TextNode::Element(element) => element.name,
                TextNode::Text(text) => panic!("{text}"),
            })
            .collect();
        assert_eq!(names, [ElementName::P, ElementName::H2, ElementName::H3]);
        for without_title in ["Text", "#\n\nText"] {
            assert_eq!(TextPage::parse("terms", "Terms", without_title).unwrap().title, "Terms");
        }
    }

    #[test]
    fn lists_links_and_tables_are_elements() {
        assert_eq!(
            json("1. [Sale](/sale) now\n2. `a`"),
            r#"[{"name":"ol","content":[{"name":"li","content":[{"name":"a","href":"/sale","content":["Sale"]}," now"]},{"name":"li","content":[{"name":"code","content":["a"]}]}]}]"#
        );
        assert_eq!(
            json("|A|B|\n|-|-|\n|1|2|"),
            r#"[{"name":"table","content":[{"name":"thead","content":[{"name":"tr","content":[{"name":"th","content":["A"]},{"name":"th","content":["B"]}]}]},{"name":"tbody","content":[{"name":"tr","content":[{"name":"td","content":["1"]},{"name":"td","content":["2"]}]}]}]}]"#
        );
    }

    #[test]
    fn an_email_address_is_a_link_and_a_list_keeps_its_number() {
        assert_eq!(
            json("<a@shop.example>"),
            r#"[{"name":"p","content":[{"name":"a","href":"mailto:a@shop.example","content":["a@shop.example"]}]}]"#
        );
        assert_eq!(
            json("4. Four"),
            r#"[{"name":"ol","start":4,"content":[{"name":"li","content":["Four"]}]}]"#
        );
    }

    #[test]
    fn html_is_left_out_and_pictures_are_described() {
        assert_eq!(
            json(
                "a <b onclick=\"x\">b</b> ![a cup](https://elsewhere.example/x.png)\n\n<script>alert(1)</script>"
            ),
            r#"[{"name":"p","content":["a b a cup"]}]"#
        );
    }

    #[test]
    fn a_mistake_is_named_with_its_line() {
        let error = |markdown: &str| TextPage::parse("terms", "Terms", markdown).unwrap_err();
        assert!(matches!(error("a\n\n[b](javascript:alert(1))"), TextPageError::Link { line: 3, .. }));
        assert_eq!(
            error(&"a\n\n".repeat(MOST_ELEMENTS + 1)),
            TextPageError::TooMany { line: 2 * MOST_ELEMENTS + 1 }
        );
        // Elements without content count too.
        for element in ["`a` ", "a  \n", "---\n"] {
            let many = error(&element.repeat(MOST_ELEMENTS + 1));
            assert!(matches!(many, TextPageError::TooMany { .. }), "{element:?}: {many:?}");
        }
        assert!(matches!(error(&format!("{}a", "> ".repeat(40))), TextPageError::TooDeep { line: 1 }));
        assert_eq!(error("# Only a title"), TextPageError::Empty);
    }
}
