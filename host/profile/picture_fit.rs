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
    ///
    /// Where the products are the operator's own, pictures of other hosts of which nothing is known fill their frames too.
    pub(super) fn styles(self, is_own: bool) -> &'static str {
        match self.fit {
            None if is_own => {
                ".ProductImage:not(.ProductImage--c,.ProductImage--w)>[src^=http]{object-fit:cover;\
                 .Plate &{inset-block:0;block-size:100%;translate:none}\
                 .GalleryStage &{block-size:auto;min-block-size:80cqi;max-block-size:125cqi}\
                 .GalleryViewer &{object-fit:contain}}\
                 .GalleryStage .ProductImage:not(.ProductImage--c,.ProductImage--w):has(>[src^=http]){\
                 aspect-ratio:auto;container-type:inline-size}"
            }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_of_other_hosts_fill_their_frames_in_shops_of_own_products_unless_the_file_decides() {
        let of = |fit, is_own| Pictures { fit }.styles(is_own).contains("[src^=http]{object-fit:cover");
        assert!(of(None, true));
        assert!(!of(None, false), "the sample and services look as before");
        assert!(!of(Some(PictureFit::Contain), true) && !of(Some(PictureFit::Cover), true));
    }
}
