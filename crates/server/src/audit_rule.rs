//! Operations with audit log entries.

use std::borrow::Cow;

use quire_storage::people::invites::stored_id;

/// Object in a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathObject {
    /// Kind of the object, as in the target of an entry.
    pub kind: &'static str,
    /// Path parameter that holds the id.
    pub parameter: &'static str,
    /// `true` for an invite link, whose id grants access to its bearer: entries show the stored id instead.
    pub in_link: bool,
}

impl PathObject {
    /// Returns the kind and the id in `path`, which `pattern` matches; `None` if the pattern lacks the parameter.
    #[must_use]
    pub fn named(self, pattern: &str, path: &str) -> Option<(String, String)> {
        let (_, id) = segments(pattern, path).find(|(segment, _)| self.is_in(segment))?;
        Some((self.kind.to_owned(), id.to_owned()))
    }

    /// Returns the path to show in entries.
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

/// Returns the segments of a pattern with the corresponding segments of a path that it matches. Entries show the path
/// as it was sent.
fn segments<'a>(pattern: &'a str, path: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
    pattern.split('/').zip(path.split('/'))
}

/// Returns the parameter of a segment such as `{spaceId}`.
fn parameter(segment: &str) -> Option<&str> {
    segment.strip_prefix('{')?.strip_suffix('}')
}

/// Possible audit log entries of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recording {
    /// Operation id.
    pub operation: &'static str,
    /// Object that the entries name. `None` if the operation creates one.
    pub object: Option<PathObject>,
    /// `true` to record completed requests.
    pub when_done: bool,
    /// `true` to record refused requests.
    pub when_refused: bool,
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
        assert_eq!(named("page", "pagePath", "/v1/{pagePath}", "/v1/c"), expected("page", "c"));
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
