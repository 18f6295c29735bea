//! Products as the catalogue service sends them: in a list, or one on each line. They are read one at a time.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::io::{self, BufRead, Cursor, Read};

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::amounts::PricesIn;
use super::budget::{Budgeted, MOST, MOST_PARSED, Progress};
use super::categories::category;
use super::error::FileError;
use super::for_sale::{COLUMNS, Columns, ForSale};
use super::json_names::{JsonNames, Renamed};
use super::keys::Coded;
use super::meaning::is_of_a_program;
use super::moments::Changes;
use super::names::is_nothing;
use super::report::{Reason, Report};
use super::row::{Field, Position};
use super::rows::{Made, Products};
use crate::catalogue::key::ProductKey;
use crate::catalogue::model::Product;
use crate::catalogue::service::wire;
use crate::profile::{Currency, CurrencySign};

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
    /// The names that the operator has given to fields, as `normal` gives them.
    pub(super) own: &'a [(String, Field)],
}

/// Reads all products of a JSON text.
///
/// # Errors
/// When it is not valid, its last line is not complete, or it has too many products.
pub(super) fn products(text: impl BufRead, rules: JsonRules, report: &mut Report) -> Result<Made, FileError> {
    let mut taker = Taker {
        rules,
        names: JsonNames::new(rules.own),
        currency: None,
        report,
        products: Vec::new(),
        unclear: Vec::new(),
        seen: HashSet::new(),
        long_keys: HashMap::new(),
        coded: Coded::new(),
        unreadable: None,
    };
    let (mut first, mut last) = (None, Position::default());
    let layout = each(text, &mut |position, text| {
        (first, last) = (first.or(Some(position)), position);
        taker.take(position, text)
    })?;
    taker.report.compare_lines(first.unwrap_or_default(), last);
    match (layout, taker.unreadable) {
        (Layout::Lines, Some(Position { line, .. })) => Err(FileError::Incomplete { line: line.into() }),
        (_, unreadable) => {
            let reported = unreadable.map_or(Ok(()), |row| taker.count(row, Err(Reason::Unreadable)));
            taker.report.dialect = match layout {
                Layout::Lines => "products as JSON Lines",
                Layout::List => "products as JSON",
            };
            let currency = taker.currency.unwrap_or_else(|| rules.prices.among(None));
            taker.leave_out_unclear();
            let Taker { products, coded, .. } = taker;
            reported.map(|()| Made { products, coded, currency, changes: Changes::default() })
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
    let mut text = Budgeted::new(text, &progress, MOST);
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
    let mut json = serde_json::Deserializer::from_reader(Budgeted::new(all, &progress, MOST_PARSED));
    let read = json.deserialize_any(List { take, progress: &progress }).and_then(|()| json.end());
    read.map_err(|error| progress.failure().unwrap_or(FileError::Json(error)))?;
    Ok(Layout::List)
}

/// Collects products.
struct Taker<'a> {
    rules: JsonRules<'a>,
    names: JsonNames<'a>,
    /// The currency of all products, once the first one has decided it: `Some(None)` if nothing names one.
    currency: Option<Option<Currency>>,
    report: &'a mut Report,
    products: Products,
    /// The places of products with words that leave open whether they are for sale, in these columns.
    unclear: Vec<(usize, Columns, Position)>,
    seen: HashSet<ProductKey>,
    /// The longer keys of products whose keys have a code.
    long_keys: HashMap<ProductKey, ProductKey>,
    coded: Coded,
    /// The last text, if it is not a whole object: it may still be written.
    unreadable: Option<Position>,
}

/// What a product that is kept says of its sale.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Said {
    for_sale: ForSale,
    /// Whether words about its stock are not understood.
    has_unclear_stock: bool,
    /// Whether it has tags that a shop's own programs read.
    has_program_tags: bool,
}

/// A product as its text says.
struct Parsed {
    product: Product,
    /// Its name, unless that is its key.
    name: Option<String>,
    said: Said,
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
        if text.trim_ascii_end().len() as u64 > MOST {
            return self.count(position, Err(Reason::TooLong));
        }
        let taken =
            std::str::from_utf8(text).map_err(|_| Reason::Unreadable).and_then(|raw| self.product(raw));
        if taken == Err(Reason::Unreadable) && !is_object(text) {
            self.unreadable = Some(position);
            return Ok(());
        }
        if let Ok(Said { for_sale, has_unclear_stock, has_program_tags }) = taken {
            if let ForSale::Unclear(columns) = for_sale {
                self.unclear.push((self.products.len() - 1, columns, position));
            }
            if has_unclear_stock {
                self.report.leave_out(Reason::UnclearStock, position);
            }
            if has_program_tags {
                self.report.leave_out(Reason::ProgramTags, position);
            }
        }
        self.count(position, taken.map(drop))
    }

    /// Parses and keeps a product, unless it is not for sale. Returns what it says of that.
    ///
    /// # Errors
    /// Why it is left out.
    fn product(&mut self, raw: &str) -> Result<Said, Reason> {
        let decided = self.currency;
        // What is not sold does not decide the currency of the others.
        let Parsed { mut product, name, mut said } =
            self.parse(raw).inspect_err(|_| self.currency = decided)?;
        // As in a table.
        let key = &product.summary.id;
        if key.number().is_none() && is_nothing(&key.to_string()) {
            return Err(Reason::NoKey);
        }
        if let Some(name) = &name {
            let long_key = ProductKey::with_long_code(name);
            let first = self.long_keys.entry(product.summary.id.clone()).or_insert_with(|| long_key.clone());
            if *first != long_key {
                product.summary.id = long_key;
            }
        }
        if !self.seen.insert(product.summary.id.clone()) {
            return Err(Reason::Repeated);
        }
        let tags = product.tags.len();
        product.tags.retain(|tag| !is_of_a_program(tag));
        said.has_program_tags = product.tags.len() < tags;
        self.coded.extend(name.map(|name| (self.products.len(), name)));
        self.products.push(Box::new(product));
        Ok(said)
    }

    /// Parses a product, unless it is not for sale.
    ///
    /// # Errors
    /// Why it is left out.
    fn parse(&mut self, raw: &str) -> Result<Parsed, Reason> {
        wire::check_nesting(raw.as_bytes()).map_err(|_| Reason::Unreadable)?;
        let Self { rules: JsonRules { prices, picture, .. }, currency, names, .. } = self;
        let mut choose = |sign: CurrencySign| {
            // A sign that is not understood, or that several currencies have, decides nothing; without any currency, a dollar is
            // that of the United States.
            let is_understood = match sign {
                CurrencySign::Unknown | CurrencySign::Other => false,
                CurrencySign::Shared(_) => sign.may_be(Currency::default()) || prices.among(None).is_some(),
                _ => true,
            };
            let known = match is_understood {
                true => *currency.get_or_insert_with(|| prices.among(sign.currency())),
                false => currency.flatten(),
            };
            let read = known.or(Some(Currency::default()).filter(|_| is_understood))?;
            (sign != CurrencySign::Unknown && sign.may_be(read)).then_some(read)
        };
        let as_sent = match names.has_own() {
            true => Err(wire::OTHER_NAMES),
            false => wire::parse_named(raw, false, &mut choose, *picture),
        };
        match as_sent {
            Err(wire::OTHER_NAMES) => {
                let Renamed { text, for_sale, has_path, has_unclear_stock } = names.rename(raw)?;
                if for_sale == ForSale::No {
                    return Err(Reason::NotForSale);
                }
                let (mut product, name) =
                    wire::parse_named(&text, true, &mut choose, *picture).map_err(reason)?;
                if has_path {
                    let slug = product.summary.category.take();
                    product.summary.category =
                        slug.and_then(|slug| category(slug.name().unwrap_or(slug.as_str())));
                }
                let said = Said { for_sale, has_unclear_stock, has_program_tags: false };
                Ok(Parsed { product, name, said })
            }
            as_sent => {
                let (product, name) = as_sent.map_err(reason)?;
                Ok(Parsed { product, name, said: Said::default() })
            }
        }
    }

    /// Leaves products out whose words say neither that they are for sale nor that they are not, in a field that says so of
    /// others; and names the fields that are not read.
    fn leave_out_unclear(&mut self) {
        let Self {
            names: JsonNames { sale, sale_names, unused, .. }, unclear, products, coded, report, ..
        } = self;
        unclear.retain(|(_, columns, _)| columns.meets(sale.used));
        let mut left_out = unclear.iter().peekable();
        let mut place = 0;
        products.retain(|_| {
            let own = left_out.next_if(|(unclear, ..)| *unclear == place);
            place += 1;
            own.is_none()
        });
        coded.retain_mut(|(place, _)| {
            let before = unclear.partition_point(|(unclear, ..)| unclear < place);
            let is_left_out = unclear.get(before).is_some_and(|(unclear, ..)| unclear == place);
            *place -= before;
            !is_left_out
        });
        unclear.iter().for_each(|(_, _, position)| report.leave_out(Reason::UnclearSale, *position));
        report.unused = std::mem::take(&mut unused.0);
        for (field, name) in COLUMNS.iter().zip(sale_names) {
            if sale.unused().any(|unused| unused == *field) {
                report.unused.push(std::mem::take(name));
            }
        }
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

/// Calls `take` with each line that is not blank, of which no more than a little over [`MOST`] bytes are read.
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
        let read = text.by_ref().take(MOST + 1).read_until(b'\n', &mut line);
        let read = read.and_then(|read| {
            if read as u64 > MOST && !line.ends_with(b"\n") {
                skip_line(&mut text, progress)?;
            }
            Ok(read)
        });
        if read.map_err(|error| progress.failure().unwrap_or_else(|| error.into()))? == 0 {
            return Ok(());
        }
    }
}

/// Passes over the rest of a line, however long it is.
fn skip_line(text: &mut Budgeted<impl BufRead>, progress: &Progress) -> io::Result<()> {
    loop {
        progress.begin_record();
        let bytes = text.fill_buf()?;
        let end = memchr::memchr(b'\n', bytes);
        let (count, is_last) = end.map_or((bytes.len(), bytes.is_empty()), |end| (end + 1, true));
        text.consume(count);
        if is_last {
            return Ok(());
        }
    }
}

/// Whether a line is a whole object.
pub(super) fn is_object(line: &[u8]) -> bool {
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
        let rules = JsonRules { prices: PricesIn::OwnOr(None), picture: &picture, most: u64::MAX, own: &[] };
        let Made { products, .. } = products(text.as_bytes(), rules, &mut report)?;
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
    fn a_product_that_is_too_long_is_left_out_alone() {
        let line = |id: u32, text: &str| {
            format!("{{\"id\":{id},\"title\":\"Cup\",\"price\":5,\"description\":\"{text}\"}}")
        };
        let long = "é".repeat(3 << 20);
        for (text, number) in [
            (format!("{}\n{}\n\n{}\n", line(1, ""), line(2, &long), line(3, "")), 2),
            (format!("{}\n{}\n{}", line(1, ""), line(3, ""), line(2, &long)), 3),
            (format!("[{},\n{},\n{}]", line(1, ""), line(2, &long), line(3, "")), 2),
        ] {
            let (keys, report) = read(&text).unwrap();
            assert_eq!(keys, ["1", "3"]);
            assert_eq!(report.left_out.get(&Reason::TooLong).unwrap().first[0].line, number);
            assert_eq!((report.left_out.kinds().count(), report.rows), (1, 3));
        }
    }

    #[test]
    fn the_first_product_says_the_currency_unless_something_else_does() {
        let line = |more: &str| format!("{{\"id\":1,\"title\":\"Cup\",\"price\":5.5{more}}}\n");
        let one = |currency: &str| line(&format!(",\"currency\":\"{currency}\""));
        let read = |text: &str, prices| {
            let mut report = Report::default();
            let rules = JsonRules { prices, picture: &|_| None, most: u64::MAX, own: &[] };
            let Made { products, currency, .. } = products(text.as_bytes(), rules, &mut report).unwrap();
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
                PricesIn::Only { currency: yen.unwrap(), given: None },
                (vec![], yen, vec!["1 with a price in another currency (line 1)"]),
            ),
            (one("$"), PricesIn::OwnOr(None), (vec![550], None, vec![])),
            (one("kr"), PricesIn::OwnOr(Currency::parse("SEK")), (vec![550], Currency::parse("SEK"), vec![])),
            (
                one("kr"),
                PricesIn::OwnOr(None),
                (vec![], None, vec!["1 with a price in another currency (line 1)"]),
            ),
        ] {
            let (read, currency, reasons) = read(&text, prices);
            assert_eq!((read, currency, reasons.iter().map(|text| &**text).collect()), expected, "{text}");
        }
    }

    #[test]
    fn a_word_says_that_a_product_is_free_or_can_be_had() {
        let read = |fields: &str| {
            let text = format!("{{\"id\":1,\"title\":\"Cup\",{fields}}}");
            let rules = JsonRules { prices: PricesIn::OwnOr(None), picture: &|_| None, most: 9, own: &[] };
            let Made { mut products, .. } = products(text.as_bytes(), rules, &mut Report::default()).unwrap();
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
    fn an_id_that_says_that_there_is_none_is_none() {
        let text = r#"[{"id":"-","title":"Cup","price":5},{"id":"None","title":"Cup","price":5},{"id":"a","title":"Cup","price":5}]"#;
        let (keys, report) = read(text).unwrap();
        assert_eq!((keys, report.left_out.get(&Reason::NoKey).unwrap().count), (vec!["a".to_owned()], 2));
    }

    #[test]
    fn tags_of_programs_are_left_out_and_named() {
        for name in ["title", "name"] {
            let text = format!(r#"{{"id":1,"{name}":"Cup","price":5,"tags":["red","filter:blue","_new"]}}"#);
            let mut report = Report::default();
            let rules = JsonRules { prices: PricesIn::OwnOr(None), picture: &|_| None, most: 9, own: &[] };
            let Made { products, .. } = products(text.as_bytes(), rules, &mut report).unwrap();
            assert_eq!(products[0].tags, ["red"]);
            assert_eq!(
                report.left_out.kinds().map(|(&reason, _)| reason).collect::<Vec<_>>(),
                [Reason::ProgramTags]
            );
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
