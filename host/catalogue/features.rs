//! What the products of a version have.

/// What at least one product has, which decides the pages that the shop links to: a page for what no product has would be
/// empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Features {
    pub brands: bool,
    pub categories: bool,
    pub discounts: bool,
    /// When a product was added or changed.
    pub dates: bool,
    pub ratings: bool,
}

impl Features {
    /// All of them, which a source promises whose pages are linked whatever its products have.
    pub const ALL: Self =
        Self { brands: true, categories: true, discounts: true, dates: true, ratings: true };

    /// What either of them has.
    pub(super) fn or(self, other: Self) -> Self {
        Self {
            brands: self.brands || other.brands,
            categories: self.categories || other.categories,
            discounts: self.discounts || other.discounts,
            dates: self.dates || other.dates,
            ratings: self.ratings || other.ratings,
        }
    }
}
