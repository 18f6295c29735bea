//! Pages of text that the operator writes in Markdown.

use std::collections::{HashMap, HashSet};

use percent_encoding::percent_decode_str;
use pulldown_cmark::{Event, HeadingLevel, LinkType, Options, Parser, Tag};
use serde::Serialize;
use thiserror::Error;
#[cfg(test)]
use ts_rs::TS;

use super::text::{Href, PictureName};

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

/// An element whose end tag has not been read yet.
#[derive(Default)]
struct Open {
    kind: Kind,
    href: Option<String>,
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

impl TextPage {
    /// Reads Markdown (CommonMark, with GitHub's tables, strikethrough and footnotes). The first heading of the first level
    /// is the page's title; without one it is that of the front matter, or `title`. HTML blocks and tags are left out. A
    /// picture of another host becomes its alternative text. Links to files lead to those of `pages`, the names of all pages
    /// in their addresses.
    ///
    /// # Errors
    /// When `Href` refuses a link, or it leads to no page or heading, elements are nested too deeply, there are too many, or
    /// the page has no content.
    pub fn parse(slug: &str, title: &str, markdown: &str, pages: &[&str]) -> Result<Self, TextPageError> {
        let markdown = markdown.strip_prefix('\u{feff}').unwrap_or(markdown);
        let line = |at: usize| markdown.bytes().take(at).filter(|byte| *byte == b'\n').count() + 1;
        let mut page = PageBuilder::default();
        let mut elements = 0;
        let options = Options::ENABLE_TABLES
            | Options::ENABLE_STRIKETHROUGH
            | Options::ENABLE_FOOTNOTES
            | Options::ENABLE_HEADING_ATTRIBUTES
            | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS;
        for (event, range) in Parser::new_ext(markdown, options).into_offset_iter() {
            elements += cost(&event);
            if elements > MOST_ELEMENTS {
                return Err(TextPageError::TooMany { line: line(range.start) });
            }
            match event {
                Event::Start(_) if page.open.len() > DEEPEST => {
                    return Err(TextPageError::TooDeep { line: line(range.start) });
                }
                Event::Start(tag) => {
                    let opened = Open::new(&tag, pages);
                    let opened =
                        opened.map_err(|problem| TextPageError::Link { line: line(range.start), problem })?;
                    if let Some(anchor) = opened.href.as_deref().and_then(|href| href.strip_prefix('#')) {
                        page.wanted.push((line(range.start), anchor.to_owned()));
                    }
                    page.open.push(opened);
                }
                Event::End(_) => page.end(),
                Event::Text(text) => page.text(&text),
                Event::Code(text) => page.element(ElementName::Code, vec![TextNode::Text(text.to_string())]),
                Event::SoftBreak => page.text("\n"),
                Event::HardBreak => page.element(ElementName::Br, Vec::new()),
                Event::Rule => page.element(ElementName::Hr, Vec::new()),
                Event::FootnoteReference(name) => page.refer(&name),
                // HTML, and events of extensions that are not enabled.
                _ => {}
            }
        }
        page.finish(slug, title)
    }

    /// The whole text without elements, for search engines. `document/head/mod.rs` shortens it.
    pub(crate) fn plain_text(&self) -> String {
        plain(&self.content)
    }
}

/// How many elements an event makes.
fn cost(event: &Event<'_>) -> usize {
    match event {
        // The table, its body, and the row of its head.
        Event::Start(Tag::Table(_)) => 3,
        // The link, and what raises it; the note itself comes with the first one.
        Event::FootnoteReference(_) => 3,
        Event::Start(_) | Event::Code(_) | Event::HardBreak | Event::Rule => 1,
        _ => 0,
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

/// A page that is being read.
struct PageBuilder {
    title: Option<String>,
    /// The title that the front matter has.
    named: Option<String>,
    /// A stack: the root, then each element that has not ended yet, the innermost last.
    open: Vec<Open>,
    /// The anchors of headings.
    anchors: HashSet<String>,
    /// The anchors that links lead to, with their lines.
    wanted: Vec<(usize, String)>,
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
    fn refer(&mut self, name: &str) {
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
    fn finish(mut self, slug: &str, title: &str) -> Result<TextPage, TextPageError> {
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
    fn new(tag: &Tag<'_>, pages: &[&str]) -> Result<Self, String> {
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

fn element(name: ElementName, content: Vec<TextNode>) -> TextNode {
    TextNode::Element(TextElement { name, content, ..TextElement::default() })
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

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(markdown: &str) -> Result<TextPage, TextPageError> {
        TextPage::parse("terms", "Terms", markdown, &["terms", "returns"])
    }

    fn json(markdown: &str) -> String {
        serde_json::to_string(
            &TextPage::parse("terms", "Terms", markdown, &["terms", "returns"]).unwrap().content,
        )
        .unwrap()
    }

    #[test]
    fn the_first_heading_is_the_title() {
        let page = parse("# Our *terms*\n\nText\n\n# More\n\n### Deep").unwrap();
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
            assert_eq!(parse(without_title).unwrap().title, "Terms");
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
    fn a_mark_and_front_matter_are_no_text() {
        let page = parse("\u{feff}---\ntitle: \"Our terms\"\nlayout: page\n---\n\nText").unwrap();
        assert_eq!((&*page.title, page.plain_text().trim()), ("Our terms", "Text"));
        assert_eq!(parse("---\ntitle: a\n---\n# Heading\n\nText").unwrap().title, "Heading");
        assert_eq!(parse("\u{feff}# Heading\n\nText").unwrap().title, "Heading");
    }

    #[test]
    fn links_lead_to_headings_and_to_other_files() {
        let linked = json(
            "[a](#the-way-back) [b](returns.md#how-long) [c](texts/terms.md)\n\n## The way, back!\n\n## The way back\n\n## Own {#mine}",
        );
        for part in [
            r##""href":"#text-the-way-back""##,
            r##""href":"/page/returns#text-how-long""##,
            r#""href":"/page/terms""#,
            r#""id":"text-the-way-back""#,
            r#""id":"text-the-way-back-1""#,
            r#""id":"text-mine""#,
        ] {
            assert!(linked.contains(part), "{part}: {linked}");
        }
        let error = |markdown: &str| parse(markdown).unwrap_err().to_string();
        assert!(error("a\n\n[b](#nowhere)").contains("line 3: no heading has the anchor `nowhere`"));
        assert!(error("[b](other.md)").contains("`other.md` is no `page`"));
        assert!(error("[b](../x/other.html)").contains("no address"));
    }

    #[test]
    fn notes_stand_at_the_end_in_the_order_of_their_numbers() {
        let page = json("One[^b] two[^a] three[^b].\n\n[^a]: A\n[^b]: B\n[^c]: C");
        assert!(
            page.contains(r##"{"name":"sup","content":[{"name":"a","href":"#note-2","content":["2"]}]}"##),
            "{page}"
        );
        let (_, notes) = page.split_once(r#"{"name":"hr"}"#).unwrap();
        let place = |part: &str| notes.find(part).unwrap();
        assert!(
            place("note-1") < place("\"B\"") && place("\"B\"") < place("note-2") && !notes.contains("\"C\"")
        );
    }

    #[test]
    fn pictures_of_the_folder_have_addresses_and_others_are_described() {
        let mut page =
            parse("![a *cup*](cups/a%20cup.jpg) ![b](b.jpg) ![c](https://x.example/c.png) ![d](/d.png)")
                .unwrap();
        assert_eq!(TextNode::pictures(&page.content), ["cups/a cup.jpg", "b.jpg"]);
        TextNode::place_pictures(&mut page.content, &|name| {
            (name != "b.jpg").then(|| format!("/images/{name}"))
        });
        assert_eq!(
            serde_json::to_string(&page.content).unwrap(),
            r#"[{"name":"p","content":[{"name":"img","src":"/images/cups/a cup.jpg","alt":"a cup"}," ","b"," c d"]}]"#
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
        let error = |markdown: &str| parse(markdown).unwrap_err();
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
