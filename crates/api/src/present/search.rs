//! Presentation of search results.

use std::ops::Range;

use percent_encoding::utf8_percent_encode;
use quire_domain::ids::SpaceId;
use quire_domain::search::{
    PageAncestor, SearchHit, SearchHitType, SearchMark, SearchSection, SearchUrls, SpaceSearchHit, TitleHit,
    TitledSpace,
};
use quire_domain::sites::SiteSearchHit;
use quire_storage::content::search::{
    Excerpt, FoundTitle, SearchHit as Found, SearchedSection, SpaceSearchHit as FoundSpace,
};
use quire_storage::sites::published::PublishedSpace;

use super::content::ESCAPED_IN_PATH;
use crate::urls::Urls;

/// Returns a space with matching pages.
#[must_use]
pub fn space_search_hit(urls: &Urls, found: FoundSpace) -> SpaceSearchHit {
    let (space, score) = (found.key.space, found.score());
    SpaceSearchHit {
        kind: SearchHitType::Space,
        id: space,
        title: found.title,
        score,
        pages: found.pages.into_iter().map(|page| search_hit(urls, space, page)).collect(),
    }
}

/// Returns a page whose title matches.
#[must_use]
pub fn title_hit(urls: &Urls, found: FoundTitle) -> TitleHit {
    let FoundTitle { space, space_title, page } = found;
    let SearchHit { id, title, path, ancestors, urls, .. } = search_hit(urls, space, page);
    TitleHit { id, title, path, ancestors, space: TitledSpace { id: space, title: space_title }, urls }
}

fn marks(excerpt: &Excerpt) -> Vec<SearchMark> {
    let mark = |mark: &Range<usize>| {
        Some(SearchMark { start: u32::try_from(mark.start).ok()?, end: u32::try_from(mark.end).ok()? })
    };
    excerpt.marks.iter().filter_map(mark).collect()
}

/// Returns a space of a site with its best matching page.
#[must_use]
pub fn site_search_hit(space: &PublishedSpace, best: SearchHit) -> SiteSearchHit {
    SiteSearchHit {
        kind: SearchHitType::Space,
        id: space.space,
        title: space.title.clone(),
        score: best.score,
        pages: vec![best],
    }
}

/// Returns a matching page of a space.
#[must_use]
pub fn search_hit(urls: &Urls, space: SpaceId, found: Found) -> SearchHit {
    let Found { key, title, path, description, ancestors, score, position, sections } = found;
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
            // Text above the first heading is shown with the title of the page.
            title: heading.unwrap_or_else(|| title.clone()),
            path: with(&path),
            score,
            marks: marks(&excerpt),
            body: excerpt.text,
            urls: SearchUrls { app: escaped.map_or_else(|| app.clone(), |anchor| format!("{app}#{anchor}")) },
        }
    };
    SearchHit {
        id: key.page,
        description,
        score,
        rank: position,
        ancestors: ancestors.into_iter().map(|title| PageAncestor { title }).collect(),
        sections: sections.into_iter().map(section).collect(),
        urls: SearchUrls { app },
        title,
        path,
    }
}
