//! Puts the elements of a page of text together while its Markdown is read.

use std::collections::{HashMap, HashSet};

use percent_encoding::percent_decode_str;
use pulldown_cmark::{HeadingLevel, LinkType, Tag};

use super::text::{Href, PictureName};
use super::text_page::{ElementName, TextElement, TextNode, TextPage, TextPageError, element, plain};

/// An element whose end tag has not been read yet.
#[derive(Default)]
pub(super) struct Open {
    kind: Kind,
    pub(super) href: Option<String>,
    /// The anchor of a heading, if the operator has chosen it.
    id: Option<String>,
    start: Option<u64>,
    content: Vec<TextNode>,
}

/// What is added to the page when the end of an element is read.
#[derive(Clone, Default)]
enum Kind {
    Named(ElementName),
    /// A heading of the first level. The first one becomes the page's title, later ones become `h2`.
    Title,
    TableHead,
    Table,
    /// A picture, with its path in the folder of pictures. Its content describes it.
    Picture(String),
    /// A note, with its name. It is added to the end of the page.
    Note(String),
    /// What stands before the text.
    FrontMatter,
    /// Not an element of the page: its content is added to the element around it.
    #[default]
    Unwrapped,
}

/// A page that is being read.
pub(super) struct PageBuilder {
    title: Option<String>,
    /// The title that the front matter has.
    named: Option<String>,
    /// A stack: the root, then each element that has not ended yet, the innermost last.
    pub(super) open: Vec<Open>,
    /// The anchors of headings.
    anchors: HashSet<String>,
    /// The anchors that links lead to, with their lines.
    pub(super) wanted: Vec<(usize, String)>,
    /// The names of notes in the order of their numbers.
    referred: Vec<String>,
    notes: HashMap<String, Vec<TextNode>>,
}

impl Default for PageBuilder {
    fn default() -> Self {
        Self {
            title: None,
            named: None,
            open: vec![Open::default()],
            anchors: HashSet::new(),
            wanted: Vec::new(),
            referred: Vec::new(),
            notes: HashMap::new(),
        }
    }
}

impl PageBuilder {
    /// Adds the number of a note, as a link to it.
    pub(super) fn refer(&mut self, name: &str) {
        let at = self.referred.iter().position(|known| known == name).unwrap_or_else(|| {
            self.referred.push(name.into());
            self.referred.len() - 1
        });
        let number = (at + 1).to_string();
        let href = Some(format!("#{}", note_id(at)));
        let content = vec![TextNode::Text(number)];
        let link = TextElement { name: ElementName::A, href, content, ..TextElement::default() };
        self.element(ElementName::Sup, vec![TextNode::Element(link)]);
    }

    /// A heading of the page, with an anchor that no other one has.
    fn heading(&mut self, name: ElementName, id: Option<String>, content: Vec<TextNode>) {
        let wanted = id.unwrap_or_else(|| anchor(&plain(&content)));
        let mut own = wanted.clone();
        for number in 1.. {
            if self.anchors.insert(own.clone()) {
                break;
            }
            own = format!("{wanted}-{number}");
        }
        let id = Some(format!("{ANCHOR}{own}"));
        self.push(TextNode::Element(TextElement { name, id, content, ..TextElement::default() }));
    }

    /// The page, once its text has been read.
    pub(super) fn finish(mut self, slug: &str, title: &str) -> Result<TextPage, TextPageError> {
        let is_there = |anchor: &str| anchor.is_empty() || self.anchors.contains(anchor);
        let missing = self.wanted.iter().find(|(_, anchor)| {
            let decoded = percent_decode_str(anchor).decode_utf8_lossy();
            !is_there(&decoded)
        });
        if let Some((line, anchor)) = missing {
            return Err(TextPageError::Anchor { line: *line, anchor: anchor.clone() });
        }
        let mut content = self.open.pop().map(|root| root.content).unwrap_or_default();
        let notes: Vec<TextNode> = self
            .referred
            .iter()
            .enumerate()
            .map(|(at, name)| {
                let (id, content) = (Some(note_id(at)), self.notes.remove(name).unwrap_or_default());
                let name = ElementName::Li;
                TextNode::Element(TextElement { name, id, content, ..TextElement::default() })
            })
            .collect();
        if !notes.is_empty() {
            content.extend([element(ElementName::Hr, Vec::new()), element(ElementName::Ol, notes)]);
        }
        if content.is_empty() {
            return Err(TextPageError::Empty);
        }
        let title = self.title.or(self.named).unwrap_or_else(|| title.into());
        Ok(TextPage { slug: slug.into(), title, content })
    }

    fn content(&mut self) -> Option<&mut Vec<TextNode>> {
        self.open.last_mut().map(|open| &mut open.content)
    }

    /// Adds a text. Adjacent texts are joined to one node.
    pub(super) fn text(&mut self, text: &str) {
        let Some(content) = self.content() else { return };
        match content.last_mut() {
            Some(TextNode::Text(last)) => last.push_str(text),
            _ => content.push(TextNode::Text(text.into())),
        }
    }

    pub(super) fn element(&mut self, name: ElementName, content: Vec<TextNode>) {
        self.push(element(name, content));
    }

    fn push(&mut self, node: TextNode) {
        if let Some(content) = self.content() {
            content.push(node);
        }
    }

    /// Ends the innermost element.
    pub(super) fn end(&mut self) {
        let Some(Open { kind, href, id, start, content }) = self.open.pop() else { return };
        match kind {
            Kind::Named(name @ (ElementName::H2 | ElementName::H3 | ElementName::H4)) => {
                self.heading(name, id, content);
            }
            Kind::Named(name) => {
                let href = href.map(|href| match href.strip_prefix('#') {
                    Some(anchor) if !anchor.is_empty() => format!("#{ANCHOR}{anchor}"),
                    _ => href,
                });
                let element = TextElement { name, href, start, content, ..TextElement::default() };
                self.push(TextNode::Element(element));
            }
            Kind::Title => match (plain(&content).trim(), &self.title) {
                ("", _) => {}
                (text, None) => self.title = Some(text.into()),
                _ => self.heading(ElementName::H2, id, content),
            },
            Kind::Picture(src) => {
                let (src, alt) = (Some(src), Some(plain(&content)));
                let picture = TextElement { name: ElementName::Img, src, alt, ..TextElement::default() };
                self.push(TextNode::Element(picture));
            }
            Kind::Note(name) => {
                self.notes.entry(name).or_insert(content);
            }
            Kind::FrontMatter => self.named = titled(&plain_lines(&content)),
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
    pub(super) fn new(tag: &Tag<'_>, pages: &[&str]) -> Result<Self, String> {
        let kind = match tag {
            Tag::Image { dest_url, .. } => picture_name(dest_url).map_or(Kind::Unwrapped, Kind::Picture),
            Tag::FootnoteDefinition(name) => Kind::Note(name.to_string()),
            Tag::MetadataBlock(_) => Kind::FrontMatter,
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
        let href = href.map(|href| link(href, pages)).transpose()?;
        let id = match tag {
            Tag::Heading { id, .. } => id.as_ref().map(|id| anchor(id)).filter(|id| !id.is_empty()),
            _ => None,
        };
        let start = match tag {
            Tag::List(start) => start.filter(|start| *start != 1),
            _ => None,
        };
        Ok(Self { kind, href, id, start, content: Vec::new() })
    }
}

/// What the anchors of a page begin with, so that none is an element's of the shop.
const ANCHOR: &str = "text-";

fn note_id(at: usize) -> String {
    format!("note-{}", at + 1)
}

/// Where a link leads: to a part of the page, to the page that a file of Markdown becomes, or where links of the shop's file
/// may.
fn link(href: String, pages: &[&str]) -> Result<String, String> {
    if href.starts_with('#') && !href.contains(char::is_whitespace) {
        return Ok(href);
    }
    let (path, part) = href.split_once('#').map_or((&*href, None), |(path, part)| (path, Some(part)));
    let file = path.rsplit('/').next().unwrap_or_default();
    let is_here = !path.starts_with('/') && !path.contains(':');
    let Some(slug) = file.strip_suffix(".md").filter(|_| is_here) else {
        return Href::try_from(href).map(|Href(href)| href);
    };
    if !pages.contains(&slug) {
        return Err(format!("`{}` is no `page` of the shop's file", path.escape_debug()));
    }
    let part = part.filter(|part| !part.is_empty() && !part.contains(char::is_whitespace));
    Ok(format!("/page/{slug}{}", part.map(|part| format!("#{ANCHOR}{part}")).unwrap_or_default()))
}

/// The path of a picture in the operator's folder; `None` for one of another host.
fn picture_name(written: &str) -> Option<String> {
    let is_here = !written.contains(':') && !written.starts_with('/');
    let name = percent_decode_str(written).decode_utf8().ok().filter(|_| is_here)?;
    PictureName::try_from(name.into_owned()).ok().map(|PictureName(name)| name)
}

/// The anchor of a heading, as other programs make it: in lower case, with hyphens for spaces and without punctuation.
fn anchor(text: &str) -> String {
    let letters = text.trim().chars().filter_map(|letter| match letter {
        ' ' | '-' => Some('-'),
        letter => Some(letter).filter(|letter| letter.is_alphanumeric() || *letter == '_'),
    });
    letters.flat_map(char::to_lowercase).collect()
}

/// The title in front matter.
fn titled(front: &str) -> Option<String> {
    let value = front.lines().find_map(|line| line.strip_prefix("title:"))?;
    let value = value.trim().trim_matches(['"', '\'']);
    Some(value.chars().filter(|letter| !letter.is_control()).collect())
        .filter(|title: &String| !title.is_empty())
}

/// The text of nodes that are texts, with its lines.
fn plain_lines(content: &[TextNode]) -> String {
    content.iter().map(|node| if let TextNode::Text(text) = node { &**text } else { "" }).collect()
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

/// Turns a cell of a table's head from `td` into `th`.
fn as_head(cell: TextNode) -> TextNode {
    match cell {
        TextNode::Element(cell) => TextNode::Element(TextElement { name: ElementName::Th, ..cell }),
        text @ TextNode::Text(_) => text,
    }
}
