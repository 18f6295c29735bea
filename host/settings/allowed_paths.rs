//! The paths that the settings name, for the worker's sandbox.

use std::path::{Path, PathBuf};

use super::ServeSettings;
use super::parse::CatalogueChoice;
use crate::process::sandbox::AllowedPaths;

impl ServeSettings {
    /// The paths that the worker still uses once its settings are read: a new setting that names a file needs
    /// a line here.
    pub(crate) fn allowed_paths(&self) -> AllowedPaths {
        let mut paths = AllowedPaths::of_the_system(|name| std::env::var_os(name));
        paths.readable.extend(self.robots.clone());
        paths.readable.extend(
            [&self.tls.tls_cert, &self.tls.tls_key].into_iter().flatten().flat_map(|file| renewed(file)),
        );
        if let Some(file) = &self.shop {
            paths.readable.push(file.clone());
            // The logo and the texts are in its directory. The directory of a pipe has other programs' files.
            if file.is_file() {
                paths.readable.extend(renewed(file));
            }
        }
        if let CatalogueChoice::File(path) = &self.catalogue {
            paths.readable.extend(renewed(path));
            // As for a file in the folder.
            paths.readable.extend(self.images.iter().flat_map(|folder| renewed(&folder.join("picture"))));
        }
        if self.catalogue.is_file_or_feed() {
            paths.readable.extend(self.catalogue_options.as_deref().into_iter().flat_map(renewed));
        }
        if matches!(self.catalogue, CatalogueChoice::Shop(_)) {
            paths.readable.extend(self.catalogue_headers.as_deref().into_iter().flat_map(renewed));
        }
        // The sample saves nothing.
        if !matches!(self.catalogue, CatalogueChoice::Sample) {
            paths.writable.extend(self.state_dir.clone());
        }
        paths
    }
}

impl ServeSettings {
    /// The files and folders that are read again while the shop runs. What takes the name of one of them may be unknown to
    /// the sandbox.
    pub(crate) fn followed_paths(&self) -> Vec<PathBuf> {
        let file = match &self.catalogue {
            CatalogueChoice::File(path) => Some(path),
            _ => None,
        };
        let images = self.images.as_ref().filter(|_| file.is_some());
        let state = self.state_dir.as_ref().filter(|_| !matches!(self.catalogue, CatalogueChoice::Sample));
        let options = self.catalogue_options.as_ref().filter(|_| self.catalogue.is_file_or_feed());
        let is_shop = matches!(self.catalogue, CatalogueChoice::Shop(_));
        let headers = self.catalogue_headers.as_ref().filter(|_| is_shop);
        let certificate = [&self.tls.tls_cert, &self.tls.tls_key].map(Option::as_ref);
        let paths = [file, images, options, headers, state, self.shop.as_ref()];
        paths.into_iter().chain(certificate).flatten().cloned().collect()
    }
}

/// The directories in which a renewed file may be: its own, and that of the file it links to. If its own directory is
/// a link, a renewal may point the link to a sibling of its target, so the target's parent is included.
fn renewed(file: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let directory =
        |path: &Path| path.parent().filter(|parent| !parent.as_os_str().is_empty()).map(Path::to_owned);
    let linked = file.canonicalize().ok().as_deref().and_then(directory);
    let own = directory(file).unwrap_or_else(|| ".".into());
    let siblings = own.is_symlink().then(|| own.canonicalize().ok()).flatten().as_deref().and_then(directory);
    // A link such as /var/run must not allow everything.
    let siblings = siblings.filter(|siblings| siblings.parent().is_some());
    [Some(own), linked, siblings].into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use clap::FromArgMatches as _;

    use super::*;

    fn paths(flags: &[&str]) -> AllowedPaths {
        let command =
            <ServeSettings as clap::Args>::augment_args(clap::Command::new("vitrine").no_binary_name(true));
        let settings = ServeSettings::from_arg_matches(&command.get_matches_from(flags)).unwrap();
        let mut paths = settings.allowed_paths();
        let system = AllowedPaths::of_the_system(|name| std::env::var_os(name));
        paths.readable.retain(|path| !system.readable.contains(path));
        paths
    }

    #[test]
    fn every_path_of_the_settings_is_allowed_for_what_it_is() {
        let flags = [
            ["--catalogue", "https://catalogue.example"],
            ["--robots", "/srv/robots.txt"],
            ["--shop", "/srv/shop/shop.toml"],
            ["--admin", "unix:/run/shop/admin.sock"],
            ["--tls-cert", "/etc/shop/certificate.pem"],
            ["--tls-key", "/run/secrets/key.pem"],
            ["--state-dir", "/var/lib/shop"],
        ];
        let expected = AllowedPaths {
            readable: vec![
                "/srv/robots.txt".into(),
                "/etc/shop".into(),
                "/run/secrets".into(),
                "/srv/shop/shop.toml".into(),
            ],
            writable: vec!["/var/lib/shop".into()],
        };
        assert_eq!(paths(flags.as_flattened()), expected);
    }

    #[test]
    fn what_lies_beside_the_shop_s_file_is_allowed() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().canonicalize().unwrap();
        let file = folder.join("shop.toml");
        std::fs::write(&file, "").unwrap();
        assert!(paths(&["--shop", file.to_str().unwrap()]).readable.contains(&folder));
    }

    #[test]
    fn a_certificate_may_be_renewed_by_a_link_to_another_directory() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().canonicalize().unwrap();
        let (releases, current) = (folder.join("releases"), folder.join("current"));
        std::fs::create_dir_all(releases.join("1")).unwrap();
        std::fs::write(releases.join("1/certificate.pem"), "").unwrap();
        std::os::unix::fs::symlink(releases.join("1"), &current).unwrap();
        let allowed: Vec<_> = renewed(&current.join("certificate.pem")).collect();
        assert_eq!(allowed, [current, releases.join("1"), releases]);
        // A link to a directory of the root.
        let root = folder.join("root");
        std::os::unix::fs::symlink("/tmp", &root).unwrap();
        assert_eq!(renewed(&root.join("missing.pem")).collect::<Vec<_>>(), [root]);
    }

    #[test]
    fn pictures_are_allowed_beside_a_file_alone() {
        let flags = ["--images", "/srv/pictures", "--catalogue"];
        assert_eq!(
            paths(&[&flags[..], &["file:/srv/shop/products.csv"]].concat()).readable,
            [Path::new("/srv/shop"), Path::new("/srv/pictures")]
        );
        assert_eq!(paths(&[&flags[..], &["sample"]].concat()), AllowedPaths::default());
    }

    #[test]
    fn headers_are_allowed_for_a_shop_alone() {
        let flags = ["--catalogue-headers", "/run/shop/headers", "--catalogue"];
        assert_eq!(
            paths(&[&flags[..], &["shop:https://shop.example"]].concat()).readable,
            [Path::new("/run/shop")]
        );
        assert_eq!(
            paths(&[&flags[..], &["feed:https://shop.example/a.xml"]].concat()),
            AllowedPaths::default()
        );
    }

    #[test]
    fn what_is_not_used_is_not_allowed() {
        assert_eq!(paths(&[]), AllowedPaths::default());
        assert_eq!(paths(&["--state-dir", "/var/lib/shop"]), AllowedPaths::default());
        assert_eq!(paths(&["--admin", "unix:/run/shop/admin.sock"]), AllowedPaths::default());
    }
}
