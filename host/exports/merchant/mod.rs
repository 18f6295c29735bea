//! Google merchant data as RSS 2.0: an item for each variant. What Google would refuse is left out.
//! <https://support.google.com/merchants/answer/7052112>

mod item;
mod xml;

use self::item::fields;
pub(crate) use self::item::{LeftOut, is_in};
use super::offer::Offer;
use crate::catalogue::Product;
use crate::document::Site;
use crate::pages::address;
use crate::profile::Currency;

const BEGIN: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
                     <rss version=\"2.0\" xmlns:g=\"http://base.google.com/ns/1.0\">\n<channel>\n";
const END: &str = "</channel>\n</rss>\n";

/// Writes what is before the first item. `name` and `description` are the shop's.
pub(super) fn begin(name: &str, description: &str, site: &Site, to: &mut Vec<u8>) {
    to.extend_from_slice(BEGIN.as_bytes());
    for (element, text) in
        [("title", name), ("link", &site.absolute(address::HOME)), ("description", description)]
    {
        xml::add(element, text, to);
    }
}

/// Writes the items of a product with prices in `currency`.
pub(super) fn write(product: &Product, currency: Currency, site: &Site, to: &mut Vec<u8>) {
    for fields in Offer::all_of(product).filter_map(|offer| fields(&offer, currency, site).ok()) {
        to.extend_from_slice(b"<item>\n");
        fields.iter().for_each(|(element, text)| xml::add(element, text, to));
        to.extend_from_slice(b"</item>\n");
    }
}

/// Writes what is after the last item.
pub(super) fn end(to: &mut Vec<u8>) {
    to.extend_from_slice(END.as_bytes());
}
