//! The HTTP client, which is replaced from time to time. Otherwise its open connections would never follow a service
//! that moves to another address while the old one still answers. Calls under way finish with the client that they
//! have.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hyper_util::client::proxy::matcher::Matcher;
use parking_lot::Mutex;
use reqwest::Client;
use reqwest::dns::Resolve;
use reqwest::redirect::Policy;
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt as _;
use url::{Host, Url};

use super::guard::Guard;
use super::limits::ServiceLimits;
use crate::catalogue::error::CatalogueError;
use crate::catalogue::query::Result;
use crate::process::compute::off_runtime;

const MAX_REDIRECTS: usize = 3;
const PING_INTERVAL: Duration = Duration::from_secs(10);
/// How long a client, and with it the resolved addresses of a name, is used.
const RESOLVED_FOR: Duration = Duration::from_secs(30);
/// Time between two attempts to read the machine's certificates.
const READ_AGAIN: Duration = Duration::from_secs(5);

/// Reads the certificates that this machine trusts.
type Trust = fn() -> std::result::Result<ClientConfig, rustls::Error>;

/// Makes the clients of one service.
pub(super) struct Clients {
    base: Url,
    connect_timeout: Duration,
    ping_timeout: Duration,
    guard: Arc<Guard>,
    trust: Trust,
    /// Used instead of the system's resolver.
    resolver: Option<Arc<dyn Resolve>>,
    latest: Mutex<Latest>,
}

#[derive(Default)]
struct Latest {
    /// The trusted certificates, once they are read. Reading them takes about 10 ms.
    tls: Option<ClientConfig>,
    /// The client, or the error that prevented one, and the time of the attempt.
    made: Option<(Result<Client>, Instant)>,
}

impl fmt::Debug for Clients {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Clients").field("base", &self.base).finish_non_exhaustive()
    }
}

impl Clients {
    pub(super) fn new(base: &Url, limits: &ServiceLimits, guard: Arc<Guard>) -> Self {
        Self {
            base: base.clone(),
            connect_timeout: limits.connect_timeout,
            // A service that does not answer a ping for so long answers no visitor in time either.
            ping_timeout: limits.visitor.first_byte,
            guard,
            trust: || Ok(ClientConfig::builder().with_platform_verifier()?.with_no_client_auth()),
            resolver: None,
            latest: Mutex::default(),
        }
    }

    /// Like [`Self::client`], for callers on the async runtime: another thread reads the certificates.
    ///
    /// # Errors
    /// See [`Self::client`].
    pub(super) async fn for_call(self: &Arc<Self>) -> Result<Client> {
        // While it is locked, another thread may be reading the certificates.
        let made = self.latest.try_lock().and_then(|latest| self.kept(&latest, Instant::now()));
        match made {
            Some(made) => made,
            None => {
                let clients = Arc::clone(self);
                off_runtime(move || clients.client(Instant::now())).await
            }
        }
    }

    /// The client for a call at this time. Makes one if it is due, and may read the machine's certificates for it.
    ///
    /// # Errors
    /// When no client can be made, because this machine has no certificates to trust.
    pub(super) fn client(&self, now: Instant) -> Result<Client> {
        let mut latest = self.latest.lock();
        if let Some(made) = self.kept(&latest, now) {
            return made;
        }
        let made = self.make(&mut latest.tls);
        latest.made = Some((made.clone(), now));
        made
    }

    /// The latest client or error, if it is to be used at this time.
    fn kept(&self, latest: &Latest, now: Instant) -> Option<Result<Client>> {
        let lasts = |made: &Result<Client>| match (made, self.base.host()) {
            (Err(_), _) => READ_AGAIN,
            (Ok(_), Some(Host::Domain(_))) => RESOLVED_FOR,
            // An IP address does not move.
            (Ok(_), _) => Duration::MAX,
        };
        let (made, since) = latest.made.as_ref()?;
        (now.saturating_duration_since(*since) < lasts(made)).then(|| made.clone())
    }

    fn make(&self, tls: &mut Option<ClientConfig>) -> Result<Client> {
        let tls = match tls {
            Some(tls) => tls,
            None => tls.insert(self.tls()?),
        };
        let mut client = Client::builder()
            .user_agent(concat!("vitrine/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(self.connect_timeout)
            // A timeout closes a call's HTTP/1 connection but not a shared HTTP/2 connection. Pings
            // detect a dead one; otherwise all further calls would use it.
            .http2_keep_alive_interval(PING_INTERVAL)
            .http2_keep_alive_timeout(self.ping_timeout)
            .http2_keep_alive_while_idle(true)
            .redirect(redirects_within(&self.base, Arc::clone(&self.guard)))
            .tls_backend_preconfigured(tls.clone())
            // Only the guard retries, within its budget.
            .retry(reqwest::retry::never());
        // A proxy from the environment cannot reach a service on this machine's loopback address.
        if is_loopback(&self.base) {
            client = client.no_proxy();
        }
        if let Some(resolver) = &self.resolver {
            client = client.dns_resolver(Arc::clone(resolver));
        }
        Ok(client.build()?)
    }

    /// The trusted certificates. Redirects stay at this origin, so that for plain HTTP only a proxy may need them.
    fn tls(&self) -> Result<ClientConfig> {
        let is_plain = self.base.scheme() == "http";
        // Loading the machine's certificates would add about 10 ms to the start.
        let trusted = if is_plain && is_loopback(&self.base) { Ok(no_trust()) } else { (self.trust)() };
        let trusted = if is_plain { trusted.or_else(|_| Ok(no_trust())) } else { trusted };
        let mut tls = trusted.map_err(|error| CatalogueError::NoCertificates(Arc::new(error)))?;
        tls.alpn_protocols = vec!["h2".into(), "http/1.1".into()];
        Ok(tls)
    }
}

/// A configuration that trusts no certificate.
fn no_trust() -> ClientConfig {
    ClientConfig::builder().with_root_certificates(RootCertStore::empty()).with_no_client_auth()
}

/// Follows redirects only below the service's base URL. Otherwise a compromised or misconfigured
/// service could make this host call internal addresses (SSRF).
fn redirects_within(base: &Url, guard: Arc<Guard>) -> Policy {
    let base = base.clone();
    Policy::custom(move |attempt| {
        let stays = attempt.previous().len() <= MAX_REDIRECTS && is_below(attempt.url(), &base);
        if stays && guard.allows_redirect() { attempt.follow() } else { attempt.stop() }
    })
}

fn is_below(url: &Url, base: &Url) -> bool {
    let folder = base.path().trim_end_matches('/');
    let below = url.path().strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    url.origin() == base.origin() && below
}

/// The proxy of the environment through which the client calls this address, without its credentials.
pub(super) fn proxy_for(base: &Url) -> Option<Arc<str>> {
    let proxy = Matcher::from_env().intercept(&base.as_str().parse().ok()?)?;
    let uri = proxy.uri();
    let (scheme, authority) = (uri.scheme_str()?, uri.authority()?.as_str());
    (!is_loopback(base)).then(|| format!("{scheme}://{authority}").into())
}

fn is_loopback(base: &Url) -> bool {
    match base.host() {
        Some(Host::Domain(name)) => name.eq_ignore_ascii_case("localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;
    use std::sync::atomic::{AtomicBool, Ordering};

    use axum::Router;
    use axum::routing::get;
    use reqwest::dns::{Name, Resolving};
    use tokio::net::TcpListener;

    use super::*;
    use crate::catalogue::CatalogueCounters;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    #[test]
    fn redirects_stay_below_the_base_url() {
        let base = url("https://shop.example/api/");
        for inside in ["/api/products", "/api/products/", "/api", "/api/x/../products?q=1"] {
            assert!(is_below(&base.join(inside).unwrap(), &base), "{inside}");
        }
        for outside in [
            "/",
            "/apis",
            "/admin",
            "/api/../admin",
            "/api/%2e%2e/admin",
            "//evil.example/api/products",
            "http://shop.example/api/products",
            "https://shop.example:8443/api/products",
            "https://shop.example.evil.example/api/products",
        ] {
            assert!(!is_below(&base.join(outside).unwrap(), &base), "{outside}");
        }
        assert!(is_below(&url("http://a/moved"), &url("http://a")));
    }

    #[test]
    fn loopback_addresses_are_recognised() {
        for base in ["http://127.0.0.1:3001", "http://localhost/api", "http://[::1]:80"] {
            assert!(is_loopback(&url(base)), "{base}");
        }
        for base in ["https://dummyjson.com", "http://10.0.0.1", "http://localhost.example"] {
            assert!(!is_loopback(&url(base)), "{base}");
        }
    }

    fn clients(base: &str) -> Clients {
        let limits = ServiceLimits::DEFAULT;
        let guard = Guard::new(&limits, Arc::new(CatalogueCounters::default()));
        Clients::new(&url(base), &limits, Arc::new(guard))
    }

    /// A resolver whose name moves to another address.
    #[derive(Default)]
    struct Moving {
        has_moved: AtomicBool,
    }

    impl Resolve for Moving {
        fn resolve(&self, _: Name) -> Resolving {
            let last = if self.has_moved.load(Ordering::SeqCst) { 2 } else { 1 };
            let addresses = vec![SocketAddr::from(([127, 0, 0, last], 0))];
            Box::pin(async { Ok(Box::new(addresses.into_iter()) as _) })
        }
    }

    /// The port of two services, at 127.0.0.1 and 127.0.0.2, that say where they are and keep connections open.
    async fn serve_at_two_addresses() -> u16 {
        let first = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = first.local_addr().unwrap().port();
        let second = TcpListener::bind(("127.0.0.2", port)).await.unwrap();
        for (listener, name) in [(first, "old"), (second, "new")] {
            let router = Router::new().route("/", get(async move || name));
            tokio::spawn(async move { axum::serve(listener, router).await });
        }
        port
    }

    #[tokio::test]
    async fn a_service_is_followed_to_its_new_address_while_the_old_one_answers() {
        let port = serve_at_two_addresses().await;
        let moving = Arc::new(Moving::default());
        let base = format!("http://catalogue.test:{port}/");
        let clients = Clients { resolver: Some(moving.clone()), ..clients(&base) };
        let started = Instant::now();
        let asked = async |seconds: u64| {
            let client = clients.client(started + Duration::from_secs(seconds)).unwrap();
            client.get(&base).send().await.unwrap().text().await.unwrap()
        };
        assert_eq!(asked(0).await, "old");
        moving.has_moved.store(true, Ordering::SeqCst);
        assert_eq!(asked(1).await, "old", "connections are kept");
        assert_eq!(asked(59).await, "new");
        assert_eq!(asked(60).await, "new");
    }

    #[test]
    fn what_the_machine_trusts_is_read_once_and_a_client_of_an_address_is_made_once() {
        static READ: AtomicBool = AtomicBool::new(false);
        fn once() -> std::result::Result<ClientConfig, rustls::Error> {
            assert!(!READ.swap(true, Ordering::SeqCst));
            Ok(no_trust())
        }
        let clients = Clients { trust: once, ..clients("https://catalogue.test") };
        let started = Instant::now();
        (0..5).for_each(|minute| drop(clients.client(started + Duration::from_secs(60 * minute)).unwrap()));
    }

    #[tokio::test]
    async fn what_the_machine_trusts_is_not_read_on_a_thread_of_the_runtime() {
        static IS_READ: AtomicBool = AtomicBool::new(false);
        fn slow() -> std::result::Result<ClientConfig, rustls::Error> {
            std::thread::sleep(Duration::from_millis(300));
            IS_READ.store(true, Ordering::SeqCst);
            Ok(no_trust())
        }
        let clients = Arc::new(Clients { trust: slow, ..clients("https://catalogue.test") });
        let meanwhile = async {
            tokio::time::sleep(Duration::from_millis(20)).await;
            IS_READ.load(Ordering::SeqCst)
        };
        let (first, second, was_read) = tokio::join!(clients.for_call(), clients.for_call(), meanwhile);
        assert!(first.is_ok() && second.is_ok() && !was_read);
    }

    #[test]
    fn without_certificates_plain_http_works_and_https_is_tried_again() {
        static HAS_ANY: AtomicBool = AtomicBool::new(false);
        fn missing() -> std::result::Result<ClientConfig, rustls::Error> {
            match HAS_ANY.load(Ordering::SeqCst) {
                true => Ok(no_trust()),
                false => Err(rustls::Error::General("there are none".into())),
            }
        }
        let now = Instant::now();
        let plain = Clients { trust: missing, ..clients("http://catalogue.test") };
        assert!(plain.client(now).is_ok());
        let encrypted = Clients { trust: missing, ..clients("https://catalogue.test") };
        let error = encrypted.client(now).unwrap_err().to_string();
        assert!(error.contains("ca-certificates") && error.contains("SSL_CERT_FILE"), "{error}");
        HAS_ANY.store(true, Ordering::SeqCst);
        assert!(encrypted.client(now + Duration::from_secs(1)).is_err(), "not at every call");
        assert!(encrypted.client(now + READ_AGAIN).is_ok());
    }
}
