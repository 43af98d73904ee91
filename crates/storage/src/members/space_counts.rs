//! Numbers of spaces and teams of members, for many of them at once.

use std::collections::HashMap;

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Binary, Timestamptz, Uuid as SqlUuid};
use quire_domain::ids::OrganizationId;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::Result;
use crate::statement::sql_files;
use crate::transaction::Reader;

sql_files! {
    FindReach(Binary, Timestamptz, SqlUuid, Array<SqlUuid>) -> (SqlUuid, BigInt, BigInt) = "members/reach.sql";
}

impl Reader<'_> {
    /// The number of spaces that each of these members has a role on, of those that the reader sees, and of teams that
    /// it is in: one statement.
    pub(super) fn reach_of(
        &mut self,
        organization: OrganizationId,
        members: Vec<Uuid>,
    ) -> Result<HashMap<Uuid, (u64, u64)>> {
        let rows: Vec<(Uuid, i64, i64)> = FindReach::bind((
            self.credentials.token_hash.as_slice(),
            OffsetDateTime::from(self.now),
            organization.as_uuid(),
            members,
        ))
        .load(self.connection)?;
        let number = |stored: i64| u64::try_from(stored).unwrap_or(0);
        Ok(rows.into_iter().map(|(id, spaces, teams)| (id, (number(spaces), number(teams)))).collect())
    }
}
