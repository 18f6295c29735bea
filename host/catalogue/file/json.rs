//! Products as the catalogue service sends them: in a list, or one on each line.

use std::collections::HashSet;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::error::FileError;
use super::pictures::Pictures;
use super::report::{Reason, Report};
use crate::catalogue::model::Product;
use crate::catalogue::service::wire;
use crate::profile::Currency;

/// Reads all products of a JSON text.
///
/// # Errors
/// When it is not valid, or its last line is not complete.
pub(super) fn products(
    text: &str,
    currency: Currency,
    pictures: &Pictures,
    report: &mut Report,
) -> Result<Vec<Product>, FileError> {
    let mut products = Vec::new();
    let mut seen = HashSet::new();
    for (line, raw) in entries(text, report)? {
        report.rows += 1;
        if wire::check_nesting(raw.as_bytes()).is_err() {
            report.leave_out(Reason::Unreadable, line);
            continue;
        }
        match wire::parse_named(raw, currency, &|written| pictures.address(written)) {
            Ok(product) if seen.insert(product.summary.id.clone()) => products.push(product),
            Ok(_) => report.leave_out(Reason::Repeated, line),
            Err(field) => report.leave_out(reason(field), line),
        }
    }
    Ok(products)
}

/// Each product's text, and the line on which it begins.
fn entries<'a>(text: &'a str, report: &mut Report) -> Result<Vec<(u64, &'a str)>, FileError> {
    let lines = || (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    // The first line is a whole product, and not a list of them.
    if lines()
        .next()
        .is_some_and(|(_, first)| is_object(first) && serde_json::from_str::<List>(first).is_err())
    {
        report.dialect = "products as JSON Lines";
        return match lines().last() {
            Some((line, last)) if !is_object(last) => Err(FileError::Incomplete { line }),
            _ => Ok(lines().collect()),
        };
    }
    report.dialect = "products as JSON";
    wire::check_nesting(text.as_bytes())?;
    let list: Vec<&RawValue> = match text.trim_start().starts_with('[') {
        true => serde_json::from_str(text)?,
        false => serde_json::from_str::<List>(text)?.products,
    };
    let (mut line, mut known) = (1, 0);
    let entry = |raw: &'a RawValue| {
        // Each is a part of the text.
        let at = raw.get().as_ptr() as usize - text.as_ptr() as usize;
        line += memchr::memchr_iter(b'\n', &text.as_bytes()[known..at]).count() as u64;
        known = at;
        (line, raw.get())
    };
    Ok(list.into_iter().map(entry).collect())
}

#[derive(Deserialize)]
struct List<'a> {
    #[serde(borrow)]
    products: Vec<&'a RawValue>,
}

fn is_object(line: &str) -> bool {
    line.trim_start().starts_with('{') && serde_json::from_str::<&RawValue>(line).is_ok()
}

/// Why a product without this field is not sold.
fn reason(field: &str) -> Reason {
    match field {
        "id" => Reason::NoKey,
        "title" => Reason::NoTitle,
        "price" => Reason::NoPrice,
        _ => Reason::Unreadable,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The keys of the products, and what was left out.
    fn read(text: &str) -> Result<(Vec<String>, Report), FileError> {
        let mut report = Report::default();
        let products = products(text, Currency::default(), &Pictures::new(None), &mut report)?;
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
