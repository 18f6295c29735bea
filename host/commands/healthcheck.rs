//! `healthcheck`: asks a running storefront whether it serves. For containers, which have no curl.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use reqwest::redirect;
use tokio::runtime;

use crate::observe::ErrorChain;
use crate::settings::{ExitCode, HealthcheckSettings};

/// Asks the storefront, and says in a line on standard error why it does not serve, if so.
pub(super) fn healthcheck(settings: &HealthcheckSettings) -> ExitCode {
    let address = match &settings.url {
        Some(url) => url.to_string(),
        None => format!("http://{}/healthz", reachable(settings.listen)),
    };
    match ask(&address, settings.timeout) {
        Ok(()) => ExitCode::Done,
        Err(problem) => {
            eprintln!("error: {address} {problem}");
            ExitCode::Failed
        }
    }
}

/// Asks an address for a good answer within this time; else what is wrong.
fn ask(address: &str, within: Duration) -> Result<(), String> {
    // No thread and no engine: it runs every few seconds.
    let runtime = runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| format!("cannot be asked: {error}"))?;
    runtime.block_on(is_healthy(address, within))
}

/// Asks an address for a good answer within this time; else what is wrong.
pub(super) async fn is_healthy(address: &str, within: Duration) -> Result<(), String> {
    // A proxy knows nothing of this machine, and a redirect leads to something else.
    let client = reqwest::Client::builder().no_proxy().redirect(redirect::Policy::none()).timeout(within);
    let client = client.build().map_err(|error| format!("cannot be asked: {}", ErrorChain(&error)))?;
    match client.get(address).send().await {
        Ok(answer) if answer.status().is_success() => Ok(()),
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

/// The address at which this machine reaches what listens at `address`.
pub(super) fn reachable(address: SocketAddr) -> SocketAddr {
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
