//! A failure to start as one line: what failed, why, and what to do about it.

use std::error::Error;
use std::fmt;
use std::io;
use std::net::SocketAddr;

use crate::http::tls::TlsError;
use crate::observe::ErrorChain;
use crate::process::listening::{Address, ListenError};
use crate::settings::ExitCode;

/// Displays a failure in one line.
pub(super) struct Failure<'a>(pub(super) &'a anyhow::Error);

impl fmt::Display for Failure<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cause: &(dyn Error + 'static) = self.0.as_ref();
        write!(formatter, "{}", ErrorChain(cause))?;
        let of_tls = || self.0.downcast_ref().map(|error: &TlsError| error.remedy().to_owned());
        match self.0.chain().find_map(|cause| cause.downcast_ref().and_then(remedy)).or_else(of_tls) {
            Some(remedy) => write!(formatter, "; {remedy}"),
            None => Ok(()),
        }
    }
}

impl Failure<'_> {
    /// The code to exit with. An unusable certificate counts as a wrong setting, because starting again does not
    /// help, except if it is not valid yet.
    pub(super) fn exit_code(&self) -> ExitCode {
        match self.0.downcast_ref::<TlsError>() {
            None | Some(TlsError::NotYetValid { .. }) => ExitCode::Failed,
            Some(_) => ExitCode::Usage,
        }
    }
}

/// What an operator can do if the process cannot listen on a socket.
fn remedy(error: &ListenError) -> Option<String> {
    let ListenError::Bind { setting, address, source } = error else {
        return Some("a service manager must hand over one TCP socket, and may add one named `admin`".into());
    };
    let Address::Tcp(address) = address else {
        return Some(format!("choose another path for {setting}"));
    };
    Some(match source.kind() {
        io::ErrorKind::AddrInUse => {
            format!(
                "another program listens there: end it, or choose another port, such as {setting} {}",
                beside(*address)
            )
        }
        io::ErrorKind::PermissionDenied if address.port() < 1024 => format!(
            "ports below 1024 are for privileged programs: choose a higher one, such as {setting} {}, or \
             grant CAP_NET_BIND_SERVICE",
            SocketAddr::new(address.ip(), 3000)
        ),
        io::ErrorKind::AddrNotAvailable => format!(
            "this machine has no such address: {setting} 0.0.0.0:{} listens on all that it has",
            address.port()
        ),
        _ => return None,
    })
}

/// The address with the next port.
fn beside(address: SocketAddr) -> SocketAddr {
    SocketAddr::new(address.ip(), address.port().checked_add(1).unwrap_or(3000))
}

#[cfg(test)]
mod tests {
    use anyhow::Context as _;

    use super::*;

    fn refused(address: &str, kind: io::ErrorKind) -> String {
        let address = address.parse().unwrap();
        let error = ListenError::Bind { setting: "--listen", address, source: kind.into() };
        Failure(&anyhow::Error::new(error).context("the storefront cannot be started")).to_string()
    }

    #[test]
    fn a_socket_that_cannot_be_opened_has_a_remedy() {
        let taken = refused("127.0.0.1:3000", io::ErrorKind::AddrInUse);
        assert!(taken.contains("cannot listen on 127.0.0.1:3000: "), "{taken}");
        assert!(taken.ends_with("such as --listen 127.0.0.1:3001"), "{taken}");
        assert!(refused("[::1]:65535", io::ErrorKind::AddrInUse).ends_with("--listen [::1]:3000"));
        assert!(refused("0.0.0.0:80", io::ErrorKind::PermissionDenied).contains("--listen 0.0.0.0:3000"));
        assert!(refused("192.0.2.1:80", io::ErrorKind::AddrNotAvailable).contains("--listen 0.0.0.0:80"));
    }

    #[test]
    fn every_failure_is_one_line() {
        let error = Err::<(), _>(io::Error::other("first\n   second")).context("not\nread").unwrap_err();
        let line = Failure(&error).to_string();
        assert!(line.starts_with("not read: first") && line.ends_with("second"), "{line}");
        assert_eq!(line.lines().count(), 1, "{line}");
    }
}
