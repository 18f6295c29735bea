//! Colours of one hue, and how readable they are on each other.

use color::{Oklch, OpaqueColor, Srgb};

/// A colour of sRGB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Colour(pub(super) [u8; 3]);

/// The direction of a search for a readable colour.
#[derive(Clone, Copy)]
pub(super) enum Towards {
    Black,
    White,
}

/// What colours of one hue have in common.
pub(super) struct Hue {
    lightness: f32,
    chroma: f32,
    /// In degrees.
    angle: f32,
}

impl Hue {
    pub(super) fn of(colour: Colour) -> Self {
        let [lightness, chroma, angle] = colour.opaque().convert::<Oklch>().components;
        Self { lightness, chroma, angle }
    }

    /// The hue that is so many degrees further.
    pub(super) fn turned(self, by: f32) -> Self {
        Self { angle: (self.angle + by).rem_euclid(360.0), ..self }
    }

    pub(super) fn own(&self) -> Shade {
        self.at(self.lightness, self.chroma)
    }

    /// The hue with this lightness, and with the accent's chroma or `most_chroma`, whichever is less.
    pub(super) fn at(&self, lightness: f32, most_chroma: f32) -> Shade {
        Shade { lightness, chroma: self.chroma.min(most_chroma), angle: self.angle }
    }
}

/// A colour of Oklch, see <https://www.w3.org/TR/css-color-4/#ok-lab>.
#[derive(Clone, Copy)]
pub(super) struct Shade {
    lightness: f32,
    chroma: f32,
    angle: f32,
}

impl Shade {
    /// The colour, less colourful where screens cannot show it.
    pub(super) fn colour(self) -> Colour {
        const STEPS: u16 = 64;
        let with =
            |chroma: f32| OpaqueColor::<Oklch>::new([self.lightness, chroma, self.angle]).convert::<Srgb>();
        let is_shown =
            |colour: &OpaqueColor<Srgb>| colour.components.iter().all(|part| (-0.001..=1.001).contains(part));
        let steps = (0..=STEPS).rev().map(|step| with(self.chroma * f32::from(step) / f32::from(STEPS)));
        let shown = steps.into_iter().find(is_shown);
        Colour::of(shown.unwrap_or_else(|| with(0.0)))
    }

    pub(super) fn shifted(self, by: f32) -> Self {
        Self { lightness: (self.lightness + by).clamp(0.0, 1.0), ..self }
    }

    /// The nearest shade in a direction that has at least this contrast to all of some colours; black or white if no
    /// other one does.
    pub(super) fn away_from(self, others: &[Colour], least: f32, towards: Towards) -> Self {
        const STEP: f32 = 0.004;
        let step = match towards {
            Towards::Black => -STEP,
            Towards::White => STEP,
        };
        let mut shade = self;
        while others.iter().any(|other| other.contrast(shade.colour()) < least) {
            let next = shade.shifted(step);
            if next.lightness == shade.lightness {
                return Self { chroma: 0.0, ..next };
            }
            shade = next;
        }
        shade
    }
}

impl Colour {
    pub(super) fn of(colour: OpaqueColor<Srgb>) -> Self {
        let colour = colour.to_rgba8();
        Self([colour.r, colour.g, colour.b])
    }

    fn opaque(self) -> OpaqueColor<Srgb> {
        OpaqueColor::new(self.0.map(|part| f32::from(part) / 255.0))
    }

    /// The contrast ratio of WCAG 2, from 1 to 21.
    pub(super) fn contrast(self, other: Self) -> f32 {
        let [one, other] = [self, other].map(|colour| colour.opaque().relative_luminance() + 0.05);
        one.max(other) / one.min(other)
    }

    pub(super) fn hex(self) -> String {
        let [red, green, blue] = self.0;
        format!("#{red:02x}{green:02x}{blue:02x}")
    }
}
