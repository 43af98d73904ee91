//! Presentation of search results.

use std::ops::Range;

use percent_encoding::utf8_percent_encode;
use quire_domain::ids::SpaceId;
use quire_domain::search::{SearchHit, SearchHitType, SearchMark, SearchSection, SearchUrls, SpaceSearchHit};
use quire_domain::sites::{PageAncestor, SitePageHit, SiteSearchHit, SiteSectionHit};
use quire_storage::lookup::ContentPoint as _;
use quire_storage::published::{PublishedContent, PublishedSpace};
use quire_storage::search::{Excerpt, SearchHit as Found, SearchedSection, SpaceSearchHit as FoundSpace};

use super::content::ESCAPED_IN_PATH;
use crate::urls::Urls;

/// Returns a space with matching pages.
#[must_use]
pub fn space_search_hit(urls: &Urls, found: FoundSpace) -> SpaceSearchHit {
    let space = found.key.space;
    SpaceSearchHit {
        kind: SearchHitType::Space,
        id: space,
        title: found.title,
        score: found.key.rank.max(0),
        pages: found.pages.into_iter().map(|page| search_hit(urls, space, page)).collect(),
    }
}

fn marks(excerpt: &Excerpt) -> Vec<SearchMark> {
    let mark = |mark: &Range<usize>| {
        Some(SearchMark { start: u32::try_from(mark.start).ok()?, end: u32::try_from(mark.end).ok()? })
    };
    excerpt.marks.iter().filter_map(mark).collect()
}

/// Returns a space of a site with its best matching page.
#[must_use]
pub fn site_search_hit(space: &PublishedSpace, best: SitePageHit) -> SiteSearchHit {
    SiteSearchHit {
        kind: SearchHitType::Space,
        id: space.space,
        title: space.title.clone(),
        score: best.score,
        pages: vec![best],
    }
}

/// Returns a matching page of a site, with its position, description and ancestors.
#[must_use]
pub fn site_page_hit(
    urls: &Urls,
    content: &PublishedContent,
    found: Found,
    (rank, description, ancestors): (u64, String, Vec<PageAncestor>),
) -> SitePageHit {
    let SearchHit { id, title, path, score, sections, urls } = search_hit(urls, content.space(), found);
    let sections = sections.into_iter().map(|section| SiteSectionHit { section, score }).collect();
    SitePageHit { id, title, description, path, score, rank, ancestors, sections, urls }
}

/// Returns a matching page of a space.
#[must_use]
pub fn search_hit(urls: &Urls, space: SpaceId, found: Found) -> SearchHit {
    let Found { key, title, path, sections } = found;
    let app = urls.app(format_args!("s/{space}/{}", utf8_percent_encode(&path, ESCAPED_IN_PATH)));
    let id = key.page.to_string();
    let section = |section: SearchedSection| {
        let SearchedSection { anchor, heading, excerpt } = section;
        let with = |whole: &str| match &anchor {
            Some(anchor) => [whole, "#", anchor].concat(),
            None => whole.to_owned(),
        };
        let escaped = anchor.as_deref().map(|anchor| utf8_percent_encode(anchor, ESCAPED_IN_PATH));
        SearchSection {
            id: with(&id),
            // Text above the first heading has the title of the page.
            title: heading.unwrap_or_else(|| title.clone()),
            path: with(&path),
            marks: marks(&excerpt),
            body: excerpt.text,
            urls: SearchUrls { app: escaped.map_or_else(|| app.clone(), |anchor| format!("{app}#{anchor}")) },
        }
    };
    SearchHit {
        id: key.page,
        score: key.rank.max(0),
        sections: sections.into_iter().map(section).collect(),
        urls: SearchUrls { app },
        title,
        path,
    }
}
