//! Lines of the workers' journal. With replicas each has the order's number, because a worker also learns of
//! orders from the server that replicas share, and carries out none twice.

use std::time::Duration;

use crate::share::{OrderId, Share};

/// What the journal of workers has of an order: its text and, after a space, which no text has, its number.
pub(super) fn line(text: &str, id: Option<OrderId>) -> String {
    id.map_or_else(|| text.to_owned(), |id| format!("{text} {id}"))
}

/// The text in such a line, which was written so long ago; `None` if the order has been carried out. An order
/// that is new may not have reached the other replicas either, if the worker that received it has died.
pub(super) fn text_of<'a>(line: &'a str, ago: Duration, share: Option<&Share>) -> Option<&'a str> {
    let Some((text, id)) = line.split_once(' ') else { return Some(line) };
    if let (Some(share), Ok(id)) = (share, id.parse()) {
        if !share.is_new(id) {
            return None;
        }
        share.inherit(text, id, ago);
    }
    Some(text)
}
