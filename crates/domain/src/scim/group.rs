//! Groups.

use std::collections::HashSet;

use serde::Serialize;
use serde_with::skip_serializing_none;

use super::problem::ScimProblem;
use super::schemas::GROUP_SCHEMA;
use super::value::{Attributes, Meta, Reference, objects, text};
use crate::bounds::{SCIM_MEMBERS_MAX, SCIM_NAME_MAX, TEAM_TITLE_MAX};
use crate::ids::{TeamId, UserId};

/// Group as a request describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupInput {
    /// Title of the team.
    pub display_name: String,
    /// Id of the group at the identity provider.
    pub external_id: Option<String>,
    /// Members without duplicates; `None` if the request has no list.
    pub members: Option<Vec<UserId>>,
}

impl GroupInput {
    /// Reads a group. Attributes that Quire does not have are ignored.
    ///
    /// # Errors
    /// A missing name, values of the wrong type or length, and members that are not users.
    pub fn parse(resource: &Attributes) -> Result<Self, ScimProblem> {
        let display_name = text(resource, "displayName", TEAM_TITLE_MAX)?
            .ok_or_else(|| ScimProblem::value("displayName", "is required"))?;
        let members = match objects(resource, "members", SCIM_MEMBERS_MAX)? {
            None => None,
            Some(members) => {
                let mut seen = HashSet::new();
                let mut ids = Vec::with_capacity(members.len());
                for member in members {
                    let id = text(member, "value", SCIM_NAME_MAX)?.and_then(|id| id.parse::<UserId>().ok());
                    let id =
                        id.ok_or_else(|| ScimProblem::value("members.value", "must be the id of a user"))?;
                    if seen.insert(id) {
                        ids.push(id);
                    }
                }
                Some(ids)
            }
        };
        Ok(Self { display_name, external_id: text(resource, "externalId", SCIM_NAME_MAX)?, members })
    }
}

/// Group as the server describes it.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ScimGroup {
    schemas: [&'static str; 1],
    /// Id.
    pub id: TeamId,
    /// Id of the group at the identity provider.
    pub external_id: Option<String>,
    /// Title of the team.
    pub display_name: String,
    /// Members; `None` if they were not requested.
    pub members: Option<Vec<Reference>>,
    /// Metadata.
    pub meta: Meta,
}

impl ScimGroup {
    /// Returns a group.
    #[must_use]
    pub fn new(
        id: TeamId,
        display_name: String,
        external_id: Option<String>,
        members: Option<Vec<Reference>>,
        meta: Meta,
    ) -> Self {
        Self { schemas: [GROUP_SCHEMA], id, external_id, display_name, members, meta }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::GroupInput;

    fn parse(value: &Value) -> Result<GroupInput, super::ScimProblem> {
        GroupInput::parse(value.as_object().unwrap())
    }

    #[test]
    fn members_are_users_and_each_is_there_once() {
        let id = "0190a5d2-7c1e-7000-8000-000000000001";
        let group =
            parse(&json!({"displayName": "Writers", "members": [{"value": id}, {"Value": id}]})).unwrap();
        assert_eq!(group.members.unwrap().len(), 1);
        assert_eq!(parse(&json!({"displayName": "Writers", "members": null})).unwrap().members, None);
        for wrong in [
            json!({"members": []}),
            json!({"displayName": "x".repeat(65)}),
            json!({"displayName": "a", "members": [{"value": "b"}]}),
            json!({"displayName": "a", "members": [{"display": "b"}]}),
            json!({"displayName": "a", "members": [id]}),
        ] {
            assert!(parse(&wrong).is_err(), "{wrong}");
        }
    }
}
