//! Which copies there are of a picture.

use super::header::Header;

/// The width of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Width {
    W160,
    W320,
    W480,
    W800,
    W1600,
}

impl Width {
    pub(super) const EVERY: [Self; 5] = [Self::W160, Self::W320, Self::W480, Self::W800, Self::W1600];
    pub(super) const SMALLEST: Self = Self::W160;
    pub(super) const LARGEST: Self = Self::W1600;

    pub(crate) fn pixels(self) -> u32 {
        match self {
            Self::W160 => 160,
            Self::W320 => 320,
            Self::W480 => 480,
            Self::W800 => 800,
            Self::W1600 => 1600,
        }
    }

    /// The widths of a picture's copies: those up to its own, and the next one above, which stands for its own.
    pub(super) fn of(header: &Header) -> Vec<Self> {
        Self::up_to(header.width.max(1)).collect()
    }

    /// The widths of the copies of a picture that is so wide; none of one without a width.
    pub(super) fn up_to(own: u32) -> impl Iterator<Item = Self> {
        let is_needed =
            move |index: usize| index.checked_sub(1).map_or(0, |below| Self::EVERY[below].pixels()) < own;
        Self::EVERY
            .into_iter()
            .enumerate()
            .filter(move |(index, _)| is_needed(*index))
            .map(|(_, width)| width)
    }
}

/// What is made of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Size {
    /// A WebP of this width.
    Width(Width),
    /// A JPEG of 1200 by 630 pixels for link previews.
    Preview,
    /// Nothing but how it fits into a frame.
    Fit,
    /// No copy: what is known of a picture on another host.
    Origin,
}

impl Size {
    /// The copy that an address names with the words after the hash, such as `480.webp`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        if text == "preview.jpg" {
            return Some(Self::Preview);
        }
        let width = text.strip_suffix(".webp")?;
        Width::EVERY.into_iter().find(|known| known.pixels().to_string() == width).map(Self::Width)
    }

    /// The same, or the widest copy of a picture that is not so wide.
    pub(crate) fn at_most(self, header: &Header) -> Self {
        let widest = Width::of(header).into_iter().next_back().map(Self::Width);
        if matches!(self, Self::Width(_)) && !self.is_of(header) { widest.unwrap_or(self) } else { self }
    }

    /// Whether there is a copy of this size of a picture with this header.
    pub(crate) fn is_of(self, header: &Header) -> bool {
        header.as_is.is_none()
            && match self {
                Self::Width(width) => Width::of(header).contains(&width),
                Self::Preview | Self::Fit => true,
                Self::Origin => false,
            }
    }

    pub(crate) fn content_type(self) -> &'static str {
        if self == Self::Preview { "image/jpeg" } else { "image/webp" }
    }

    /// The end of the name of its file.
    pub(super) fn name(self) -> String {
        match self {
            Self::Width(width) => width.pixels().to_string(),
            Self::Preview => "preview".into(),
            Self::Fit => "fit".into(),
            Self::Origin => "origin".into(),
        }
    }

    /// The size whose file has this end of a name.
    pub(super) fn of_name(name: &str) -> Option<Self> {
        let widths = Width::EVERY.into_iter().map(Self::Width);
        widths.chain([Self::Preview, Self::Fit, Self::Origin]).find(|size| size.name() == name)
    }
}
