//! `GET …/page/{pageId}/meta-links`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::PageId;
use quire_domain::meta_links::{MetaLinks, PageRef};
use quire_domain::object::PageRefTag;
use quire_revision::{PageType, Tree};
use quire_storage::Reader;
use quire_storage::lookup::SpaceRecord;
use quire_storage::published::PublishedSite;

use super::answer::expanded;
use super::page::Item;
use super::path::ContentPath;
use crate::api::ApiData;
use crate::error::{ApiError, ApiResult};
use crate::extract::{Path, Reading};
use crate::respond;
use crate::v1::urls::site_of_space;
use crate::visitors::{Readable, readable_content};

/// Returns the links of a page for search engines.
pub async fn get_page_meta_links(
    caller: Reading,
    Path(path): Path<ContentPath>,
    Path(Item { page_id }): Path<Item>,
    request: HttpRequest,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let (credentials, expansions, state) = (caller.credentials(), api.expansions_if(true), api.state.clone());
    let look = move |reader: &mut Reader<'_>| {
        let Readable { content, .. } = readable_content(reader, &caller, (path.space(), path.selector()))?;
        let (tree, _) = expanded(reader, &content, expansions.as_ref())?;
        let page = tree.page(page_id).ok_or_else(ApiError::not_found)?;
        if page.page_type() != PageType::Document {
            return Ok(MetaLinks::default());
        }
        match site_of_space(reader, &caller, &content.space, &state)? {
            Some(site) => meta_links(reader, &site, &content.space, (&tree, page_id)),
            None => Ok(MetaLinks::default()),
        }
    };
    respond::ok(&request, &api.state.read(credentials, look).await?)
}

fn meta_links(
    reader: &mut Reader<'_>,
    site: &PublishedSite,
    space: &SpaceRecord,
    (tree, page): (&Tree, PageId),
) -> ApiResult<MetaLinks> {
    let Some(own) = site.spaces.iter().find(|own| own.space == space.id) else {
        return Ok(MetaLinks::default());
    };
    let reference = |space, page| PageRef { kind: PageRefTag::Tag, page, space };
    let mut alternates = Vec::new();
    let path = tree.path_of(page);
    for variant in site.spaces_in(site.section_of(own)) {
        if variant.language.is_none() || variant.language == own.language || variant.space == own.space {
            continue;
        }
        let tree = reader.tree(&site.content(variant)?)?;
        // A variant that was made as a duplicate has the same ids, another one perhaps the same paths.
        let same = tree.page(page).or_else(|| tree.page_by_path(path.as_deref()?));
        let same = same.filter(|page| page.page_type() == PageType::Document);
        alternates.extend(same.map(|page| reference(variant.space, page.id)));
    }
    Ok(MetaLinks { canonical: Some(reference(space.id, page)), alternates })
}
