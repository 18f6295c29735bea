//! The algorithms of encrypted connections.

/// Chooses the algorithms of every encrypted connection of this process, those of `ring`. Must run before the first
/// HTTP client is made, which would panic without a choice. Later calls change nothing.
pub fn choose_cryptography() {
    // The error means that they have been chosen already.
    let _ = rustls::crypto::ring::default_provider().install_default();
}
