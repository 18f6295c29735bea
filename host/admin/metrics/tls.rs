//! Metrics of encrypted connections.

use std::time::UNIX_EPOCH;

use super::metric::{COUNTER, GAUGE, Metric, SECONDS, by, single};

pub(super) const METRICS: &[Metric] = &[
    Metric {
        name: "vitrine_tls_connections",
        labels: &["protocol"],
        help: "Encrypted connections by the protocol that was agreed on, `h2` or `http/1.1`.",
        read: |admin| {
            let counters = admin.connections.counters();
            by([("h2", &counters.http2_agreed), ("http/1.1", &counters.http1_agreed)])
        },
        ..COUNTER
    },
    Metric {
        name: "vitrine_tls_handshakes_failed",
        help: "TLS handshakes that failed: the client sent something else, accepts nothing of what is offered, or went away.",
        read: |admin| single(&admin.connections.counters().handshake_failures),
        ..COUNTER
    },
    Metric {
        name: "vitrine_tls_certificate_expiry",
        unit: Some(SECONDS),
        help: "When the certificate that new connections get expires, in seconds since 1970; absent without `--tls-cert`.",
        read: |admin| {
            let tls = admin.connections.tls();
            let seconds = tls.and_then(|tls| tls.not_after().duration_since(UNIX_EPOCH).ok());
            seconds.map(|since| single(since.as_secs())).unwrap_or_default()
        },
        ..GAUGE
    },
];
