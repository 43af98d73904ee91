//! Presentation of teams and their members.

use quire_domain::object::TeamTag;
use quire_domain::teams::{
    Team, TeamMember, TeamMemberPermissions, TeamMembership, TeamPermissions, TeamRole,
};
use quire_storage::people::members::ShownMember;
use quire_storage::people::teams::ListedTeam;

use super::member;
use crate::urls::Urls;

/// Returns a team as a user who may list teams sees it. `manages`: the user manages all teams of the organization.
#[must_use]
pub fn team(listed: ListedTeam, manages: bool) -> Team {
    let ListedTeam { team, members, spaces } = listed;
    Team {
        object: TeamTag::Tag,
        id: team.id,
        title: team.title,
        members,
        spaces,
        created_at: team.created_at,
        permissions: TeamPermissions::of(manages, team.is_owner, true),
    }
}

/// Returns a member of a team. `view`: the caller may see the organization's members.
#[must_use]
pub fn team_member(urls: &Urls, record: &ShownMember, role: TeamRole, view: bool) -> TeamMember {
    TeamMember {
        organization: member(urls, record, false),
        team: TeamMembership { role },
        permissions: TeamMemberPermissions { view },
    }
}
