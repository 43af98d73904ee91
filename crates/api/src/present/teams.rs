//! Teams and who is in them.

use quire_domain::object::TeamTag;
use quire_domain::teams::{Team, TeamMember, TeamMemberPermissions, TeamMembership, TeamPermissions};
use quire_storage::teams::{ListedTeam, TeamMemberRecord};

use super::member;
use crate::urls::Urls;

/// A team, as somebody sees it who may list teams. `manages` tells whether they manage all teams of the organization.
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

/// A member of a team. `view` tells whether its reader may see the organization's members.
#[must_use]
pub fn team_member(urls: &Urls, record: &TeamMemberRecord, view: bool) -> TeamMember {
    TeamMember {
        organization: member(urls, &record.member),
        team: TeamMembership { role: record.role },
        permissions: TeamMemberPermissions { view },
    }
}
