//! `GET /v1/spaces/{spaceId}/revisions/{revisionId}/changes`,
//! `GET /v1/spaces/{spaceId}/revisions/{revisionId}/compare/{otherRevisionId}`,
//! `GET /v1/spaces/{spaceId}/change-requests/{changeRequestId}/changes`

use std::collections::HashMap;

use actix_web::{HttpRequest, HttpResponse};
use quire_content::differences::PageVersions;
use quire_domain::ids::{PageId, RevisionId};
use quire_domain::policy::Action;
use quire_domain::revisions::ChangeSummary;
use quire_revision::{Change, Tree, diff};
use quire_storage::Reader;
use quire_storage::lookup::{Authorized, ContentAt, ContentSelector};
use serde::Deserialize;

use super::path::ContentPath;
use super::query::ChangesQuery;
use crate::error::{ApiError, ApiResult};
use crate::extract::{Caller, Path, Query};
use crate::respond::{Conditional, ContentAnswer};
use crate::state::State;
use crate::{present, respond};

/// Path parameter: the revision that another one is compared with.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OtherRevision {
    other_revision_id: RevisionId,
}

/// Changes from one tree to another, with both versions of the documents that are compared.
struct Differing {
    trees: [Tree; 2],
    changes: Vec<Change>,
    versions: Vec<PageVersions>,
}

impl Differing {
    /// Compares two trees, and loads the documents of the first `limit` changes.
    fn load(
        reader: &mut Reader<'_>,
        content: &Authorized<ContentAt>,
        trees: [Tree; 2],
        limit: usize,
    ) -> ApiResult<Self> {
        let [before, after] = &trees;
        let changes = diff(before, after);
        let listed = changes.get(..limit).unwrap_or(&changes);
        let versions = PageVersions::of_changes(reader, content, [(&trees, listed)])?;
        Ok(Self { trees, changes, versions })
    }

    async fn summaries(&mut self, state: &State) -> ApiResult<HashMap<PageId, ChangeSummary>> {
        let versions = std::mem::take(&mut self.versions);
        let compare = |versions: PageVersions| Ok((versions.page, versions.compare()?.summary.into()));
        state.compute(move |_| versions.into_iter().map(compare).collect::<ApiResult<_>>()).await
    }
}

/// Lists the changes of a revision or of a change request.
pub async fn get_changes(
    Caller(caller): Caller,
    Path(path): Path<ContentPath>,
    Query(query): Query<ChangesQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let limit = query.limit();
    let (content, mut differing, merged_from, custom_fields) = state
        .read(caller, move |reader| {
            let (content, after) = reader.content_with_tree(path.space(), path.selector())?;
            let before = reader.tree_before(&content)?;
            let differing = Differing::load(reader, &content, [before, after], limit)?;
            let merged_from = reader.merged_from(&content)?;
            let custom_fields = reader.custom_field_changes(&content)?;
            Ok((content, differing, merged_from, custom_fields))
        })
        .await?;
    let summaries = differing.summaries(&state).await?;
    let merged_from =
        merged_from.map(|record| Box::new(present::change_request(&state.urls, &record, content.space.head)));
    let Differing { trees: [_, after], changes, .. } = differing;
    let view = path.view(&state, &content, &after);
    let changes = |merged_from| {
        let changes = present::changes(&view, changes, &summaries, limit, merged_from);
        present::with_custom_fields(changes, custom_fields, limit)
    };
    let revision = content.revision.id;
    match merged_from {
        None => respond::ok_of_revision(&request, revision, || Ok(changes(None))),
        merged_from => {
            let conditional = Conditional::of(&request);
            ContentAnswer::next_to_revision(&conditional, revision, &changes(merged_from))?.respond()
        }
    }
}

/// Lists the changes from one revision to another one.
pub async fn compare_revisions(
    Caller(caller): Caller,
    Path(path): Path<ContentPath>,
    Path(OtherRevision { other_revision_id }): Path<OtherRevision>,
    Query(query): Query<ChangesQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let limit = query.limit();
    let (content, mut differing) = state
        .read(caller, move |reader| {
            let (_, before) = reader.content_with_tree(path.space(), path.selector())?;
            let other = ContentSelector::Revision(other_revision_id);
            let content = reader.content(path.space(), other)?.authorize(Action::ViewSpace)?;
            let after = reader.tree(&content)?;
            let differing = Differing::load(reader, &content, [before, after], limit)?;
            Ok::<_, ApiError>((content, differing))
        })
        .await?;
    let summaries = differing.summaries(&state).await?;
    let Differing { trees: [_, after], changes, .. } = differing;
    let view = path.view(&state, &content, &after);
    respond::ok(&request, &present::changes(&view, changes, &summaries, limit, None))
}
