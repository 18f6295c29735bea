//! The settings that visitors and crawlers see: the public address, `robots.txt` and the shop's file.

use url::{Host, Url};

use super::super::failure::Failure;
use super::report::Report;
use crate::document::Site;
use crate::profile::{RefusedLogo, ShopFile};
use crate::serve::{read_robots, read_shop_file};
use crate::settings::ServeSettings;

/// The site, whose address is checked.
pub(super) fn check_site(settings: &ServeSettings, report: &mut Report) -> Option<Site> {
    const ABOUT: &str = "public-url";
    let site = match settings.site(settings.listen) {
        Ok(site) => site,
        Err(error) => {
            report.error(ABOUT, format!("the shop needs a public address: {error}"));
            return None;
        }
    };
    let origin = site.origin();
    if Url::parse(origin).is_ok_and(|url| is_local(&url)) {
        report.warn(
            ABOUT,
            format!(
                "absolute links, the sitemap and previews name {origin}, which nobody elsewhere can open: set \
                 --public-url to the address that visitors use"
            ),
        );
    } else if settings.public_url.is_none() {
        report.warn(ABOUT, format!("absolute links name the listener's address, {origin}: set --public-url"));
    } else if site.is_https() {
        report.ok(ABOUT, origin);
    } else {
        report.warn(
            ABOUT,
            format!(
                "{origin} is not https: links are not secure, and browsers keep no pages for offline visits"
            ),
        );
    }
    Some(site)
}

/// Whether this address is reachable only from this machine, or from no machine at all.
fn is_local(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback() || address.is_unspecified(),
        Some(Host::Ipv6(address)) => address.is_loopback() || address.is_unspecified(),
        None => false,
    }
}

/// The text of the operator's own `robots.txt`, if there is one that can be read.
pub(super) fn check_robots(settings: &ServeSettings, report: &mut Report) -> Option<String> {
    let file = settings.robots.as_deref()?;
    match read_robots(file) {
        Ok(text) => {
            report.ok("robots", format!("{} has {} bytes", file.display(), text.len()));
            Some(text)
        }
        Err(error) => {
            report.error("robots", format!("{error:#}"));
            None
        }
    }
}

/// The operator's file about the shop, if there is one that can be used.
pub(super) fn check_shop(settings: &ServeSettings, report: &mut Report) -> Option<ShopFile> {
    const ABOUT: &str = "shop";
    match read_shop_file(settings) {
        Ok(file) => {
            let named = file.as_ref().and(settings.shop.as_deref());
            if let Some(path) = named {
                report.ok(ABOUT, format!("{} says what the shop tells of itself", path.display()));
            }
            if let Some(RefusedLogo { name, reason, picture }) =
                file.as_ref().and_then(ShopFile::refused_logo)
            {
                report.warn(ABOUT, format!("{name} is not used ({reason}); {picture} is the logo"));
            }
            if let Some(file) = &file {
                check_texts(file, report);
            }
            file
        }
        Err(error) => {
            report.error(ABOUT, Failure(&error));
            None
        }
    }
}

/// Names the texts of the interface that are English although the shop is not.
fn check_texts(file: &ShopFile, report: &mut Report) {
    /// How many are named.
    const NAMED: usize = 5;
    let missing = file.missing_texts();
    if let Some(first) = missing.get(..NAMED.min(missing.len())).filter(|first| !first.is_empty()) {
        report.warn(
            "texts",
            format!(
                "{} texts of the program are English, such as {}: write them into [words]; vitrine init --language \
                 lists them all",
                missing.len(),
                first.join(", ")
            ),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_this_machine_are_local() {
        let is_local = |address: &str| is_local(&address.parse().unwrap());
        for local in ["http://127.0.0.1:3000", "http://[::1]", "http://0.0.0.0:80", "https://shop.localhost"]
        {
            assert!(is_local(local), "{local}");
        }
        assert!(!is_local("https://shop.example") && !is_local("http://10.0.0.1"));
    }
}
