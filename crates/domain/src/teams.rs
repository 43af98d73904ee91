//! Teams: groups of members, to which roles on content are granted.

use std::collections::BTreeMap;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_with::skip_serializing_none;
use utoipa::{IntoParams, ToSchema};
use validator::{Validate, ValidationError};

use crate::bounds::PEOPLE_MAX;
use crate::clock::Timestamp;
use crate::ids::{TeamId, UserId};
use crate::members::Member;
use crate::object::TeamTag;
use crate::policy::{Action, Relation};
use crate::{list, patch, text_checks, texts};

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
    /// Number of members.
    pub members: u64,
    /// Number of spaces with a grant for the team, directly or through a collection, of those that the caller may see.
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
    /// `true` if the caller may change the team and its members.
    pub admin: bool,
    /// `true` if the caller may see the team and its members.
    pub view: bool,
}

impl TeamPermissions {
    /// Returns the permissions of a user. `manages`: the role allows managing teams; `is_owner`: the user owns the
    /// team; `views`: the user may see teams.
    pub fn of(manages: bool, is_owner: bool, views: bool) -> Self {
        let given = is_owner && Action::ManageTeam.is_given_by(Relation::TeamOwner);
        Self { admin: manages || given, view: views }
    }
}

/// Role of a member in a team.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum TeamRole {
    /// May change the team and its members.
    Owner,
    /// Ordinary member.
    #[default]
    Member,
}

impl TeamRole {
    /// Role of the creator of a team.
    pub const CREATOR: Self = Self::Owner;

    /// Returns the wire form.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Owner => "owner",
            Self::Member => "member",
        }
    }
}

/// Membership in a team.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TeamMembership {
    /// Role in the team.
    pub role: TeamRole,
}

/// Member of a team.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TeamMember {
    /// Member of the organization.
    pub organization: Member,
    /// Membership in the team.
    pub team: TeamMembership,
    /// Permissions of the caller on the team member.
    pub permissions: TeamMemberPermissions,
}

/// Permissions of the caller on a member of a team.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TeamMemberPermissions {
    /// `true` if the caller may see the member's record in the organization.
    pub view: bool,
}

/// Request body to create a team.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TeamCreate {
    /// Title of the team.
    #[validate(custom(function = "texts::TeamTitle::check"))]
    pub title: texts::TeamTitle,
    /// Ids of initial members, at most 1000. The creator becomes the owner.
    #[serde(default, deserialize_with = "patch::present")]
    #[validate(custom(function = "text_checks::count::<0, PEOPLE_MAX, _>"))]
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

/// Request body to add a member to a team.
#[skip_serializing_none]
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct TeamMemberPut {
    /// Role in the team. Default: the present role, or `member` for a new member.
    #[serde(deserialize_with = "patch::present")]
    #[schema(nullable = false)]
    pub role: Option<TeamRole>,
}

/// User who is named by id or e-mail address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum UserKey {
    /// Id of the user.
    Id(UserId),
    /// E-mail address of the user.
    Email(String),
}

impl UserKey {
    /// Returns the e-mail address, unless the user is named by id.
    #[must_use]
    pub fn email(&self) -> Option<&str> {
        match self {
            Self::Id(_) => None,
            Self::Email(email) => Some(email),
        }
    }
}

impl<'de> Deserialize<'de> for UserKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        if let Ok(id) = text.parse() {
            return Ok(Self::Id(id));
        }
        let email = texts::Email::new(text).and_then(texts::Email::into_text);
        email.map(Self::Email).map_err(|_| D::Error::custom("must be the id of a user or an e-mail address"))
    }
}

/// Request body to add, change and remove members of a team. A user who is both added and removed is removed.
#[skip_serializing_none]
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct TeamMembersUpdate {
    /// Ids or e-mail addresses of members of the organization to add, at most 1000. Existing members of the team keep
    /// their roles.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "text_checks::count::<0, PEOPLE_MAX, _>"))]
    #[schema(value_type = Vec<String>, required = false, max_items = 1000)]
    pub add: Option<Vec<UserKey>>,
    /// Roles by user id. Users who are not members are added.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "few_memberships"))]
    #[schema(value_type = BTreeMap<String, TeamMembership>, nullable = false, required = false)]
    pub memberships: Option<BTreeMap<UserId, TeamMembership>>,
    /// Ids or e-mail addresses of members to remove, at most 1000. Users who are not members are ignored.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "text_checks::count::<0, PEOPLE_MAX, _>"))]
    #[schema(value_type = Vec<String>, required = false, max_items = 1000)]
    pub remove: Option<Vec<UserKey>>,
}

fn few_memberships(memberships: &BTreeMap<UserId, TeamMembership>) -> Result<(), ValidationError> {
    let members: Vec<_> = memberships.keys().collect();
    text_checks::count::<0, PEOPLE_MAX, _>(&members)
}

/// Query parameters of a list of teams, in addition to those of every list.
#[derive(Clone, Default, Debug, PartialEq, Eq, Hash, Deserialize, Validate, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct TeamListQuery {
    /// Returns only teams that this member can manage.
    #[serde(deserialize_with = "list::filter_id")]
    #[param(inline, nullable = false)]
    pub owner: Option<UserId>,
    /// Returns only teams whose title contains this text, ignoring case.
    #[validate(custom(function = "texts::PeopleSearch::check"))]
    #[param(value_type = texts::PeopleSearch, inline, required = false)]
    pub title: texts::PeopleSearch,
}

/// Query parameter of a list of a member's teams, in addition to those of every list.
#[derive(Clone, Default, Debug, PartialEq, Eq, Hash, Deserialize, Validate, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct TeamTitleQuery {
    /// Returns only teams whose title contains this text, ignoring case.
    #[validate(custom(function = "texts::PeopleSearch::check"))]
    #[param(value_type = texts::PeopleSearch, inline, required = false)]
    pub title: texts::PeopleSearch,
}

/// Team of a member.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemberTeam {
    /// Team.
    pub team: Team,
    /// Membership in the team.
    pub member: TeamMembership,
}
