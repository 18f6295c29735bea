//! Where shoppers ask for a product or order it: the address that the operator chose, with the product filled in.

use super::percent_encode::encode;
use super::shortened::{TITLE, shortened};
use crate::profile::ShopLink;

/// The link for one product, whose page has the address `url`. Emails get a subject and a body, and messages by WhatsApp
/// a text. What the operator has written there comes first. Other addresses stay as they are.
pub(crate) fn enquiry(link: &ShopLink, title: &str, sku: &str, url: &str) -> ShopLink {
    let ShopLink { text, href } = link.clone();
    let title = shortened(title, TITLE);
    let title = if sku.is_empty() { title } else { format!("{title} ({sku})") };
    let filled = if href.starts_with("mailto:") {
        let body = format!("{title}\r\n{url}\r\n");
        let href = with(&href, "subject", &title, false);
        with(&href, "body", &body, true)
    } else if href.starts_with("https://wa.me/") {
        with(&href, "text", &format!("{title}\n{url}"), true)
    } else {
        href
    };
    ShopLink { text, href: filled }
}

/// The address with a parameter. If it has the parameter already, that stays, or the value `follows` it on a new line.
fn with(href: &str, name: &str, value: &str, follows: bool) -> String {
    let (path, query) = href.split_once('?').unwrap_or((href, ""));
    let mut has_it = false;
    let mut parameters: Vec<String> = Vec::new();
    for parameter in query.split('&').filter(|parameter| !parameter.is_empty()) {
        let (own, written) = parameter.split_once('=').unwrap_or((parameter, ""));
        if has_it || !own.eq_ignore_ascii_case(name) {
            parameters.push(parameter.into());
            continue;
        }
        has_it = true;
        let rest = if follows { encode(&format!("\r\n\r\n{value}")).to_string() } else { String::new() };
        parameters.push(format!("{own}={written}{rest}"));
    }
    if !has_it {
        parameters.push(format!("{name}={}", encode(value)));
    }
    format!("{path}?{}", parameters.join("&"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(href: &str) -> String {
        let link = ShopLink { text: "Ask".into(), href: href.into() };
        enquiry(&link, "Kranz & Zapfen?", "K 1", "https://shop.example/product/k").href
    }

    #[test]
    fn a_message_names_the_product_with_its_number_and_address() {
        let title = "Kranz%20%26%20Zapfen%3F%20(K%201)";
        let url = "https%3A%2F%2Fshop.example%2Fproduct%2Fk";
        assert_eq!(
            filled("mailto:a@shop.example"),
            format!("mailto:a@shop.example?subject={title}&body={title}%0D%0A{url}%0D%0A")
        );
        assert_eq!(filled("https://wa.me/49123"), format!("https://wa.me/49123?text={title}%0A{url}"));
    }

    #[test]
    fn what_the_operator_has_written_comes_first() {
        let href = filled("mailto:a@shop.example?cc=b@shop.example&Body=Hello&subject=Order");
        assert!(
            href.starts_with("mailto:a@shop.example?cc=b@shop.example&Body=Hello%0D%0A%0D%0AKranz"),
            "{href}"
        );
        assert!(href.ends_with("&subject=Order"), "{href}");
        assert!(filled("https://wa.me/49123?text=Hi").contains("?text=Hi%0D%0A%0D%0AKranz"));
    }

    #[test]
    fn other_addresses_stay_as_they_are() {
        for href in [
            "tel:+49301234567",
            "/page/contact",
            "https://forms.example/ask?a=b",
            "https://wa.me.evil.example/1",
        ] {
            assert_eq!(filled(href), href);
        }
    }
}
