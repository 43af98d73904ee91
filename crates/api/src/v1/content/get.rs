//! `GET …/content`, `GET /v1/spaces/{spaceId}/revisions/{revisionId}`

use actix_web::{HttpRequest, HttpResponse};
use quire_revision::Tree;
use quire_storage::Reader;
use quire_storage::lookup::ChangeRequestRecord;

use super::answer::expanded;
use super::page_parts::{IN_PARTS, PageParts, Surroundings, in_tree_order};
use super::path::ContentPath;
use super::query::ContentQuery;
use crate::api::ApiData;
use crate::error::ApiResult;
use crate::extract::{Path, Query, Reading};
use crate::present;
use crate::respond::{Conditional, ContentAnswer};
use crate::visitors::{Claims, Readable, readable_content};

/// Returns a revision with all its pages, files and reusable contents. That of a large space is written while it is
/// sent.
pub async fn get_content(
    caller: Reading,
    Path(path): Path<ContentPath>,
    Query(query): Query<ContentQuery>,
    request: HttpRequest,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let expansions = api.expansions_if(query.computed);
    let conditional = Conditional::of(&request);
    let (state, credentials) = (api.state.clone(), caller.credentials());
    let load = move |reader: &mut Reader<'_>| {
        let Readable { content, claims } =
            readable_content(reader, &caller, (path.space(), path.selector()))?;
        let conditional = conditional.clone().read_as(claims.as_ref().map(Claims::digest).as_deref());
        let revision = &content.revision;
        // Visitors see no change requests.
        let merged_from = if claims.is_none() { reader.merged_from(&content)? } else { None };
        // The published URL can change while the revision does not.
        let nothing = Tree::empty();
        let site = format!("{:?}", path.view(&state, &content, &nothing).site());
        let known = |versions: &str| {
            let tag = conditional.tag(revision.id, &format!("{versions} {site}"));
            let has = conditional.has(&tag).then(|| ContentAnswer::not_modified(&tag));
            (tag, has.or_else(|| conditional.answer(&state.answers, &tag)))
        };
        let is_plain = expansions.as_ref().is_none_or(|expansions| expansions.is_plain(revision.root));
        if merged_from.is_none()
            && is_plain
            && let (_, Some(answer)) = known("")
        {
            return Ok(answer);
        }
        let (tree, computed) = expanded(reader, &content, expansions.as_ref())?;
        let view = path.view(&state, &content, &tree).with_git(query.metadata).with_computed(&computed);
        let merged_from =
            merged_from.map(|record| present::change_request(&state.urls, &record, content.space.head));
        if tree.page_count() >= IN_PARTS {
            let versions = computed.versions();
            let tag = conditional.tag(revision.id, &format!("{versions} {site} {merged_from:?}"));
            if conditional.has(&tag) {
                return Ok(ContentAnswer::not_modified(&tag));
            }
            let tags = reader.tags(&content, &tree)?;
            let surroundings = present::revision_around_pages(&view, revision, tags, merged_from);
            let surroundings = Surroundings::of_resource(&surroundings)?;
            let pages = in_tree_order(&tree, None, usize::MAX);
            let viewed = path.viewed(content.change_request.as_ref().map(ChangeRequestRecord::name));
            let shown = (viewed, tree.clone(), computed.clone());
            let parts = PageParts::new(state.clone(), shown, query.metadata, (surroundings, pages));
            return Ok(ContentAnswer::in_parts(&tag, Box::new(parts)));
        }
        let Some(merged_from) = merged_from else {
            let (tag, answer) = known(computed.versions());
            if let Some(answer) = answer {
                return Ok(answer);
            }
            let tags = reader.tags(&content, &tree)?;
            let resource = present::revision(&view, revision, tags, None);
            return ContentAnswer::new(&state.answers, &tag, &resource);
        };
        // The data of the change request can change while the revision does not.
        let tags = reader.tags(&content, &tree)?;
        let resource = present::revision(&view, revision, tags, Some(merged_from));
        ContentAnswer::next_to_revision(&conditional, revision.id, &resource)
    };
    api.state.read(credentials, load).await?.respond()
}
