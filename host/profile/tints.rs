//! The tints of categories: the grounds of their tiles and heads.

use serde::Deserialize;

use super::shade::{Colour, Hue, Towards};

/// Number of tints. `client/styles/tints.css` has a class `tint-N` for each, from 0.
const TINTS: u8 = 8;
/// The hues of two neighbours differ by so many degrees.
const STEP: f32 = 12.0;
/// Least contrast of the ink on its tint (WCAG 2, level AAA).
const AAA: f32 = 7.0;

/// Which tints categories have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tints {
    /// Eight steps around the shop's own colour.
    Accent,
    /// All the same neutral ground.
    None,
}

/// Style rules that take precedence over the style sheet: eight steps around a colour.
pub(super) fn around(own: Colour) -> String {
    let rule = |(number, [tint, ink]): (u8, [[Colour; 2]; 2])| {
        let pair = |[light, dark]: [Colour; 2]| format!("light-dark({},{})", light.hex(), dark.hex());
        format!(":root .tint-{number}{{--tint:{};--tint-ink:{}}}", pair(tint), pair(ink))
    };
    (0..TINTS).map(|number| rule((number, colours(own, number)))).collect()
}

/// Style rules that give all categories the same ground.
pub(super) fn none() -> String {
    let classes: Vec<String> = (0..TINTS).map(|number| format!(":root .tint-{number}")).collect();
    format!("{}{{--tint:var(--colour-sunken);--tint-ink:var(--colour-ink)}}", classes.join(","))
}

/// Tint and ink of a number, each in the light theme and the dark one. The steps also differ in lightness, or those of a grey
/// would all be the same.
fn colours(own: Colour, number: u8) -> [[Colour; 2]; 2] {
    let hue = Hue::of(own).turned((f32::from(number) - f32::from(TINTS - 1) / 2.0) * STEP);
    let step = 0.01 * f32::from(number % 4);
    let (light, dark) = (hue.at(0.95 - step, 0.034), hue.at(0.27 + step, 0.022));
    let (light, dark) = (light.colour(), dark.colour());
    let on_light = hue.at(0.36, 0.09).away_from(&[light], AAA, Towards::Black);
    let on_dark = hue.at(0.85, 0.08).away_from(&[dark], AAA, Towards::White);
    [[light, dark], [on_light.colour(), on_dark.colour()]]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]
        #[test]
        fn the_ink_of_every_tint_is_readable(own: [u8; 3], number in 0..TINTS) {
            let [tint, ink] = colours(Colour(own), number);
            for theme in 0..2 {
                prop_assert!(ink[theme].contrast(tint[theme]) >= AAA);
            }
        }
    }

    #[test]
    fn every_tint_of_the_style_sheet_has_another_colour_also_around_a_grey() {
        let sheet = include_str!("../../client/styles/tints.css");
        for own in [Colour([0x8c, 0x2f, 0x5f]), Colour([0x80, 0x80, 0x80])] {
            let rules = around(own);
            for number in 0..TINTS {
                assert!(sheet.contains(&format!(".tint-{number} {{")), "{number}");
                assert!(rules.contains(&format!(":root .tint-{number}{{--tint:light-dark(#")), "{rules}");
            }
        }
        let grey: Vec<_> = (0..4).map(|number| colours(Colour([0x80; 3]), number)[0]).collect();
        assert!(grey.windows(2).all(|pair| pair[0] != pair[1]), "{grey:?}");
        assert!(none().starts_with(":root .tint-0,:root .tint-1,"));
    }
}
