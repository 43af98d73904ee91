//! What belongs to the deployment as a whole.

use diesel::prelude::*;
use rand::RngExt;

use crate::schema::deployment_keys;
use crate::transaction::Tx;
use crate::{Error, Result};

impl Tx<'_> {
    /// The deployment's key of this name, the same on every node; made when it is first asked for.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn deployment_key(&mut self, name: &str) -> Result<[u8; 32]> {
        let new: [u8; 32] = rand::rng().random();
        diesel::insert_into(deployment_keys::table)
            .values((
                deployment_keys::name.eq(name),
                deployment_keys::secret.eq(new.as_slice()),
                deployment_keys::created_at.eq(time::OffsetDateTime::from(self.now)),
            ))
            .on_conflict_do_nothing()
            .execute(self.connection)?;
        let secret: Vec<u8> =
            deployment_keys::table.find(name).select(deployment_keys::secret).first(self.connection)?;
        secret.try_into().map_err(|_| Error::corrupt("a deployment key is cut", anyhow::anyhow!("{name}")))
    }
}
