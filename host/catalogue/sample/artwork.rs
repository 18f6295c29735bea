//! The sample catalogue's pictures: SVG drawings, composed on request into the views of a product.
//!
//! A drawing in `art/` fills a box of 400 by 400 on a transparent background, stands on the line y = 350,
//! and takes its colours from four CSS variables. A view in `views/` is a backdrop of 800 by 800 that
//! shows the drawing with `<use href="#product">`, once or several times: on a sill (`1`), lying (`flat`),
//! in a group (`pair`, `trio`), or in a scene such as `desk` or `picnic`. Views use the same variables and
//! the backdrop's: `--near` and `--far`.

use std::fmt::Write as _;

use include_dir::{Dir, include_dir};

static DRAWINGS: Dir = include_dir!("$CARGO_MANIFEST_DIR/host/catalogue/sample/art");
static VIEWS: Dir = include_dir!("$CARGO_MANIFEST_DIR/host/catalogue/sample/views");

/// The path under which the host serves the pictures.
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

/// The path of the picture that shows `kind` in `colour` in a view of `views/`.
pub(crate) fn address(kind: &str, colour: &str, view: &str) -> String {
    format!("{PREFIX}{kind}-{colour}-{view}.svg")
}

/// Composes the picture named `{kind}-{colour}-{view}.svg`; `None` for an unknown name.
pub(crate) fn draw(name: &str) -> Option<String> {
    let (rest, view) = name.strip_suffix(".svg")?.rsplit_once('-')?;
    let (kind, colour) = rest.rsplit_once('-')?;
    let palette = PALETTES.iter().find(|palette| palette.name == colour)?;
    Some(compose(content(&DRAWINGS, kind)?, content(&VIEWS, view)?, palette))
}

/// The picture of [`draw`], for programs that do not know CSS variables.
pub(crate) fn draw_without_variables(name: &str) -> Option<String> {
    let svg = draw(name)?;
    let (_, rest) = svg.split_once("<style>svg{")?;
    let (variables, _) = rest.split_once('}')?;
    let colour_of = |wanted: &str| {
        let mut variables = variables.split(';').filter_map(|variable| variable.split_once(':'));
        variables.find(|(name, _)| *name == wanted).map(|(_, colour)| colour)
    };
    let mut parts = svg.split("var(");
    let mut plain = parts.next()?.to_owned();
    for part in parts {
        // After a comma comes the fallback for a variable that is not defined.
        let (variable, rest) = part.split_once(')')?;
        plain += colour_of(variable.split(',').next()?)?;
        plain += rest;
    }
    Some(plain)
}

/// Defines the colours, a contact shadow (`contact`), a cast shadow (`lift`) and the drawing (`product`,
/// with the middle of its foot at the origin), which the view then places with `<use>`.
fn compose(drawing: &str, view: &str, palette: &Palette) -> String {
    let Palette { base, shade, light, accent, backdrop: [near, far], .. } = palette;
    let mut svg = String::with_capacity(drawing.len() + view.len() + 1_000);
    // Writing to a string cannot fail.
    let _ = write!(
        svg,
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 800"><style>svg{{--base:{base};--shade:{shade};--light:{light};--accent:{accent};--near:{near};--far:{far}}}</style><defs><radialGradient id="contact"><stop offset="0" stop-color="#3a2a1c" stop-opacity=".42"/><stop offset=".6" stop-color="#3a2a1c" stop-opacity=".16"/><stop offset="1" stop-color="#3a2a1c" stop-opacity="0"/></radialGradient><filter id="lift" x="-20%" y="-20%" width="140%" height="140%"><feDropShadow dx="7" dy="12" stdDeviation="9" flood-color="#3a2a1c" flood-opacity=".34"/></filter><g id="product" transform="translate(-200 -350)">{drawing}</g></defs>{view}</svg>"##
    );
    svg
}

/// The drawing in the file `{name}.svg` of a folder.
fn content(folder: &'static Dir, name: &str) -> Option<&'static str> {
    inner(folder.get_file(format!("{name}.svg"))?.contents_utf8()?)
}

/// The content of a file's `<svg>` element.
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
    fn a_picture_has_its_colours_and_its_drawing() {
        let picture = draw("lipstick-navy-pair.svg").unwrap();
        assert!(picture.contains("--base:#2c4270") && picture.contains("id=\"lipstick-"));
        assert!(picture.starts_with("<svg") && picture.ends_with("</svg>"));
    }

    /// The names of a folder's files, without their extension.
    fn names(folder: &'static Dir) -> impl Iterator<Item = &'static str> {
        folder.files().map(|file| file.path().file_stem().and_then(|name| name.to_str()).unwrap())
    }

    #[test]
    fn files_draw_small_and_contain_no_script_or_foreign_reference() {
        for (folder, most) in [(&DRAWINGS, 9_000), (&VIEWS, 4_000)] {
            for name in names(folder) {
                let content = content(folder, name).unwrap();
                assert!(content.len() < most, "{name}: {} bytes", content.len());
                for forbidden in ["<script", "<style", "<image", "<foreignObject", "://", "data:", "@import"]
                {
                    assert!(!content.contains(forbidden), "{name}: {forbidden}");
                }
                assert!(!content.contains(" on"), "{name}: an event handler");
                for (prefix, reference) in [("href=\"", "#"), ("url(", "#")] {
                    let mut parts = content.split(prefix);
                    parts.next();
                    assert!(parts.all(|part| part.starts_with(reference)), "{name}: {prefix}");
                }
            }
        }
    }

    #[test]
    fn every_view_shows_the_drawing() {
        for view in names(&VIEWS) {
            assert!(content(&VIEWS, view).unwrap().contains("href=\"#product\""), "{view}");
        }
    }

    #[test]
    fn every_drawing_and_every_view_is_part_of_the_sample() {
        let sample = super::super::Sample::load().unwrap();
        let products = sample.products();
        let images = || products.iter().flat_map(|product| &product.images);
        for kind in names(&DRAWINGS) {
            let prefix = format!("{PREFIX}{kind}-");
            assert!(images().any(|image| image.starts_with(&prefix)), "{kind}");
        }
        for view in names(&VIEWS) {
            let suffix = format!("-{view}.svg");
            assert!(images().any(|image| image.ends_with(&suffix)), "{view}");
        }
    }
}
