//! Clients of other servers.

/// Returns settings of a client.
pub(crate) fn builder() -> reqwest::ClientBuilder {
    // Fails if the process has a cryptography provider already, which is used then.
    drop(rustls::crypto::ring::default_provider().install_default());
    reqwest::Client::builder()
}
