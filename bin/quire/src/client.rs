//! HTTP clients of other servers.

/// Returns the settings of a client.
pub(crate) fn builder() -> reqwest::ClientBuilder {
    // Fails if the process already has a cryptography provider, which is then used.
    drop(rustls::crypto::ring::default_provider().install_default());
    reqwest::Client::builder()
}
