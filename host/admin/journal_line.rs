//! Lines of the workers' journal. With replicas each has the order's number, because a worker also learns of
//! orders from the server that replicas share, and carries out none twice.

use crate::share::{OrderId, Share};

/// What the journal of workers has of an order: its text and, after a space, which no text has, its number.
pub(super) fn line(text: &str, id: Option<OrderId>) -> String {
    id.map_or_else(|| text.to_owned(), |id| format!("{text} {id}"))
}

/// The text in such a line; `None` if the order has been carried out.
pub(super) fn text_of<'a>(line: &'a str, share: Option<&Share>) -> Option<&'a str> {
    let Some((text, id)) = line.split_once(' ') else { return Some(line) };
    let is_known = match (share, id.parse()) {
        (Some(share), Ok(id)) => !share.is_new(id),
        _ => false,
    };
    (!is_known).then_some(text)
}
