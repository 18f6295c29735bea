//! What decorates pages.

use serde::Deserialize;

/// What decorates pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ornament {
    /// The awning of a shop window.
    #[default]
    Awning,
    None,
}

impl Ornament {
    /// Style rules that take precedence over the style sheet, wherever they stand: a line takes the awning's place.
    pub(super) fn styles(self) -> &'static str {
        match self {
            Self::Awning => "",
            Self::None => {
                ":root:root{--size-awning:1px;--awning-scallop:0px}\
                 :root:root,.Layout.Layout{--awning:var(--colour-line)}\
                 .Logo.Logo>svg,.ListingHead-tag.ListingHead-tag::before,\
                 .ProductImage-placeholder.ProductImage-placeholder::before{display:none}"
            }
        }
    }
}
