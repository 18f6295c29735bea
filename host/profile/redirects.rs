//! Where addresses lead that the shop no longer has, as a table of the operator says.

use std::collections::HashMap;

use csv::{ReaderBuilder, Trim};
use percent_encoding::percent_decode_str;
use thiserror::Error;

use super::text::Href;

/// Longest address in the table, in bytes.
const LONGEST: usize = 2_000;
/// How many parts of a path may stand before `*`.
const MOST_PARTS: usize = 32;
/// Most addresses that lead to each other, one after the other.
const LONGEST_CHAIN: usize = 10;

/// Why the table cannot be used.
#[derive(Debug, Error)]
pub enum RedirectsError {
    #[error("it is not UTF-8")]
    Encoding,
    #[error("it is no table")]
    Csv(#[from] csv::Error),
    #[error("its first line has to be `from,to`")]
    Header,
    #[error("line {line}: `{address}` is no path of the shop, such as /old-lamps or /index.php?id=5")]
    From { line: u64, address: String },
    #[error("line {line}: `{address}` is neither a path of the shop nor an address with http: or https:")]
    To { line: u64, address: String },
    #[error("line {line}: `*` stands at the end of both addresses, behind a slash, or of neither")]
    Star { line: u64 },
    #[error("line {line}: `{address}` leads to another place in an earlier line")]
    Twice { line: u64, address: String },
    #[error("`{address}` leads to itself in the end, or over more than 10 other addresses")]
    Circle { address: String },
}

/// The addresses that have moved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Redirects {
    exact: HashMap<String, String>,
    /// By what stands before `*`.
    beginnings: HashMap<String, String>,
}

impl Redirects {
    /// Reads a table with the columns `from` and `to`.
    ///
    /// # Errors
    /// When it is no such table, has an address that cannot be used, or leads round in a circle.
    pub fn parse(bytes: &[u8]) -> Result<Self, RedirectsError> {
        let text = std::str::from_utf8(bytes).map_err(|_| RedirectsError::Encoding)?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let first = text.lines().next().unwrap_or_default();
        let delimiter = if first.contains(';') { b';' } else { b',' };
        let mut table =
            ReaderBuilder::new().delimiter(delimiter).trim(Trim::All).from_reader(text.as_bytes());
        if table.headers()?.iter().map(str::to_lowercase).ne(["from", "to"]) {
            return Err(RedirectsError::Header);
        }
        let mut redirects = Self::default();
        for row in table.records() {
            let row = row?;
            let line = row.position().map_or(0, csv::Position::line);
            redirects.add(line, row.get(0).unwrap_or_default(), row.get(1).unwrap_or_default())?;
        }
        redirects.check_circles()?;
        Ok(redirects)
    }

    fn add(&mut self, line: u64, from: &str, to: &str) -> Result<(), RedirectsError> {
        let wrong_from = || RedirectsError::From { line, address: from.escape_debug().to_string() };
        let wrong_to = || RedirectsError::To { line, address: to.escape_debug().to_string() };
        let is_path = |address: &str| address.starts_with('/');
        let href = |address: &str| {
            let Href(address) = Href::try_from(address.to_owned()).ok()?;
            Some(address).filter(|address| address.len() <= LONGEST)
        };
        let from = Some(from).filter(|from| is_path(from) && from.len() <= LONGEST).ok_or_else(wrong_from)?;
        let is_web = |to: &str| is_path(to) || to.starts_with("https://") || to.starts_with("http://");
        match (from.strip_suffix('*'), to.strip_suffix('*')) {
            (None, None) => {
                let to = href(to).filter(|to| is_web(to)).ok_or_else(wrong_to)?;
                let from = normal(from);
                if self.exact.get(&from).is_some_and(|known| *known != to) {
                    return Err(RedirectsError::Twice { line, address: from });
                }
                self.exact.insert(from, to);
            }
            (Some(from), Some(to)) if from.ends_with('/') && to.ends_with('/') && !from.contains('?') => {
                let to = href(to).filter(|to| is_web(to) && !to.contains(['?', '#'])).ok_or_else(wrong_to)?;
                let from = decoded(from);
                if self.beginnings.get(&from).is_some_and(|known| *known != to) {
                    return Err(RedirectsError::Twice { line, address: from });
                }
                self.beginnings.insert(from, to);
            }
            _ => return Err(RedirectsError::Star { line }),
        }
        Ok(())
    }

    fn check_circles(&self) -> Result<(), RedirectsError> {
        let whole = self.exact.keys();
        let circle = whole.chain(self.beginnings.keys()).find(|from| self.end_of(from).is_none());
        match circle {
            Some(address) => Err(RedirectsError::Circle { address: address.clone() }),
            None => Ok(()),
        }
    }

    /// Where an address of the shop leads, which is a path that may have a query. `None` if it has not moved.
    pub fn find(&self, address: &str) -> Option<String> {
        self.step(address)?;
        self.end_of(address)
    }

    /// The end of the chain that begins at an address, which may be the address itself. `None` for a circle.
    fn end_of(&self, address: &str) -> Option<String> {
        let mut end = address.to_owned();
        for _ in 0..=LONGEST_CHAIN {
            match self.step(&end) {
                Some(next) => end = next,
                None => return Some(end),
            }
        }
        None
    }

    /// Where an address leads in the table.
    fn step(&self, address: &str) -> Option<String> {
        if !address.starts_with('/') {
            return None;
        }
        let address = address.split('#').next().unwrap_or_default();
        if let Some(to) = self.exact.get(&normal(address)) {
            return Some(to.clone());
        }
        let (path, query) = address.split_once('?').unwrap_or((address, ""));
        // A query that no line has, such as a campaign's, is kept.
        let with_query = |to: String| match query {
            "" => to,
            _ if to.contains(['?', '#']) => to,
            query => format!("{to}?{query}"),
        };
        if !query.is_empty()
            && let Some(to) = self.exact.get(&normal(path))
        {
            return Some(with_query(to.clone()));
        }
        let path = decoded(path);
        let slashes = path.match_indices('/').take(MOST_PARTS).map(|(at, _)| at + 1).collect::<Vec<_>>();
        let mut beginnings = slashes.into_iter().rev().map(|end| path.split_at(end));
        let (to, rest) = beginnings.find_map(|(from, rest)| Some((self.beginnings.get(from)?, rest)))?;
        // A slash at the beginning would lead to another host.
        let rest = rest.trim_start_matches(['/', '\\']);
        Some(with_query(format!("{to}{}", encoded(rest))))
    }

    /// Every address that has moved, with where its line says it leads, in order.
    pub fn lines(&self) -> Vec<(&str, &str)> {
        let mut lines: Vec<(&str, &str)> =
            self.exact.iter().map(|(from, to)| (from.as_str(), to.as_str())).collect();
        lines.sort_unstable();
        lines
    }

    /// How many lines there are.
    pub fn len(&self) -> usize {
        self.exact.len() + self.beginnings.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// An address with a path that is not percent-encoded and has no slash at its end.
fn normal(address: &str) -> String {
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let path = decoded(path);
    let path = if path.len() > 1 { path.trim_end_matches('/') } else { &path };
    if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") }
}

/// A path that is not percent-encoded, unless it is no text then.
fn decoded(path: &str) -> String {
    percent_decode_str(path).decode_utf8().map_or_else(|_| path.to_owned(), Into::into)
}

/// The rest of a path, percent-encoded but for what separates its parts.
fn encoded(path: &str) -> String {
    use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
    const KEPT: &AsciiSet =
        &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~');
    utf8_percent_encode(path, KEPT).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: &str) -> Result<Redirects, RedirectsError> {
        Redirects::parse(format!("from,to\n{rows}").as_bytes())
    }

    #[test]
    fn addresses_lead_where_the_table_says() {
        let redirects = table(
            "/old,/new\n/Str%C3%A4u%C3%9Fe.html,/category/straeusse\n/index.php?id=5,/product/lamp\n/index.php,/\n\
             /shop/*,/category/*\n/shop/lamps/*,https://lamps.example/*\n/a,/b\n/b,/c\n/x?y=1,/z?w=2\n",
        )
        .unwrap();
        for (address, expected) in [
            ("/old", Some("/new")),
            ("/old/", Some("/new")),
            ("/old?utm=a", Some("/new?utm=a")),
            ("/Stra\u{308}u\u{df}e.html", None),
            ("/Str\u{e4}u\u{df}e.html", Some("/category/straeusse")),
            ("/Str%c3%a4u%c3%9fe.html", Some("/category/straeusse")),
            ("/index.php?id=5", Some("/product/lamp")),
            ("/index.php?id=6", Some("/?id=6")),
            ("/shop/cups", Some("/category/cups")),
            ("/shop/", Some("/category/")),
            ("/shop", None),
            ("/shop/lamps/a%20b?c", Some("https://lamps.example/a%20b?c")),
            // A chain is one step.
            ("/a", Some("/c")),
            ("/b", Some("/c")),
            ("/c", None),
            ("/x", None),
            ("/x?y=1", Some("/z?w=2")),
            ("/", None),
            ("", None),
        ] {
            assert_eq!(redirects.find(address).as_deref(), expected, "{address}");
        }
        assert_eq!((redirects.len(), redirects.is_empty()), (9, false));
    }

    #[test]
    fn nothing_in_a_request_leads_to_another_host_or_into_a_header() {
        let redirects = table("/old/*,/*\n").unwrap();
        for rest in [
            "/evil.example",
            "//evil.example",
            "\\evil.example",
            "%2Fevil.example",
            "%5Cevil.example",
            "%0d%0aa: b",
        ] {
            let to = redirects.find(&format!("/old/{rest}")).unwrap();
            assert!(to.starts_with('/') && !to[1..].starts_with(['/', '\\']), "{to}");
            assert!(to.bytes().all(|byte| byte.is_ascii_graphic()), "{to}");
        }
    }

    #[test]
    fn what_cannot_be_used_is_named_with_its_line() {
        for (rows, named) in [
            ("/a,//evil.example\n", "line 2: `//evil.example`"),
            ("/a,/ok\n/b,/\\evil.example\n", "line 3"),
            ("/a,javascript:alert(1)\n", "javascript"),
            ("/a,mailto:a@b.example\n", "mailto"),
            ("/a,data:text/html\n", "data"),
            ("/a,\"/b\r\nset-cookie: c\"\n", "line 2"),
            ("a,/b\n", "`a`"),
            ("https://old.example/a,/b\n", "https://old.example/a"),
            ("/a,\n", "line 2"),
            ("/a/*,/b\n", "`*`"),
            ("/a,/b/*\n", "`*`"),
            ("/a*,/b*\n", "`*`"),
            ("/a/*,https://b.example*\n", "`*`"),
            ("/a,/b\n/a/,/c\n", "line 3: `/a` leads to another place"),
            ("/a,/b\n/b,/a\n", "leads to itself"),
            ("/a,/a\n", "leads to itself"),
            ("/a/*,/b/*\n/b/*,/a/*\n", "leads to itself"),
            ("/a/*,/a/b/*\n", "leads to itself"),
            ("/a,/b,/c\n", "no table"),
        ] {
            let error = table(rows).unwrap_err().to_string();
            assert!(error.contains(named), "{rows}: {error}");
        }
        let chain: String = (0..20).map(|number| format!("/{number},/{}\n", number + 1)).collect();
        assert!(matches!(table(&chain), Err(RedirectsError::Circle { .. })));
        for bytes in [&b"old,new\n/a,/b\n"[..], b"", b"from,to\n/\xff,/b\n"] {
            assert!(Redirects::parse(bytes).is_err());
        }
        assert_eq!(
            Redirects::parse("\u{feff}From;To\n/a;/b\n".as_bytes()).unwrap().find("/a").as_deref(),
            Some("/b")
        );
    }
}
