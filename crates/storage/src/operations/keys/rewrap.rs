//! Rewrapping of all keys with the current master key, one batch per transaction. After an interruption, it can be run
//! again and continues.

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Binary, Text, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::ids::{OrganizationId, ShareLinkId};
use serde::Serialize;
use uuid::Uuid;

use super::ring::KeyOwner;
use crate::system::SystemStorage;
use crate::transaction::Tx;
use crate::{Error, Result};

/// Maximum number of keys per transaction.
const BATCH: i64 = 500;

/// Numbers of rewrapped keys.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Rewrapped {
    /// Deployment keys.
    pub deployment_keys: u64,
    /// Keys that sign visitor tokens.
    pub visitor_keys: u64,
    /// Keys of share links.
    pub share_links: u64,
}

impl Rewrapped {
    /// Returns the total number.
    #[must_use]
    pub fn total(self) -> u64 {
        self.deployment_keys.saturating_add(self.visitor_keys).saturating_add(self.share_links)
    }
}

sql_files! {
    DueDeploymentKeys(Binary, BigInt) -> (Text, Binary) = "due_deployment_keys.sql";
    DueVisitorKeys(Binary, BigInt) -> (SqlUuid, Binary) = "due_visitor_keys.sql";
    DueShareLinks(Binary, BigInt) -> (SqlUuid, SqlUuid, SqlUuid, Binary) = "due_share_links.sql";
    PutDeploymentKeys(Array<Text>, Array<Binary>) = "put_deployment_keys.sql";
    PutVisitorKeys(Array<SqlUuid>, Array<Binary>) = "put_visitor_keys.sql";
    PutShareLinks(Array<SqlUuid>, Array<SqlUuid>, Array<SqlUuid>, Array<Binary>) = "put_share_links.sql";
}

impl SystemStorage {
    /// Wraps every key with the current master key. Blocks.
    ///
    /// # Errors
    /// A key that is wrapped by a missing master key. Keys that were already rewrapped stay so.
    pub fn rewrap_keys(&self) -> Result<Rewrapped> {
        Ok(Rewrapped {
            deployment_keys: self.in_batches(|tx, current| tx.wrap_deployment_keys(current))?,
            visitor_keys: self.in_batches(|tx, current| tx.wrap_visitor_keys(current))?,
            share_links: self.in_batches(|tx, current| tx.wrap_share_links(current))?,
        })
    }

    fn in_batches(&self, wrap: fn(&mut Tx<'_>, &[u8]) -> Result<usize>) -> Result<u64> {
        let current = self.master_keys()?.current().bytes();
        let mut wrapped = 0_u64;
        loop {
            let batch = self.transact::<_, Error>(|tx| {
                tx.lock_keys()?;
                wrap(tx, &current)
            })?;
            if batch == 0 {
                return Ok(wrapped);
            }
            wrapped = wrapped.saturating_add(u64::try_from(batch).unwrap_or(u64::MAX));
        }
    }
}

impl Tx<'_> {
    fn wrap_deployment_keys(&mut self, current: &[u8]) -> Result<usize> {
        let rows: Vec<(String, Vec<u8>)> = DueDeploymentKeys::bind((current, BATCH)).load(self.connection)?;
        let (mut names, mut values) = (Vec::new(), Vec::new());
        for (name, value) in rows {
            values.push(self.wrapped_again(KeyOwner::DeploymentKey(&name), &value)?);
            names.push(name);
        }
        Ok(PutDeploymentKeys::bind((names, values)).execute(self.connection)?)
    }

    fn wrap_visitor_keys(&mut self, current: &[u8]) -> Result<usize> {
        let rows: Vec<(Uuid, Vec<u8>)> = DueVisitorKeys::bind((current, BATCH)).load(self.connection)?;
        let (mut organizations, mut values) = (Vec::new(), Vec::new());
        for (organization, value) in rows {
            let owner = KeyOwner::VisitorKey(OrganizationId::from_uuid(organization));
            values.push(self.wrapped_again(owner, &value)?);
            organizations.push(organization);
        }
        Ok(PutVisitorKeys::bind((organizations, values)).execute(self.connection)?)
    }

    fn wrap_share_links(&mut self, current: &[u8]) -> Result<usize> {
        let rows: Vec<(Uuid, Uuid, Uuid, Vec<u8>)> =
            DueShareLinks::bind((current, BATCH)).load(self.connection)?;
        let (mut organizations, mut sites, mut links, mut values) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (organization, site, link, value) in rows {
            let owner =
                KeyOwner::ShareLink(OrganizationId::from_uuid(organization), ShareLinkId::from_uuid(link));
            values.push(self.wrapped_again(owner, &value)?);
            organizations.push(organization);
            sites.push(site);
            links.push(link);
        }
        Ok(PutShareLinks::bind((organizations, sites, links, values)).execute(self.connection)?)
    }

    /// Wraps a key with the current master key that is wrapped by another one.
    fn wrapped_again(&self, owner: KeyOwner<'_>, value: &[u8]) -> Result<Vec<u8>> {
        let keys = self.storage.master_keys()?;
        keys.wrap(owner, &keys.unwrap(owner, value)?)
    }
}
