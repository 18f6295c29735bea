//! `healthcheck`: asks a running storefront whether it serves. For containers, which have no curl.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use reqwest::redirect;
use tokio::runtime;

use crate::document::service_worker::build_header;
use crate::observe::ErrorChain;
use crate::settings::{ExitCode, HealthcheckSettings};

/// Asks the storefront. If it does not serve, says why in a line on standard error.
pub(super) fn healthcheck(settings: &HealthcheckSettings) -> ExitCode {
    let (address, proof) = match &settings.url {
        Some(url) => (url.to_string(), Proof::Certificate),
        None => (own_address(settings.listen, settings.tls_cert.is_some()), Proof::Address),
    };
    match ask(&address, proof, settings.timeout) {
        Ok(()) => ExitCode::Done,
        Err(problem) => {
            eprintln!("error: {address} {problem}");
            ExitCode::Failed
        }
    }
}

/// Asks an address, as [`is_healthy`] does, on a runtime of its own.
fn ask(address: &str, proof: Proof, within: Duration) -> Result<(), String> {
    // No thread and no engine, because this runs every few seconds.
    let runtime = runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| format!("cannot be asked: {error}"))?;
    runtime.block_on(is_healthy(address, proof, within))
}

/// Asks an address for a good answer within this time. The error says what is wrong.
pub(super) async fn is_healthy(address: &str, proof: Proof, within: Duration) -> Result<(), String> {
    // A proxy knows nothing of this machine, and a redirect leads to something else.
    let client = reqwest::Client::builder().no_proxy().redirect(redirect::Policy::none()).timeout(within);
    let client = client.tls_danger_accept_invalid_certs(proof == Proof::Address);
    let client = client.build().map_err(|error| format!("cannot be asked: {}", ErrorChain(&error)))?;
    // The value is not compared, because a worker of another build may still serve. A worker of a build that
    // did not send this header at `/healthz` yet counts as unhealthy.
    let (own_header, _) = build_header();
    match client.get(address).send().await {
        Ok(answer) if answer.status().is_success() && answer.headers().contains_key(&own_header) => Ok(()),
        Ok(answer) if answer.status().is_success() => Err(format!(
            "answers {}, but as something else than this shop: {own_header} is missing",
            answer.status()
        )),
        Ok(answer) => Err(format!("answers {}", answer.status())),
        Err(error) if error.is_timeout() => Err(format!("does not answer within {} ms", within.as_millis())),
        Err(error) => {
            // The outer errors repeat the address.
            let innermost =
                std::iter::successors(Some(&error as &dyn std::error::Error), |error| error.source());
            let cause = innermost.last().map(ToString::to_string).unwrap_or_default();
            Err(format!("cannot be reached: {cause}"))
        }
    }
}

/// How an encrypted storefront proves that it is the one that was meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Proof {
    /// By its certificate.
    Certificate,
    /// By its address on this machine, which its certificate does not name.
    Address,
}

/// The address of `/healthz` of a storefront that listens at `address` on this machine.
pub(super) fn own_address(address: SocketAddr, is_encrypted: bool) -> String {
    let scheme = if is_encrypted { "https" } else { "http" };
    format!("{scheme}://{}/healthz", reachable(address))
}

/// The address at which this machine reaches a program that listens at `address`.
fn reachable(address: SocketAddr) -> SocketAddr {
    let host = match address.ip() {
        IpAddr::V4(host) if host.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(host) if host.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        host => host,
    };
    SocketAddr::new(host, address.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_listens_everywhere_is_asked_on_this_machine() {
        let asked = |address: &str| reachable(address.parse().unwrap()).to_string();
        assert_eq!(asked("0.0.0.0:80"), "127.0.0.1:80");
        assert_eq!(asked("[::]:80"), "[::1]:80");
        assert_eq!(asked("192.0.2.7:80"), "192.0.2.7:80");
    }
}
