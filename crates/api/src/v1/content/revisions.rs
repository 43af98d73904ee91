//! `GET /v1/spaces/{spaceId}/revisions`

use actix_web::{HttpRequest, HttpResponse};
use quire_content::differences::UncountedRevision;
use quire_domain::ids::{RevisionId, SpaceId};
use quire_domain::list::PageQuery;
use quire_domain::object::RevisionTag;
use quire_domain::policy::Action;
use quire_domain::revisions::{ListedRevision, RevisionListQuery, RevisionSummary};
use quire_storage::content::RevisionFilter;
use quire_storage::lookup::ContentSelector;

use crate::error::{ApiError, ApiResult};
use crate::extract::{Caller, Path, Query};
use crate::listing::Listing;
use crate::present;
use crate::state::State;

/// Revisions that are compared with those before them for one answer.
const MOST_SUMMARIES: u16 = 50;

/// Lists the revisions of the current content of a space, newest first.
pub async fn list_revisions(
    Caller(caller): Caller,
    Path(space): Path<SpaceId>,
    Query(page): Query<PageQuery>,
    Query(query): Query<RevisionListQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<RevisionId>::new(format!("revisions of {space}: {query:?}"), &page)?;
    let (below, limit) = list.position();
    if query.summary && limit > MOST_SUMMARIES {
        return Err(ApiError::invalid_query(
            "limit",
            format!("must be 1 to {MOST_SUMMARIES} with summaries"),
        ));
    }
    let filter = RevisionFilter { author: query.author, kind: query.revision_type, page: query.changed_page };
    let (slice, uncounted) = state
        .read(caller, move |reader| {
            let content = reader.content(space, ContentSelector::Space)?.authorize(Action::ViewSpace)?;
            let slice = reader.revisions_of_space(&content, filter, below, limit)?;
            let uncounted = if query.summary {
                let trees = reader.trees_of_listed(&content, &slice.items)?;
                UncountedRevision::load(reader, &content, &trees)?
            } else {
                Vec::new()
            };
            Ok((slice, uncounted))
        })
        .await?;
    let count = move |_: &_| uncounted.iter().map(|revision| Ok(revision.count()?)).collect();
    let summaries: ApiResult<Vec<RevisionSummary>> = state.compute(count).await;
    let mut summaries = summaries?.into_iter();
    list.respond(
        &request,
        slice,
        |revision| revision.id,
        |revision| {
            Ok(ListedRevision {
                object: RevisionTag::Tag,
                id: revision.id,
                revision_type: revision.kind,
                parents: revision.parents,
                author: revision.author.map(|user| present::user(&state.urls, &user)),
                created_at: revision.created_at,
                summary: summaries.next(),
            })
        },
    )
}
