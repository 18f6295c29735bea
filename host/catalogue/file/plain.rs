//! Texts without mark-up.

use std::borrow::Cow;

/// Elements whose content is no text. These lists are in order, so that names are found quickly.
const HIDDEN: [&str; 4] = ["script", "style", "template", "title"];
/// Elements that begin a new line.
const BLOCKS: [&str; 41] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "br",
    "caption",
    "center",
    "dd",
    "details",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "li",
    "main",
    "menu",
    "nav",
    "ol",
    "option",
    "p",
    "pre",
    "section",
    "summary",
    "table",
    "tbody",
    "tfoot",
    "thead",
    "tr",
    "ul",
];
/// Other elements that texts of products have.
const INLINE: [&str; 38] = [
    "a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "del", "dfn", "em", "font", "i", "iframe", "img",
    "ins", "kbd", "label", "mark", "noscript", "o", "picture", "q", "s", "samp", "small", "source", "span",
    "strike", "strong", "sub", "sup", "td", "th", "u", "var", "video", "wbr",
];
/// Stands between two cells of a row until all of the row is known.
const CELL: char = '\u{1f}';
/// Stands before an item of a list.
const ITEM: &str = "\u{2022} ";

/// The text of HTML, in time that grows with its length: lines are kept, items of lists begin with a bullet. A text without
/// tags and entities stays as it is. Entities may be escaped twice.
pub(crate) fn plain(text: &str) -> String {
    text_of(text, |_| true)
}

/// The text of a title, in which only names of elements are tags: `Shirt <M>` has none.
pub(super) fn plain_title(text: &str) -> String {
    text_of(text, is_element).replace('\n', " ")
}

fn text_of(text: &str, is_tag: fn(&str) -> bool) -> String {
    if !has_markup(text) {
        return text.trim().into();
    }
    let (once, has_tags) = without_tags(text, is_tag);
    let twice = match has_markup(&once) {
        // Beside tags, an escaped one is text.
        true if has_tags => decoded(&once).into_owned(),
        true => without_tags(&once, is_tag).0,
        false => once,
    };
    let mut plain = String::with_capacity(twice.len());
    let mut is_item = false;
    for line in twice.lines() {
        let before = plain.len();
        if before > 0 {
            plain.push('\n');
        }
        let begin = plain.len();
        add_line(line, &mut plain);
        match &plain[begin..] {
            "" => plain.truncate(before),
            // The text of an item may be in a paragraph of its own.
            own if own == ITEM.trim_end() => {
                is_item = true;
                plain.truncate(before);
            }
            own => {
                if std::mem::take(&mut is_item) && !own.starts_with(ITEM) {
                    plain.insert_str(begin, ITEM);
                }
            }
        }
    }
    plain
}

/// Adds a line without further spaces. The two cells of a row are a name and its value.
fn add_line(line: &str, plain: &mut String) {
    let (mut cells, mut end_of_first) = (0, None);
    for cell in line.split(CELL) {
        let mut words = cell.split_whitespace().peekable();
        if words.peek().is_none() {
            continue;
        }
        if cells == 1 && plain.ends_with(char::is_alphanumeric) {
            end_of_first = Some(plain.len());
        }
        if cells > 0 {
            plain.push(' ');
        }
        cells += 1;
        while let Some(word) = words.next() {
            *plain += word;
            if words.peek().is_some() {
                plain.push(' ');
            }
        }
    }
    if let Some(end) = end_of_first.filter(|_| cells == 2) {
        plain.insert(end, ':');
    }
}

/// Whether a text has a tag or an entity.
pub(crate) fn has_markup(text: &str) -> bool {
    let begins = |mark: char, next: fn(char) -> bool| {
        text.match_indices(mark).any(|(at, _)| text[at + 1..].starts_with(next))
    };
    begins('<', |next| next.is_ascii_alphabetic() || "/!".contains(next))
        || begins('&', |next| next.is_ascii_alphabetic() || next == '#')
}

fn is_element(name: &str) -> bool {
    // `<S>` is a size.
    if name.len() == 1 && name.starts_with(|letter: char| letter.is_ascii_uppercase()) {
        return false;
    }
    [&BLOCKS[..], &INLINE, &HIDDEN].into_iter().any(|names| among(names, name).is_some())
}

/// The name among these, in any case.
fn among(names: &'static [&'static str], name: &str) -> Option<&'static str> {
    let lower = || name.bytes().map(|byte| byte.to_ascii_lowercase());
    let at = names.binary_search_by(|known| known.bytes().cmp(lower())).ok()?;
    names.get(at).copied()
}

/// The text between the tags, whose names `is_tag` knows, and whether there are any.
fn without_tags(html: &str, is_tag: fn(&str) -> bool) -> (String, bool) {
    let mut writer = Writer { text: String::with_capacity(html.len()), hidden: None, is_in_row: false };
    let mut rest = html;
    // Whether quotes may have a `>` in them. Once one was never closed they may not, so that no text is searched twice.
    let (mut has_quotes, mut has_tags) = (true, false);
    let last = html.rfind('>').unwrap_or_default();
    while let Some(at) = rest.find('<') {
        let (before, tag) = rest.split_at(at);
        writer.write(&decoded(before));
        let is_closing = tag.starts_with("</");
        let name = tag[1..].trim_start_matches('/');
        let name = &name[..name.find(|sign: char| !sign.is_ascii_alphanumeric()).unwrap_or(name.len())];
        let is_other = tag[1..].starts_with(['!', '?']);
        let is_known = is_other || (is_name(name) && is_tag(name));
        let has_end = html.len() - tag.len() < last || tag.starts_with("<!--");
        let may_end = has_end && (is_known || writer.hidden.is_some());
        let mut end = may_end.then(|| tag_end(tag, has_quotes)).flatten();
        if may_end && end.is_none() && has_quotes {
            has_quotes = false;
            end = tag_end(tag, false);
        }
        match end {
            Some(end) => {
                has_tags = true;
                writer.tag(name, is_closing);
                rest = &tag[end..];
            }
            None => {
                writer.write("<");
                rest = &tag[1..];
            }
        }
    }
    writer.write(&decoded(rest));
    (writer.text, has_tags)
}

/// Writes the text of HTML.
struct Writer {
    text: String,
    /// The element whose content is skipped.
    hidden: Option<&'static str>,
    /// Whether a row of a table has a cell already.
    is_in_row: bool,
}

impl Writer {
    fn write(&mut self, text: &str) {
        if self.hidden.is_none() {
            self.text += text;
        }
    }

    /// Writes what stands for the tag of this element.
    fn tag(&mut self, name: &str, is_closing: bool) {
        let is =
            |names: &[&'static str]| names.iter().copied().find(|known| name.eq_ignore_ascii_case(known));
        match (self.hidden, among(&HIDDEN, name)) {
            (None, Some(name)) if !is_closing => self.hidden = Some(name),
            (Some(open), Some(name)) if is_closing && open == name => self.hidden = None,
            _ => {}
        }
        if self.hidden.is_some() {
            return;
        }
        if among(&BLOCKS, name).is_some() {
            self.is_in_row &= is(&["tr", "table"]).is_none();
            self.text.push('\n');
        }
        match is(&["li", "td", "th"]) {
            Some("li") if !is_closing => self.text += ITEM,
            Some(_) if !is_closing => {
                // White space between the cells of a row is no line.
                if self.is_in_row {
                    self.text.truncate(self.text.trim_end().len());
                }
                self.is_in_row = true;
                self.text.push(CELL);
            }
            _ => {}
        }
    }
}

/// Whether a tag may begin like this.
fn is_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic())
}

/// Where the tag or comment at the beginning of a text ends; `None` if it does not. With `has_quotes`, a `>` in the quoted
/// value of an attribute is no end.
fn tag_end(tag: &str, has_quotes: bool) -> Option<usize> {
    if let Some(comment) = tag.strip_prefix("<!--") {
        return Some(comment.find("-->").map_or(tag.len(), |end| end + 7));
    }
    if !has_quotes {
        return tag.find('>').map(|end| end + 1);
    }
    let mut at = 1;
    loop {
        at += tag[at..].find(['>', '='])?;
        if tag[at..].starts_with('>') {
            return Some(at + 1);
        }
        // A quote opens a value only after an equals sign.
        let value = tag[at + 1..].trim_start();
        at = tag.len() - value.len();
        if let Some(quote) = value.chars().next().filter(|first| "\"'".contains(*first)) {
            at += 1 + value[1..].find(quote)? + 1;
        }
    }
}

/// A text without entities.
pub(crate) fn decoded(text: &str) -> Cow<'_, str> {
    html_escape::decode_html_entities(text)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{BLOCKS, HIDDEN, INLINE, plain, plain_title};

    #[test]
    fn the_lists_of_elements_are_in_order() {
        assert!([&BLOCKS[..], &INLINE, &HIDDEN].into_iter().all(<[&str]>::is_sorted));
    }

    #[test]
    fn html_becomes_text() {
        for (html, text) in [
            (" 5 < 6 & 7 > 3\nnext", "5 < 6 & 7 > 3\nnext"),
            (
                "<p>Red <b>cup</b></p><ul><li>big\n and round<li>blue</ul>",
                "Red cup\n• big\nand round\n• blue",
            ),
            ("Salt &amp; pepper <3", "Salt & pepper <3"),
            ("&lt;b&gt;Salt&lt;/b&gt; &amp;amp; pepper", "Salt & pepper"),
            ("<script>alert('<b>')</script><STYLE>p{}</STYLE>Cup", "Cup"),
            ("a<!-- <p>hidden --> b<script>never closed", "a b"),
            ("Caf&#233;&nbsp;au lait", "Café au lait"),
            ("<p>Use &lt;b&gt; &amp;amp; &lt;i&gt;</p>", "Use <b> & <i>"),
            ("a <b never closed", "a <b never closed"),
            ("<a title=\"5 > 3\" href='x'>Cup</a> <b class=it's>red</b>", "Cup red"),
            ("<p><img alt=\"never closed>Cup</p>", "Cup"),
            ("Fits S<M<L. Pure cotton.", "Fits S<M<L. Pure cotton."),
            ("<h2>Size</h2>Big<section>Round</section>", "Size\nBig\nRound"),
            (
                "<table><tr><td>Width:</td><td>10 cm</td></tr><tr><th>Depth<td>5 cm</tr></table>",
                "Width: 10 cm\nDepth: 5 cm",
            ),
            ("<tr><td>S</td><td>M</td><td>L</td></tr>", "S M L"),
            (
                "<tr>\n <td>Width</td>\n <td>10 cm</td>\n</tr>\n<tr><td>Depth</td>\n<td>5 cm</td></tr>",
                "Width: 10 cm\nDepth: 5 cm",
            ),
            ("<ul><li><p>Big</p></li>\n<li>\n Blue</li></ul>", "• Big\n• Blue"),
        ] {
            assert_eq!(plain(html), text, "{html}");
        }
    }

    #[test]
    fn only_names_of_elements_are_tags_in_a_title() {
        for (title, text) in [
            ("Shirt <M> or <S> for <b>you</b>", "Shirt <M> or <S> for you"),
            ("Cable <3 m", "Cable <3 m"),
            ("Salt &amp; pepper<br>mill", "Salt & pepper mill"),
        ] {
            assert_eq!(plain_title(title), text);
        }
    }

    #[test]
    fn deep_and_broken_html_takes_no_longer_than_it_is() {
        for part in [
            "<a>",
            "<a href=\"",
            "<a b='\">",
            "<a b=",
            "<script>",
            "&lt;",
            "&amp;",
            "<!--",
            "</",
            "<",
            "<li>",
            "<td>",
        ] {
            for text in [part.repeat(300_000), format!("<a>{}>", part.repeat(300_000))] {
                assert!(plain(&text).len() <= text.len(), "{part}");
            }
        }
        for part in ["<1", "<x"] {
            let text = format!("<a>{}>", part.repeat(300_000));
            assert!(plain_title(&text).len() <= text.len(), "{part}");
        }
    }

    proptest! {
        #[test]
        fn any_text_becomes_one_without_lines_that_are_blank(text in "([<>&;/a-c! \n-]|&lt;|script){0,40}") {
            prop_assert!(plain(&text).len() <= text.len());
        }
    }
}
