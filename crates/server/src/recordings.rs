//! The operations that leave entries in the audit log.

use std::borrow::Cow;
use std::collections::HashMap;

use actix_web::http::Method;
use quire_storage::invites::stored_id;

/// The object that a path names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathObject {
    /// Its kind, as the target of an entry shows it.
    pub kind: &'static str,
    /// The parameter of the path that holds its id.
    pub parameter: &'static str,
    /// Set for an invite by the id in its link, which lets its bearer in: entries show its stored id.
    pub in_link: bool,
}

impl PathObject {
    /// Returns the kind and the id in `path`, which `pattern` matches; `None` when the pattern lacks the parameter.
    #[must_use]
    pub fn named(self, pattern: &str, path: &str) -> Option<(String, String)> {
        let (_, id) = segments(pattern, path).find(|(segment, _)| self.is_in(segment))?;
        Some((self.kind.to_owned(), id.to_owned()))
    }

    /// Returns the path as entries show it.
    #[must_use]
    pub fn shown<'p>(self, pattern: &str, path: &'p str) -> Cow<'p, str> {
        if !self.in_link {
            return Cow::Borrowed(path);
        }
        let shown = segments(pattern, path).map(|(segment, written)| {
            if self.is_in(segment) {
                written.parse().map_or_else(|_| "-".to_owned(), |id| stored_id(id).to_string())
            } else {
                written.to_owned()
            }
        });
        Cow::Owned(shown.collect::<Vec<_>>().join("/"))
    }

    fn is_in(self, segment: &str) -> bool {
        parameter(segment) == Some(self.parameter)
    }
}

/// The segments of a pattern with those of a path that it matches. Entries are prepared before actix has parsed the parameters.
fn segments<'a>(pattern: &'a str, path: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
    pattern.split('/').zip(path.split('/'))
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
        let named = |kind, parameter, pattern, path| {
            PathObject { kind, parameter, in_link: false }.named(pattern, path)
        };
        let site = "/x/v1/orgs/{organizationId}/sites/{siteId}/publish";
        let expected = |kind: &str, id: &str| Some((kind.to_owned(), id.to_owned()));
        let path = "/x/v1/orgs/a/sites/b/publish";
        assert_eq!(named("site", "siteId", site, path), expected("site", "b"));
        assert_eq!(named("organization", "organizationId", site, path), expected("organization", "a"));
        assert_eq!(named("page", "pagePath", "/v1/{pagePath:.*}", "/v1/c"), expected("page", "c"));
        assert_eq!(named("space", "spaceId", site, path), None);
    }

    #[test]
    fn the_id_in_the_link_of_an_invite_is_not_shown() {
        let id = "0190a5d2-7c1e-7000-8000-000000000001";
        let mail = PathObject { kind: "invite", parameter: "inviteId", in_link: false };
        let link = PathObject { in_link: true, ..mail };
        for pattern in [
            "/v1/orgs/{organizationId}/link-invites/{inviteId}",
            "/v1/invites/{inviteId}/accept",
            "/x/v1/invites/{inviteId}/accept",
        ] {
            let path = pattern.replace("{organizationId}", "a").replace("{inviteId}", id);
            let shown = link.shown(pattern, &path);
            assert!(!shown.contains(id) && shown.len() == path.len(), "{shown}");
            assert_eq!(mail.shown(pattern, &path), path);
        }
        assert_eq!(
            link.shown("/v1/invites/{inviteId}/accept", "/v1/invites/b/accept"),
            "/v1/invites/-/accept"
        );
    }
}
