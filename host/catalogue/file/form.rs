//! Whether a file is a table, XML or JSON.

use std::io::{BufRead, Cursor, Read};

use memchr::memmem;

use super::error::FileError;

/// How many bytes at the beginning of a file may be spaces.
const HEAD: u64 = 4 << 10;
/// How web pages begin, in lower case.
const WEB_PAGES: [&[u8]; 6] = [b"<!doctype html", b"<html", b"<head", b"<body", b"<meta", b"<script"];

/// The form of a file, as its first character shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Table,
    Xml,
    Json,
}

impl Form {
    /// The form of a text, and a reader of the whole text.
    ///
    /// # Errors
    /// When it cannot be read, or is a web page.
    pub(super) fn of(mut text: impl BufRead) -> Result<(Self, impl BufRead), FileError> {
        let mut head = Vec::new();
        text.by_ref().take(HEAD).read_to_end(&mut head)?;
        let form = match head.trim_ascii_start().first() {
            Some(b'{' | b'[') => Self::Json,
            Some(b'<') if is_web_page(&head) => return Err(FileError::WebPage),
            Some(b'<') => Self::Xml,
            _ => Self::Table,
        };
        Ok((form, Cursor::new(head).chain(text)))
    }
}

/// Whether a text begins as a web page does, after comments and an XML declaration.
fn is_web_page(head: &[u8]) -> bool {
    let mut rest = head.trim_ascii_start();
    loop {
        let end: &[u8] = match rest {
            [b'<', b'!', b'-', b'-', ..] => b"-->",
            [b'<', b'?', ..] => b"?>",
            _ => break,
        };
        let Some(at) = memmem::find(rest, end) else { return false };
        rest = rest[at + end.len()..].trim_ascii_start();
    }
    WEB_PAGES.iter().any(|begin| rest.get(..begin.len()).is_some_and(|text| text.eq_ignore_ascii_case(begin)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_web_page_is_no_xml() {
        for (text, form) in [
            ("<!DOCTYPE html>\n<html><body>Sign in</body></html>", None),
            ("\n <HTML lang=\"en\">", None),
            (
                "<!-- saved --><!-- twice -->\n<!doctype html PUBLIC \"-//W3C//DTD XHTML 1.0 Strict//EN\">",
                None,
            ),
            ("<?xml version=\"1.0\"?>\n<!DOCTYPE html>", None),
            ("<script>location = '/login'</script>", None),
            ("<?xml version=\"1.0\"?><!-- a feed --><rss>", Some(Form::Xml)),
            ("<rss><channel>", Some(Form::Xml)),
            ("<!-- <html>", Some(Form::Xml)),
            ("<", Some(Form::Xml)),
            ("id,title,price\n1,<html>,5", Some(Form::Table)),
            ("[{\"id\":1}]", Some(Form::Json)),
        ] {
            assert_eq!(Form::of(text.as_bytes()).ok().map(|(form, _)| form), form, "{text}");
        }
    }
}
