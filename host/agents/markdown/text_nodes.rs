//! An operator's text as Markdown again.

use crate::agents::plain::plain;
use crate::document::Site;
use crate::document::markdown::escaped;
use crate::profile::{ElementName as Name, TextElement, TextNode};

/// The Markdown of a text.
pub(super) fn markdown(nodes: &[TextNode], site: &Site) -> String {
    nodes.iter().map(|node| of_node(node, site)).collect()
}

fn of_node(node: &TextNode, site: &Site) -> String {
    match node {
        TextNode::Text(text) => escaped(&plain(text, usize::MAX)).replace('\n', " "),
        TextNode::Element(element) => of_element(element, site),
    }
}

fn of_element(element: &TextElement, site: &Site) -> String {
    let inner = || markdown(&element.content, site);
    let address = |address: &Option<String>| site.absolute(address.as_deref().unwrap_or_default());
    match element.name {
        Name::A => format!("[{}](<{}>)", inner(), address(&element.href)),
        Name::Img => {
            format!("![{}](<{}>)", escaped(element.alt.as_deref().unwrap_or_default()), address(&element.src))
        }
        Name::Blockquote => prefixed(&inner(), "> ", "> ") + "\n",
        Name::Br => "\\\n".into(),
        Name::Code | Name::Sup => inner(),
        Name::Del => format!("~~{}~~", inner()),
        Name::Em => format!("*{}*", inner()),
        Name::Strong => format!("**{}**", inner()),
        Name::H2 => format!("## {}\n\n", inner()),
        Name::H3 => format!("### {}\n\n", inner()),
        Name::H4 => format!("#### {}\n\n", inner()),
        Name::Hr => "---\n\n".into(),
        Name::P => format!("{}\n\n", inner()),
        Name::Pre => prefixed(&lines(&element.content), "    ", "    ") + "\n",
        Name::Ul | Name::Ol => list(element, site),
        Name::Li => inner(),
        Name::Table => format!("{}\n", inner()),
        Name::Tbody => inner(),
        Name::Thead => {
            let head = inner();
            let columns = head.matches(" |").count().max(1);
            format!("{head}|{}\n", " --- |".repeat(columns))
        }
        Name::Tr => format!("|{}\n", inner()),
        Name::Td | Name::Th => format!(" {} |", inner().trim().replace('\n', " ")),
    }
}

/// The items of a list, each with its mark.
fn list(element: &TextElement, site: &Site) -> String {
    let first = element.start.unwrap_or(1);
    let items = element.content.iter().filter_map(|node| match node {
        TextNode::Element(item) => Some(markdown(&item.content, site)),
        TextNode::Text(_) => None,
    });
    let item = |(number, text): (u64, String)| match element.name {
        Name::Ol => prefixed(text.trim(), &format!("{number}. "), "   "),
        _ => prefixed(text.trim(), "- ", "  "),
    };
    (first..).zip(items).map(item).collect::<String>() + "\n"
}

/// The text of code, with its lines.
fn lines(nodes: &[TextNode]) -> String {
    let text = |node: &TextNode| match node {
        TextNode::Text(text) => text.clone(),
        TextNode::Element(element) => lines(&element.content),
    };
    nodes.iter().map(text).collect()
}

/// The lines of a text behind marks.
fn prefixed(text: &str, first: &str, further: &str) -> String {
    let mark = |at: usize| if at == 0 { first } else { further };
    let lines = text.trim_end().lines().enumerate();
    lines.map(|(at, line)| format!("{}\n", format!("{}{line}", mark(at)).trim_end())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::TextPage;

    #[test]
    fn a_text_is_written_as_it_was_read() {
        let text = "Some *text* with [a link](<https://a.example/>).\n\n## More\n\n- one\n- two\n\n1. first\n2. second\n\n> Said\n\n";
        let page = TextPage::parse("terms", "Terms", &format!("# Terms\n\n{text}"), &["terms"]).unwrap();
        let site = Site::new(&"https://shop.example".parse().unwrap(), Vec::new());
        assert_eq!(markdown(&page.content, &site), text);
    }
}
