//! Google merchant data as XML: RSS 2.0 or Atom. Elements are read one at a time. Only XML's own entities are expanded.

use std::io::BufRead;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::budget::{Budgeted, Progress};
use super::dialects::GOOGLE;
use super::error::FileError;
use super::row::{FIELDS, Field, Position, Row};

/// Maximum depth of nested elements.
const DEEPEST: usize = 32;

/// An item that is being read. A field's text from an element with Google's prefix has priority over one without.
struct Item {
    position: Position,
    /// How deep its element is.
    depth: usize,
    fields: [Option<Text>; FIELDS],
    /// The field whose text is being read, with that text.
    open: Option<(Field, Text)>,
}

#[derive(Clone, Default)]
struct Text {
    text: String,
    is_prefixed: bool,
}

/// Calls `take` with every item.
///
/// # Errors
/// When the XML is not well-formed (a bare `&` is accepted) or is not a feed, and when `take` fails.
pub(super) fn read(
    text: impl BufRead,
    mut take: impl FnMut(&Row) -> Result<(), FileError>,
) -> Result<(), FileError> {
    let progress = Progress::default();
    let mut reader = Reader::from_reader(Budgeted::new(text, &progress));
    reader.config_mut().allow_dangling_amp = true;
    let (mut buffer, mut depth, mut item) = (Vec::new(), 0, None::<Item>);
    let mut position = Position::default();
    loop {
        buffer.clear();
        // All events of an item share one budget. Outside of items each event has its own.
        if item.is_none() {
            progress.begin_record();
        }
        let line = progress.line();
        let event = reader.read_event_into(&mut buffer);
        match event.map_err(|source| progress.failure().unwrap_or(FileError::Xml { line, source }))? {
            Event::DocType(_) => return Err(FileError::DocumentType),
            Event::Start(element) => {
                depth += 1;
                match &mut item {
                    _ if depth > DEEPEST => return Err(FileError::Depth { line }),
                    _ if depth == 1 => check_root(&element)?,
                    None if matches!(local_name(&element), "item" | "entry") => {
                        position = position.next(line);
                        item = Some(Item::new(position, depth));
                    }
                    None => {}
                    Some(item) => item.start(&element, depth),
                }
            }
            Event::Empty(_) if depth == 0 => return Err(FileError::Empty),
            Event::Empty(element) => {
                if let Some(item) = &mut item {
                    item.start(&element, depth + 1);
                    item.end(depth + 1);
                }
            }
            Event::End(_) => {
                if item.as_ref().is_some_and(|item| item.depth == depth) {
                    item.take().map_or(Ok(()), |item| take(&item.row()))?;
                } else if let Some(item) = &mut item {
                    item.end(depth);
                }
                depth = depth.saturating_sub(1);
            }
            Event::Text(text) => add(&mut item, depth, &text),
            Event::CData(text) => add(&mut item, depth, &text),
            Event::GeneralRef(name) => match name.resolve_char_ref() {
                Ok(Some(character)) => add(&mut item, depth, character.encode_utf8(&mut [0; 4])),
                // Other entities may be HTML's, which are decoded later.
                _ => add(&mut item, depth, character_of(&name).unwrap_or(&format!("&{};", &*name))),
            },
            Event::Eof if depth > 0 => return Err(FileError::Incomplete { line }),
            Event::Eof => return Ok(()),
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) => {}
        }
    }
}

fn check_root(element: &BytesStart) -> Result<(), FileError> {
    let root = local_name(element);
    match root {
        "rss" | "feed" | "RDF" => Ok(()),
        _ => Err(FileError::Root { root: root.chars().take(40).collect() }),
    }
}

fn local_name<'a>(element: &'a BytesStart) -> &'a str {
    let name: &str = element;
    let end = name.find(|sign: char| sign.is_whitespace() || sign == '/').unwrap_or(name.len());
    let name = &name[..end];
    name.rsplit_once(':').map_or(name, |(_, local)| local)
}

/// Whether a name has a prefix.
fn is_qualified(name: &str) -> bool {
    name.split(|sign: char| sign.is_whitespace()).next().is_some_and(|name| name.contains(':'))
}

/// The address of an entry's page, which Atom has in an attribute.
fn linked(element: &BytesStart) -> Option<String> {
    let attribute = |name| element.try_get_attribute(name).ok().flatten();
    let is_page = attribute("rel").is_none_or(|rel| rel.value == "alternate");
    attribute("href").filter(|_| is_page).map(|address| address.value.replace("&amp;", "&"))
}

/// The character of one of XML's own entities.
fn character_of(name: &str) -> Option<&'static str> {
    Some(match name {
        "amp" => "&",
        "lt" => "<",
        "gt" => ">",
        "quot" => "\"",
        "apos" => "'",
        _ => return None,
    })
}

/// Adds a text to the field that is being read. Only descriptions include the text of the elements in them.
fn add(item: &mut Option<Item>, depth: usize, text: &str) {
    if let Some(Item { depth: own, open: Some((field, open)), .. }) = item
        && (depth == *own + 1 || is_description(*field))
    {
        open.text += text;
    }
}

fn is_description(field: Field) -> bool {
    matches!(field, Field::Description | Field::OtherDescription)
}

impl Item {
    fn new(position: Position, depth: usize) -> Self {
        Self { position, depth, fields: [const { None }; FIELDS], open: None }
    }

    fn start(&mut self, element: &BytesStart, depth: usize) {
        if depth != self.depth + 1 {
            if let Some((field, open)) = &mut self.open
                && is_description(*field)
                && !open.text.ends_with(char::is_whitespace)
            {
                open.text.push(' ');
            }
            return;
        }
        let name: &str = element;
        let is_prefixed = name.starts_with("g:");
        // Elements of other namespaces, such as `media:title`, say something else.
        let field = GOOGLE.field(local_name(element)).filter(|_| is_prefixed || !is_qualified(name));
        self.open = field.map(|field| (field, Text { text: String::new(), is_prefixed }));
        if let (Some((Field::Link, open)), Some(address)) = (&mut self.open, linked(element)) {
            open.text = address;
        }
    }

    /// Keeps the field whose element ends here.
    fn end(&mut self, depth: usize) {
        if depth != self.depth + 1 {
            return;
        }
        let Some((field, text)) = self.open.take().filter(|(_, text)| !text.text.trim().is_empty()) else {
            return;
        };
        match &mut self.fields[field as usize] {
            // There may be several pictures.
            Some(known) if matches!(field, Field::Images | Field::MoreImages) => {
                known.text.push(' ');
                known.text += &text.text;
            }
            Some(known) if known.is_prefixed || !text.is_prefixed => {}
            known => *known = Some(text),
        }
    }

    fn row(&self) -> Row<'_> {
        let value = |field: usize| self.fields[field].as_ref().map(|text| &*text.text);
        Row::new(self.position, std::array::from_fn(value))
    }
}
