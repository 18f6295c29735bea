//! Settings of encrypted connections.

use std::path::PathBuf;

use clap::Args;

use crate::http::tls::{TlsError, TlsFiles};

/// Settings of encrypted connections.
#[derive(Args, Debug)]
pub(crate) struct TlsSettings {
    /// PEM file with the shop's certificate, followed by those that vouch for it. With it and its key
    /// connections are encrypted, with HTTP/2 or HTTP/1.1. A change of the files counts within seconds.
    #[arg(long, env = "VITRINE_TLS_CERT", value_name = "FILE")]
    pub(crate) tls_cert: Option<PathBuf>,

    /// PEM file with the certificate's key, without a passphrase.
    #[arg(long, env = "VITRINE_TLS_KEY", value_name = "FILE")]
    pub(crate) tls_key: Option<PathBuf>,
}

impl TlsSettings {
    /// The files of the certificate and its key; `None` if connections are not encrypted.
    ///
    /// # Errors
    /// Fails when there is only one of them.
    pub(crate) fn files(&self) -> Result<Option<TlsFiles>, TlsError> {
        let (certificate, key) = ("--tls-cert", "--tls-key");
        match (&self.tls_cert, &self.tls_key) {
            (None, None) => Ok(None),
            (Some(_), None) => Err(TlsError::Half { given: certificate, missing: key }),
            (None, Some(_)) => Err(TlsError::Half { given: key, missing: certificate }),
            (Some(certificate), Some(key)) => {
                Ok(Some(TlsFiles { certificate: certificate.clone(), key: key.clone() }))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_certificate_needs_its_key() {
        let files = |tls_cert: Option<&str>, tls_key: Option<&str>| {
            TlsSettings { tls_cert: tls_cert.map(Into::into), tls_key: tls_key.map(Into::into) }.files()
        };
        assert!(files(None, None).unwrap().is_none());
        assert!(files(Some("cert"), Some("key")).unwrap().is_some());
        let error = files(Some("cert"), None).unwrap_err();
        assert_eq!(error.to_string(), "--tls-cert is set, and --tls-key is not");
        let error = files(None, Some("key")).unwrap_err();
        assert_eq!(error.to_string(), "--tls-key is set, and --tls-cert is not");
    }
}
