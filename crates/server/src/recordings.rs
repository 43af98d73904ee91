//! The operations that leave entries in the audit log.

use std::collections::HashMap;

use actix_web::http::Method;

/// The object that a path names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathObject {
    /// Its kind, as the target of an entry shows it.
    pub kind: &'static str,
    /// The parameter of the path that holds its id.
    pub parameter: &'static str,
}

impl PathObject {
    /// Returns the kind and the id in `path`, which `pattern` matches; `None` when the pattern lacks the parameter.
    #[must_use]
    pub fn named(self, pattern: &str, path: &str) -> Option<(String, String)> {
        // Entries are prepared before actix has parsed the parameters, but a pattern and its paths have the same segments.
        let mut pairs = pattern.split('/').zip(path.split('/'));
        let (_, id) = pairs.find(|(segment, _)| parameter(segment) == Some(self.parameter))?;
        Some((self.kind.to_owned(), id.to_owned()))
    }
}

/// The parameter of a segment such as `{spaceId}` or `{pagePath:.*}`.
fn parameter(segment: &str) -> Option<&str> {
    segment.strip_prefix('{')?.split(['}', ':']).next()
}

/// The entries that an operation may leave in the audit log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recording {
    /// Its id.
    pub operation: &'static str,
    /// The object that its entries name, unless it makes one.
    pub object: Option<PathObject>,
    /// Set for an entry when it is done.
    pub when_done: bool,
    /// Set for an entry when it is refused.
    pub when_refused: bool,
}

/// The recordings of an application, by method and path pattern as actix matches them. It is in the application's data
/// as `web::Data<Recordings>`.
#[derive(Clone, Debug, Default)]
pub struct Recordings(HashMap<(Method, String), Recording>);

impl Recordings {
    /// Returns the recording of an operation; `None` for one that leaves no entries.
    #[must_use]
    pub fn get(&self, method: Method, pattern: &str) -> Option<Recording> {
        self.0.get(&(method, pattern.to_owned())).copied()
    }
}

impl FromIterator<((Method, String), Recording)> for Recordings {
    fn from_iter<I: IntoIterator<Item = ((Method, String), Recording)>>(recordings: I) -> Self {
        let leaves_entries = |(_, recording): &(_, Recording)| recording.when_done || recording.when_refused;
        Self(recordings.into_iter().filter(leaves_entries).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::PathObject;

    #[test]
    fn the_id_is_that_of_the_parameter() {
        let named = |kind, parameter, pattern, path| PathObject { kind, parameter }.named(pattern, path);
        let site = "/x/v1/orgs/{organizationId}/sites/{siteId}/publish";
        let expected = |kind: &str, id: &str| Some((kind.to_owned(), id.to_owned()));
        let path = "/x/v1/orgs/a/sites/b/publish";
        assert_eq!(named("site", "siteId", site, path), expected("site", "b"));
        assert_eq!(named("organization", "organizationId", site, path), expected("organization", "a"));
        assert_eq!(named("page", "pagePath", "/v1/{pagePath:.*}", "/v1/c"), expected("page", "c"));
        assert_eq!(named("space", "spaceId", site, path), None);
    }
}
