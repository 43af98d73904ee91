//! Teams: reusable groups of an organization's members.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::clock::Timestamp;
use crate::ids::TeamId;
use crate::object::TeamTag;

/// A team.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Team {
    /// Always `team`.
    pub object: TeamTag,
    /// The team's id.
    pub id: TeamId,
    /// Its title, 1 to 64 characters.
    pub title: String,
    /// How many members it has.
    pub members: u64,
    /// How many spaces are granted to it.
    pub spaces: u64,
    /// When it was made.
    pub created_at: Timestamp,
    /// What the caller may do.
    pub permissions: TeamPermissions,
}

/// What the caller may do with a team.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TeamPermissions {
    /// Change and delete it, and say who is in it.
    pub admin: bool,
    /// See it.
    pub view: bool,
}
