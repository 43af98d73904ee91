//! The list of spaces of an organization for those whose roles follow from their membership: administrators, and members
//! without grants. Token, membership and list are one statement with one row.

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Bool, Integer, Nullable, SmallInt, Text, Uuid as SqlUuid};
use quire_domain::ids::{OrganizationId, SpaceId, UserId};
use quire_domain::policy::{Action, Membership, effective_role};
use uuid::Uuid;

use super::version::{SpaceVersion, start_after};
use crate::list::{Slice, fetch_limit};
use crate::lookup::{ActorColumns, actor_columns, role_from_rank, valid_token};
use crate::placement::PlaceKey;
use crate::statement::{Sql, statements, val};
use crate::transaction::Reader;
use crate::{Error, Result};

/// The list, if no grant has a part in it.
pub(super) enum Plain {
    /// The list.
    Slice(Slice<SpaceVersion>),
    /// The actor, who has grants.
    Granted(UserId),
}

/// Condition on the spaces `s` of the organization that the member `m` sees without a grant.
macro_rules! seen_without_grant {
    () => {
        "s.organization_id = $3 AND s.deleted_at IS NULL \
         AND (m.role = 6 OR (m.role IS NOT NULL AND s.default_level IS NOT NULL)) AND NOT g.is_granted"
    };
}

statements! {
    // `$4` to `$6` is the key to go on after.
    ListWithoutGrants = concat!(
        "SELECT ", actor_columns!(), ", m.role AS member_role, g.is_granted, l.total, l.ids, l.versions, l.levels \
         FROM api_tokens t \
         JOIN organization_members m ON m.organization_id = $3 AND m.user_id = t.user_id AND NOT m.disabled \
         CROSS JOIN LATERAL (SELECT m.role IS DISTINCT FROM 6 AND (\
           EXISTS (SELECT 1 FROM content_grants g WHERE g.organization_id = $3 AND g.user_id = t.user_id) \
           OR EXISTS (SELECT 1 FROM team_members tm \
             JOIN content_grants g ON g.organization_id = tm.organization_id AND g.team_id = tm.team_id \
             WHERE tm.organization_id = $3 AND tm.user_id = t.user_id)) AS is_granted OFFSET 0) g \
         CROSS JOIN LATERAL (SELECT (SELECT count(*) FROM spaces s WHERE ", seen_without_grant!(), ") AS total, \
           array_agg(p.id) AS ids, array_agg(p.xmin) AS versions, array_agg(p.default_level) AS levels FROM (\
             SELECT s.id, s.xmin, s.default_level FROM spaces s WHERE ", seen_without_grant!(), " \
             AND (coalesce(s.collection_id, '00000000-0000-0000-0000-000000000000'), s.position, s.id) > ($4, $5, $6) \
             ORDER BY coalesce(s.collection_id, '00000000-0000-0000-0000-000000000000'), s.position, s.id LIMIT $7\
           ) p) l \
         WHERE ", valid_token!(), " AND (t.organizations IS NULL OR $3 = ANY (t.organizations))"
    );
}

#[derive(QueryableByName)]
struct PlainColumns {
    #[diesel(sql_type = Nullable<SmallInt>)]
    member_role: Option<i16>,
    #[diesel(sql_type = Bool)]
    is_granted: bool,
    #[diesel(sql_type = BigInt)]
    total: i64,
    #[diesel(sql_type = Nullable<Array<SqlUuid>>)]
    ids: Option<Vec<Uuid>>,
    // Ids of transactions, which travel like integers.
    #[diesel(sql_type = Nullable<Array<Integer>>)]
    versions: Option<Vec<i32>>,
    #[diesel(sql_type = Nullable<Array<Nullable<SmallInt>>>)]
    levels: Option<Vec<Option<i16>>>,
}

impl Reader<'_> {
    /// Lists the spaces of an organization that the actor may see, unless grants have a part in it.
    pub(super) fn spaces_without_grants(
        &mut self,
        organization: OrganizationId,
        after: Option<&PlaceKey>,
        limit: u16,
    ) -> Result<Plain> {
        let (place, position, id) = start_after(after);
        let row: Option<(ActorColumns, PlainColumns)> = ListWithoutGrants::bind((
            self.token_bind(),
            self.now_bind(),
            val::<SqlUuid, _>(*organization.as_uuid()),
            val::<SqlUuid, _>(place),
            val::<Text, _>(position),
            val::<SqlUuid, _>(id),
            val::<BigInt, _>(fetch_limit(limit)),
        ))
        .get_result(self.connection)
        .optional()?;
        let Some((actor, columns)) = row else { return self.not_found() };
        self.reach(organization, None);
        let actor = self.seen(actor)?;
        let member = Membership::active(role_from_rank(columns.member_role)?);
        if !member.allows(Action::ViewOrganization) {
            return Err(Error::NotFound);
        }
        if columns.is_granted {
            return Ok(Plain::Granted(actor.user));
        }
        let rows = columns.ids.into_iter().flatten().zip(columns.versions.into_iter().flatten());
        let rows: Vec<((Uuid, i32), Option<i16>)> = rows.zip(columns.levels.into_iter().flatten()).collect();
        let slice = Slice::cut(rows, limit, columns.total).try_map(|((id, version), level)| {
            let role = effective_role(member, [], role_from_rank(level)?);
            Ok::<_, Error>(SpaceVersion { id: SpaceId::from_uuid(id), role, version })
        });
        Ok(Plain::Slice(slice?))
    }
}
