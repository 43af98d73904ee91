//! Entries that are too old to be kept.

use std::time::Duration;

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Timestamptz};
use time::OffsetDateTime;

use crate::Result;
use crate::statement::{Sql, statements, val};
use crate::system::SystemTx;

/// Entries of a transaction at most.
const BATCH: i64 = 5_000;

statements! {
    // Each organization's oldest are found by its index of times.
    SweepEntries = "DELETE FROM audit_entries a USING (\
                      SELECT e.organization_id, e.id FROM organizations o CROSS JOIN LATERAL (\
                        SELECT organization_id, id FROM audit_entries \
                        WHERE organization_id = o.id AND created_at < $1 ORDER BY created_at LIMIT $2) e LIMIT $2) old \
                    WHERE a.organization_id = old.organization_id AND a.id = old.id";
}

impl SystemTx<'_> {
    /// Removes entries that are older than `age`, a batch of them. Answers how many.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn sweep_audit(&mut self, age: Duration) -> Result<usize> {
        let before = OffsetDateTime::from(self.now) - age;
        let swept = SweepEntries::bind((val::<Timestamptz, _>(before), val::<BigInt, _>(BATCH)));
        Ok(swept.execute(self.connection)?)
    }
}
