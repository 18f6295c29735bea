//! Whether a client would rather have Markdown than HTML (RFC 9110, section 12.5.1).

use axum::http::{HeaderMap, header};

const MARKDOWN: &str = "text/markdown";
/// What HTML is named by, the most exact name first.
const HTML: [&str; 3] = ["text/html", "text/*", "*/*"];

/// Whether `Accept` names Markdown and wants it at least as much as HTML.
pub(super) fn wants_markdown(headers: &HeaderMap) -> bool {
    let ranges = || {
        let values = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
        values.flat_map(|value| value.split(',')).map(weighted)
    };
    let weight = |name: &str| ranges().find(|(range, _)| *range == name).map(|(_, weight)| weight);
    let markdown = weight(MARKDOWN).unwrap_or_default();
    let html = HTML.into_iter().find_map(weight).unwrap_or_default();
    markdown > 0 && markdown >= html
}

/// A media range and its weight in thousandths.
fn weighted(range: &str) -> (&str, u32) {
    let mut parts = range.split(';').map(str::trim);
    let name = parts.next().unwrap_or_default();
    let weight = parts.find_map(|part| part.strip_prefix("q="));
    let thousandths = |weight: &str| match weight.parse::<f32>() {
        Ok(weight) if (0.0..=1.0).contains(&weight) => (weight * 1_000.0).round() as u32,
        _ => 0,
    };
    (name, weight.map_or(1_000, thousandths))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_is_sent_only_to_who_names_it_and_wants_it_as_much_as_html() {
        for (accept, wants) in [
            ("", false),
            ("*/*", false),
            ("text/html,application/xhtml+xml,*/*;q=0.8", false),
            ("text/markdown", true),
            ("text/markdown, text/html;q=0.9", true),
            ("text/html, text/markdown", true),
            ("text/html, text/markdown;q=0.9", false),
            ("text/markdown;q=0.5, */*;q=0.4", true),
            ("text/markdown;q=0.5, text/*;q=0.8, */*", false),
            ("text/markdown;q=0", false),
            ("text/markdown;q=none", false),
        ] {
            let headers = HeaderMap::from_iter([(header::ACCEPT, accept.parse().unwrap())]);
            assert_eq!(wants_markdown(&headers), wants, "{accept}");
        }
    }
}
