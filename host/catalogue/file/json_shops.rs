//! Products in JSON as the public interfaces of Shopify and WooCommerce show them. They become rows as those of the tables
//! that these systems export.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::BufRead;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::budget::MOST;
use super::dialects::{Dialect, SHOPIFY_JSON, WOOCOMMERCE_JSON};
use super::error::FileError;
use super::json::{Layout, each, is_object};
use super::json_shopify;
use super::json_woocommerce::Variations;
use super::report::Reason;
use super::row::Position;
use super::rows::Gathered;

/// Which system shows products.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum System {
    Shopify,
    WooCommerce,
}

/// The first line of the products of a shop that was read in pages.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Head<'a> {
    /// The shop's address, without a slash at its end.
    pub(super) shop: Cow<'a, str>,
    pub(super) system: System,
    /// The currency of products that do not name it.
    pub(super) currency: Option<Cow<'a, str>>,
}

impl System {
    /// The system that wrote a JSON text, as its first product shows.
    pub(super) fn of(text: impl BufRead) -> Option<Self> {
        let mut found = None;
        // Any error ends the reading.
        let _ = each(text, &mut |_, first| {
            found = Self::of_product(first);
            Err(FileError::Empty)
        });
        found
    }

    fn of_product(product: &[u8]) -> Option<Self> {
        #[derive(Deserialize)]
        struct First<'a> {
            handle: Option<IgnoredAny>,
            #[serde(borrow)]
            variants: Option<&'a RawValue>,
            prices: Option<&'a RawValue>,
        }
        if let Ok(head) = serde_json::from_slice::<Head>(product) {
            return Some(head.system);
        }
        let First { handle, variants, prices } = serde_json::from_slice(product).ok()?;
        if handle.is_some() && variants.is_some_and(|variants| variants.get().starts_with('[')) {
            return Some(Self::Shopify);
        }
        let prices: HashMap<Cow<str>, IgnoredAny> = serde_json::from_str(prices?.get()).ok()?;
        prices.contains_key("currency_minor_unit").then_some(Self::WooCommerce)
    }

    fn dialect(self) -> &'static Dialect {
        match self {
            Self::Shopify => &SHOPIFY_JSON,
            Self::WooCommerce => &WOOCOMMERCE_JSON,
        }
    }
}

/// Reads all products of a JSON text that this system wrote. Returns the positions of the first and the last one; none if the
/// operator cannot see the text, so that lines name nothing.
///
/// # Errors
/// When it is not valid, its last line is not complete, or it has too many products.
pub(super) fn read(
    text: impl BufRead,
    system: System,
    gathered: &mut Gathered,
) -> Result<Option<(Position, Position)>, FileError> {
    gathered.use_dialect(system.dialect());
    let (mut head, mut variations) = (None, Variations::default());
    let (mut positions, mut open) = (None, None);
    let layout = each(text, &mut |position, text| {
        let first = positions.map(|(first, _)| first);
        positions = Some((first.unwrap_or(position), position));
        if first.is_none()
            && let Ok(Head { shop, currency, .. }) = serde_json::from_slice(text)
        {
            head = Some((shop.into_owned(), currency.unwrap_or_default().into_owned()));
            return Ok(());
        }
        if let Some(position) = open.take() {
            gathered.leave_out(Reason::Unreadable, position);
        }
        if text.trim_ascii_end().len() as u64 > MOST {
            gathered.leave_out(Reason::TooLong, position);
            return Ok(());
        }
        let head = head.as_ref().map(|(shop, currency)| (&**shop, &**currency));
        let is_read = match (system, std::str::from_utf8(text)) {
            (_, Err(_)) => None,
            (System::Shopify, Ok(text)) => json_shopify::add(text, position, head, gathered)?,
            (System::WooCommerce, Ok(text)) => variations.add(text, position, gathered)?,
        };
        match is_read {
            Some(()) => {}
            None if is_object(text) => gathered.leave_out(Reason::Unreadable, position),
            // It may still be written, if it is the last one.
            None => open = Some(position),
        }
        Ok(())
    })?;
    match (layout, open) {
        (Layout::Lines, Some(Position { line, .. })) => Err(FileError::Incomplete { line: line.into() }),
        (_, open) => {
            open.into_iter().for_each(|open| gathered.leave_out(Reason::Unreadable, open));
            Ok(positions.filter(|_| head.is_none()))
        }
    }
}
