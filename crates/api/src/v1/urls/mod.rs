//! Lookups by URL.

pub mod content;
pub mod embed;
mod preview;
pub mod published;

use percent_encoding::percent_decode_str;
use quire_server::urls::base_path;
use quire_storage::sites::published::{PreviewKey, SiteAddress};
use url::Url;

pub(crate) use embed::site_of_space;

/// Length of a share link key.
const KEY_LENGTH: usize = 40;
/// Maximum number of segments of a path: more than the depth of any tree of pages.
const MOST_SEGMENTS: usize = 64;
/// Maximum number of segments of a proxy's path.
const MOST_ORIGINS: usize = 8;

/// URL of published content.
#[derive(Debug, PartialEq, Eq)]
struct ContentUrl {
    /// Address of the site.
    address: SiteAddress,
    /// Host name and path segments, which may be those of a proxy.
    host: String,
    segments: Vec<Segment>,
    /// Number of segments of the root of the site.
    below: usize,
}

/// Segment of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Segment {
    /// Text as in the URL.
    written: String,
    /// Decoded text.
    name: String,
}

/// Path below the root of a site.
#[derive(Debug, PartialEq, Eq)]
struct Below<'a> {
    /// Segments of the path of the root.
    root: &'a [Segment],
    /// Segments below the root.
    rest: &'a [Segment],
}

impl ContentUrl {
    /// Parses a URL; `None` for a URL that no site can have. `base_url` is the base URL of the deployment.
    fn new(url: &str, base_url: &str) -> Option<Self> {
        let url = Url::parse(url).ok()?;
        let host = url.host_str()?.trim_end_matches('.').to_owned();
        let segments = segments_of(&url)?;
        if is_own(&url, base_url) {
            return Self::at_default_address(host, segments, &base_path(base_url));
        }
        let origins = origins(&host, &segments);
        Some(Self { address: SiteAddress::Proxied(host.clone(), origins), host, segments, below: 0 })
    }

    /// Returns whether the URL names a change request or revision of a space.
    fn names_state(&self) -> bool {
        named_state(&self.segments).is_some()
    }

    fn at_default_address(host: String, segments: Vec<Segment>, base: &str) -> Option<Self> {
        let base: Vec<&str> = base.split('/').filter(|segment| !segment.is_empty()).collect();
        let mut names = segments.iter().map(|segment| segment.name.as_str());
        let is_below = base.iter().all(|expected| names.next() == Some(*expected));
        if !is_below || names.next() != Some("sites") {
            return None;
        }
        let (organization, name) = (names.next()?.to_owned(), names.next()?.to_owned());
        let below = base.len().saturating_add(3);
        Some(Self { address: SiteAddress::Path(organization, name), host, segments, below })
    }

    /// Splits the path at the root of the site that was found. `origin` is the site's proxy address.
    fn below(&self, origin: Option<&str>) -> Below<'_> {
        let proxied = origin.and_then(|origin| origin.split_once('/')).filter(|(host, path)| {
            let path = path.split('/').filter(|segment| !segment.is_empty());
            let own = self.segments.iter().map(|segment| segment.name.as_str());
            self.below == 0
                && *host == self.host
                && path.clone().count() <= self.segments.len()
                && path.zip(own).all(|(expected, name)| expected == name)
        });
        let of_proxy = proxied.map(|(_, path)| path.split('/').filter(|segment| !segment.is_empty()).count());
        let at = of_proxy.unwrap_or(self.below).min(self.segments.len());
        let (root, rest) = self.segments.split_at(at);
        Below { root, rest }
    }
}

impl Segment {
    fn new(written: &str) -> Option<Self> {
        let name = percent_decode_str(written).decode_utf8().ok()?.into_owned();
        (!name.contains(['\0', '/'])).then(|| Self { written: written.to_owned(), name })
    }

    /// Returns whether the segment has the form of a share link key.
    fn is_key(&self) -> bool {
        self.name.len() == KEY_LENGTH && self.name.bytes().all(|byte| byte.is_ascii_alphanumeric())
    }
}

/// Returns the segments of the path of a URL.
fn segments_of(url: &Url) -> Option<Vec<Segment>> {
    let segments = url.path().split('/').filter(|segment| !segment.is_empty());
    let segments: Vec<Segment> = segments.map(Segment::new).collect::<Option<_>>()?;
    (segments.len() <= MOST_SEGMENTS).then_some(segments)
}

/// Returns whether a URL has the host of the deployment.
fn is_own(url: &Url, base_url: &str) -> bool {
    let host = url.host_str().map(|host| host.trim_end_matches('.'));
    let own = Url::parse(base_url).ok();
    own.is_some_and(|own| {
        own.host_str() == host && own.port_or_known_default() == url.port_or_known_default()
    })
}

/// Returns the segments of a URL of the deployment below its base URL; `None` for other URLs.
fn below_base(url: &str, base_url: &str) -> Option<Vec<Segment>> {
    let url = Url::parse(url).ok().filter(|url| is_own(url, base_url))?;
    let mut segments = segments_of(&url)?.into_iter();
    for expected in base_path(base_url).split('/').filter(|segment| !segment.is_empty()) {
        segments.next().filter(|segment| segment.name == expected)?;
    }
    Some(segments.collect())
}

/// Path that names a change request or revision of a space, split into parts.
#[derive(Debug, PartialEq, Eq)]
struct NamedState<'a> {
    /// Change request or revision.
    key: PreviewKey,
    /// Segments before the name.
    before: &'a [Segment],
    /// Segments up to the end of the name.
    through: &'a [Segment],
    /// Segments of the path of the page.
    page: &'a [Segment],
}

/// Returns the change request or revision that a path names: `~/changes/{id or number}`, `~/revisions/{id}` or
/// `~/history/{id}`.
fn named_state(segments: &[Segment]) -> Option<NamedState<'_>> {
    let at = segments.iter().position(|segment| segment.name == "~")?;
    let (before, named) = segments.split_at(at);
    let [_, kind, id, page @ ..] = named else { return None };
    let key = match kind.name.as_str() {
        "changes" => PreviewKey::ChangeRequest(id.name.parse().ok()?),
        "revisions" | "history" => PreviewKey::Revision(id.name.parse().ok()?),
        _ => return None,
    };
    let (through, _) = segments.split_at(segments.len().saturating_sub(page.len()));
    Some(NamedState { key, before, through, page })
}

/// Returns a path of these segments, with a slash at both ends.
fn path_of<'a>(segments: impl Iterator<Item = &'a Segment>) -> String {
    segments.fold("/".to_owned(), |path, segment| format!("{path}{}/", segment.written))
}

/// Returns the host name with each prefix of the path.
fn origins(host: &str, segments: &[Segment]) -> Vec<String> {
    let mut origin = host.to_owned();
    let longer = segments.iter().take(MOST_ORIGINS).map(|segment| {
        origin = format!("{origin}/{}", segment.name);
        origin.clone()
    });
    longer.collect()
}

#[cfg(test)]
mod tests {
    use quire_storage::content::change_requests::ChangeRequestKey;

    use super::*;

    const BASE: &str = "https://quire.example/app";
    const ORGANIZATION: &str = "0190a5d2-7c1e-7000-8000-000000000001";

    fn names(segments: &[Segment]) -> Vec<&str> {
        segments.iter().map(|segment| segment.name.as_str()).collect()
    }

    #[test]
    fn a_host_name_is_that_of_a_site_or_of_a_proxy() {
        let asked = ContentUrl::new("https://Docs.Example.com:8443/a/gr%C3%B6%C3%9Fe/?q=1#x", BASE).unwrap();
        let origins = ["docs.example.com/a", "docs.example.com/a/größe"].map(str::to_owned).to_vec();
        assert_eq!(asked.address, SiteAddress::Proxied("docs.example.com".to_owned(), origins));
        assert_eq!(names(asked.below(None).rest), ["a", "größe"]);
        assert_eq!(names(asked.below(Some("docs.example.com/a")).rest), ["größe"]);
        for other in ["docs.example.com/b", "example.com/a", "docs.example.com/a/größe/c"] {
            assert_eq!(names(asked.below(Some(other)).rest), ["a", "größe"], "{other}");
        }
        let root = asked.below(Some("docs.example.com/a")).root;
        assert_eq!(path_of(root.iter()), "/a/");
    }

    #[test]
    fn the_deployment_has_sites_below_its_base() {
        let url = format!("{BASE}/sites/{ORGANIZATION}/manual/x");
        let asked = ContentUrl::new(&url, BASE).unwrap();
        let address = SiteAddress::Path(ORGANIZATION.to_owned(), "manual".to_owned());
        assert_eq!(asked.address, address);
        assert_eq!(names(asked.below(None).rest), ["x"]);
        assert_eq!(path_of(asked.below(None).root.iter()), format!("/app/sites/{ORGANIZATION}/manual/"));
        for other in [
            "https://quire.example/app",
            "https://quire.example/sites/x/y",
            "https://quire.example/app/sites/x",
        ] {
            assert_eq!(ContentUrl::new(other, BASE), None, "{other}");
        }
    }

    #[test]
    fn paths_that_no_page_has_are_refused() {
        for path in ["a%2Fb", "a%00", "%ff", &"x/".repeat(65)] {
            assert_eq!(ContentUrl::new(&format!("https://docs.example.com/{path}"), BASE), None, "{path}");
        }
    }

    #[test]
    fn urls_of_the_deployment_are_below_its_base() {
        let below = |url: &str| below_base(url, BASE).map(|segments| names(&segments).join("/"));
        assert_eq!(below(&format!("{BASE}/s/x/a%20b?q=1")), Some("s/x/a b".to_owned()));
        assert_eq!(below(BASE), Some(String::new()));
        for other in
            ["https://quire.example/s/x", "https://other.example/app/s/x", "https://quire.example:1/app/s"]
        {
            assert_eq!(below(other), None, "{other}");
        }
    }

    #[test]
    fn a_path_names_a_state_of_a_space() {
        let segments = |path: &str| -> Vec<Segment> {
            path.split('/').map(|segment| Segment::new(segment).unwrap()).collect()
        };
        let path = segments("guide/~/changes/7/a/b");
        let named = named_state(&path).unwrap();
        assert_eq!(named.key, PreviewKey::ChangeRequest(ChangeRequestKey::Number(7)));
        assert_eq!((names(named.before), names(named.page)), (vec!["guide"], vec!["a", "b"]));
        assert_eq!(names(named.through), ["guide", "~", "changes", "7"]);
        let path = segments(&format!("~/revisions/{ORGANIZATION}"));
        let named = named_state(&path).unwrap();
        assert_eq!(named.key, PreviewKey::Revision(ORGANIZATION.parse().unwrap()));
        assert!(named.before.is_empty() && named.page.is_empty());
        for none in ["~", "~/changes", "~/changes/0", "~/changes/x", "~/revisions/7", "~/other/7", "a/b"] {
            assert_eq!(named_state(&segments(none)), None, "{none}");
        }
    }

    #[test]
    fn a_key_has_forty_letters_and_digits() {
        let segment = |text: &str| Segment::new(text).unwrap();
        assert!(segment(&"a1".repeat(20)).is_key());
        assert!(!segment(&"a".repeat(39)).is_key());
        assert!(!segment(&"-".repeat(40)).is_key());
    }
}
