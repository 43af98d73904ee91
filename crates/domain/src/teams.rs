//! Teams: groups of an organization's members, to which roles on content are granted.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::bounds::PEOPLE_MAX;
use crate::clock::Timestamp;
use crate::features::{IntoParams, ToSchema, Validate, ValidationError};
use crate::ids::{TeamId, UserId};
use crate::members::Member;
use crate::object::TeamTag;
use crate::policy::{Action, Relation};
use crate::{list, patch, text, texts};

/// A team.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Team {
    /// Always `team`.
    pub object: TeamTag,
    /// Id of the team.
    pub id: TeamId,
    /// Title of the team, 1 to 64 characters.
    pub title: String,
    /// How many members are in it.
    pub members: u64,
    /// The number of spaces that are granted to it, by themselves or with a collection above them, of those that the caller sees.
    pub spaces: u64,
    /// Creation time.
    pub created_at: Timestamp,
    /// Permissions of the caller on the team.
    pub permissions: TeamPermissions,
}

/// Permissions of the caller on a team.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TeamPermissions {
    /// Change it and who is in it.
    pub admin: bool,
    /// See it and who is in it.
    pub view: bool,
}

impl TeamPermissions {
    /// The permissions of a user whose role allows managing teams or not, who owns the team or not, and who may see teams
    /// or not.
    pub fn of(manages: bool, is_owner: bool, views: bool) -> Self {
        let given = is_owner && Action::ManageTeam.is_given_by(Relation::TeamOwner);
        Self { admin: manages || given, view: views }
    }
}

/// What a member is in a team.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum TeamRole {
    /// Changes the team and who is in it.
    Owner,
    /// Is in it.
    #[default]
    Member,
}

impl TeamRole {
    /// The role of the maker of a team.
    pub const OF_MAKER: Self = Self::Owner;

    /// Returns the wire form.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Owner => "owner",
            Self::Member => "member",
        }
    }
}

/// What somebody is in a team.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TeamMembership {
    /// Owner or member.
    pub role: TeamRole,
}

/// A member of a team.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TeamMember {
    /// The member of the organization.
    pub organization: Member,
    /// What the member is in the team.
    pub team: TeamMembership,
    /// Permissions of the caller on the team member.
    pub permissions: TeamMemberPermissions,
}

/// Permissions of the caller on a member of a team.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TeamMemberPermissions {
    /// See the member's own record in the organization.
    pub view: bool,
}

/// Request body to create a team.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TeamCreate {
    /// Title of the team.
    #[validate(custom(function = "texts::TeamTitle::check"))]
    pub title: texts::TeamTitle,
    /// Members of the organization who are in it from the start; who makes it becomes its owner.
    #[serde(default, deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "text::count::<0, PEOPLE_MAX, _>"))]
    #[schema(nullable = false, max_items = 1000)]
    pub members: Option<Vec<UserId>>,
}

/// Request body to update a team.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TeamUpdate {
    /// Title of the team.
    #[validate(custom(function = "texts::TeamTitle::check"))]
    pub title: texts::TeamTitle,
}

/// The body that puts a member into a team.
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct TeamMemberPut {
    /// What the member shall be; as before, or a member, when absent.
    #[serde(deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub role: Option<TeamRole>,
}

/// Request body to update who is in a team. Who is both added and removed is removed.
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct TeamMembersUpdate {
    /// Who comes in; who is in already stays as before.
    #[serde(deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "text::count::<0, PEOPLE_MAX, _>"))]
    #[schema(nullable = false, max_items = 1000)]
    pub add: Option<Vec<UserId>>,
    /// What members shall be, by their ids; who isn't in comes in.
    #[serde(deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "few_memberships"))]
    #[schema(value_type = BTreeMap<String, TeamMembership>, nullable = false, required = false)]
    pub memberships: Option<BTreeMap<UserId, TeamMembership>>,
    /// Who goes out; who isn't in is passed over.
    #[serde(deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "text::count::<0, PEOPLE_MAX, _>"))]
    #[schema(nullable = false, max_items = 1000)]
    pub remove: Option<Vec<UserId>>,
}

fn few_memberships(memberships: &BTreeMap<UserId, TeamMembership>) -> Result<(), ValidationError> {
    let members: Vec<_> = memberships.keys().collect();
    text::count::<0, PEOPLE_MAX, _>(&members)
}

/// The query parameters of a list of teams, in addition to those of every list.
#[derive(Clone, Default, Debug, PartialEq, Eq, Hash, Deserialize, Validate, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct TeamListQuery {
    /// Only teams that this member can manage.
    #[serde(deserialize_with = "list::filter_id")]
    #[param(inline, nullable = false)]
    pub owner: Option<UserId>,
    /// Only teams whose title holds this, in any case.
    #[validate(custom(function = "texts::PeopleSearch::check"))]
    #[param(value_type = texts::PeopleSearch, inline, required = false)]
    pub title: texts::PeopleSearch,
}

/// The query parameter of a list of a member's teams, in addition to those of every list.
#[derive(Clone, Default, Debug, PartialEq, Eq, Hash, Deserialize, Validate, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct TeamTitleQuery {
    /// Only teams whose title holds this, in any case.
    #[validate(custom(function = "texts::PeopleSearch::check"))]
    #[param(value_type = texts::PeopleSearch, inline, required = false)]
    pub title: texts::PeopleSearch,
}

/// A team that a member is in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemberTeam {
    /// The team.
    pub team: Team,
    /// The membership in it.
    pub member: TeamMembership,
}
