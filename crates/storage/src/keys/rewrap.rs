//! Keys wrapped by the current master key, a batch a transaction: run again after an interruption, it goes on where it was.

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Binary, Nullable, Text, Uuid as SqlUuid};
use quire_domain::ids::{OrganizationId, ShareLinkId};
use serde::Serialize;
use uuid::Uuid;

use super::ring::{OVERHEAD, Place};
use crate::statement::{Bind, Sql, statements, val};
use crate::system::SystemStorage;
use crate::transaction::Tx;
use crate::{Error, Result};

/// Keys of a transaction at most.
const BATCH: i64 = 500;

/// Counts of keys that were wrapped.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Rewrapped {
    /// Those of the deployment.
    pub deployment_keys: u64,
    /// Those that visitor tokens are signed with.
    pub visitor_keys: u64,
    /// Those of share links.
    pub share_links: u64,
}

impl Rewrapped {
    /// All of them.
    #[must_use]
    pub fn total(self) -> u64 {
        self.deployment_keys.saturating_add(self.visitor_keys).saturating_add(self.share_links)
    }
}

/// The keys to wrap.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    /// Those that an earlier version left in the clear.
    InTheClear,
    /// Those, and the ones that another master key wraps.
    NotCurrent,
}

/// The condition on a column: in the clear, or wrapped by another master key than `$1`, which is null when all are fine.
macro_rules! due {
    ($column:literal) => {
        concat!("(octet_length(", $column, ") < 49 OR substring(", $column, " FROM 2 FOR 8) <> $1)")
    };
}

statements! {
    DueDeploymentKeys = concat!(
        "SELECT name, secret AS value FROM deployment_keys WHERE ", due!("secret"), " ORDER BY name LIMIT $2 FOR UPDATE"
    );
    DueVisitorKeys = concat!(
        "SELECT id AS organization_id, visitor_key AS value FROM organizations WHERE ", due!("visitor_key"),
        " ORDER BY id LIMIT $2 FOR NO KEY UPDATE"
    );
    DueShareLinks = concat!(
        "SELECT organization_id, site_id, id, wrapped_key AS value FROM site_share_links WHERE ", due!("wrapped_key"),
        " ORDER BY organization_id, site_id, id LIMIT $2 FOR NO KEY UPDATE"
    );
    PutDeploymentKeys = "UPDATE deployment_keys k SET secret = n.value FROM unnest($1, $2) AS n (name, value) WHERE k.name = n.name";
    PutVisitorKeys = "UPDATE organizations o SET visitor_key = n.value FROM unnest($1, $2) AS n (id, value) WHERE o.id = n.id";
    PutShareLinks = "UPDATE site_share_links l SET wrapped_key = n.value \
                     FROM unnest($1, $2, $3, $4) AS n (organization_id, site_id, id, value) \
                     WHERE l.organization_id = n.organization_id AND l.site_id = n.site_id AND l.id = n.id";
}

#[derive(QueryableByName)]
struct Value {
    #[diesel(sql_type = Binary)]
    value: Vec<u8>,
}

#[derive(QueryableByName)]
struct NameColumn {
    #[diesel(sql_type = Text)]
    name: String,
}

#[derive(QueryableByName)]
struct OrganizationColumn {
    #[diesel(sql_type = SqlUuid)]
    organization_id: Uuid,
}

#[derive(QueryableByName)]
struct LinkColumns {
    #[diesel(sql_type = SqlUuid)]
    site_id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
}

impl SystemStorage {
    /// Wraps every key by the current master key. Blocks.
    ///
    /// # Errors
    /// When a statement fails, or a key is wrapped by a master key that isn't there. What was done until then stays.
    pub fn rewrap_keys(&self) -> Result<Rewrapped> {
        self.wrap_all(Which::NotCurrent)
    }

    pub(super) fn wrap_all(&self, which: Which) -> Result<Rewrapped> {
        Ok(Rewrapped {
            deployment_keys: self.in_batches(which, |tx, due| tx.wrap_deployment_keys(due))?,
            visitor_keys: self.in_batches(which, |tx, due| tx.wrap_visitor_keys(due))?,
            share_links: self.in_batches(which, |tx, due| tx.wrap_share_links(due))?,
        })
    }

    fn in_batches(&self, which: Which, wrap: fn(&mut Tx<'_>, Due) -> Result<usize>) -> Result<u64> {
        let current = match which {
            Which::InTheClear => None,
            Which::NotCurrent => Some(self.master_keys()?.current().bytes()),
        };
        let mut wrapped = 0_u64;
        loop {
            let batch = self.transact::<_, Error>(|tx| {
                tx.lock_keys()?;
                wrap(tx, (val(current.clone()), val(BATCH)))
            })?;
            if batch == 0 {
                return Ok(wrapped);
            }
            wrapped = wrapped.saturating_add(u64::try_from(batch).unwrap_or(u64::MAX));
        }
    }
}

type Due = (Bind<Nullable<Binary>, Option<Vec<u8>>>, Bind<BigInt, i64>);

impl Tx<'_> {
    fn wrap_deployment_keys(&mut self, due: Due) -> Result<usize> {
        let rows: Vec<(NameColumn, Value)> = DueDeploymentKeys::bind(due).load(self.connection)?;
        let (mut names, mut values) = (Vec::new(), Vec::new());
        for (NameColumn { name }, Value { value }) in rows {
            values.push(self.wrapped_again(Place::DeploymentKey(&name), value, 32)?);
            names.push(name);
        }
        let puts = PutDeploymentKeys::bind((val::<Array<Text>, _>(names), val::<Array<Binary>, _>(values)));
        Ok(puts.execute(self.connection)?)
    }

    fn wrap_visitor_keys(&mut self, due: Due) -> Result<usize> {
        let rows: Vec<(OrganizationColumn, Value)> = DueVisitorKeys::bind(due).load(self.connection)?;
        let (mut ids, mut values) = (Vec::new(), Vec::new());
        for (OrganizationColumn { organization_id }, Value { value }) in rows {
            let place = Place::VisitorKey(OrganizationId::from_uuid(organization_id));
            values.push(self.wrapped_again(place, value, 32)?);
            ids.push(organization_id);
        }
        let puts = PutVisitorKeys::bind((val::<Array<SqlUuid>, _>(ids), val::<Array<Binary>, _>(values)));
        Ok(puts.execute(self.connection)?)
    }

    fn wrap_share_links(&mut self, due: Due) -> Result<usize> {
        let rows: Vec<(OrganizationColumn, LinkColumns, Value)> =
            DueShareLinks::bind(due).load(self.connection)?;
        let (mut organizations, mut sites, mut ids, mut values) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (OrganizationColumn { organization_id }, LinkColumns { site_id, id }, Value { value }) in rows {
            let place =
                Place::ShareLink(OrganizationId::from_uuid(organization_id), ShareLinkId::from_uuid(id));
            // A wrapped key is never as short as a key in the clear may be long.
            values.push(self.wrapped_again(place, value, OVERHEAD - 1)?);
            organizations.push(organization_id);
            sites.push(site_id);
            ids.push(id);
        }
        let puts = PutShareLinks::bind((
            val::<Array<SqlUuid>, _>(organizations),
            val::<Array<SqlUuid>, _>(sites),
            val::<Array<SqlUuid>, _>(ids),
            val::<Array<Binary>, _>(values),
        ));
        Ok(puts.execute(self.connection)?)
    }

    /// A stored value wrapped by the current master key; one of `clear` bytes at most is a key in the clear.
    fn wrapped_again(&self, place: Place<'_>, value: Vec<u8>, clear: usize) -> Result<Vec<u8>> {
        let keys = self.storage.master_keys()?;
        let key = if value.len() <= clear { value } else { keys.unwrap(place, &value)? };
        keys.wrap(place, &key)
    }
}
