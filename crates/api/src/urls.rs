//! Addresses of resources, in the API and in the app.

use std::fmt::Display;

/// Makes addresses from the place where the service is reached.
#[derive(Clone, Debug)]
pub struct Urls {
    base: String,
}

impl Urls {
    /// Addresses below `base_url`.
    #[must_use]
    pub fn new(base_url: &str) -> Self {
        Self { base: base_url.trim_end_matches('/').to_owned() }
    }

    /// The address itself.
    #[must_use]
    pub fn base(&self) -> &str {
        &self.base
    }

    /// The address of a resource in the API: `path` is what follows `/v1/`.
    #[must_use]
    pub fn api(&self, path: impl Display) -> String {
        format!("{}/v1/{path}", self.base)
    }

    /// The address of a resource in the app.
    #[must_use]
    pub fn app(&self, path: impl Display) -> String {
        format!("{}/{path}", self.base)
    }
}
