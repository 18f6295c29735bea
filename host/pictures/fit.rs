//! How a picture stands in a frame of other proportions: what is around its subject decides.

use super::pixels::Pixels;

/// From this value on, of 255, all channels of a pixel count as white.
const WHITE: u8 = 244;
/// A pixel that is less opaque, of 255, lets what is behind it through.
const OPAQUE: u8 = 250;
/// One in this many pixels lets something through where a picture is a cut-out.
const OF_CUT_OUT: usize = 50;

/// What a picture is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fit {
    /// Its ground is transparent: it stands whole on the plate.
    CutOut,
    /// Its ground is white: it stands whole, and the white vanishes in the plate.
    White,
    /// It fills its frame.
    Photograph,
}

impl Fit {
    /// What a picture of a few pixels is.
    pub(super) fn of(pixels: &Pixels) -> Self {
        let is_translucent = |pixel: &&[u8]| pixel.get(3).is_some_and(|alpha| *alpha < OPAQUE);
        let all = pixels.bytes.chunks_exact(pixels.channels());
        let translucent = all.filter(is_translucent).count();
        if translucent * OF_CUT_OUT >= pixels.width * pixels.height {
            return Self::CutOut;
        }
        let edges = edges(pixels);
        let white = edges.iter().filter(|pixel| pixel[..3].iter().all(|value| *value >= WHITE)).count();
        // A subject may reach one edge, or two corners.
        if white * 5 >= edges.len() * 4 { Self::White } else { Self::Photograph }
    }

    /// What is kept of it.
    pub(super) fn to_byte(self) -> u8 {
        match self {
            Self::CutOut => b'c',
            Self::White => b'w',
            Self::Photograph => b'p',
        }
    }

    /// What was kept; `None` for another byte.
    pub(super) fn from_byte(byte: u8) -> Option<Self> {
        [Self::CutOut, Self::White, Self::Photograph].into_iter().find(|fit| fit.to_byte() == byte)
    }
}

/// The pixels at the edges of a picture.
fn edges(pixels: &Pixels) -> Vec<&[u8]> {
    let Pixels { width, height, .. } = *pixels;
    let horizontal = (0..width).flat_map(|x| [(x, 0), (x, height - 1)]);
    let vertical = (0..height).flat_map(|y| [(0, y), (width - 1, y)]);
    horizontal.chain(vertical).map(|(x, y)| pixels.at(x, y)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A picture of 40 by 30 pixels with the colours that `colour` says.
    fn drawn(has_alpha: bool, colour: impl Fn(usize, usize) -> [u8; 4]) -> Pixels {
        let channels = if has_alpha { 4 } else { 3 };
        let places = (0..30).flat_map(|y| (0..40).map(move |x| (x, y)));
        let bytes = places.flat_map(|(x, y)| colour(x, y)[..channels].to_vec()).collect();
        Pixels { width: 40, height: 30, has_alpha, bytes }
    }

    #[test]
    #[expect(clippy::cast_possible_truncation, reason = "all values are small")]
    fn twenty_pictures_are_what_one_sees() {
        let inside = |x: usize, y: usize| (8..32).contains(&x) && (6..24).contains(&y);
        let tool = [90, 60, 30, 255];
        for level in 0..4_u8 {
            // Cut-outs, whatever colour their transparent pixels have.
            let ground =
                [[0; 4], [255, 255, 255, 0], [0, 0, 0, 100], [255, 255, 255, 200]][usize::from(level)];
            assert_eq!(Fit::of(&drawn(true, |x, y| if inside(x, y) { tool } else { ground })), Fit::CutOut);
            // Grounds of nearly white, with a shadow below or a subject that reaches the right edge.
            let white = [255 - 3 * level, 255 - 2 * level, 255 - 3 * level, 255];
            let on_white = drawn(level % 2 == 0, |x, y| {
                let reaches = level == 3 && x > 30 && (10..20).contains(&y);
                if inside(x, y) || reaches { tool } else { white }
            });
            assert_eq!(Fit::of(&on_white), Fit::White, "{level}");
            // Photographs: grey studios, landscapes with a white sky, portraits, and one with a white frame of one side.
            let grey = 200 - 40 * level;
            let studio = drawn(false, |x, y| if inside(x, y) { tool } else { [grey, grey, grey, 255] });
            assert_eq!(Fit::of(&studio), Fit::Photograph);
            let sky =
                drawn(true, |_, y| if y < 4 + 2 * usize::from(level) { [255; 4] } else { [40, 90, 30, 255] });
            assert_eq!(Fit::of(&sky), Fit::Photograph, "{level}");
            let fade = drawn(false, |x, _| [(x * 6) as u8, 120, 20 * level, 255]);
            assert_eq!(Fit::of(&fade), Fit::Photograph);
        }
    }

    #[test]
    fn what_is_kept_is_read_again() {
        for fit in [Fit::CutOut, Fit::White, Fit::Photograph] {
            assert_eq!(Fit::from_byte(fit.to_byte()), Some(fit));
        }
        assert_eq!([0, b'o', u8::MAX].map(Fit::from_byte), [None; 3]);
    }
}
