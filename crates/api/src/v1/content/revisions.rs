//! `GET /v1/spaces/{spaceId}/revisions`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::{RevisionId, SpaceId};
use quire_domain::list::PageQuery;
use quire_domain::object::RevisionTag;
use quire_domain::policy::Action;
use quire_domain::revisions::{ListedRevision, RevisionListQuery};
use quire_storage::content::RevisionFilter;
use quire_storage::lookup::ContentSelector;

use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::listing::Listing;
use crate::present;
use crate::state::State;

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
    let filter = RevisionFilter { author: query.author, kind: query.revision_type };
    let slice = state
        .read(caller, move |reader| {
            let content = reader.content(space, ContentSelector::Space)?.authorize(Action::ViewSpace)?;
            Ok(reader.revisions_of_space(&content, filter, below, limit)?)
        })
        .await?;
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
            })
        },
    )
}
