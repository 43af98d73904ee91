//! What links lead to that isn't part of the space's content: other spaces, collections, users.

use std::collections::{BTreeSet, HashMap};

use diesel::prelude::*;
use diesel::sql_types::{Array, Text, Uuid as SqlUuid};
use quire_domain::Role;
use quire_domain::ids::{CollectionId, OrganizationId, SpaceId, UserId};
use quire_domain::policy::{self, Action};
use uuid::Uuid;

use super::target::Elsewhere;
use crate::Result;
use crate::lookup::{
    RoleColumn, SpaceColumns, SpaceRecord, UserRecord, role_from_rank, space_columns, space_role,
    token_and_space, valid_token,
};
use crate::statement::{Sql, statements, val};
use crate::transaction::Reader;

#[derive(QueryableByName)]
struct PresentRow {
    #[diesel(sql_type = Text)]
    kind: String,
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
}

statements! {
    FindPresent = "SELECT 'space' AS kind, s.id FROM spaces s \
                    WHERE s.organization_id = $1 AND s.id = ANY ($2) AND s.deleted_at IS NULL \
                   UNION ALL SELECT 'collection', c.id FROM collections c WHERE c.organization_id = $1 AND c.id = ANY ($3) \
                   UNION ALL SELECT 'user', m.user_id FROM organization_members m WHERE m.organization_id = $1 AND m.user_id = ANY ($4)";
    FindSpaces = concat!(
        "SELECT ", space_role!(), " AS role, ", space_columns!(), " FROM ", token_and_space!(),
        " WHERE ", valid_token!(), " AND s.organization_id = $3 AND s.id = ANY ($4) AND s.deleted_at IS NULL"
    );
    FindUsers = "SELECT u.id AS user_id, u.email AS user_email, u.display_name AS user_display_name, u.photo_url AS user_photo_url \
                 FROM organization_members m JOIN users u ON u.id = m.user_id \
                 WHERE m.organization_id = $1 AND m.user_id = ANY ($2)";
}

/// What links lead to outside of their space, as far as the actor may see it.
#[derive(Clone, Debug, Default)]
pub struct SeenElsewhere {
    /// Spaces, with the actor's role on each.
    pub spaces: HashMap<SpaceId, (SpaceRecord, Option<Role>)>,
    /// Users.
    pub users: HashMap<UserId, UserRecord>,
}

impl Reader<'_> {
    /// Those of `wanted` that an organization has: one statement, none for none.
    pub(super) fn present_elsewhere(
        &mut self,
        organization: OrganizationId,
        wanted: &BTreeSet<Elsewhere>,
    ) -> Result<BTreeSet<Elsewhere>> {
        if wanted.is_empty() {
            return Ok(BTreeSet::new());
        }
        let (mut spaces, mut collections, mut users) = (Vec::new(), Vec::new(), Vec::new());
        for id in wanted {
            match id {
                Elsewhere::Space(id) => spaces.push(*id.as_uuid()),
                Elsewhere::Collection(id) => collections.push(*id.as_uuid()),
                Elsewhere::User(id) => users.push(*id.as_uuid()),
            }
        }
        let rows: Vec<PresentRow> = FindPresent::bind((
            val::<SqlUuid, _>(*organization.as_uuid()),
            val::<Array<SqlUuid>, _>(spaces),
            val::<Array<SqlUuid>, _>(collections),
            val::<Array<SqlUuid>, _>(users),
        ))
        .load(self.connection)?;
        let present = rows.into_iter().map(|row| match row.kind.as_str() {
            "space" => Elsewhere::Space(SpaceId::from_uuid(row.id)),
            "collection" => Elsewhere::Collection(CollectionId::from_uuid(row.id)),
            _ => Elsewhere::User(UserId::from_uuid(row.id)),
        });
        Ok(present.collect())
    }

    /// The records of what links lead to outside of their space: two statements at most.
    pub(super) fn see_elsewhere(
        &mut self,
        organization: OrganizationId,
        wanted: impl Iterator<Item = Elsewhere>,
    ) -> Result<SeenElsewhere> {
        let (mut spaces, mut users) = (BTreeSet::new(), BTreeSet::new());
        for id in wanted {
            match id {
                Elsewhere::Space(id) => drop(spaces.insert(*id.as_uuid())),
                Elsewhere::User(id) => drop(users.insert(*id.as_uuid())),
                Elsewhere::Collection(_) => {}
            }
        }
        let mut seen = SeenElsewhere::default();
        let organization = *organization.as_uuid();
        if !spaces.is_empty() {
            let rows: Vec<(RoleColumn, SpaceColumns)> = FindSpaces::bind((
                self.token_bind(),
                self.now_bind(),
                val::<SqlUuid, _>(organization),
                val::<Array<SqlUuid>, _>(spaces.into_iter().collect::<Vec<_>>()),
            ))
            .load(self.connection)?;
            for (role, space) in rows {
                let role = role_from_rank(role.role)?;
                if policy::allows(role, Action::ViewSpace) {
                    let space = SpaceRecord::try_from(space)?;
                    seen.spaces.insert(space.id, (space, role));
                }
            }
        }
        if !users.is_empty() {
            let rows: Vec<UserRecord> = FindUsers::bind((
                val::<SqlUuid, _>(organization),
                val::<Array<SqlUuid>, _>(users.into_iter().collect::<Vec<_>>()),
            ))
            .load(self.connection)?;
            seen.users.extend(rows.into_iter().filter_map(|user| Some((user.id()?, user))));
        }
        Ok(seen)
    }
}
