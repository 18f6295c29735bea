//! Which servers may be called at an address that somebody else has written: a feed's server leads to another, or a catalogue
//! names a picture. They are public, or the operator has named them. Otherwise a server or a file that is no longer trustworthy
//! could make this machine call its own network (SSRF).

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::redirect::Policy;
use url::{Host, Url};

/// Why a server is not called.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Refused {
    #[error(
        "it leads to {0}, an address of a private network: name that host in --catalogue if it is right, or in --image-host for pictures"
    )]
    Private(String),
    #[error("it leads from https to http, which anybody on the way can read and change")]
    Plain,
    #[error("it leads on more than {0} times")]
    Circle(usize),
    #[error("it leads to port {0}, which --image-host does not name")]
    Port(u16),
    #[error("it leads to an address that is not of the web, or has credentials")]
    Form,
}

/// The servers that may be called. A clone shares them.
#[derive(Clone, Debug)]
pub(crate) struct Reach {
    /// The hosts that the operator has named, which may be private, each with a port.
    named: Arc<[(String, Option<u16>)]>,
    /// Whether other ports than those of the web have to be named too, and addresses have no credentials.
    is_strict: bool,
    /// Most redirects; more are a circle.
    redirects: usize,
}

impl Reach {
    /// What a server at the operator's `own` address may lead to.
    pub(crate) fn from(own: &Url) -> Self {
        Self { named: Arc::new([named(own)]), is_strict: false, redirects: 10 }
    }

    /// What a shop at the operator's `own` address may lead to.
    pub(crate) fn of_shop(own: &Url) -> Self {
        Self { redirects: 3, ..Self::from(own) }
    }

    /// What a catalogue may name, if the operator has `named` these addresses.
    pub(crate) fn of_catalogue(addresses: &[Url]) -> Self {
        Self { named: addresses.iter().map(named).collect(), is_strict: true, redirects: 3 }
    }

    /// Whether a server may be called at this address, as far as that is known before its name is resolved.
    ///
    /// # Errors
    /// When it may not.
    pub(crate) fn check(&self, to: &Url) -> Result<(), Refused> {
        let is_web = matches!(to.scheme(), "http" | "https");
        let has_credentials = !to.username().is_empty() || to.password().is_some();
        let host =
            to.host().filter(|_| is_web && !(has_credentials && self.is_strict)).ok_or(Refused::Form)?;
        let port = to.port_or_known_default();
        let name = to.host_str().unwrap_or_default();
        let is_named = |(host, own): &(String, Option<u16>)| host == name && *own == port;
        if let Some(port) = port.filter(|port| self.is_strict && !matches!(port, 80 | 443))
            && !self.named.iter().any(is_named)
        {
            return Err(Refused::Port(port));
        }
        let is_private = match host {
            // What a name stands for is known when it is resolved.
            Host::Domain(_) => false,
            Host::Ipv4(address) => !is_public(address.into()),
            Host::Ipv6(address) => !is_public(address.into()),
        };
        if is_private && !self.names(name) { Err(Refused::Private(name.to_owned())) } else { Ok(()) }
    }

    fn names(&self, host: &str) -> bool {
        self.named.iter().any(|(named, _)| named.eq_ignore_ascii_case(host))
    }

    /// Whether a redirect from one address to another is followed, which is the one with this `number`, from 1.
    ///
    /// # Errors
    /// When it is not.
    pub(crate) fn follow(&self, (from, to): (&Url, &Url), number: usize) -> Result<(), Refused> {
        if number > self.redirects {
            return Err(Refused::Circle(self.redirects));
        }
        if from.scheme() == "https" && to.scheme() != "https" {
            return Err(Refused::Plain);
        }
        self.check(to)
    }

    /// Follows redirects to these servers.
    pub(crate) fn policy(&self) -> Policy {
        let reach = self.clone();
        Policy::custom(move |attempt| {
            let previous = attempt.previous();
            let from = previous.last().unwrap_or(attempt.url());
            match reach.follow((from, attempt.url()), previous.len()) {
                Err(refusal) => attempt.error(refusal),
                Ok(()) => attempt.follow(),
            }
        })
    }

    /// Resolves names to addresses that may be called.
    pub(crate) fn resolver(&self) -> PublicNames {
        PublicNames { reach: self.clone(), lookup: |name| Box::pin(of_the_system(name)) }
    }
}

fn named(address: &Url) -> (String, Option<u16>) {
    (address.host_str().unwrap_or_default().to_owned(), address.port_or_known_default())
}

/// Finds the addresses of a name.
type Lookup = fn(String) -> Pin<Box<dyn Future<Output = io::Result<Vec<SocketAddr>>> + Send>>;

async fn of_the_system(name: String) -> io::Result<Vec<SocketAddr>> {
    Ok(tokio::net::lookup_host((name, 0)).await?.collect())
}

/// Resolves names, and leaves out private addresses, except for hosts that the operator has named. A connection goes to one of
/// the addresses that it gives, so that another answer to a second question changes nothing.
pub(crate) struct PublicNames {
    reach: Reach,
    lookup: Lookup,
}

impl Resolve for PublicNames {
    fn resolve(&self, name: Name) -> Resolving {
        let (is_named, found) = (self.reach.names(name.as_str()), (self.lookup)(name.as_str().to_owned()));
        Box::pin(async move {
            let mut found = found.await?;
            found.retain(|address| is_named || is_public(address.ip()));
            if found.is_empty() {
                let refusal = Refused::Private(name.as_str().to_owned());
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
        IpAddr::V6(address) => match embedded_v4(address) {
            Some(embedded) => is_public_v4(embedded),
            None => is_public_v6(address),
        },
    }
}

/// The IPv4 address that this one leads to: mapped, compatible (RFC 4291), 6to4, or of a translator (RFC 6052).
fn embedded_v4(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let of = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        Ipv4Addr::new(a, b, c, d)
    };
    match address.segments() {
        // Unspecified and loopback are no IPv4 addresses.
        [0, 0, 0, 0, 0, 0, 0, 0 | 1] => None,
        [0, 0, 0, 0, 0, 0 | 0xffff, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] => Some(of(high, low)),
        [0x2002, high, low, ..] => Some(of(high, low)),
        _ => None,
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [first, second, ..] = address.octets();
    let is_shared = first == 100 && second & 0xc0 == 64;
    let is_special = address.is_loopback()
        || address.is_private()
        || address.is_link_local()
        || address.is_multicast()
        || matches!(first, 0 | 240..);
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
    use std::sync::atomic::{AtomicUsize, Ordering};

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
            "240.0.0.1",
            "::7f00:1",
            "64:ff9b::10.1.2.3",
            "2002:7f00:1::",
        ] {
            assert!(!is_public(private.parse().unwrap()), "{private}");
        }
        for public in [
            "8.8.8.8",
            "172.32.0.1",
            "100.63.255.255",
            "100.128.0.1",
            "2606:4700::1111",
            "::ffff:8.8.8.8",
            "64:ff9b::808:808",
        ] {
            assert!(is_public(public.parse().unwrap()), "{public}");
        }
    }

    #[test]
    fn only_a_host_that_the_operator_has_named_may_be_private() {
        for (to, own, refused) in [
            ("http://127.0.0.1:9/x", "http://feeds.example", Some("127.0.0.1")),
            ("http://2130706433/x", "http://feeds.example", Some("127.0.0.1")),
            ("http://[::ffff:10.0.0.1]/", "http://feeds.example", Some("[::ffff:a00:1]")),
            ("http://127.0.0.1:9/x", "http://127.0.0.1", None),
            ("http://10.0.0.2/x", "http://10.0.0.1", Some("10.0.0.2")),
            ("https://cdn.example/x", "http://feeds.example", None),
        ] {
            let refusal = match Reach::from(&own.parse().unwrap()).check(&to.parse().unwrap()) {
                Err(Refused::Private(host)) => Some(host),
                other => other.map(|()| None).unwrap(),
            };
            assert_eq!(refusal.as_deref(), refused, "{to} from {own}");
        }
    }

    #[test]
    fn a_redirect_is_followed_a_few_times_and_never_to_what_is_less_safe() {
        for (from, to, number, is_followed) in [
            ("https://shop.example/", "https://www.shop.example/", 1, true),
            ("http://shop.example/", "https://shop.example/", 3, true),
            ("https://shop.example/", "https://shop.example/", 4, false),
            ("https://shop.example/", "http://shop.example/", 1, false),
            ("https://shop.example/", "https://127.0.0.1/", 1, false),
        ] {
            let reach = Reach::of_shop(&"https://shop.example".parse().unwrap());
            let followed = reach.follow((&from.parse().unwrap(), &to.parse().unwrap()), number);
            assert_eq!(followed.is_ok(), is_followed, "{from} to {to}: {followed:?}");
        }
    }

    #[test]
    fn a_catalogue_may_name_public_servers_of_the_web_and_what_the_operator_has_named() {
        let named = ["http://127.0.0.1:4200", "https://cdn.example:8443"].map(|url| url.parse().unwrap());
        let reach = Reach::of_catalogue(&named);
        for allowed in [
            "https://pictures.example/a.jpg",
            "http://pictures.example/a.jpg",
            "http://pictures.example:443/a.jpg",
            "https://8.8.8.8/a.jpg",
            "https://cdn.example:8443/a.jpg",
            "http://127.0.0.1:4200/a.jpg",
        ] {
            assert!(reach.check(&allowed.parse().unwrap()).is_ok(), "{allowed}");
        }
        for refused in [
            "http://127.0.0.1:22/a.jpg",
            "http://10.0.0.1/a.jpg",
            "http://0x7f.1:6379/",
            "http://[::1]/a.jpg",
            "https://pictures.example:8443/a.jpg",
            "https://me@pictures.example/a.jpg",
            "https://:secret@pictures.example/a.jpg",
            "ftp://pictures.example/a.jpg",
            "data:image/png,a",
            "file:///etc/passwd",
        ] {
            assert!(reach.check(&refused.parse().unwrap()).is_err(), "{refused}");
        }
    }

    #[tokio::test]
    async fn a_name_that_stands_for_this_machine_is_resolved_for_its_operator_alone() {
        let resolve = async |own: &str| {
            let names = Reach::from(&own.parse().unwrap()).resolver();
            names.resolve("localhost".parse().unwrap()).await.map(|found| found.count() > 0)
        };
        assert!(resolve("http://localhost/feed.xml").await.unwrap());
        let refusal = resolve("http://feeds.example/feed.xml").await.unwrap_err();
        assert!(refusal.to_string().contains("localhost"), "{refusal}");
    }

    #[tokio::test]
    async fn a_name_that_stands_for_this_machine_at_the_second_question_is_not_called() {
        static QUESTIONS: AtomicUsize = AtomicUsize::new(0);
        let lookup: Lookup = |_| {
            let found: SocketAddr = match QUESTIONS.fetch_add(1, Ordering::Relaxed) {
                0 => ([93, 184, 216, 34], 0).into(),
                _ => ([127, 0, 0, 1], 0).into(),
            };
            Box::pin(async move { Ok(vec![found]) })
        };
        let names = PublicNames { reach: Reach::of_catalogue(&[]), lookup };
        let found = names.resolve("pictures.example".parse().unwrap()).await.unwrap();
        assert!(found.eq([([93, 184, 216, 34], 0).into()]));
        assert!(names.resolve("pictures.example".parse().unwrap()).await.is_err());
    }
}
