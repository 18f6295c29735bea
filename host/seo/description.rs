//! A page's description for search results and link previews.

use crate::contract::{Content, Page};

/// What search results show of a description, in characters.
const LONGEST: usize = 155;

pub fn describe(page: &Page) -> String {
    let text = match &page.content {
        Content::Home(_) => "Browse the whole shop: beauty, fashion, electronics, furniture and more. Free shipping on orders over $50, 24/7 support and 30-day returns.".into(),
        Content::Categories(categories) => {
            let names: Vec<&str> =
                categories.categories.iter().map(|category| category.name.as_str()).collect();
            format!("All {} categories of the shop: {}.", names.len(), names.join(", "))
        }
        Content::Brands(brands) => {
            let names: Vec<&str> = brands.brands.iter().map(|brand| brand.name.as_str()).collect();
            format!("All {} brands of the shop: {}.", names.len(), names.join(", "))
        }
        Content::Listing(listing) => {
            let titles: Vec<&str> =
                listing.products.iter().take(4).map(|product| product.title.as_str()).collect();
            match listing.total {
                0 => format!("{}: no products found.", listing.heading),
                1 => format!("{}: {}.", listing.heading, titles.join(", ")),
                total => format!("{}: {total} products, among them {}.", listing.heading, titles.join(", ")),
            }
        }
        Content::Product(content) => match &content.product {
            Some(product) => format!("{}: {}", product.price.current, product.description),
            None => "The product you are looking for does not exist.".into(),
        },
        Content::Error(error) => error.message.clone(),
    };
    trim_at_word(&text)
}

/// Cuts after the last whole word that fits.
fn trim_at_word(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if words.chars().count() <= LONGEST {
        return words;
    }
    let cut: String = words.chars().take(LONGEST - 3).collect();
    let whole = cut.rfind(' ').map_or(cut.as_str(), |at| &cut[..at]);
    format!("{}...", whole.trim_end_matches([',', '.', ':', ';', ' ']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_ends_with_a_whole_word() {
        let trimmed = trim_at_word(&"several words, ".repeat(40));
        assert!(trimmed.chars().count() <= LONGEST && trimmed.ends_with("words..."), "{trimmed}");
        assert_eq!(trim_at_word(&"x".repeat(400)).chars().count(), LONGEST);
        assert_eq!(trim_at_word("  short \n text "), "short text");
    }
}
