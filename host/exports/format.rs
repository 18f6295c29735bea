//! The forms in which the shop's products are offered to other programs.

/// A form of the shop's products.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Format {
    /// Google merchant data, as RSS 2.0. It lacks products that Google would refuse.
    Merchant,
    /// A product on each line, with everything that is known of it.
    Lines,
    /// A table with the columns of our own form.
    Table,
}

impl Format {
    /// Every form.
    pub(crate) const EVERY: [Self; 3] = [Self::Merchant, Self::Lines, Self::Table];

    /// Its address.
    pub(crate) const fn path(self) -> &'static str {
        match self {
            Self::Merchant => "/merchant.xml",
            Self::Lines => "/products.jsonl",
            Self::Table => "/products.csv",
        }
    }

    pub(crate) fn content_type(self) -> &'static str {
        match self {
            Self::Merchant => "application/rss+xml",
            Self::Lines => "application/jsonl; charset=utf-8",
            Self::Table => "text/csv; charset=utf-8",
        }
    }

    /// Its title in a list of files.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Merchant => "Products as Google merchant data (RSS)",
            Self::Lines => "Products as JSON Lines",
            Self::Table => "Products as a table (CSV)",
        }
    }
}
