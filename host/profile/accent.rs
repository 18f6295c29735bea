//! The colours that are derived from the shop's own.

use color::{Srgb, parse_color};
use serde::Deserialize;

use super::shade::{Colour, Hue, Towards};

/// The grounds of pages (`client/styles/tokens.css`) in the light theme and the dark one. Every accent has to be
/// readable on them.
const GROUNDS: [[Colour; 3]; 2] = [
    [Colour([0xfa, 0xf8, 0xf4]), Colour([0xff, 0xff, 0xff]), Colour([0xf1, 0xed, 0xe6])],
    [Colour([0x19, 0x14, 0x0f]), Colour([0x23, 0x1d, 0x17]), Colour([0x30, 0x29, 0x22])],
];
/// Text and soft text on the inverse ground.
const ON_INVERSE: [Colour; 2] = [Colour([0xf2, 0xef, 0xe9]), Colour([0xb9, 0xc4, 0xbe])];
/// Text on the tinted ground.
const INK: [Colour; 2] = [Colour([0x1e, 0x1b, 0x17]), Colour([0xf3, 0xee, 0xe4])];
/// The light stripes of the awning.
const CREAM: [Colour; 2] = [Colour([0xff, 0xf8, 0xea]), Colour([0xec, 0xdc, 0xbc])];

/// Least contrasts: of text by WCAG 2 level AA and AAA, and of the awning's stripes.
const AA: f32 = 4.5;
const AAA: f32 = 7.0;
const STRIPES: f32 = 2.2;

/// The shop's own colour, with what follows from it in both themes.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Accent {
    own: Colour,
    light: Colours,
    dark: Colours,
}

/// The colours of a theme, by the names of `client/styles/tokens.css`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Colours {
    action: Colour,
    action_strong: Colour,
    on_action: Colour,
    action_tint: Colour,
    focus: Colour,
    /// The banner's ground, light and text.
    summer: Colour,
    summer_glow: Colour,
    summer_ink: Colour,
    inverse: Colour,
    /// Letters on the awning's light stripes and on tags.
    lettering: Colour,
    /// The dark stripes of the awnings.
    cloth: Colour,
}

impl TryFrom<String> for Accent {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let colour = parse_color(&text).ok().filter(|colour| colour.components[3] == 1.0);
        let colour = colour.map(|colour| colour.to_alpha_color::<Srgb>().discard_alpha());
        let own = colour.ok_or_else(|| {
            format!("`{}` is no opaque colour of CSS, such as #7a3b12", text.escape_debug())
        })?;
        Ok(Self::new(Colour::of(own)))
    }
}

impl Accent {
    fn new(own: Colour) -> Self {
        let hue = Hue::of(own);
        Self { own, light: Colours::light(&hue), dark: Colours::dark(&hue) }
    }

    /// The colour as the operator named it, and as links and buttons show it in the light theme: if it would not be
    /// readable there, it is darker.
    pub fn named_and_shown(&self) -> (String, String) {
        (self.own.hex(), self.light.action.hex())
    }

    /// The colour of the browser's bars in the light theme and the dark one.
    pub(crate) fn of_bars(&self) -> [String; 2] {
        [self.light.inverse.hex(), self.dark.inverse.hex()]
    }

    /// The colours of the shop's icon: of the window and of the awning.
    pub(crate) fn of_icon(&self) -> [String; 2] {
        [self.light.action.hex(), self.light.cloth.hex()]
    }

    /// The colour as the operator named it.
    pub(super) fn own(&self) -> Colour {
        self.own
    }

    /// Style rules that take precedence over the style sheet's colours, wherever they stand.
    pub(super) fn styles(&self) -> String {
        let declaration = |name: &str, light: Colour, dark: Colour| {
            format!("--{name}:light-dark({},{})", light.hex(), dark.hex())
        };
        let pairs = self.light.named().into_iter().zip(self.dark.named());
        let colours: Vec<String> =
            pairs.map(|((name, light), (_, dark))| declaration(name, light, dark)).collect();
        // The awnings of all pages; in the sample shop some have another cloth.
        let cloth = declaration("awning-cloth", self.light.cloth, self.dark.cloth);
        format!(":root:root{{{}}}.Layout.Layout{{{cloth}}}", colours.join(";"))
    }
}

impl Colours {
    fn light(hue: &Hue) -> Self {
        let tint = hue.at(0.945, 0.03).away_from(&[INK[0]], AAA, Towards::White);
        let grounds = [&GROUNDS[0][..], &[tint.colour()]].concat();
        let action = hue.own().away_from(&grounds, AA, Towards::Black);
        let strong = action.shifted(-0.08).away_from(&grounds, AA, Towards::Black);
        let summer = hue.at(0.9, 0.07);
        let ink = hue.at(0.26, 0.05).away_from(&[summer.colour()], AAA, Towards::Black);
        Self {
            action: action.colour(),
            action_strong: strong.colour(),
            on_action: GROUNDS[0][1],
            action_tint: tint.colour(),
            focus: action.colour(),
            summer: summer.colour(),
            summer_glow: summer.colour(),
            summer_ink: ink.colour(),
            inverse: hue.at(0.25, 0.03).away_from(&ON_INVERSE, AAA, Towards::Black).colour(),
            lettering: hue.own().away_from(&[CREAM[0]], AA, Towards::Black).colour(),
            cloth: hue.own().away_from(&[CREAM[0], GROUNDS[0][0]], STRIPES, Towards::Black).colour(),
        }
    }

    fn dark(hue: &Hue) -> Self {
        let tint = hue.at(0.31, 0.035).away_from(&[INK[1]], AAA, Towards::Black);
        let grounds = [&GROUNDS[1][..], &[tint.colour()]].concat();
        let action = hue.at(0.8, 0.13).away_from(&grounds, AA, Towards::White);
        let strong = action.shifted(0.07).away_from(&grounds, AA, Towards::White);
        let (summer, glow) = (hue.at(0.28, 0.03), hue.at(0.38, 0.07));
        let grounds_of_banner = [summer.colour(), glow.colour()];
        let on_action = hue.at(0.22, 0.03).away_from(&[action.colour(), strong.colour()], AA, Towards::Black);
        Self {
            action: action.colour(),
            action_strong: strong.colour(),
            on_action: on_action.colour(),
            action_tint: tint.colour(),
            focus: strong.colour(),
            summer: summer.colour(),
            summer_glow: glow.colour(),
            summer_ink: hue.at(0.93, 0.04).away_from(&grounds_of_banner, AAA, Towards::White).colour(),
            inverse: hue.at(0.16, 0.015).away_from(&ON_INVERSE, AAA, Towards::Black).colour(),
            lettering: hue.own().away_from(&[CREAM[1]], AA, Towards::Black).colour(),
            cloth: hue.own().away_from(&[CREAM[1]], STRIPES, Towards::Black).colour(),
        }
    }

    fn named(&self) -> [(&'static str, Colour); 11] {
        [
            ("colour-action", self.action),
            ("colour-action-strong", self.action_strong),
            ("colour-on-action", self.on_action),
            ("colour-action-tint", self.action_tint),
            ("colour-focus", self.focus),
            ("colour-summer", self.summer),
            ("colour-summer-glow", self.summer_glow),
            ("colour-summer-ink", self.summer_ink),
            ("colour-inverse", self.inverse),
            ("art-clay", self.lettering),
            ("art-pine", self.lettering),
        ]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn accent(text: &str) -> Result<Accent, String> {
        Accent::try_from(text.to_owned())
    }

    /// Checks that texts have the contrast to their grounds that they need, in both themes.
    fn assert_readable(accent: &Accent) {
        let Accent { own, light, dark } = accent;
        for (theme, colours) in [light, dark].into_iter().enumerate() {
            let tint = colours.action_tint;
            let grounds = [&GROUNDS[theme][..], &[tint]].concat();
            let pairs = [
                (colours.action, &grounds[..], AA),
                (colours.action_strong, &grounds, AA),
                (colours.focus, &GROUNDS[theme], 3.0),
                (colours.on_action, &[colours.action, colours.action_strong], AA),
                (INK[theme], &[tint], AAA),
                (colours.summer_ink, &[colours.summer], AAA),
                (colours.summer_ink, &[colours.summer_glow], AA),
                (ON_INVERSE[0], &[colours.inverse], AAA),
                (ON_INVERSE[1], &[colours.inverse], AAA),
                (colours.lettering, &[CREAM[theme]], AA),
                (colours.cloth, &[CREAM[theme]], STRIPES),
            ];
            for (number, (text, grounds, least)) in pairs.into_iter().enumerate() {
                for ground in grounds {
                    let contrast = text.contrast(*ground);
                    assert!(contrast >= least, "{} theme {theme} pair {number}: {contrast}", own.hex());
                }
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn every_accent_is_readable(own: [u8; 3]) {
            assert_readable(&Accent::new(Colour(own)));
        }
    }

    #[test]
    fn extreme_accents_are_readable() {
        for own in
            ["#000", "#fff", "#ff0", "#00f", "#0f0", "#f00", "#808080", "hotpink", "oklch(0.7 0.4 150)"]
        {
            assert_readable(&accent(own).unwrap());
        }
    }

    #[test]
    fn a_readable_accent_is_shown_as_it_is_named_and_another_one_darker() {
        let (named, shown) = accent("#7a3b12").unwrap().named_and_shown();
        assert_eq!(named, shown);
        let (named, shown) = accent("#ffd000").unwrap().named_and_shown();
        assert_ne!(named, shown);
        assert!(accent("#ffd000").unwrap().styles().starts_with(":root:root{--colour-action:light-dark(#"));
    }

    #[test]
    fn what_is_no_colour_is_refused() {
        for text in
            ["", "no colour", "#12", "rgb(0 0 0 / 50%)", "transparent", "red;}body{display:none", "var(--x)"]
        {
            assert!(accent(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_grounds_are_those_of_the_style_sheet() {
        let tokens = include_str!("../../client/styles/tokens.css");
        for (name, [light, dark]) in [
            ("colour-page", [GROUNDS[0][0], GROUNDS[1][0]]),
            ("colour-surface", [GROUNDS[0][1], GROUNDS[1][1]]),
            ("colour-sunken", [GROUNDS[0][2], GROUNDS[1][2]]),
            ("colour-ink", INK),
            ("art-cream", CREAM),
        ] {
            let declaration = format!("--{name}: light-dark({}, {});", light.hex(), dark.hex());
            assert!(tokens.contains(&declaration), "{declaration}");
        }
        for (name, colour) in
            [("colour-on-inverse", ON_INVERSE[0]), ("colour-on-inverse-soft", ON_INVERSE[1])]
        {
            assert!(tokens.contains(&format!("--{name}: {};", colour.hex())), "{name}");
        }
        for (name, _) in accent("red").unwrap().light.named() {
            assert!(tokens.contains(&format!("--{name}: light-dark(")), "{name}");
        }
    }
}
