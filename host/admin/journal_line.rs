//! Lines of the workers' journal. With replicas each line has the order's number: a worker also learns of
//! orders from the server that replicas share, and must not carry out an order twice.

use std::time::Duration;

use crate::share::{OrderId, Share};

/// The line of an order: its text and, if it has a number, a space, which no text contains, and the number.
pub(super) fn line(text: &str, id: Option<OrderId>) -> String {
    id.map_or_else(|| text.to_owned(), |id| format!("{text} {id}"))
}

/// The text in such a line, which was written this long `ago`; `None` if the order has been carried out. If the
/// worker that received a new order has died, the other replicas may not have it either, so it is passed on.
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
