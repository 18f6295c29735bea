//! The security headers of every response.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

use super::first_paint::{ScreenKind, of_plain_pages, source_expression};
use super::html::early_script_hash;
use super::site::Site;
use crate::profile::Profile;

/// Browser features that the shop does not use and therefore disables.
const PERMISSIONS: &str = "camera=(), geolocation=(), microphone=(), payment=(), usb=()";

/// The security headers for `site`, which allow the profile's own styles.
///
/// # Errors
/// Fails when one of its image sources is not valid in a header.
pub(crate) fn headers(site: &Site, profile: &Profile) -> Result<HeaderMap, header::InvalidHeaderValue> {
    let mut headers = HeaderMap::new();
    let mut set = |name: HeaderName, value: &str| {
        headers.insert(name, HeaderValue::from_str(value)?);
        Ok::<_, header::InvalidHeaderValue>(())
    };
    // Documents have another one, see [`Policies`].
    let plain = source_expression(of_plain_pages());
    set(header::CONTENT_SECURITY_POLICY, &content_security_policy(site, profile, [plain]))?;
    #[cfg(feature = "dev")]
    {
        // `scripts/dev/` waits for this header after a change.
        set(HeaderName::from_static("vitrine-dev"), &crate::dev::bundles().manifest.build)?;
        // A worker that was replaced still answers on connections that browsers keep.
        set(header::CONNECTION, "close")?;
    }
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff")?;
    set(header::REFERRER_POLICY, "strict-origin-when-cross-origin")?;
    set(HeaderName::from_static("permissions-policy"), PERMISSIONS)?;
    set(HeaderName::from_static("cross-origin-opener-policy"), "same-origin")?;
    set(HeaderName::from_static("cross-origin-resource-policy"), "same-origin")?;
    if site.is_https() {
        set(header::STRICT_TRANSPORT_SECURITY, "max-age=31536000")?;
    }
    Ok(headers)
}

/// The content security policies of documents: each kind of page allows its own styles.
#[derive(Clone)]
pub(crate) struct Policies([HeaderValue; 7]);

impl Policies {
    /// The policies for `site`, which allow the profile's own styles.
    ///
    /// # Errors
    /// Fails when one of its image sources is not valid in a header.
    pub(crate) fn new(site: &Site, profile: &Profile) -> Result<Self, header::InvalidHeaderValue> {
        let policy = |kind: ScreenKind| content_security_policy(site, profile, kind.style_hashes()).parse();
        let [home, own_home, listing, rows, product, overview, message] = ScreenKind::ALL.map(policy);
        Ok(Self([home?, own_home?, listing?, rows?, product?, overview?, message?]))
    }

    /// The policy of the documents of this kind.
    pub(crate) fn of(&self, kind: ScreenKind) -> HeaderValue {
        kind.select(&self.0).clone()
    }
}

fn content_security_policy(
    site: &Site,
    profile: &Profile,
    styles: impl IntoIterator<Item = String>,
) -> String {
    let own = profile.styles().map(|styles| source_expression(&styles));
    let styles: String = styles.into_iter().chain(own).map(|hash| format!(" '{hash}'")).collect();
    let images = site.image_sources().iter().map(|source| format!(" {source}")).collect::<String>();
    [
        "default-src 'none'".into(),
        format!("script-src 'self' '{}'", early_script_hash()),
        format!("style-src 'self'{styles}"),
        "font-src 'self'".into(),
        format!("img-src 'self'{images}"),
        format!("connect-src 'self'{}", events()),
        "worker-src 'self'".into(),
        "manifest-src 'self'".into(),
        "base-uri 'none'".into(),
        "form-action 'self'".into(),
        "frame-ancestors 'none'".into(),
        "require-trusted-types-for 'script'".into(),
        // The only policy: it allows the service worker's address (`client/navigation/serviceWorker.ts`).
        "trusted-types service-worker".into(),
    ]
    .join("; ")
}

/// The source of changes during development, which no other build allows.
#[cfg(feature = "dev")]
fn events() -> String {
    format!(" {}", crate::dev::bundles().manifest.events)
}

#[cfg(not(feature = "dev"))]
const fn events() -> &'static str {
    ""
}

#[cfg(all(test, not(feature = "dev")))]
mod tests {
    use super::*;

    #[test]
    fn documents_may_load_run_send_and_be_framed_only_as_the_policy_says() {
        let site = Site::new(&"https://shop.example".parse().unwrap(), Vec::new());
        let headers = headers(&site, &Profile::default()).unwrap();
        let policy = headers[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
        let directives: Vec<&str> = policy.split("; ").collect();
        for directive in [
            "default-src 'none'",
            "font-src 'self'",
            "img-src 'self'",
            "connect-src 'self'",
            "worker-src 'self'",
            "manifest-src 'self'",
            "base-uri 'none'",
            "form-action 'self'",
            "frame-ancestors 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types service-worker",
        ] {
            assert!(directives.contains(&directive), "{directive}: {policy}");
        }
        // Hashes follow; nothing inline or evaluated is allowed in general.
        for beginning in ["script-src 'self' '", "style-src 'self' '"] {
            assert!(directives.iter().any(|directive| directive.starts_with(beginning)), "{beginning}");
        }
        assert!(!policy.contains("unsafe") && directives.len() == 13, "{policy}");
    }
}
