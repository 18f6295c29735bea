//! What only builds for development have, with the Cargo feature `dev`: bundles that are read from a folder
//! when the process starts, instead of being embedded. `scripts/dev/` writes the folder, and replaces the
//! worker when it has changed. No other build contains this module; a test looks for it in the executable.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::{fs, io};

use serde::Deserialize;

/// The environment variable that names the folder.
const VARIABLE: &str = "VITRINE_DEV_BUNDLES";

/// The folder's `manifest.json`.
#[derive(Debug, Deserialize)]
pub(crate) struct Manifest {
    /// Identifies this content of the folder; every answer names it in the header `vitrine-dev`.
    pub(crate) build: String,
    /// The addresses of the client's files that every page loads.
    pub(crate) script: String,
    pub(crate) styles: String,
    pub(crate) font: String,
    /// The origin that tells browsers of changes; the content security policy has to allow it.
    pub(crate) events: String,
}

/// The content of the folder.
#[derive(Debug)]
pub(crate) struct Bundles {
    pub(crate) manifest: Manifest,
    /// The files, by path below the folder.
    files: BTreeMap<String, Vec<u8>>,
}

static BUNDLES: LazyLock<Bundles> = LazyLock::new(|| match Bundles::read() {
    Ok(bundles) => bundles,
    Err(error) => {
        eprintln!("the bundles cannot be read from the folder that {VARIABLE} names: {error}");
        std::process::exit(1)
    }
});

/// The content of the folder when it was first asked for. Ends the process when it cannot be read.
pub(crate) fn bundles() -> &'static Bundles {
    &BUNDLES
}

impl Bundles {
    fn read() -> io::Result<Self> {
        let folder = std::env::var_os(VARIABLE).ok_or(io::ErrorKind::NotFound)?;
        // The folder may be a link that is replaced while the files are read.
        let folder = PathBuf::from(folder).canonicalize()?;
        let mut files = BTreeMap::new();
        read_below(&folder, "", &mut files)?;
        let manifest = serde_json::from_slice(files.get("manifest.json").ok_or(io::ErrorKind::NotFound)?)?;
        Ok(Self { manifest, files })
    }

    /// A file; empty when there is none.
    pub(crate) fn bytes(&self, path: &str) -> &[u8] {
        self.files.get(path).map(Vec::as_slice).unwrap_or_default()
    }

    /// A file of text; empty when there is none.
    pub(crate) fn text(&self, path: &str) -> &str {
        std::str::from_utf8(self.bytes(path)).unwrap_or_default()
    }

    /// The names of the files in a folder below.
    pub(crate) fn names(&self, folder: &str) -> impl Iterator<Item = &str> {
        self.files.keys().filter_map(move |path| path.strip_prefix(folder)?.strip_prefix('/'))
    }
}

fn read_below(folder: &Path, prefix: &str, files: &mut BTreeMap<String, Vec<u8>>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            read_below(&entry.path(), &format!("{path}/"), files)?;
        } else {
            files.insert(path, fs::read(entry.path())?);
        }
    }
    Ok(())
}
