//! Notes about imports for users.

use diesel::prelude::*;
use diesel::sql_types::{Text, Uuid as SqlUuid};
use quire_database::sql_files;

use crate::Result;
use crate::content::git_syncs::StartedGitSync;
use crate::transaction::Tx;

/// Maximum number of characters of a note.
const MAX: usize = 1_000;

sql_files! {
    NoteLast(SqlUuid, Text) = "note_last.sql";
}

impl Tx<'_> {
    /// Adds a note to the log entry of a run, which must be the latest entry.
    pub fn note_git_sync(&mut self, sync: &StartedGitSync, note: &str) -> Result<()> {
        if sync.installation.is_none() {
            return Ok(());
        }
        // PostgreSQL stores no NUL.
        let note: String = note.replace('\0', "").chars().take(MAX).collect();
        NoteLast::bind((sync.space, note.as_str())).execute(self.connection)?;
        Ok(())
    }
}
