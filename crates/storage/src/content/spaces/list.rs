//! Lists of the spaces of an organization or a collection.

use std::collections::HashMap;

use diesel::dsl;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Nullable, SmallInt, Text, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::Role;
use quire_domain::collections::CollectionFacts;
use quire_domain::ids::{OrganizationId, SpaceId, UserId};
use quire_domain::policy::Action;
use uuid::Uuid;

use crate::Result;
use crate::content::collections::CollectionRecord;
use crate::content::hierarchy::{PositionKey, start_after};
use crate::content::spaces::SpaceRecord;
use crate::content::spaces::spaces_with_access;
use crate::list::{Slice, fetch_limit};
use crate::lookup::{Authorized, Found, role_from_rank};
use crate::people::organizations::OrganizationRecord;
use crate::transaction::Reader;
use crate::views::space_access;

use super::plain_list::Plain;

/// Space, with the reader's role on it.
#[derive(Clone, Debug)]
pub struct ListedSpace {
    /// Space.
    pub space: SpaceRecord,
    /// Role of the reader.
    pub role: Option<Role>,
}

impl ListedSpace {
    /// Returns the cursor of the space in a list.
    #[must_use]
    pub fn key(&self) -> PositionKey {
        let space = &self.space;
        PositionKey { parent: space.parent, position: space.position.clone(), id: space.id.into() }
    }
}

sql_files! {
    ListSpaces(SqlUuid, SqlUuid, SqlUuid, SqlUuid, SqlUuid, Text, SqlUuid, BigInt)
        -> (SqlUuid, Nullable<SmallInt>, BigInt) = "list.sql";
    CountSpaces(SqlUuid, SqlUuid, SqlUuid, SqlUuid) -> (BigInt,) = "count.sql";
    FindListedSpaces(Array<SqlUuid>) -> dsl::SqlTypeOf<dsl::AsSelect<SpaceRecord, Pg>> = "listed.sql" of SpaceRecord;
}

impl Reader<'_> {
    /// Returns the given spaces of an organization that the actor may see, in no particular order. Takes one statement.
    pub fn visible_spaces(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        ids: &[SpaceId],
    ) -> Result<Vec<Authorized<SpaceRecord>>> {
        let rows: Vec<(Option<i16>, SpaceRecord)> = spaces_with_access()
            .filter(space_access::token_id.eq(organization.actor().token))
            .filter(space_access::organization_id.eq(organization.id))
            .filter(space_access::id.eq_any(ids))
            .filter(space_access::deleted_at.is_null())
            .select((space_access::role, SpaceRecord::as_select()))
            .load(self.connection)?;
        let (actor, blocked) = (organization.actor(), organization.is_blocked());
        // A condition on the role in the statement would compute each role twice.
        let visible = rows.into_iter().filter(|(role, _)| role.is_some());
        let found = visible.map(|(role, value)| {
            Found { actor, role: role_from_rank(role)?, blocked, value }.authorize(Action::ViewSpace)
        });
        found.collect()
    }

    /// Returns the spaces of an organization that the actor may see, in their order. Takes two statements for
    /// administrators and for members without grants, and three for others.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`](crate::Error::Unauthenticated), or [`Error::NotFound`](crate::Error::NotFound) unless
    /// the actor is a member of the organization.
    pub fn spaces_of(
        &mut self,
        organization: OrganizationId,
        after: Option<&PositionKey>,
        limit: u16,
    ) -> Result<Slice<ListedSpace>> {
        let page = match self.spaces_without_grants(organization, after, limit)? {
            Plain::Slice(slice) => slice,
            Plain::Granted(user) => {
                self.page_with_roles(user, organization, (Uuid::nil(), Uuid::max()), after, limit)?
            }
        };
        self.listed_spaces(page)
    }

    /// Returns the direct spaces of a collection that the actor may see, in their order. Takes two statements.
    pub fn spaces_in(
        &mut self,
        collection: &Authorized<CollectionRecord>,
        after: Option<&PositionKey>,
        limit: u16,
    ) -> Result<Slice<ListedSpace>> {
        let CollectionFacts { organization, id, .. } = collection.facts;
        let actor = collection.actor().user;
        let page = self.page_with_roles(actor, organization, (id.into(), id.into()), after, limit)?;
        self.listed_spaces(page)
    }

    /// Loads the spaces of a page. A space that was deleted since it was listed is left out.
    fn listed_spaces(&mut self, page: Slice<(SpaceId, Option<Role>)>) -> Result<Slice<ListedSpace>> {
        let Slice { items, total, has_more } = page;
        let ids: Vec<_> = items.iter().map(|(id, _)| id).collect();
        if ids.is_empty() {
            return Ok(Slice { items: Vec::new(), total, has_more });
        }
        let rows: Vec<SpaceRecord> = FindListedSpaces::bind((ids,)).load(self.connection)?;
        let mut found: HashMap<SpaceId, SpaceRecord> =
            rows.into_iter().map(|space| (space.id, space)).collect();
        let items = items
            .into_iter()
            .filter_map(|(id, role)| Some(ListedSpace { space: found.remove(&id)?, role }))
            .collect();
        Ok(Slice { items, total, has_more })
    }

    /// Lists the spaces whose parents are between `least` and `greatest`. The root is the least parent.
    fn page_with_roles(
        &mut self,
        actor: UserId,
        organization: OrganizationId,
        (least, greatest): (Uuid, Uuid),
        after: Option<&PositionKey>,
        limit: u16,
    ) -> Result<Slice<(SpaceId, Option<Role>)>> {
        let (actor, organization) = (actor, organization);
        let (parent, position, id) = start_after(after);
        let limit_and_one = fetch_limit(limit);
        let page = (actor, organization, least, greatest, parent, position, id, limit_and_one);
        let rows: Vec<(Uuid, Option<i16>, i64)> = ListSpaces::bind(page).load(self.connection)?;
        let total = match rows.first() {
            Some((.., total)) => *total,
            // An empty page after others has no row with the count.
            None if after.is_some() => {
                let count = CountSpaces::bind((actor, organization, least, greatest));
                count.get_result::<(i64,)>(self.connection)?.0
            }
            None => 0,
        };
        Slice::cut(rows, limit, total)
            .try_map(|(id, role, _)| Ok((SpaceId::from_uuid(id), role_from_rank(role)?)))
    }
}
