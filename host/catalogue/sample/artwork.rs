//! The sample catalogue's images: SVG drawings, composed on request into the views of a product.
//!
//! A drawing in `art/` fills a box of 400 by 400 on a transparent background and takes its colours
//! from four CSS variables. Each of the six views places it on a backdrop in a different way.

use std::fmt::Write as _;

use include_dir::{Dir, include_dir};

static DRAWINGS: Dir = include_dir!("$CARGO_MANIFEST_DIR/host/catalogue/sample/art");

/// The path under which the host serves the images.
pub(crate) const PREFIX: &str = "/sample-images/";

/// A colour variant: the values of the drawing's CSS variables, and a matching backdrop.
struct Palette {
    name: &'static str,
    base: &'static str,
    shade: &'static str,
    light: &'static str,
    accent: &'static str,
    backdrop: [&'static str; 2],
}

const fn palette(
    name: &'static str,
    [base, shade, light, accent]: [&'static str; 4],
    backdrop: [&'static str; 2],
) -> Palette {
    Palette { name, base, shade, light, accent, backdrop }
}

const PALETTES: [Palette; 20] = [
    palette("rose", ["#c4516b", "#8e2f48", "#f0b7c4", "#d9a441"], ["#fdf1f2", "#f3d9de"]),
    palette("coral", ["#ea7256", "#b84a33", "#fbc7b8", "#2f6f73"], ["#fff3ee", "#f9dacf"]),
    palette("amber", ["#e2972f", "#a9661a", "#f9d79b", "#4c5a3a"], ["#fff6e6", "#f6e2bd"]),
    palette("sand", ["#cdb38b", "#97805a", "#eee0c8", "#7a4f3a"], ["#faf6ee", "#ebe0cd"]),
    palette("olive", ["#84893f", "#585c26", "#cfd39a", "#d98f4e"], ["#f6f7ea", "#e2e5c8"]),
    palette("forest", ["#2f6b4f", "#1b4633", "#a5d1b9", "#e0b15a"], ["#eef6f1", "#d2e6db"]),
    palette("teal", ["#25808a", "#145560", "#a4dade", "#f0a35e"], ["#ebf7f7", "#cae6e8"]),
    palette("sky", ["#5aa5dc", "#2f70a5", "#c5e2f6", "#f2b84b"], ["#eff7fd", "#d0e6f5"]),
    palette("navy", ["#2c4270", "#182748", "#a6b7d8", "#d7a85b"], ["#eef2f9", "#d2dcec"]),
    palette("indigo", ["#5055b5", "#30337f", "#bcbff0", "#f2a65a"], ["#f1f1fc", "#d7d8f3"]),
    palette("plum", ["#7d4179", "#52264f", "#d8aed5", "#e2b35c"], ["#f8f0f7", "#e6d3e5"]),
    palette("blush", ["#eab3b1", "#c07f80", "#fbe2df", "#a8734f"], ["#fdf5f3", "#f5e0dc"]),
    palette("graphite", ["#4a4f57", "#2b2f35", "#a9afb8", "#e0874a"], ["#f1f2f4", "#d9dce0"]),
    palette("silver", ["#b9c0c8", "#7f8891", "#eceff2", "#4b7fa6"], ["#f6f8f9", "#dfe5e9"]),
    palette("ivory", ["#efe6d4", "#c2b394", "#fbf7ee", "#a77b4d"], ["#f4efe6", "#e0d6c4"]),
    palette("cocoa", ["#7b5138", "#4f3222", "#cfab92", "#e3b778"], ["#f8f1ec", "#e8d8cc"]),
    palette("crimson", ["#b9283a", "#7c1625", "#f0a9b0", "#e6b655"], ["#fcf0f0", "#f1d3d5"]),
    palette("mint", ["#7cc7a6", "#468e70", "#d3f0e2", "#e8896b"], ["#effaf5", "#d2ecdf"]),
    palette("gold", ["#d2a63c", "#977120", "#f5dfa2", "#5b3f6b"], ["#fdf7e7", "#f1e3bb"]),
    palette("black", ["#2a2b2f", "#131417", "#7d8087", "#c9a35b"], ["#efeff0", "#d5d6d9"]),
];

/// The path of a view's image. `view` is from 1 to 6.
pub(crate) fn address(kind: &str, colour: &str, view: u8) -> String {
    format!("{PREFIX}{kind}-{colour}-{view}.svg")
}

/// Composes the image named `{kind}-{colour}-{view}.svg`; `None` for an unknown name.
pub(crate) fn draw(name: &str) -> Option<String> {
    let (rest, view) = name.strip_suffix(".svg")?.rsplit_once('-')?;
    let (kind, colour) = rest.rsplit_once('-')?;
    let palette = PALETTES.iter().find(|palette| palette.name == colour)?;
    let file = DRAWINGS.get_file(format!("{kind}.svg"))?;
    let drawing = inner(file.contents_utf8()?)?;
    let scene = match view {
        "1" => Scene::STANDING,
        "2" => Scene { place: "translate(-140 -100) scale(2.7)", ground: Ground::None, ..Scene::STANDING },
        "3" => Scene {
            place: "translate(400 410) rotate(-14) scale(1.6) translate(-200 -200)",
            ground: Ground::None,
            tinted: true,
            ..Scene::STANDING
        },
        "4" => Scene {
            companion: Some("translate(400 150) scale(0.9)"),
            place: "translate(70 190) scale(1.3)",
            ..Scene::STANDING
        },
        "5" => Scene {
            place: "translate(-560 -520) scale(3.6)",
            ground: Ground::None,
            tinted: true,
            ..Scene::STANDING
        },
        "6" => Scene { place: "translate(190 170) scale(1.05)", ground: Ground::Plinth, ..Scene::STANDING },
        _ => return None,
    };
    Some(compose(drawing, palette, &scene))
}

/// How a view places the drawing.
struct Scene {
    /// SVG transform of the drawing.
    place: &'static str,
    /// SVG transform of a second copy behind it.
    companion: Option<&'static str>,
    ground: Ground,
    /// Whether the backdrop uses the palette's light colour instead of its pale one.
    tinted: bool,
}

#[derive(PartialEq)]
enum Ground {
    None,
    Shadow,
    Plinth,
}

impl Scene {
    const STANDING: Self =
        Self { place: "translate(80 70) scale(1.6)", companion: None, ground: Ground::Shadow, tinted: false };
}

fn compose(drawing: &str, palette: &Palette, scene: &Scene) -> String {
    let Palette { base, shade, light, accent, backdrop: [near, far], .. } = palette;
    let [near, far] = if scene.tinted { [far, light] } else { [near, far] };
    let mut svg = String::with_capacity(drawing.len() + 1_500);
    // Writing to a string cannot fail.
    let _ = write!(
        svg,
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 800"><style>svg{{--base:{base};--shade:{shade};--light:{light};--accent:{accent}}}</style><defs><radialGradient id="backdrop" cx=".5" cy=".38" r=".8"><stop offset="0" stop-color="{near}"/><stop offset="1" stop-color="{far}"/></radialGradient><radialGradient id="contact"><stop offset="0" stop-color="{shade}" stop-opacity=".38"/><stop offset="1" stop-color="{shade}" stop-opacity="0"/></radialGradient></defs><rect width="800" height="800" fill="url(#backdrop)"/>"##
    );
    match scene.ground {
        Ground::None => {}
        Ground::Shadow => {
            svg.push_str(r##"<ellipse cx="400" cy="636" rx="290" ry="42" fill="url(#contact)"/>"##)
        }
        Ground::Plinth => {
            let _ = write!(
                svg,
                r##"<path d="M170 560h460v240H170z" fill="{far}"/><ellipse cx="400" cy="560" rx="230" ry="40" fill="{near}"/><ellipse cx="400" cy="548" rx="170" ry="22" fill="url(#contact)"/>"##
            );
        }
    }
    if let Some(place) = scene.companion {
        let _ = write!(svg, r##"<g transform="{place}" opacity=".55">{drawing}</g>"##);
    }
    let _ = write!(svg, r##"<g transform="{}">{drawing}</g></svg>"##, scene.place);
    svg
}

/// The content of a drawing's `<svg>` element.
fn inner(svg: &str) -> Option<&str> {
    let from = svg.find("<svg")?;
    let start = from + svg[from..].find('>')? + 1;
    let end = svg.rfind("</svg>")?;
    svg.get(start..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_names_are_rejected() {
        for name in [
            "",
            "x.svg",
            "lipstick-rose-7.svg",
            "lipstick-pink-1.svg",
            "../mod-rose-1.svg",
            "lipstick-rose-1",
        ] {
            assert_eq!(draw(name), None, "{name}");
        }
    }

    #[test]
    fn an_image_is_small_and_contains_its_colours() {
        let image = draw("lipstick-navy-4.svg").unwrap();
        assert!(image.contains("--base:#2c4270") && image.ends_with("</svg>"));
        assert!(image.len() < 10_000, "{} bytes", image.len());
    }
}
