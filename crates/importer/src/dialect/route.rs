//! Pages by generated address.

use std::collections::BTreeMap;

use url::Url;

use super::{RELATIVE, decoded};

/// Files by their routes, without leading and trailing slashes.
#[derive(Debug, Default)]
pub(crate) struct Routes(BTreeMap<String, String>);

impl Routes {
    pub(super) const fn new() -> Self {
        Self(BTreeMap::new())
    }

    pub(super) fn add(&mut self, route: &str, file: &str) {
        self.0.entry(route.trim_matches('/').to_owned()).or_insert_with(|| file.to_owned());
    }

    /// Returns the file of a route without leading and trailing slashes.
    pub(super) fn get(&self, route: &str) -> Option<&str> {
        self.0.get(route).map(String::as_str)
    }

    /// Returns the file of an address of the site itself.
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
