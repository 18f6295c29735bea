//! The shop's icons, of browsers and of link previews, and its logo.

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use resvg::tiny_skia::{Color, Pixmap};

use super::assets::{ONE_DAY, show};
use crate::http::caching::Caching;
use crate::http::representation::Representation;
use crate::profile::{Logo, LogoForm, Ornament, Profile};

/// The sample shop's icon: a shop window with an awning.
const WINDOW: &str = include_str!("../../client/favicon.svg");
/// Its colours: of the window and of the awning.
const WINDOW_COLOURS: [&str; 2] = ["#14503f", "#b03a1e"];
/// The icon of a shop without an awning, in the colour of [`WINDOW`].
const PLAIN: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect x="2" y="2" width="28" height="28" rx="7" fill="#14503f"/><circle cx="16" cy="16" r="6" fill="#faf8f4"/></svg>"##;

/// The sample shop's icon as pictures of these sizes in pixels.
const PICTURES: [(u32, &str, &[u8]); 4] = [
    (32, "/icons/32.png", include_bytes!("../../client/icons/32.png")),
    (180, "/icons/180.png", include_bytes!("../../client/icons/180.png")),
    (192, "/icons/192.png", include_bytes!("../../client/icons/192.png")),
    (512, "/icons/512.png", include_bytes!("../../client/icons/512.png")),
];
/// Smaller icons have no ground, and hardly a margin: they stand in a browser's tab.
const WITH_GROUND: u32 = 64;
/// The ground of larger ones, which systems would fill with black: the page of the light theme.
const GROUND: [u8; 3] = [0xfa, 0xf8, 0xf4];
/// The part of a side that is margin on each side, where there is a ground.
const MARGIN: f32 = 1.0 / 6.0;

/// What an operator's SVG may do: nothing but be drawn.
const NOTHING: HeaderValue =
    HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'; sandbox");
const SVG: &str = "image/svg+xml";
const PNG: &str = "image/png";

/// An icon, or the logo.
struct IconFile {
    path: String,
    file: Representation,
    caching: Caching,
    is_own_svg: bool,
}

/// The files of a shop's icons and of its logo.
pub(crate) struct Icons(Vec<IconFile>);

impl Icons {
    /// The icons of a shop with this profile: of its logo, else the sample shop's in its own colour.
    pub(crate) fn of(profile: &Profile) -> Self {
        let day =
            |path: &str, is_own_svg, file| IconFile { path: path.into(), file, caching: ONE_DAY, is_own_svg };
        if let Some(logo) = &profile.logo {
            let pictures = PICTURES.map(|(size, path, _)| day(path, false, picture(logo, size)));
            let svg = (logo.form() == LogoForm::Svg).then(|| day("/favicon.svg", true, file_of(logo)));
            let own = IconFile {
                path: logo.path(),
                file: file_of(logo),
                caching: Caching::Forever,
                is_own_svg: logo.form() == LogoForm::Svg,
            };
            return Self(pictures.into_iter().chain(svg).chain([own]).collect());
        }
        let drawing = drawing(profile);
        if drawing == WINDOW {
            let pictures =
                PICTURES.map(|(_, path, bytes)| day(path, false, Representation::new(PNG, bytes).embedded()));
            let svg = day("/favicon.svg", false, Representation::new(SVG, WINDOW).embedded());
            return Self(pictures.into_iter().chain([svg]).collect());
        }
        let svg = day("/favicon.svg", false, Representation::new(SVG, drawing.as_bytes()));
        let pictures = Logo::parse(drawing.into_bytes())
            .map(|logo| PICTURES.map(|(size, path, _)| day(path, false, picture(&logo, size))));
        Self([svg].into_iter().chain(pictures.into_iter().flatten()).collect())
    }

    /// The file at this path. The icon that browsers ask for on their own may be a PNG.
    pub(crate) async fn show(&self, path: &str, request: &HeaderMap) -> Response {
        let path = if path == "/favicon.ico" { PICTURES[0].1 } else { path };
        let Some(icon) = self.0.iter().find(|icon| icon.path == path) else {
            return show(None, request, Caching::Never).await;
        };
        let mut response = icon.file.answer(request, StatusCode::OK, icon.caching).await;
        if icon.is_own_svg {
            response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, NOTHING);
        }
        response
    }
}

fn file_of(logo: &Logo) -> Representation {
    let content_type = match logo.form() {
        LogoForm::Svg => SVG,
        LogoForm::Png => PNG,
    };
    Representation::new(content_type, logo.bytes().to_vec())
}

/// The icon of a shop without a logo.
fn drawing(profile: &Profile) -> String {
    let drawing = match profile.ornament {
        Ornament::Awning => WINDOW,
        Ornament::None => PLAIN,
    };
    let Some(accent) = &profile.accent else { return drawing.into() };
    let colours = WINDOW_COLOURS.into_iter().zip(accent.of_icon());
    colours.fold(drawing.to_owned(), |drawing, (colour, own)| drawing.replace(colour, &own))
}

/// The logo as a square picture.
fn picture(logo: &Logo, size: u32) -> Representation {
    let has_ground = size >= WITH_GROUND;
    let png = Pixmap::new(size, size).and_then(|mut canvas| {
        if has_ground {
            let [red, green, blue] = GROUND;
            canvas.fill(Color::from_rgba8(red, green, blue, u8::MAX));
        }
        logo.draw_on(&mut canvas, if has_ground { MARGIN * size as f32 } else { 0.0 });
        canvas.encode_png().ok()
    });
    // Only a size of zero or more bytes than there are cannot be drawn.
    Representation::new(PNG, png.unwrap_or_default())
}
