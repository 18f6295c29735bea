//! How pictures stand in their frames, if an operator decides it for all.

use serde::Deserialize;

/// What the shop file says of pictures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Pictures {
    pub fit: Option<PictureFit>,
}

/// How all pictures stand in their frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PictureFit {
    /// They fill them, and what does not fit is cut off.
    Cover,
    /// They are whole.
    Contain,
}

impl Pictures {
    /// Style rules that take precedence over the style sheet, wherever they stand. In full screen pictures are always whole.
    pub(super) fn styles(self) -> &'static str {
        match self.fit {
            None => "",
            Some(PictureFit::Cover) => {
                ":root:root .ProductImage-picture{object-fit:cover;mix-blend-mode:normal}\
                 :root:root .Plate .ProductImage-picture{inset-block:0;block-size:100%;translate:none}\
                 :root:root .GalleryViewer .ProductImage-picture{object-fit:contain}"
            }
            Some(PictureFit::Contain) => {
                ":root:root .ProductImage-picture{object-fit:contain;mix-blend-mode:normal}\
                 :root:root .GalleryStage .ProductImage{aspect-ratio:1}\
                 :root:root .GalleryStage .ProductImage-picture{block-size:100%;min-block-size:0;max-block-size:none}"
            }
        }
    }
}
