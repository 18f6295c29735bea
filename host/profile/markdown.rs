//! Reads pages of text that the operator writes in Markdown.

use pulldown_cmark::{Event, Options, Parser, Tag};

use super::page_builder::{Open, PageBuilder};
use super::text_page::{DEEPEST, ElementName, MOST_ELEMENTS, TextNode, TextPage, TextPageError};

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
