//! `GET /v1/orgs/{organizationId}/invites`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::{InviteId, OrganizationId};
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::state::State;
use crate::{present, respond};

/// Pending e-mail invites, newest first, without their secrets.
pub async fn handle(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = format!("e-mail invites of {id}");
    let after: Option<InviteId> = present::cursor(&list, query.page.as_deref())?;
    let limit = query.limit();
    let slice = state
        .read(caller, move |reader| {
            let organization = reader.organization(id)?.authorize(Action::InspectOrganization)?;
            Ok(reader.email_invites_of(&organization, after, limit)?)
        })
        .await?;
    let list =
        present::list(&list, slice, |invite| invite.id, |invite| Ok(present::email_invite(invite, None)))?;
    respond::ok(&request, &list)
}
