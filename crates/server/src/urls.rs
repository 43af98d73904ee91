//! URLs of resources, in the API and in the app.

use std::fmt::Display;

/// Returns the path of the base URL, without a trailing slash: everything is served below it.
#[must_use]
pub fn base_path(base_url: &str) -> String {
    let rest = base_url.split_once("://").map_or(base_url, |(_, rest)| rest);
    rest.split_once('/')
        .map_or_else(String::new, |(_, path)| format!("/{}", path.trim_matches('/')))
        .trim_end_matches('/')
        .to_owned()
}

/// Builder of URLs from the base URL of the service.
#[derive(Clone, Debug)]
pub struct Urls {
    base: String,
}

impl Urls {
    /// Creates URLs below `base_url`.
    #[must_use]
    pub fn new(base_url: &str) -> Self {
        Self { base: base_url.trim_end_matches('/').to_owned() }
    }

    /// Returns the base URL.
    #[must_use]
    pub fn base(&self) -> &str {
        &self.base
    }

    /// Returns the URL of a resource in the API. `path` follows `/v1/`.
    #[must_use]
    pub fn api(&self, path: impl Display) -> String {
        format!("{}/v1/{path}", self.base)
    }

    /// Returns the URL of a resource in the app.
    #[must_use]
    pub fn app(&self, path: impl Display) -> String {
        format!("{}/{path}", self.base)
    }

    /// Returns the URL of published content: an own URL, or a path below this service.
    #[must_use]
    pub fn at_address(&self, address: &str) -> String {
        if address.starts_with("https://") { address.to_owned() } else { self.app(address) }
    }
}

#[cfg(test)]
mod tests {
    use super::base_path;

    #[test]
    fn the_base_path_is_that_of_the_url() {
        assert_eq!(base_path("http://localhost:8080"), "");
        assert_eq!(base_path("https://example.com/"), "");
        assert_eq!(base_path("https://example.com/quire/"), "/quire");
        assert_eq!(base_path("https://example.com/a/b"), "/a/b");
    }
}
