//! Counts of the spaces, teams and sites that members can access.

use std::collections::HashMap;

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Binary, Bool, Timestamptz, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::Role;
use quire_domain::ids::{OrganizationId, UserId};
use quire_domain::policy::Action;

use crate::Result;
use crate::transaction::Reader;

/// Counts of resources that a member can access, among those that the reader sees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// Spaces on which the member has a role.
    pub spaces: u64,
    /// Teams of the member.
    pub teams: u64,
    /// Sites that the member can see.
    pub sites: u64,
    /// `true` if the member has an authenticator app or a passkey.
    pub has_factor: bool,
}

sql_files! {
    FindReach(Binary, Timestamptz, SqlUuid, Array<SqlUuid>) -> (SqlUuid, BigInt, BigInt, BigInt, Bool)
        = "reach.sql";
}

const _: () = assert!(
    matches!(Action::ViewOrganizationContent.least_role(), Some(Role::Read)),
    "each role sees all sites: `members/reach.sql` counts them for members with any"
);

impl Reader<'_> {
    /// Returns the counts of these members. Takes one statement.
    pub(super) fn reach_of(
        &mut self,
        organization: OrganizationId,
        members: Vec<UserId>,
    ) -> Result<HashMap<UserId, Reach>> {
        let rows: Vec<(UserId, i64, i64, i64, bool)> =
            FindReach::bind((self.credentials.token_hash.as_slice(), self.now, organization, members))
                .load(self.connection)?;
        let number = |stored: i64| u64::try_from(stored).unwrap_or(0);
        let reach = |(id, spaces, teams, sites, has_factor)| {
            (id, Reach { spaces: number(spaces), teams: number(teams), sites: number(sites), has_factor })
        };
        Ok(rows.into_iter().map(reach).collect())
    }
}
