//! Google merchant data as XML: RSS 2.0 or Atom. Elements are read one at a time. Only XML's own entities are expanded.

use std::collections::HashMap;
use std::io::BufRead;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::budget::{Budgeted, MOST_PARSED, Progress};
use super::dialects::{GOOGLE, of_any_form};
use super::error::FileError;
use super::for_sale;
use super::report::Unused;
use super::row::{FIELDS, Field, Position, Row};

/// Maximum depth of nested elements.
const DEEPEST: usize = 32;
/// Google's namespace, without its scheme.
const NAMESPACE: &str = "base.google.com/ns/1.0";
/// How many other prefixes than `g` it may have, and the longest name that is kept, in bytes.
const MOST_PREFIXES: usize = 8;
const LONGEST_NAME: usize = 40;
/// How many names of elements are kept.
const MOST_NAMES: usize = 256;
/// Elements that feeds have besides the fields of products.
const OF_FEEDS: [&str; 8] =
    ["guid", "pubDate", "published", "updated", "author", "comments", "source", "enclosure"];

/// What is known of a feed after its last item.
pub(super) struct Elements {
    /// The positions of the first and the last item.
    pub(super) first: Position,
    pub(super) last: Position,
    /// The names of elements in items that are not read.
    pub(super) unused: Vec<String>,
}

/// What is known of the names of elements.
#[derive(Default)]
struct Names {
    /// Prefixes of Google's namespace, each with the depth of the open element that declares it.
    prefixes: Vec<(String, usize)>,
    /// What the first names of elements say, by the name without its prefix. Every item has the same ones.
    fields: HashMap<String, Option<(Field, Rank)>>,
    unused: Unused,
}

/// An item that is being read. Of several elements with the same meaning the best named one counts.
struct Item {
    position: Position,
    /// How deep its element is.
    depth: usize,
    is_too_long: bool,
    fields: [Option<Text>; FIELDS],
    /// The field whose text is being read, with that text.
    open: Option<(Field, Text)>,
}

#[derive(Clone, Default)]
struct Text {
    text: String,
    rank: Rank,
}

/// How an element is named. A later one counts more.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// As in another form than Google's.
    #[default]
    Other,
    Own,
    Prefixed,
}

/// Calls `take` with every item. Returns what is known then.
///
/// # Errors
/// When the XML is not well-formed (a bare `&` is accepted), is not a feed or has too long an item, and when `take` fails.
pub(super) fn read(
    text: impl BufRead,
    mut take: impl FnMut(&Row) -> Result<(), FileError>,
) -> Result<Elements, FileError> {
    let progress = Progress::default();
    let mut reader = Reader::from_reader(Budgeted::new(text, &progress, MOST_PARSED));
    reader.config_mut().allow_dangling_amp = true;
    let (mut buffer, mut depth, mut item) = (Vec::new(), 0, None::<Item>);
    let (mut names, mut first, mut position) = (Names::default(), None, Position::default());
    loop {
        buffer.clear();
        // All events of an item share one budget. Outside of items each event has its own.
        if item.is_none() {
            progress.begin_record();
        }
        item.iter_mut().filter(|_| progress.is_too_long()).for_each(Item::cut);
        let line = progress.line();
        let event = reader.read_event_into(&mut buffer);
        match event.map_err(|source| progress.failure().unwrap_or(FileError::Xml { line, source }))? {
            Event::DocType(_) => return Err(FileError::DocumentType),
            Event::Start(element) => {
                depth += 1;
                if item.is_none() {
                    names.open(&element, depth);
                }
                match &mut item {
                    _ if depth > DEEPEST => return Err(FileError::Depth { line }),
                    _ if depth == 1 => check_root(&element)?,
                    None if matches!(local_name(&element), "item" | "entry") => {
                        position = position.next(line);
                        first = first.or(Some(position));
                        item = Some(Item::new(position, depth));
                    }
                    None => {}
                    Some(item) => item.start(&element, depth, &mut names),
                }
            }
            Event::Empty(_) if depth == 0 => return Err(FileError::Empty),
            Event::Empty(element) => {
                if let Some(item) = &mut item {
                    item.start(&element, depth + 1, &mut names);
                    item.end(depth + 1);
                }
            }
            Event::End(_) => {
                if item.as_ref().is_some_and(|item| item.depth == depth) {
                    item.take().map_or(Ok(()), |item| take(&item.row()))?;
                } else if let Some(item) = &mut item {
                    item.end(depth);
                }
                names.close(depth);
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
            Event::Eof => break,
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) => {}
        }
    }
    Ok(Elements { first: first.unwrap_or_default(), last: position, unused: names.unused.0 })
}

fn check_root(element: &BytesStart) -> Result<(), FileError> {
    let root = local_name(element);
    match root {
        "rss" | "feed" | "RDF" => Ok(()),
        _ => Err(FileError::Root { root: root.chars().take(40).collect() }),
    }
}

/// The name of an element, with its prefix.
fn name<'a>(element: &'a BytesStart) -> &'a str {
    let name: &str = element;
    let end = name.find(|sign: char| sign.is_whitespace() || sign == '/').unwrap_or(name.len());
    &name[..end]
}

fn local_name<'a>(element: &'a BytesStart) -> &'a str {
    let name = name(element);
    name.rsplit_once(':').map_or(name, |(_, local)| local)
}

/// The prefixes that an element declares for Google's namespace.
fn prefixes_of_google<'a>(element: &'a BytesStart) -> impl Iterator<Item = &'a str> {
    let mut attributes = element.attributes();
    attributes.with_checks(false);
    attributes.map_while(Result::ok).filter_map(|attribute| {
        let prefix = attribute.key.into_inner().strip_prefix("xmlns:")?;
        let address = attribute.value.trim().trim_end_matches('/');
        let address = address.strip_prefix("http://").or_else(|| address.strip_prefix("https://"))?;
        (address == NAMESPACE && prefix.len() <= LONGEST_NAME).then_some(prefix)
    })
}

impl Names {
    /// Takes the declarations of an element that begins at this depth.
    fn open(&mut self, element: &BytesStart, depth: usize) {
        let room = MOST_PREFIXES.saturating_sub(self.prefixes.len());
        let own = prefixes_of_google(element).take(room);
        self.prefixes.extend(own.map(|prefix| (prefix.to_owned(), depth)));
    }

    /// Ends the declarations of the element at this depth.
    fn close(&mut self, depth: usize) {
        while self.prefixes.last().is_some_and(|(_, own)| *own == depth) {
            self.prefixes.pop();
        }
    }

    /// What an element with this local name says, and in whose form.
    fn field(&mut self, local: &str) -> Option<(Field, Rank)> {
        if let Some(known) = self.fields.get(local) {
            return *known;
        }
        let own = || GOOGLE.own_field(local).map(|field| (field, Rank::Own));
        // In Atom `published` is a date.
        let is_date = local.eq_ignore_ascii_case("published");
        let other = || of_any_form(local).filter(|_| !is_date).map(|field| (field, Rank::Other));
        let field = own().or_else(other);
        if self.fields.len() < MOST_NAMES && local.len() <= LONGEST_NAME {
            self.fields.insert(local.to_owned(), field);
        }
        field
    }

    /// Whether a prefix is one of Google's namespace. Many feeds do not declare `g`.
    fn is_of_google(&self, prefix: &str, element: &BytesStart) -> bool {
        prefix == "g"
            || self.prefixes.iter().any(|(known, _)| known == prefix)
            || prefixes_of_google(element).any(|own| own == prefix)
    }
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
        Self { position, depth, is_too_long: false, fields: [const { None }; FIELDS], open: None }
    }

    /// Gives up its long texts. Its id still names it.
    fn cut(&mut self) {
        self.is_too_long = true;
        self.open = None;
        self.fields.iter_mut().skip(Field::Key as usize + 1).for_each(|field| *field = None);
    }

    fn start(&mut self, element: &BytesStart, depth: usize, names: &mut Names) {
        if depth != self.depth + 1 {
            if let Some((field, open)) = &mut self.open
                && is_description(*field)
                && !open.text.ends_with(char::is_whitespace)
            {
                open.text.push(' ');
            }
            return;
        }
        let name = name(element);
        let (prefix, local) = name.rsplit_once(':').unwrap_or(("", name));
        let is_prefixed = !prefix.is_empty() && names.is_of_google(prefix, element);
        // Elements of other namespaces, such as `media:title`, say something else.
        let known = if is_prefixed || prefix.is_empty() { names.field(local) } else { None };
        let known = known.map(|(field, rank)| match rank {
            Rank::Own if is_prefixed => (field, Rank::Prefixed),
            rank => (field, rank),
        });
        if known.is_none() && !OF_FEEDS.contains(&name) {
            names.unused.add(name);
        }
        self.open = known.map(|(field, rank)| (field, Text { text: String::new(), rank }));
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
            // If several elements say whether it is for sale, the one that says no counts.
            Some(known)
                if known.rank >= text.rank
                    && !(for_sale::COLUMNS.contains(&field) && for_sale::says_no(field, &text.text)) => {}
            known => *known = Some(text),
        }
    }

    fn row(&self) -> Row<'_> {
        let value = |field: usize| self.fields[field].as_ref().map(|text| &*text.text);
        let mut row = Row::new(self.position, std::array::from_fn(value));
        row.is_too_long = self.is_too_long;
        row
    }
}
