//! Uses of tokens by reads on replicas, to be written on the primary.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use diesel::prelude::*;
use diesel::sql_types::{Array, Timestamptz, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::bounds::SESSION_IDLE;
use time::OffsetDateTime;
use uuid::Uuid;

/// Maximum number of pending uses. A later request records a use that does not fit.
const MAX_WAITING: usize = 10_000;

sql_files! {
    NoteTokenUses(Array<SqlUuid>, Array<Timestamptz>, Array<Timestamptz>) = "note_uses.sql";
}

/// Tokens and the times of their last use.
#[derive(Debug, Default)]
pub(crate) struct TokenUses(Mutex<HashMap<Uuid, OffsetDateTime>>);

impl TokenUses {
    pub(crate) fn note(&self, token: Uuid, now: OffsetDateTime) {
        let mut uses = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if uses.len() < MAX_WAITING || uses.contains_key(&token) {
            uses.insert(token, now);
        }
    }

    /// Writes the pending uses. Takes at most one statement.
    pub(crate) fn write(&self, primary: &mut PgConnection) -> QueryResult<()> {
        let uses = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        if uses.is_empty() {
            return Ok(());
        }
        let (tokens, times): (Vec<Uuid>, Vec<OffsetDateTime>) = uses.into_iter().unzip();
        let expiries: Vec<OffsetDateTime> = times.iter().map(|used_at| *used_at + SESSION_IDLE).collect();
        NoteTokenUses::bind((tokens, times, expiries)).execute(primary).map(drop)
    }
}
