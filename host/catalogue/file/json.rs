//! Products as the catalogue service sends them: in a list, or one on each line. They are read one at a time.

use std::collections::HashSet;
use std::fmt;
use std::io::{BufRead, Cursor, Read};

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::amounts::PricesIn;
use super::budget::{Budgeted, MOST, Progress};
use super::error::FileError;
use super::report::{Reason, Report};
use super::row::Position;
use super::rows::Products;
use crate::catalogue::key::ProductKey;
use crate::catalogue::service::wire;
use crate::profile::Currency;

/// How the products of a JSON text are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    Lines,
    List,
}

/// How products of JSON are read.
#[derive(Clone, Copy)]
pub(super) struct JsonRules<'a> {
    pub(super) prices: PricesIn,
    /// Makes the addresses of pictures.
    pub(super) picture: &'a dyn Fn(&str) -> Option<String>,
    /// How many products fit in memory.
    pub(super) most: u64,
}

/// Reads all products of a JSON text. Also returns the currency of their prices, if something names it.
///
/// # Errors
/// When it is not valid, its last line is not complete, or it has too many products.
pub(super) fn products(
    text: impl BufRead,
    rules: JsonRules,
    report: &mut Report,
) -> Result<(Products, Option<Currency>), FileError> {
    let mut taker =
        Taker { rules, currency: None, report, products: Vec::new(), seen: HashSet::new(), unreadable: None };
    let layout = each(text, &mut |position, text| taker.take(position, text))?;
    match (layout, taker.unreadable) {
        (Layout::Lines, Some(Position { line, .. })) => Err(FileError::Incomplete { line: line.into() }),
        (_, unreadable) => {
            let reported = unreadable.map_or(Ok(()), |row| taker.count(row, Err(Reason::Unreadable)));
            taker.report.dialect = match layout {
                Layout::Lines => "products as JSON Lines",
                Layout::List => "products as JSON",
            };
            let currency = taker.currency.unwrap_or_else(|| rules.prices.among(None));
            reported.map(|()| (taker.products, currency))
        }
    }
}

/// Takes the text of a product.
type Take<'a> = dyn FnMut(Position, &[u8]) -> Result<(), FileError> + 'a;

/// Calls `take` with the text of every product: in JSON Lines, with every line that is not blank.
///
/// # Errors
/// When the text is neither a JSON list nor JSON Lines, and when `take` fails.
pub(super) fn each(text: impl BufRead, take: &mut Take) -> Result<Layout, FileError> {
    let progress = Progress::default();
    let mut text = Budgeted::new(text, &progress);
    let mut first = Vec::new();
    while first.trim_ascii().is_empty() {
        match text.by_ref().take(MOST).read_until(b'\n', &mut first) {
            Ok(0) => return Err(FileError::Empty),
            Ok(_) => {}
            Err(error) => return Err(progress.failure().unwrap_or_else(|| error.into())),
        }
    }
    // The file is JSON Lines if its first line is a whole object without a list of products.
    if is_object(&first) && !has_list(&first) {
        return lines(first, text, &progress, take).map(|()| Layout::Lines);
    }
    let all = Cursor::new(first).chain(text.into_inner());
    let progress = Progress::default();
    let mut json = serde_json::Deserializer::from_reader(Budgeted::new(all, &progress));
    let read = json.deserialize_any(List { take, progress: &progress }).and_then(|()| json.end());
    read.map_err(|error| progress.failure().unwrap_or(FileError::Json(error)))?;
    Ok(Layout::List)
}

/// Collects products.
struct Taker<'a> {
    rules: JsonRules<'a>,
    /// The currency of all products, once the first one has decided it: `Some(None)` if nothing names one.
    currency: Option<Option<Currency>>,
    report: &'a mut Report,
    products: Products,
    seen: HashSet<ProductKey>,
    /// The last text, if it is not a whole object: it may still be written.
    unreadable: Option<Position>,
}

impl Taker<'_> {
    /// Takes the text of a product, which may be invalid.
    ///
    /// # Errors
    /// When there are more products than fit in memory.
    fn take(&mut self, position: Position, text: &[u8]) -> Result<(), FileError> {
        if let Some(position) = self.unreadable.take() {
            self.count(position, Err(Reason::Unreadable))?;
        }
        let taken =
            std::str::from_utf8(text).map_err(|_| Reason::Unreadable).and_then(|raw| self.product(raw));
        if taken == Err(Reason::Unreadable) && !is_object(text) {
            self.unreadable = Some(position);
            return Ok(());
        }
        self.count(position, taken)
    }

    /// Parses and keeps a product.
    ///
    /// # Errors
    /// Why it is left out.
    fn product(&mut self, raw: &str) -> Result<(), Reason> {
        wire::check_nesting(raw.as_bytes()).map_err(|_| Reason::Unreadable)?;
        let Self { rules: JsonRules { prices, picture, .. }, currency, .. } = self;
        let mut choose = |named: Option<Currency>| {
            let known = *currency.get_or_insert_with(|| prices.among(named));
            let known = known.unwrap_or_default();
            named.is_none_or(|named| named == known).then_some(known)
        };
        let product = wire::parse_named(raw, &mut choose, *picture).map_err(reason)?;
        if !self.seen.insert(product.summary.id.clone()) {
            return Err(Reason::Repeated);
        }
        self.products.push(Box::new(product));
        Ok(())
    }

    /// Counts a text that was taken, and reports why it is left out if it is.
    ///
    /// # Errors
    /// When there are more products than fit in memory.
    fn count(&mut self, position: Position, taken: Result<(), Reason>) -> Result<(), FileError> {
        self.report.rows += 1;
        if let Err(reason) = taken {
            self.report.leave_out(reason, position);
        }
        let most = self.rules.most;
        if self.products.len() as u64 > most { Err(FileError::TooMany { most }) } else { Ok(()) }
    }
}

/// Calls `take` with each line that is not blank.
fn lines(
    mut line: Vec<u8>,
    mut text: Budgeted<impl BufRead>,
    progress: &Progress,
    take: &mut Take,
) -> Result<(), FileError> {
    let mut position = Position::default();
    let mut number = progress.line() - u64::from(line.ends_with(b"\n"));
    loop {
        if !line.trim_ascii().is_empty() {
            position = position.next(number);
            take(position, &line)?;
        }
        line.clear();
        number = progress.begin_record();
        let read = text.read_until(b'\n', &mut line);
        if read.map_err(|error| progress.failure().unwrap_or_else(|| error.into()))? == 0 {
            return Ok(());
        }
    }
}

/// Whether a line is a whole object.
fn is_object(line: &[u8]) -> bool {
    line.trim_ascii_start().starts_with(b"{") && serde_json::from_slice::<&RawValue>(line).is_ok()
}

/// Whether an object has a list of products.
fn has_list(line: &[u8]) -> bool {
    #[derive(serde::Deserialize)]
    struct List {
        #[expect(dead_code, reason = "only its presence counts")]
        products: Vec<IgnoredAny>,
    }
    serde_json::from_slice::<List>(line).is_ok()
}

/// Reads the products of a list, or of an object with the list `products`.
struct List<'a, 'b> {
    take: &'a mut Take<'b>,
    progress: &'a Progress,
}

impl<'de> Visitor<'de> for List<'_, '_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a list of products")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let mut position = Position::default();
        self.progress.begin_record();
        while let Some(raw) = list.next_element::<Box<RawValue>>()? {
            let ends = memchr::memchr_iter(b'\n', raw.get().as_bytes()).count() as u64;
            position = position.next(self.progress.line() - ends);
            if let Err(error) = (self.take)(position, raw.get().as_bytes()) {
                let message = error.to_string();
                self.progress.fail(error);
                return Err(serde::de::Error::custom(message));
            }
            self.progress.begin_record();
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<(), A::Error> {
        let Self { take, progress } = self;
        let mut is_read = false;
        while let Some(key) = object.next_key::<String>()? {
            if key == "products" && !is_read {
                is_read = true;
                object.next_value_seed(List { take: &mut *take, progress })?;
            } else {
                object.next_value::<IgnoredAny>()?;
            }
            progress.begin_record();
        }
        if is_read { Ok(()) } else { Err(serde::de::Error::missing_field("products")) }
    }
}

impl<'de> DeserializeSeed<'de> for List<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

/// Why a product without this field is not sold.
fn reason(field: &str) -> Reason {
    match field {
        "id" => Reason::NoKey,
        "title" => Reason::NoTitle,
        "price" => Reason::NoPrice,
        "currency" => Reason::OtherCurrency,
        _ => Reason::Unreadable,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::availability::Availability;

    /// The keys of the products, and what was left out.
    fn read(text: &str) -> Result<(Vec<String>, Report), FileError> {
        let mut report = Report::default();
        let picture = |written: &str| Some(written.to_owned());
        let rules = JsonRules { prices: PricesIn::OwnOr(None), picture: &picture, most: u64::MAX };
        let (products, _) = products(text.as_bytes(), rules, &mut report)?;
        Ok((products.iter().map(|product| product.summary.id.to_string()).collect(), report))
    }

    #[test]
    fn products_are_read_from_a_list_or_from_lines() {
        let one = r#"{"id":1,"title":"Cup","price":5}"#;
        let two = r#"{"id":"b/2","title":"Bowl","price":"6.50"}"#;
        for (text, dialect) in [
            (format!("[{one},\n{two}]"), "products as JSON"),
            (format!(r#"{{"total":2,"products":[{one},{two}]}}"#), "products as JSON"),
            (format!("{one}\n\n{two}"), "products as JSON Lines"),
        ] {
            let (keys, report) = read(&text).unwrap();
            assert_eq!((keys.len(), &*keys[0], report.dialect), (2, "1", dialect), "{text}");
            assert!(keys[1].starts_with("b-2-"), "{keys:?}");
        }
    }

    #[test]
    fn the_first_product_says_the_currency_unless_something_else_does() {
        let line = |more: &str| format!("{{\"id\":1,\"title\":\"Cup\",\"price\":5.5{more}}}\n");
        let one = |currency: &str| line(&format!(",\"currency\":\"{currency}\""));
        let read = |text: &str, prices| {
            let mut report = Report::default();
            let rules = JsonRules { prices, picture: &|_| None, most: u64::MAX };
            let (products, currency) = products(text.as_bytes(), rules, &mut report).unwrap();
            let prices: Vec<u64> = products.iter().map(|product| product.summary.price.minor()).collect();
            (prices, currency, report.reasons().map(|(_, text)| text).collect::<Vec<_>>())
        };
        let [yen, dinar] = ["JPY", "KWD"].map(Currency::parse);
        for (text, prices, expected) in [
            (one("jpy"), PricesIn::OwnOr(dinar), (vec![6], yen, vec![])),
            (line(""), PricesIn::OwnOr(dinar), (vec![5_500], dinar, vec![])),
            (line(""), PricesIn::OwnOr(None), (vec![550], None, vec![])),
            (
                one("KWD"),
                PricesIn::Only(yen.unwrap()),
                (vec![], yen, vec!["1 with a price in another currency (line 1)"]),
            ),
            (one("$"), PricesIn::OwnOr(None), (vec![550], None, vec![])),
        ] {
            let (read, currency, reasons) = read(&text, prices);
            assert_eq!((read, currency, reasons.iter().map(|text| &**text).collect()), expected, "{text}");
        }
    }

    #[test]
    fn a_word_says_that_a_product_is_free_or_can_be_had() {
        let read = |fields: &str| {
            let text = format!("{{\"id\":1,\"title\":\"Cup\",{fields}}}");
            let rules = JsonRules { prices: PricesIn::OwnOr(None), picture: &|_| None, most: 9 };
            let (mut products, _) = products(text.as_bytes(), rules, &mut Report::default()).unwrap();
            products.pop().map(|product| *product)
        };
        assert_eq!(read(r#""price":0"#), None);
        let free = read(r#""price":"free","mpn":" M-1 ""#).unwrap();
        assert_eq!((free.summary.price.minor(), free.mpn.as_deref()), (0, Some("M-1")));
        for (fields, expected) in [
            (r#""stock":3"#, Availability::of_stock(3)),
            (r#""stock":3,"availability":"in stock""#, Availability::of_stock(3)),
            (r#""stock":0,"availability":"backorder""#, Availability::BackOrder),
            (r#""availability":"in_stock""#, Availability::InStock(None)),
            (r#""stock":3,"availability":"perhaps""#, Availability::of_stock(3)),
        ] {
            let options = r#""options":[{"name":"Size","value":"M"}]"#;
            let own = read(&format!(r#""price":5,{fields}"#)).unwrap();
            let of_variant = read(&format!(r#""price":5,"variants":[{{{options},{fields}}}]"#)).unwrap();
            assert_eq!((own.summary.availability, of_variant.variants[0].availability), (expected, expected));
        }
    }

    #[test]
    fn what_cannot_be_sold_is_named_by_its_line() {
        let good = r#"{"id":1,"title":"Cup","price":5}"#;
        let text = format!(
            "{good}\n{{\"id\":2,\"price\":5}}\nnothing\n{good}\n{{\"id\":3,\"title\":\"A\",\"price\":0}}\n{{\"title\":\"A\"}}\n"
        );
        let (keys, report) = read(&text).unwrap();
        let reasons: Vec<String> = report.reasons().map(|(_, text)| text).collect();
        assert_eq!(keys, ["1"]);
        assert_eq!(
            reasons,
            [
                "1 without an id (line 6)",
                "1 without a title (line 2)",
                "1 without a price above zero (line 5)",
                "1 with the id, or the options, of an earlier one (line 4)",
                "1 not readable (line 3)",
            ]
        );
    }

    #[test]
    fn a_file_that_is_still_written_is_refused() {
        let good = r#"{"id":1,"title":"Cup","price":5}"#;
        assert!(matches!(read(&format!("{good}\n{}", &good[..9])), Err(FileError::Incomplete { line: 2 })));
        assert!(matches!(read(&format!("[{good},\n{}", &good[..9])), Err(FileError::Json(_))));
        assert_eq!(read(good).unwrap().0, ["1"], "one product is a line too");
        assert!(matches!(read("{\n}"), Err(FileError::Json(_))));
    }
}
