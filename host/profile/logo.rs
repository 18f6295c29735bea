//! The shop's own logo: a drawing (SVG) or a picture (PNG).

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use bytes::Bytes;
use resvg::tiny_skia::{FilterQuality, IntSize, Pixmap, PixmapPaint, PremultipliedColorU8, Transform};
use resvg::usvg::{self, Tree};
use rustix::time::{ClockId, clock_gettime};
use thiserror::Error;
use twox_hash::XxHash3_128;

use super::shade::Colour;

/// Largest width and height of a PNG, in pixels: four bytes are decoded for each of its pixels.
const MOST_PIXELS: u32 = 4_096;
/// The height that an SVG is taken to have, in pixels.
const SVG_HEIGHT: u32 = 1_000;
/// Processor time that an SVG may take to be drawn, at the size of the largest icon.
const DRAWING_TIME: Duration = Duration::from_secs(1);
const LARGEST_ICON: u32 = 512;
/// A logo at least this many times as wide as it is high is taken to show the shop's name.
const WITH_NAME: f32 = 2.0;
/// The ground of the header (`--colour-surface` of client/styles/tokens.css) in the light theme and the dark one.
const HEADERS: [Colour; 2] = [Colour([0xff, 0xff, 0xff]), Colour([0x23, 0x1d, 0x17])];
/// Least contrast of graphics (WCAG 2, success criterion 1.4.11).
const GRAPHICS: f32 = 3.0;
/// The longer side of the drawing whose contrast is measured, in pixels.
const SAMPLED: f32 = 160.0;
/// How every PNG begins (PNG 3, section 5.2).
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Why a file cannot be the logo.
#[derive(Debug, Error)]
pub enum LogoError {
    #[error("neither an SVG nor a PNG")]
    Form,
    #[error("not a usable SVG")]
    Svg(#[source] usvg::Error),
    /// The decoder's own error does not say more.
    #[error("not a usable PNG: {0}")]
    Png(String),
    #[error("an SVG with filters, which may take long to draw: save it without them, or as a PNG beside it")]
    Filters,
    #[error(
        "an SVG that takes longer than a second to draw: save it with fewer shapes, or as a PNG beside it"
    )]
    Slow,
    #[error("{width} \u{d7} {height} pixels; a PNG may have up to {MOST_PIXELS} in each direction")]
    TooLarge { width: u32, height: u32 },
}

/// A logo that can be drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Logo {
    form: LogoForm,
    bytes: Bytes,
    /// Only the proportion of width and height counts.
    width: u32,
    height: u32,
    /// See [`Self::is_faint`].
    is_faint: [bool; 2],
}

/// The form of a logo's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LogoForm {
    Svg,
    Png,
}

impl Logo {
    /// Reads a file.
    ///
    /// # Errors
    /// When it has another form, cannot be drawn, or is too large.
    pub fn parse(bytes: impl Into<Bytes>) -> Result<Self, LogoError> {
        let bytes = bytes.into();
        if bytes.starts_with(PNG) {
            let (width, height) = png_size(&bytes)?;
            picture(&bytes)?;
            let logo = Self { form: LogoForm::Png, bytes, width, height, is_faint: [false; 2] };
            return Ok(Self { is_faint: HEADERS.map(|header| logo.is_faint_on(header)), ..logo });
        }
        let size = tree(&bytes)?.size();
        // Rounding a small size would change its proportion.
        let width = (size.width() / size.height() * SVG_HEIGHT as f32).round().max(1.0);
        let logo = Self {
            form: LogoForm::Svg,
            width: width as u32,
            height: SVG_HEIGHT,
            bytes,
            is_faint: [false; 2],
        };
        // Visitors ask for icons of this size.
        let (drawn, size) = (logo.clone(), LARGEST_ICON);
        let draw = move || Pixmap::new(size, size).iter_mut().for_each(|canvas| drawn.draw_on(canvas, 0.0));
        if !takes_at_most(DRAWING_TIME, draw) {
            return Err(LogoError::Slow);
        }
        Ok(Self { is_faint: HEADERS.map(|header| logo.is_faint_on(header)), ..logo })
    }

    pub(crate) fn form(&self) -> LogoForm {
        self.form
    }

    pub(crate) fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// Width and height; only their proportion counts.
    pub(crate) fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    /// Whether it is taken to show the shop's name.
    pub(crate) fn has_name(&self) -> bool {
        self.width as f32 >= WITH_NAME * self.height as f32
    }

    /// Whether it is hard to see on the header, in the light theme and the dark one.
    pub(super) fn is_faint(&self) -> [bool; 2] {
        self.is_faint
    }

    /// Whether more than a third of what is drawn has less contrast to a ground than graphics need. A logo that fills its
    /// box has a ground of its own.
    fn is_faint_on(&self, ground: Colour) -> bool {
        let (width, height) = (self.width as f32, self.height as f32);
        let scale = SAMPLED / width.max(height);
        let side = |length: f32| ((length * scale).round() as u32).max(1);
        let Some(mut canvas) = Pixmap::new(side(width), side(height)) else { return false };
        self.draw_on(&mut canvas, 0.0);
        let opaque = |pixel: &PremultipliedColorU8| pixel.alpha() >= 128;
        let columns = canvas.width() as usize;
        let is_edge = |at: usize| {
            let (row, column) = (at / columns, at % columns);
            row == 0 || row + 1 == canvas.height() as usize || column == 0 || column + 1 == columns
        };
        let pixels = canvas.pixels();
        let edge: Vec<bool> =
            (0..pixels.len()).filter(|at| is_edge(*at)).map(|at| opaque(&pixels[at])).collect();
        let has_ground = edge.iter().filter(|opaque| **opaque).count() * 10 >= edge.len() * 9;
        let (mut drawn, mut faint) = (0, 0);
        for pixel in pixels.iter().filter(|pixel| opaque(pixel)) {
            let colour = pixel.demultiply();
            let contrast = Colour([colour.red(), colour.green(), colour.blue()]).contrast(ground);
            drawn += 1;
            faint += usize::from(contrast < GRAPHICS);
        }
        !has_ground && faint * 3 > drawn
    }

    /// The path of its address, which changes with its content.
    pub(crate) fn path(&self) -> String {
        let extension = match self.form {
            LogoForm::Svg => "svg",
            LogoForm::Png => "png",
        };
        format!("/logo/{:032x}.{extension}", XxHash3_128::oneshot(&self.bytes))
    }

    /// Draws it in the middle of `canvas`, as large as fits with `margin` pixels around it.
    pub(crate) fn draw_on(&self, canvas: &mut Pixmap, margin: f32) {
        let (width, height) = (self.width as f32, self.height as f32);
        let (room, tall) = (canvas.width() as f32 - 2.0 * margin, canvas.height() as f32 - 2.0 * margin);
        let scale = (room / width).min(tall / height);
        let left = (canvas.width() as f32 - width * scale) / 2.0;
        let top = (canvas.height() as f32 - height * scale) / 2.0;
        match self.form {
            // Files of both forms were read before without an error.
            LogoForm::Svg => {
                if let Ok(tree) = tree(&self.bytes) {
                    let scale = scale * height / tree.size().height();
                    let transform = Transform::from_row(scale, 0.0, 0.0, scale, left, top);
                    resvg::render(&tree, transform, &mut canvas.as_mut());
                }
            }
            LogoForm::Png => {
                if let Ok(picture) = picture(&self.bytes) {
                    let picture = halved(picture, scale);
                    let (across, down) =
                        (width * scale / picture.width() as f32, height * scale / picture.height() as f32);
                    let transform = Transform::from_row(across, 0.0, 0.0, down, left, top);
                    let paint = PixmapPaint { quality: FilterQuality::Bicubic, ..PixmapPaint::default() };
                    canvas.draw_pixmap(0, 0, picture.as_ref(), &paint, transform, None);
                }
            }
        }
    }
}

/// The drawing of an SVG. It has no text, because no fonts are known, and no pictures of other files.
fn tree(svg: &[u8]) -> Result<Tree, LogoError> {
    let text = std::str::from_utf8(svg).map_err(|_| LogoError::Form)?;
    if !text.trim_start_matches('\u{feff}').trim_start().starts_with('<') {
        return Err(LogoError::Form);
    }
    let mut options = usvg::Options::default();
    options.image_href_resolver.resolve_data = Box::new(|_, _, _| None);
    options.image_href_resolver.resolve_string = Box::new(|_, _| None);
    let tree = Tree::from_str(text, &options).map_err(LogoError::Svg)?;
    if tree.filters().is_empty() { Ok(tree) } else { Err(LogoError::Filters) }
}

/// Whether this work takes at most this much of a processor's time. On a busy machine it may last ten times as long; what
/// lasts longer goes on by itself.
fn takes_at_most(limit: Duration, work: impl FnOnce() + Send + 'static) -> bool {
    let (sender, ended) = mpsc::channel();
    let measured = move || {
        work();
        let taken = clock_gettime(ClockId::ThreadCPUTime);
        // The receiver is gone when this comes too late.
        let _ = sender.send(Duration::try_from(taken).unwrap_or(Duration::MAX));
    };
    // Where no thread can be started, the sender is gone.
    drop(thread::Builder::new().spawn(measured));
    ended.recv_timeout(10 * limit).is_ok_and(|taken| taken <= limit)
}

/// The size that a PNG's header states (PNG 3, section 11.2.1), before anything is decoded.
fn png_size(bytes: &[u8]) -> Result<(u32, u32), LogoError> {
    let number = |at: usize| Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    let (Some(width), Some(height)) = (number(16), number(20)) else {
        return Err(LogoError::Png("it ends within its header".into()));
    };
    if width > MOST_PIXELS || height > MOST_PIXELS {
        return Err(LogoError::TooLarge { width, height });
    }
    Ok((width, height))
}

fn picture(bytes: &[u8]) -> Result<Pixmap, LogoError> {
    Pixmap::decode_png(bytes).map_err(|error| LogoError::Png(error.to_string()))
}

/// Halves the picture as often as it does not become smaller than it is drawn: interpolation reads only the pixels
/// beside a place.
fn halved(mut picture: Pixmap, mut scale: f32) -> Pixmap {
    while scale <= 0.5 {
        let half = |length: u32| length.div_ceil(2);
        let Some(size) = IntSize::from_wh(half(picture.width()), half(picture.height())) else { break };
        let Some(mut smaller) = Pixmap::new(size.width(), size.height()) else { break };
        let paint = PixmapPaint { quality: FilterQuality::Bilinear, ..PixmapPaint::default() };
        smaller.draw_pixmap(0, 0, picture.as_ref(), &paint, Transform::from_scale(0.5, 0.5), None);
        (picture, scale) = (smaller, scale * 2.0);
    }
    picture
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDE: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 30"><path fill="#f00" d="M0 0h90v30H0z"/></svg>"##;

    fn png(width: u32, height: u32) -> Vec<u8> {
        let mut picture = Pixmap::new(width, height).unwrap();
        picture.fill(resvg::tiny_skia::Color::from_rgba8(0, 0, 255, 255));
        picture.encode_png().unwrap()
    }

    #[test]
    fn a_wide_logo_has_the_name() {
        let logo = Logo::parse(WIDE.as_bytes().to_vec()).unwrap();
        assert_eq!((logo.form(), logo.size(), logo.has_name()), (LogoForm::Svg, (3_000, 1_000), true));
        let small = WIDE.replace("0 0 90 30", "0 0 1.4 .8");
        assert!(!Logo::parse(small.into_bytes()).unwrap().has_name());
        let logo = Logo::parse(png(40, 30)).unwrap();
        assert_eq!((logo.form(), logo.size(), logo.has_name()), (LogoForm::Png, (40, 30), false));
    }

    #[test]
    fn a_logo_is_drawn_in_the_middle() {
        for (file, colour) in [(WIDE.as_bytes().to_vec(), (255, 0, 0)), (png(900, 300), (0, 0, 255))] {
            let mut canvas = Pixmap::new(32, 32).unwrap();
            Logo::parse(file).unwrap().draw_on(&mut canvas, 1.0);
            let pixel = |x, y| canvas.pixel(x, y).unwrap();
            assert_eq!((pixel(16, 16).red(), pixel(16, 16).green(), pixel(16, 16).blue()), colour);
            assert_eq!((pixel(16, 4).alpha(), pixel(0, 16).alpha()), (0, 0));
        }
    }

    #[test]
    fn what_cannot_be_drawn_is_refused() {
        let mut large = png(1, 1);
        large[16..20].copy_from_slice(&5_000_u32.to_be_bytes());
        let entities = r#"<!DOCTYPE svg [<!ENTITY a "&b;"><!ENTITY b "&a;">]><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><g id="&a;"/></svg>"#;
        let filter = r#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><filter id="a"><feGaussianBlur stdDeviation="9"/></filter><rect width="9" height="9" filter="url(#a)"/></svg>"#;
        for (file, named) in [
            (&b"GIF89a"[..], "neither"),
            (b"\xff\xfe<svg/>", "neither"),
            (b"<html></html>", "SVG"),
            (b"<svg", "SVG"),
            (entities.as_bytes(), "SVG"),
            (filter.as_bytes(), "filters"),
            (&png(9, 9)[..40], "PNG"),
            (PNG, "header"),
            (&large, "5000"),
        ] {
            let error = Logo::parse(file.to_vec()).unwrap_err().to_string();
            assert!(error.contains(named), "{error}");
        }
    }
    #[test]
    fn drawing_takes_a_second_of_a_processor_at_most() {
        let mut shapes = r#"<rect id="g0" width="9" height="9" opacity=".9"/>"#.to_owned();
        for level in 1..4 {
            let uses = format!(r##"<use href="#g{}"/>"##, level - 1).repeat(8);
            shapes.push_str(&format!(r#"<g id="g{level}" opacity=".9">{uses}</g>"#));
        }
        let slow = format!(r#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">{shapes}</svg>"#);
        assert!(matches!(Logo::parse(slow), Err(LogoError::Slow)));
        assert!(takes_at_most(Duration::from_secs(1), || ()));
        assert!(!takes_at_most(Duration::from_millis(1), || thread::sleep(Duration::from_millis(100))));
    }
}
