//! A page's data as Markdown: what the page says, in its words.

use std::fmt::Write as _;

use super::text_nodes;
use crate::agents::plain::plain;
use crate::contract::{
    AvailabilityLabel, Categories, Content, Home, Listing, OptionValue, Price, Product, ProductCard,
    ProductDetail, Rating,
};
use crate::document::Site;
use crate::document::markdown::escaped;
use crate::exports::About;
use crate::pages::address;
use crate::pages::draft::Draft;
use crate::texts::{Key, Texts};

/// Longest text of one value, in characters.
const LONGEST: usize = 5_000;

/// The page of a draft.
pub(super) fn markdown(draft: &Draft, about: &About) -> String {
    let mut page = Writer { text: String::new(), site: &about.site, texts: &about.profile.texts };
    match &draft.content {
        Content::Home(home) => page.home(&about.profile.name, home),
        Content::Categories(categories) => page.categories(&draft.title, categories),
        Content::Listing(listing) => page.listing(listing),
        Content::Product(product) => page.product(&draft.title, product),
        Content::TextPage(content) => {
            page.heading(1, &content.title);
            page.text += &text_nodes::markdown(&content.text, page.site);
        }
        Content::Error(error) => page.heading(1, &error.message),
        Content::Brands(_) | Content::Saved(_) | Content::Offline(_) => page.heading(1, &draft.title),
    }
    page.text
}

struct Writer<'a> {
    text: String,
    site: &'a Site,
    texts: &'a Texts,
}

/// A text of one line without a meaning in Markdown.
fn line(text: &str) -> String {
    escaped(&plain(text, LONGEST).split_whitespace().collect::<Vec<_>>().join(" "))
}

impl Writer<'_> {
    fn heading(&mut self, level: usize, text: &str) {
        let gap = if self.text.is_empty() { "" } else { "\n" };
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{gap}{} {}\n", "#".repeat(level), line(text));
    }

    fn paragraph(&mut self, text: &str) {
        if !text.is_empty() {
            let _ = writeln!(self.text, "{text}\n");
        }
    }

    fn item(&mut self, parts: impl IntoIterator<Item = String>) {
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        let _ = writeln!(self.text, "- {}", parts.join(", "));
    }

    fn link(&self, text: &str, address: &str) -> String {
        // An address in angle brackets may have anything but these.
        let address = self.site.absolute(address).replace(['<', '>', '\n', '\\'], "");
        format!("[{}](<{address}>)", line(text))
    }

    fn price(&self, price: &Price) -> String {
        let mut text = if price.from {
            self.texts.with(Key::FromPrice, &[&price.current])
        } else {
            price.current.clone()
        };
        if let Some(original) = &price.original {
            let _ = write!(text, " ~~{}~~", line(original));
        }
        text
    }

    fn rating(&self, rating: &Rating) -> String {
        self.texts.with(Key::RatedOutOf5, &[&rating.text])
    }

    fn cards(&mut self, cards: &[ProductCard]) {
        for card in cards {
            let parts = [
                self.link(&card.title, &address::product(&card.id)),
                card.brand.as_deref().map(line).unwrap_or_default(),
                self.price(&card.price),
                card.availability.as_ref().map(|label| line(&label.text)).unwrap_or_default(),
                card.rating.as_ref().map(|rating| self.rating(rating)).unwrap_or_default(),
            ];
            self.item(parts);
        }
    }

    fn home(&mut self, name: &str, home: &Home) {
        self.heading(1, name);
        if !home.categories.is_empty() {
            self.heading(2, self.texts.text(Key::Categories));
        }
        for category in &home.categories {
            self.item([self.link(&category.name, &address::category(&category.slug))]);
        }
        let sections = [
            (Key::Featured, Some(&home.featured)),
            (Key::BestSellers, home.best_sellers.as_ref()),
            (Key::NewArrivals, home.new_arrivals.as_ref()),
        ];
        for (key, section) in sections {
            let Some(section) = section.filter(|section| !section.products.is_empty()) else { continue };
            self.heading(2, self.texts.text(key));
            self.cards(&section.products);
        }
    }

    fn categories(&mut self, title: &str, page: &Categories) {
        self.heading(1, title);
        for category in &page.categories {
            let count = category.count.map(|count| count.to_string()).unwrap_or_default();
            self.item([self.link(&category.name, &address::category(&category.slug)), count]);
        }
    }

    fn listing(&mut self, listing: &Listing) {
        self.heading(1, &listing.heading);
        self.cards(&listing.products);
        if listing.page_count > 1 {
            let _ = writeln!(self.text, "\n{} / {}", listing.page, listing.page_count);
        }
    }

    fn product(&mut self, title: &str, page: &Product) {
        match &page.product {
            Some(product) => self.detail(product),
            None => self.heading(1, title),
        }
        if !page.related.is_empty() {
            self.heading(2, self.texts.text(Key::MoreFromShop));
            self.cards(&page.related);
        }
    }

    fn detail(&mut self, product: &ProductDetail) {
        self.heading(1, &product.title);
        let labels: Vec<String> = product.availability.iter().map(label).collect();
        let head = [
            self.price(&product.price),
            labels.join(", "),
            product.brand.as_deref().map(line).unwrap_or_default(),
            product.rating.as_ref().map(|rating| self.rating(rating)).unwrap_or_default(),
        ];
        self.item(head);
        if !product.sku.is_empty() {
            self.item([self.texts.with(Key::Sku, &[&line(&product.sku)])]);
        }
        if let Some(category) = &product.category {
            self.item([self.link(&category.name, &address::category(&category.slug))]);
        }
        for fact in &product.facts {
            self.item([format!("{}: {}", line(&fact.name), line(&fact.text))]);
        }
        for option in &product.options {
            let value = |value: &OptionValue| match &value.note {
                Some(note) => format!("{} ({})", line(&value.name), label(note)),
                None => line(&value.name),
            };
            let values: Vec<String> = option.values.iter().map(value).collect();
            self.item([format!("{}: {}", line(&option.name), values.join(", "))]);
        }
        if let Some(link) = &product.link {
            self.item([self.link(&link.host, &link.href)]);
        }
        self.text.push('\n');
        for part in plain(&product.description, LONGEST).lines() {
            self.paragraph(&line(part));
        }
        for image in &product.images {
            let picture = self.link(&product.title, crate::pictures::plain(image));
            self.paragraph(&format!("!{picture}"));
        }
        let reviews = product.reviews.as_deref().unwrap_or_default();
        if !reviews.is_empty() {
            self.heading(2, self.texts.text(Key::Reviews));
        }
        for review in reviews {
            let by = format!("{} {}", line(&review.reviewer_name), line(&review.date_text));
            self.item([review.rating_text.clone(), by, line(&review.comment)]);
        }
    }
}

fn label(label: &AvailabilityLabel) -> String {
    line(&label.text)
}
