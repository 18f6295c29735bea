//! The shop's icons, for browsers and link previews, and its logo.

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
/// Smaller icons have neither ground nor margin: they stand in a browser's tab.
const WITH_GROUND: u32 = 64;
/// The ground of larger icons, which systems would otherwise fill with black: the page of the light theme.
const GROUND: [u8; 3] = [0xfa, 0xf8, 0xf4];
/// The part of a side that is margin on each side, where there is a ground.
const MARGIN: f32 = 1.0 / 6.0;

/// What an operator's SVG may do: nothing but be drawn.
const NOTHING: HeaderValue =
    HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'; sandbox");
/// The path of the icon that is a drawing.
const DRAWING_PATH: &str = "/favicon.svg";
const SVG: &str = "image/svg+xml";
const PNG: &str = "image/png";

/// The files of a shop's icons, with their paths, and its logo.
pub(crate) struct Icons {
    files: Vec<(&'static str, Representation)>,
    /// The logo of the light theme, and that of the dark one if it is another.
    logos: Vec<LogoFile>,
}

/// The shop's own logo.
pub(crate) struct LogoFile {
    path: String,
    form: LogoForm,
    file: Representation,
}

impl Icons {
    /// The icons of a shop with this profile: its logo, or else the sample shop's icons in the shop's own colour.
    pub(crate) fn of(profile: &Profile) -> Self {
        if let Some(logo) = &profile.logo {
            let file = |logo: &Logo| LogoFile { path: logo.path(), form: logo.form(), file: file_of(logo) };
            let logos = [Some(logo), profile.logo_dark.as_ref()].into_iter().flatten().map(file).collect();
            return Self { files: pictures(logo).into(), logos };
        }
        let drawing = drawing(profile);
        if drawing == WINDOW {
            let file = |content_type, bytes: &[u8]| Representation::new(content_type, bytes).embedded();
            let pictures = PICTURES.map(|(_, path, bytes)| (path, file(PNG, bytes)));
            let svg = (DRAWING_PATH, file(SVG, WINDOW.as_bytes()));
            return Self { files: pictures.into_iter().chain([svg]).collect(), logos: Vec::new() };
        }
        let svg = (DRAWING_PATH, Representation::new(SVG, drawing.as_bytes()));
        // Our own drawing can be read.
        let pictures = Logo::parse(drawing.into_bytes()).map(|drawing| pictures(&drawing));
        Self { files: pictures.into_iter().flatten().chain([svg]).collect(), logos: Vec::new() }
    }

    /// The logo at this path, or else that of the light theme, if the shop has one of its own.
    pub(crate) fn logo(&self, path: &str) -> Option<&LogoFile> {
        self.logos.iter().find(|logo| logo.path == path).or_else(|| self.logos.first())
    }

    /// The icon at this path. The icon that browsers ask for on their own may be a PNG.
    pub(crate) async fn show(&self, path: &str, request: &HeaderMap) -> Response {
        if let Some(logo) =
            self.logos.first().filter(|logo| logo.form == LogoForm::Svg && path == DRAWING_PATH)
        {
            return logo.answer(request, ONE_DAY).await;
        }
        let path = if path == "/favicon.ico" { PICTURES[0].1 } else { path };
        let icon = self.files.iter().find(|(known, _)| *known == path);
        show(icon.map(|(_, file)| file), request, ONE_DAY).await
    }
}

impl LogoFile {
    /// The logo. A document that is older, or of another replica, may name another logo, and gets this one instead.
    pub(crate) async fn show(&self, path: &str, request: &HeaderMap) -> Response {
        let caching = if path == self.path { Caching::Forever } else { Caching::Never };
        self.answer(request, caching).await
    }

    async fn answer(&self, request: &HeaderMap, caching: Caching) -> Response {
        let mut response = self.file.answer(request, StatusCode::OK, caching).await;
        if self.form == LogoForm::Svg {
            response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, NOTHING);
        }
        response
    }
}

/// The picture of each size.
fn pictures(logo: &Logo) -> [(&'static str, Representation); PICTURES.len()] {
    PICTURES.map(|(size, path, _)| (path, picture(logo, size)))
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
    // These sizes can be drawn.
    Representation::new(PNG, png.unwrap_or_default())
}
