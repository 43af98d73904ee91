//! Redirects of published sites.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use quire_domain::ids::{PageId, SiteSpaceId};
use quire_domain::sites::{RedirectDestination, SiteRedirectFacts};
use quire_revision::PageType;
use quire_storage::sites::published::{PublishedSite, PublishedSpace};
use quire_storage::{Reader, Result};

/// Characters that are escaped in a path segment.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'+');

/// Redirect that matches a path.
#[derive(Debug)]
pub struct Followed {
    /// The redirect.
    pub redirect: SiteRedirectFacts,
    /// Address that it leads to.
    pub target: RedirectTarget,
}

/// Address that a redirect leads to.
#[derive(Debug, PartialEq, Eq)]
pub enum RedirectTarget {
    /// Escaped path below the root of the site; empty for the root.
    SitePath(String),
    /// URL outside of the site.
    Url(String),
}

/// Returns the escaped path of a page below the root of a site. `page` is its unescaped path in the space. The default
/// section and space are omitted unless the path would then lead elsewhere.
#[must_use]
pub fn site_path(site: &PublishedSite, space: &PublishedSpace, page: &str) -> String {
    let start = page.split('/').next().filter(|first| !first.is_empty());
    let segments = site.segments_of(space, start);
    let segments = segments.chain(page.split('/').filter(|part| !part.is_empty()));
    segments.fold(String::new(), |path, segment| format!("{path}/{}", utf8_percent_encode(segment, ESCAPED)))
}

/// Returns a path or the source of a redirect in the form in which sources are stored and compared: each segment with
/// minimal escapes.
#[must_use]
pub fn canonical_path(path: &str) -> String {
    let (path, wildcard) = path.strip_suffix('*').map_or((path, ""), |path| (path, "*"));
    let segments: Vec<String> = path.split('/').map(canonical_segment).collect();
    segments.join("/") + wildcard
}

fn canonical_segment(segment: &str) -> String {
    let decoded = percent_decode_str(segment).decode_utf8();
    decoded.map_or_else(|_| segment.to_owned(), |text| utf8_percent_encode(&text, ESCAPED).to_string())
}

/// Follows the redirect of a path below the root of a site, which begins with `/`. Returns `None` if there is no such
/// redirect, or if it leads to a part of the site that the visitor cannot see. Sends one statement, plus those that
/// load trees outside the cache.
pub fn follow(reader: &mut Reader<'_>, site: &PublishedSite, path: &str) -> Result<Option<Followed>> {
    let path = canonical_path(path);
    let Some(redirect) = reader.redirect_from(site, &path)? else { return Ok(None) };
    let rest = redirect.source.strip_suffix('*').and_then(|start| path.strip_prefix(start));
    let rest =
        rest.filter(|_| redirect.capture_wildcard).map(|rest| rest.trim_matches('/')).unwrap_or_default();
    let target = target(reader, site, redirect.destination.clone())?;
    let target = target.map(|target| target.followed_by(rest));
    Ok(target.map(|target| Followed { redirect, target }))
}

fn target(
    reader: &mut Reader<'_>,
    site: &PublishedSite,
    destination: RedirectDestination,
) -> Result<Option<RedirectTarget>> {
    let space = |id: SiteSpaceId| site.spaces.iter().find(|space| space.id == id);
    let path = match destination {
        RedirectDestination::External { url } => return Ok(Some(RedirectTarget::Url(url))),
        RedirectDestination::SiteSection { site_section_id } => {
            let section = site.sections.iter().find(|section| section.id == site_section_id);
            let space = section.and_then(|section| site.default_in(Some(section)));
            space.map(|space| site_path(site, space, ""))
        }
        RedirectDestination::SiteSpace { site_space_id } => {
            space(site_space_id).map(|space| site_path(site, space, ""))
        }
        RedirectDestination::SitePage { site_space_id, page_id } => match space(site_space_id) {
            Some(space) => page_path(reader, site, space, page_id)?,
            None => None,
        },
    };
    Ok(path.map(RedirectTarget::SitePath))
}

fn page_path(
    reader: &mut Reader<'_>,
    site: &PublishedSite,
    space: &PublishedSpace,
    page: PageId,
) -> Result<Option<String>> {
    let tree = reader.tree(&site.content(space)?)?;
    let page = tree.page(page).filter(|page| page.page_type() == PageType::Document);
    let path = page.and_then(|page| tree.path_of(page.id));
    Ok(path.map(|path| site_path(site, space, &path)))
}

impl RedirectTarget {
    /// Appends the escaped rest of a path that a wildcard matched.
    fn followed_by(self, rest: &str) -> Self {
        if rest.is_empty() {
            return self;
        }
        match self {
            Self::SitePath(path) => Self::SitePath(format!("{path}/{rest}")),
            Self::Url(url) => {
                let end = url.find(['?', '#']).unwrap_or(url.len());
                let (path, query) = url.split_at(end);
                Self::Url(format!("{}/{rest}{query}", path.trim_end_matches('/')))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{RedirectTarget, canonical_path};

    #[test]
    fn equal_paths_have_one_form() {
        for (path, canonical) in [
            ("/guide/old", "/guide/old"),
            ("/gr%c3%b6%C3%9fe/*", "/gr%C3%B6%C3%9Fe/*"),
            ("/größe", "/gr%C3%B6%C3%9Fe"),
            ("/%61%2Fb+c*", "/a%2Fb+c*"),
            ("/%ff", "/%ff"),
        ] {
            assert_eq!(canonical_path(path), canonical);
        }
    }

    #[test]
    fn the_rest_of_a_path_precedes_the_query_of_the_target() {
        let url = |url: &str| RedirectTarget::Url(url.to_owned());
        assert_eq!(
            url("https://a.example/b/?q=1#c").followed_by("d/e"),
            url("https://a.example/b/d/e?q=1#c")
        );
        assert_eq!(url("https://a.example").followed_by("d"), url("https://a.example/d"));
        assert_eq!(url("https://a.example/").followed_by(""), url("https://a.example/"));
        let path = |path: &str| RedirectTarget::SitePath(path.to_owned());
        assert_eq!(path("").followed_by("d"), path("/d"));
    }
}
