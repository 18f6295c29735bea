//! How the shop's own logo stands in the header, whose ground differs from theme to theme.

use super::Logo;

/// The ground behind a logo that is hard to see on the header, in the light theme and the dark one.
const PLATES: [&str; 2] = ["var(--colour-inverse)", "#f3eee4"];

/// Style rules that take precedence over the style sheet: which logo a theme shows, and a plate behind one that would be
/// hard to see there.
pub(super) fn styles(logo: &Logo, dark: Option<&Logo>) -> String {
    let faint = [logo.is_faint()[0], dark.unwrap_or(logo).is_faint()[1]];
    let mut styles = String::new();
    if dark.is_some() {
        styles.push_str(".Logo.Logo>.Logo-dark{display:none}");
        let dark = |root: &str| {
            format!("{root} .Logo.Logo>img{{display:none}}{root} .Logo.Logo>.Logo-dark{{display:block}}")
        };
        let by_system = dark(":root:not([data-theme=light])");
        styles.push_str(&format!("@media(prefers-color-scheme:dark){{{by_system}}}"));
        styles.push_str(&dark(":root[data-theme=dark]"));
    }
    if faint != [false; 2] {
        let plate = |theme: usize| if faint[theme] { PLATES[theme] } else { "transparent" };
        styles.push_str(&format!(
            ".Logo.Logo>img{{margin-inline-start:-.5rem;padding:.25rem .5rem;border-radius:var(--radius-s);background:light-dark({},{})}}",
            plate(0),
            plate(1)
        ));
    }
    styles
}

#[cfg(test)]
mod tests {
    use super::*;

    fn logo(colour: &str) -> Logo {
        let svg = format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 30"><circle cx="20" cy="15" r="12" fill="{colour}"/><path fill="{colour}" d="M40 5h8v20h-8z"/></svg>"#
        );
        Logo::parse(svg.into_bytes()).unwrap()
    }

    #[test]
    fn a_logo_gets_a_plate_where_it_is_hard_to_see() {
        for (colour, plates) in [
            ("#808080", None),
            ("#111111", Some("light-dark(transparent,#f3eee4)")),
            ("#ffffff", Some("light-dark(var(--colour-inverse),transparent)")),
        ] {
            let styles = styles(&logo(colour), None);
            assert_eq!(
                styles.split_once("background:").map(|(_, plate)| plate.trim_end_matches('}')),
                plates
            );
        }
    }

    #[test]
    fn each_theme_shows_its_logo() {
        let (light, dark) = (logo("#111111"), logo("#eeeeee"));
        let both = styles(&light, Some(&dark));
        assert!(both.contains(":root[data-theme=dark] .Logo.Logo>.Logo-dark{display:block}"), "{both}");
        assert!(!both.contains("background"), "{both}");
        assert!(styles(&light, Some(&light)).contains("light-dark(transparent,#f3eee4)"));
    }
}
