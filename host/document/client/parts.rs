//! What the client consists of.

/// A file of the client bundle.
#[derive(Debug)]
pub struct Asset {
    pub name: &'static str,
    pub content_type: &'static str,
    pub identity: &'static [u8],
    /// Absent for formats that are compressed themselves.
    pub compressed: Option<Compressed>,
}

/// The compressed variants of a file.
#[derive(Debug)]
pub struct Compressed {
    pub brotli: &'static [u8],
    pub gzip: &'static [u8],
}

/// The client, as documents refer to it.
#[derive(Debug)]
pub struct Client {
    /// Identifies the files, the document and the service worker that belong together.
    pub build: &'static str,
    pub files: &'static [Asset],
    /// The inline script of every document, which loads the script at [`Client::script`].
    pub early_script: &'static str,
    /// The addresses of the files that every page loads.
    pub script: &'static str,
    pub styles: &'static str,
    pub font: &'static str,
    pub first_paint: FirstPaint,
    pub service_worker: Asset,
    /// The script that removes the service worker.
    pub service_worker_removal: Asset,
}

/// What the first paint of each kind of page needs.
#[derive(Debug)]
pub struct FirstPaint {
    /// The sample's home page, and that of a service.
    pub home: FirstScreen,
    /// A home page with a low head, or another picture in the banner's window.
    pub own_home: FirstScreen,
    pub listing: FirstScreen,
    /// Listings whose products hardly have pictures.
    pub rows: FirstScreen,
    pub product: FirstScreen,
    pub overview: FirstScreen,
    pub message: FirstScreen,
    /// The styles of pages without React. They use no typeface of the shop's own.
    pub plain: &'static str,
}

/// The styles and icons of a kind of page: what its first screen needs, and what follows it.
/// `scripts/first-screen.mjs` says what is what.
#[derive(Debug)]
pub struct FirstScreen {
    /// With the typefaces, which only the whole style sheet uses.
    pub styles: &'static str,
    /// What the markup below the first screen needs further. What only an action or the printer shows is in neither.
    pub further_styles: &'static str,
    /// The symbols of icons; components refer to them by `<use>`.
    pub icons: &'static str,
    pub further_icons: &'static str,
}
