//! Where a feed's server may lead: to public addresses, and to the host that the operator has named. Otherwise a server
//! that is no longer trustworthy could make this machine call its own network (SSRF).

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::redirect::Policy;
use url::{Host, Url};

/// More redirects are a circle.
const MOST: usize = 10;

/// Why a redirect is not followed.
#[derive(Debug, thiserror::Error)]
pub(super) enum RedirectError {
    #[error("it leads to {0}, an address of a private network: name that host in --catalogue if it is right")]
    Private(String),
    #[error("it leads from https to http, which anybody on the way can read and change")]
    Plain,
    #[error("it leads on more than ten times")]
    Circle,
}

/// Follows redirects from the operator's `own` address.
pub(super) fn policy(own: &Url) -> Policy {
    let host = own.host_str().unwrap_or_default().to_owned();
    Policy::custom(move |attempt| {
        let (to, is_circle) = (attempt.url(), attempt.previous().len() > MOST);
        let from = attempt.previous().last();
        let refusal = if is_circle {
            Some(RedirectError::Circle)
        } else if from.is_some_and(|from| from.scheme() == "https") && to.scheme() != "https" {
            Some(RedirectError::Plain)
        } else {
            refused_host(to, &host).map(RedirectError::Private)
        };
        match refusal {
            Some(refusal) => attempt.error(refusal),
            None => attempt.follow(),
        }
    })
}

/// The host of an address that is a private IP address, and not the operator's own host.
fn refused_host(to: &Url, own: &str) -> Option<String> {
    let is_private = match to.host()? {
        // What a name stands for is known when it is resolved.
        Host::Domain(_) => false,
        Host::Ipv4(address) => !is_public(address.into()),
        Host::Ipv6(address) => !is_public(address.into()),
    };
    let host = to.host_str()?;
    (is_private && host != own).then(|| host.to_owned())
}

/// Resolves names as the system does, and leaves out private addresses, except for the host that the operator has named.
pub(super) struct PublicNames {
    own: Arc<str>,
}

impl PublicNames {
    pub(super) fn besides(own: &Url) -> Self {
        Self { own: own.host_str().unwrap_or_default().into() }
    }
}

impl Resolve for PublicNames {
    fn resolve(&self, name: Name) -> Resolving {
        let own = Arc::clone(&self.own);
        Box::pin(async move {
            let is_own = name.as_str().eq_ignore_ascii_case(&own);
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let found: Vec<SocketAddr> = found.filter(|address| is_own || is_public(address.ip())).collect();
            if found.is_empty() {
                let refusal = RedirectError::Private(name.as_str().to_owned());
                return Err(io::Error::new(io::ErrorKind::PermissionDenied, refusal).into());
            }
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

/// Whether an address is one of the public network: none of RFC 6890's special ones that lead to machines nearby.
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => match address.to_ipv4_mapped() {
            Some(mapped) => is_public_v4(mapped),
            None => is_public_v6(address),
        },
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [first, second, ..] = address.octets();
    let is_shared = first == 100 && second & 0xc0 == 64;
    let is_special = address.is_loopback()
        || address.is_private()
        || address.is_link_local()
        || address.is_broadcast()
        || address.is_multicast()
        || first == 0;
    !is_shared && !is_special
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let is_special = address.is_loopback()
        || address.is_unspecified()
        || address.is_unique_local()
        || address.is_unicast_link_local()
        || address.is_multicast();
    !is_special
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_machines_nearby_are_not_public() {
        for private in [
            "127.0.0.1",
            "127.8.8.8",
            "10.0.0.1",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "100.127.255.255",
            "0.0.0.0",
            "0.1.2.3",
            "255.255.255.255",
            "224.0.0.1",
            "::1",
            "::",
            "fc00::1",
            "fd12:3456::1",
            "fe80::1",
            "ff02::1",
            "::ffff:127.0.0.1",
            "::ffff:10.1.2.3",
        ] {
            assert!(!is_public(private.parse().unwrap()), "{private}");
        }
        for public in
            ["8.8.8.8", "172.32.0.1", "100.63.255.255", "100.128.0.1", "2606:4700::1111", "::ffff:8.8.8.8"]
        {
            assert!(is_public(public.parse().unwrap()), "{public}");
        }
    }

    #[test]
    fn only_the_operator_s_own_host_may_be_private() {
        for (to, own, refused) in [
            ("http://127.0.0.1:9/x", "feeds.example", Some("127.0.0.1")),
            ("http://2130706433/x", "feeds.example", Some("127.0.0.1")),
            ("http://[::ffff:10.0.0.1]/", "feeds.example", Some("[::ffff:a00:1]")),
            ("http://127.0.0.1:9/x", "127.0.0.1", None),
            ("http://10.0.0.2/x", "10.0.0.1", Some("10.0.0.2")),
            ("https://cdn.example/x", "feeds.example", None),
        ] {
            let refusal = refused_host(&to.parse().unwrap(), own);
            assert_eq!(refusal.as_deref(), refused, "{to} from {own}");
        }
    }

    #[tokio::test]
    async fn a_name_that_stands_for_this_machine_is_resolved_for_its_operator_alone() {
        let resolve = async |own: &str| {
            let names = PublicNames::besides(&own.parse().unwrap());
            names.resolve("localhost".parse().unwrap()).await.map(|found| found.count() > 0)
        };
        assert!(resolve("http://localhost/feed.xml").await.unwrap());
        let refusal = resolve("http://feeds.example/feed.xml").await.unwrap_err();
        assert!(refusal.to_string().contains("localhost"), "{refusal}");
    }
}
