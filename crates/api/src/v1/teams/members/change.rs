//! `PUT /v1/orgs/{organizationId}/teams/{teamId}/members`

use actix_web::HttpResponse;
use quire_domain::error::{FieldError, Reason};
use quire_domain::ids::{OrganizationId, TeamId, UserId};
use quire_domain::policy::Action;
use quire_domain::teams::TeamMembersUpdate;
use quire_storage::teams::UnknownMembers;

use crate::error::{ApiError, ApiResult};
use crate::extract::{Caller, OptionalJson, Path};
use crate::preconditions::IfMatch;
use crate::respond;
use crate::state::State;

/// Adds, changes and removes members of a team atomically. A user who is both added and removed is removed.
pub async fn update_members_in_organization_team(
    Caller(caller): Caller,
    Path((organization, team)): Path<(OrganizationId, TeamId)>,
    OptionalJson(body): OptionalJson<TeamMembersUpdate>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let named: Vec<UserId> = body.memberships.iter().flat_map(|members| members.keys()).copied().collect();
    state
        .transact(caller, move |tx| {
            let team = tx.team(organization, team)?.authorize(Action::ManageTeam)?;
            if_match.check_untagged()?;
            let unknown = tx.change_team_members(&team, body)?;
            if unknown == UnknownMembers::default() {
                return Ok(());
            }
            Err(refusal(&unknown, &named))
        })
        .await?;
    Ok(respond::no_content())
}

fn refusal(unknown: &UnknownMembers, named: &[UserId]) -> ApiError {
    let added = unknown.add.iter().map(|index| format!("add[{index}]"));
    let changed = unknown.memberships.iter().filter_map(|index| named.get(*index));
    let changed = changed.map(|user| format!("memberships.{user}"));
    let details = added
        .chain(changed)
        .map(|field| FieldError { field, message: "is not a member of the organization".to_owned() });
    ApiError::new(Reason::InvalidBody).with_details(details.collect())
}
