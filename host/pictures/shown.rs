//! What pages know of a picture, behind the `#` of its address. It is part of the address so that everything that carries
//! an address carries it too; browsers do not send it.

use std::fmt::{self, Display, Formatter};

use super::fit::Fit;
use super::header::Header;

/// `#1500x1000`, and after it the end of a class of the client's: `f` if it fills its frame, `w` if it stands on white ground,
/// `c` if it is a cut-out.
///
/// Nothing for a picture of which no copies are made. The client reads it in `client/ui/picture.ts`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shown {
    size: Option<(u32, u32)>,
    fit: Option<Fit>,
}

impl Shown {
    /// What is known of a picture with this header, and how it fits, if that was found out.
    pub(crate) fn of(header: &Header, fit: Option<Fit>) -> Self {
        Self {
            size: header.as_is.is_none().then_some((header.width, header.height)),
            fit: fit.or(header.has_alpha.then_some(Fit::CutOut)),
        }
    }
}

impl Shown {
    /// What is known of a picture on another host, to stand behind the address of its copies.
    pub(super) fn known(width: u32, height: u32, fit: Option<Fit>) -> String {
        let shown = Self { size: Some((width, height)), fit };
        shown.to_string().replacen('#', ",", 1)
    }
}

impl Display for Shown {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let Some((width, height)) = self.size else { return Ok(()) };
        let fit = match self.fit {
            Some(Fit::CutOut) => "c",
            Some(Fit::White) => "w",
            Some(Fit::Photograph) | None => "f",
        };
        write!(formatter, "#{width}x{height}{fit}")
    }
}

/// The address of a picture without what is known of it, as other programs get it.
pub(crate) fn plain(address: &str) -> &str {
    match address.split_once('#') {
        Some((plain, shown))
            if plain.starts_with("/images/")
                || shown.starts_with("/pictures/")
                || shown.ends_with("width=") =>
        {
            plain
        }
        _ => address,
    }
}

/// The address of a picture's preview; `None` if it has none.
pub(crate) fn preview(address: &str) -> Option<String> {
    let (plain, _) = address.strip_prefix("/images/")?.split_once('#')?;
    let (name, _) = plain.rsplit_once('.')?;
    Some(format!("/images/{name}-preview.jpg"))
}

#[cfg(test)]
mod tests {
    use super::super::header::{AsIs, Kind};
    use super::*;

    #[test]
    fn an_address_says_what_is_known_and_other_programs_get_it_without() {
        let header = Header { width: 1_500, height: 1_000, ..Header::of_nothing(Kind::Jpeg) };
        let cmyk = Header { as_is: Some(AsIs::Cmyk), ..header };
        let clear = Header { has_alpha: true, ..header };
        for (header, known, text) in [
            (header, None, "#1500x1000f"),
            (cmyk, None, ""),
            (clear, None, "#1500x1000c"),
            (clear, Some(Fit::White), "#1500x1000w"),
            (header, Some(Fit::Photograph), "#1500x1000f"),
        ] {
            assert_eq!(Shown::of(&header, known).to_string(), text);
            assert_eq!(plain(&format!("/images/a-0.jpg{text}")), "/images/a-0.jpg");
        }
        assert_eq!(plain("https://cdn.example/a.jpg#b"), "https://cdn.example/a.jpg#b");
        assert_eq!(preview("/images/a-0.jpg#9x9w").as_deref(), Some("/images/a-0-preview.jpg"));
        for other in ["/images/a-0.jpg", "/a.jpg#9x9", "https://cdn.example/images/a.jpg#9x9"] {
            assert_eq!(preview(other), None, "{other}");
        }
    }
}
