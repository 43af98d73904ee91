//! `PUT /v1/orgs/{organizationId}/teams/{teamId}/members`

use actix_web::HttpResponse;
use quire_domain::error::{FieldError, Reason};
use quire_domain::ids::{OrganizationId, TeamId, UserId};
use quire_domain::policy::Action;
use quire_domain::teams::TeamMembersUpdate;
use quire_storage::teams::{MembershipChanges, UnknownMembers};

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
    let TeamMembersUpdate { add, memberships, remove } = body;
    let set: Vec<_> =
        memberships.unwrap_or_default().into_iter().map(|(user, member)| (user, member.role)).collect();
    let set_ids: Vec<UserId> = set.iter().map(|(user, _)| *user).collect();
    let changes = MembershipChanges { add: add.unwrap_or_default(), set, remove: remove.unwrap_or_default() };
    state
        .transact(caller, move |tx| {
            let team = tx.team(organization, team)?.authorize(Action::ManageTeam)?;
            if_match.check_untagged()?;
            let unknown = tx.change_team_members(&team, changes)?;
            if unknown == UnknownMembers::default() {
                return Ok(());
            }
            Err(refusal(&unknown, &set_ids))
        })
        .await?;
    Ok(respond::no_content())
}

fn refusal(unknown: &UnknownMembers, set: &[UserId]) -> ApiError {
    let added = unknown.add.iter().map(|place| format!("add[{place}]"));
    let changed = unknown.set.iter().filter_map(|place| set.get(*place));
    let changed = changed.map(|user| format!("memberships.{user}"));
    let details = added
        .chain(changed)
        .map(|field| FieldError { field, message: "is not a member of the organization".to_owned() });
    ApiError::new(Reason::InvalidBody).with_details(details.collect())
}
