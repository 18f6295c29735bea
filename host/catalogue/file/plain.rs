//! Texts without mark-up.

use std::borrow::Cow;

/// Elements whose content is no text.
const HIDDEN: [&str; 4] = ["script", "style", "template", "title"];
/// Elements that begin a new line.
const BLOCKS: [&str; 14] =
    ["p", "br", "div", "li", "ul", "ol", "tr", "table", "h1", "h2", "h3", "h4", "h5", "h6"];

/// The text of HTML, in time that grows with its length. A text without tags and entities stays as it is. Entities may be
/// escaped twice.
pub(crate) fn plain(text: &str) -> String {
    if !has_markup(text) {
        return text.trim().into();
    }
    let once = without_tags(text);
    let twice = if has_markup(&once) { without_tags(&once) } else { once };
    let lines: Vec<String> =
        twice.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    let mut plain = String::new();
    for line in lines.iter().filter(|line| !line.is_empty()) {
        if !plain.is_empty() {
            plain.push('\n');
        }
        plain += line;
    }
    plain
}

/// Whether a text has a tag or an entity.
pub(crate) fn has_markup(text: &str) -> bool {
    let begins = |mark: char, next: fn(char) -> bool| {
        text.match_indices(mark).any(|(at, _)| text[at + 1..].starts_with(next))
    };
    begins('<', |next| next.is_ascii_alphabetic() || "/!".contains(next))
        || begins('&', |next| next.is_ascii_alphabetic() || next == '#')
}

fn without_tags(html: &str) -> String {
    let mut text = String::with_capacity(html.len());
    let mut rest = html;
    // The element whose content is skipped.
    let mut hidden: Option<&str> = None;
    while let Some(at) = rest.find('<') {
        let (before, tag) = rest.split_at(at);
        if hidden.is_none() {
            text += &decoded(before);
        }
        let comment =
            tag.strip_prefix("<!--").map(|comment| comment.find("-->").map_or(tag.len(), |end| end + 7));
        let is_tag = tag[1..].starts_with(|next: char| next.is_ascii_alphabetic() || "/!?".contains(next));
        if comment.is_none() && !is_tag {
            if hidden.is_none() {
                text.push('<');
            }
            rest = &tag[1..];
            continue;
        }
        let end = comment.or_else(|| tag.find('>').map(|end| end + 1)).unwrap_or(tag.len());
        let name = tag[1..end].trim_start_matches('/');
        let name = &name[..name.find(|sign: char| !sign.is_ascii_alphanumeric()).unwrap_or(name.len())];
        let is =
            |names: &[&'static str]| names.iter().copied().find(|known| name.eq_ignore_ascii_case(known));
        match (hidden, is(&HIDDEN)) {
            (None, Some(name)) if !tag.starts_with("</") => hidden = Some(name),
            (Some(open), Some(name)) if tag.starts_with("</") && open == name => hidden = None,
            _ => {}
        }
        if hidden.is_none() && is(&BLOCKS).is_some() {
            text.push('\n');
        }
        rest = &tag[end..];
    }
    if hidden.is_none() {
        text += &decoded(rest);
    }
    text
}

fn decoded(text: &str) -> Cow<'_, str> {
    html_escape::decode_html_entities(text)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::plain;

    #[test]
    fn html_becomes_text() {
        for (html, text) in [
            (" 5 < 6 & 7 > 3\nnext", "5 < 6 & 7 > 3\nnext"),
            ("<p>Red <b>cup</b></p><ul><li>big\n and round<li>blue</ul>", "Red cup\nbig\nand round\nblue"),
            ("Salt &amp; pepper <3", "Salt & pepper <3"),
            ("&lt;b&gt;Salt&lt;/b&gt; &amp;amp; pepper", "Salt & pepper"),
            ("<script>alert('<b>')</script><STYLE>p{}</STYLE>Cup", "Cup"),
            ("a<!-- <p>hidden --> b<script>never closed", "a b"),
            ("Caf&#233;&nbsp;au lait", "Café au lait"),
            ("a <b never closed", "a"),
        ] {
            assert_eq!(plain(html), text, "{html}");
        }
    }

    #[test]
    fn deep_and_broken_html_takes_no_longer_than_it_is() {
        for part in ["<a>", "<a href=\"", "<script>", "&lt;", "&amp;", "<!--", "</", "<"] {
            assert!(plain(&part.repeat(300_000)).len() <= 300_000 * part.len(), "{part}");
        }
    }

    proptest! {
        #[test]
        fn any_text_becomes_one_without_lines_that_are_blank(text in "([<>&;/a-c! \n-]|&lt;|script){0,40}") {
            prop_assert!(plain(&text).len() <= text.len());
        }
    }
}
