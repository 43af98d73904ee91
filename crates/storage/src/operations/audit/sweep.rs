//! Removal of old entries.

use std::time::Duration;

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Timestamptz};
use quire_database::sql_files;
use time::OffsetDateTime;

use crate::Result;
use crate::system::SystemTx;

/// Maximum number of entries per transaction.
const BATCH: i64 = 5_000;

sql_files! {
    SweepEntries(Timestamptz, BigInt) = "sweep.sql";
}

impl SystemTx<'_> {
    /// Deletes a batch of entries that are older than `age`. Returns their number.
    pub fn sweep_audit(&mut self, age: Duration) -> Result<usize> {
        let before = OffsetDateTime::from(self.now) - age;
        Ok(SweepEntries::bind((before, BATCH)).execute(self.connection)?)
    }
}
