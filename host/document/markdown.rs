//! The addresses of pages as Markdown, and texts in it.

use crate::pages::address::{Address, Preset};

/// What the address of a page as Markdown ends with.
pub(crate) const ENDING: &str = ".md";
/// The home page as Markdown.
pub(crate) const HOME: &str = "/index.md";

/// The address of a page as Markdown; `None` if it has no such form.
pub(crate) fn address_of(page: &Address) -> Option<String> {
    match page {
        Address::Home { .. } => Some(HOME.into()),
        Address::Preset(Preset::All, _)
        | Address::Categories { .. }
        | Address::Category(..)
        | Address::Product(_)
        | Address::TextPage(_) => {
            let (path, base) = (page.path(), page.base_path());
            Some(format!("{base}{ENDING}{}", path.strip_prefix(&base)?))
        }
        _ => None,
    }
}

/// A text without a meaning in Markdown (CommonMark, section 2.4, and GitHub's extensions).
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if r"\`*_[]<>&~|".contains(character) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages::listing_query::ListingQuery;

    #[test]
    fn names_are_plain_text_in_markdown() {
        assert_eq!(escaped("Men's Shirts, 50% - new."), "Men's Shirts, 50% - new.");
        assert_eq!(
            escaped("](https://evil.example) <b>*x*</b> `y` &lt; ![i] \\"),
            r"\](https://evil.example) \<b\>\*x\*\</b\> \`y\` \&lt; !\[i\] \\"
        );
    }

    #[test]
    fn the_ending_comes_before_the_query() {
        let page = |raw| address_of(&Address::Preset(Preset::All, ListingQuery::parse(raw)));
        assert_eq!(page("page=2").as_deref(), Some("/products.md?page=2"));
        assert_eq!(address_of(&Address::Product(7.into())).as_deref(), Some("/product/7.md"));
        assert_eq!(address_of(&Address::Home { seed: 1 }).as_deref(), Some("/index.md"));
        assert_eq!(address_of(&Address::Offline), None);
    }
}
