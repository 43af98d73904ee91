//! Pages by the addresses that a generator gives them.

use std::collections::BTreeMap;

use url::Url;

use super::{RELATIVE, decoded};

/// Files by their routes, without slashes at both ends.
#[derive(Debug, Default)]
pub(crate) struct Routes(BTreeMap<String, String>);

impl Routes {
    pub(super) const fn new() -> Self {
        Self(BTreeMap::new())
    }

    pub(super) fn add(&mut self, route: &str, file: &str) {
        self.0.entry(route.trim_matches('/').to_owned()).or_insert_with(|| file.to_owned());
    }

    /// The file of a route without slashes at both ends.
    pub(super) fn get(&self, route: &str) -> Option<&str> {
        self.0.get(route).map(String::as_str)
    }

    /// The file of an address that is the site's own.
    pub(super) fn file_at(&self, url: &Url) -> Option<String> {
        if url.host_str() != Some(RELATIVE) {
            return None;
        }
        let path = decoded(url.path());
        let route = path.trim_matches('/');
        let route = route.strip_suffix(".html").unwrap_or(route);
        self.0.get(route).cloned()
    }
}
