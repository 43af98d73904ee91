//! Reads and writes of the worker that runs an import.
//!
//! Each attempt has its own id, which is stored in the row of the import. An attempt writes only while the row has its
//! id. So an attempt that was cancelled, or whose worker was considered lost, changes nothing: its transaction finds no
//! row and is rolled back.

use std::time::Duration;

use diesel::dsl;
use diesel::prelude::*;
use diesel::sql_types::{Array, Binary, Integer, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::error::{ErrorBody, ErrorDetail, Reason};
use quire_domain::ids::{ChangeRequestId, ImportId, PageId, RevisionId, SpaceId};
use quire_domain::imports::{ImportPhase, ImportResult, ImportSource, ImportState};
use serde::Serialize;
use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

use super::{ImportKey, ImportOrigin, OriginTypes};
use crate::content::store::ContentSelector;
use crate::diesel_types::Json;
use crate::lookup::Credentials;
use crate::operations::audit::Change;
use crate::schema::imports;
use crate::system::SystemTx;
use crate::transaction::Tx;
use crate::{Error, Result};

/// Maximum number of attempts of an import whose worker was lost. An import that crashes its server would do so again.
pub const ATTEMPTS: i32 = 3;

/// Import with its current attempt.
#[derive(Clone, Debug, Queryable)]
pub struct RunningImport {
    /// Import.
    pub key: ImportKey,
    /// Destination.
    #[diesel(deserialize_as = Option<ChangeRequestId>)]
    pub selector: ContentSelector,
    /// Page whose document is replaced.
    pub page: Option<PageId>,
    /// Kind of source.
    pub source: ImportSource,
    /// Source of the content.
    pub origin: ImportOrigin,
    /// Revisions of which the head of the content must be one; `None` for any.
    pub expected: Option<Vec<RevisionId>>,
    /// Audit log entry to write when the import ends.
    #[diesel(deserialize_as = Json<Option<Value>>)]
    pub change: Option<Change>,
    /// Token that requested the import. If it was revoked, these credentials belong to no user.
    #[diesel(deserialize_as = Option<Credentials>)]
    pub credentials: Credentials,
    /// Number of this attempt, from 1 to [`ATTEMPTS`].
    pub attempt: i32,
    run: Uuid,
}

sql_files! {
    BeginImport(SqlUuid, SqlUuid, SqlUuid, Timestamptz)
        -> (
            (SqlUuid, SqlUuid),
            Nullable<SqlUuid>,
            Nullable<SqlUuid>,
            Text,
            OriginTypes,
            Nullable<Array<SqlUuid>>,
            Nullable<Jsonb>,
            Nullable<Binary>,
            Integer,
            SqlUuid,
        ) = "begin.sql";
    AddImport(SqlUuid, SqlUuid, SqlUuid, Timestamptz) = "add_import.sql";
}

impl RunningImport {
    /// Returns the query for the row of the import, while it belongs to this attempt.
    #[dsl::auto_type(no_type_alias)]
    fn row(&self) -> _ {
        let key: (SpaceId, ImportId) = (self.key.space, self.key.import);
        let run: Uuid = self.run;
        imports::table.find(key).filter(imports::run.eq(run)).filter(imports::finished_at.is_null())
    }
}

impl Tx<'_> {
    /// Marks an import as succeeded, in the transaction that stores its content. Returns `false` if the import no
    /// longer belongs to this attempt; the transaction must then be rolled back. The attempt itself is the permission:
    /// only [`SystemTx::begin_import`] creates one.
    pub fn succeed_import(&mut self, import: &RunningImport, result: &ImportResult) -> Result<bool> {
        let done = i64::try_from(result.imported_resources).unwrap_or(i64::MAX);
        let ended = diesel::update(import.row())
            .set((
                imports::status.eq(ImportState::Succeeded.as_str()),
                imports::phase.eq(None::<String>),
                imports::done.eq(done),
                imports::total.eq(done),
                imports::result.eq(json(result)?),
                imports::finished_at.eq(self.now),
            ))
            .execute(self.connection)?;
        if ended == 1 {
            self.write_import_notice(import.key)?;
        }
        Ok(ended == 1)
    }

    /// Writes the inbox entry about the end of an import for the user who requested it. Takes one statement.
    pub(crate) fn write_import_notice(&mut self, ImportKey { space, import }: ImportKey) -> Result<()> {
        let (event, now) = (self.storage.ids().uuid(), self.now);
        AddImport::bind((space, import, event, now)).execute(self.connection)?;
        Ok(())
    }
}

impl SystemTx<'_> {
    /// Starts an import, or restarts it if its worker was lost. Returns `None` if there is nothing to do: it has ended,
    /// was deleted, or has failed because it was started too often.
    pub fn begin_import(&mut self, key: ImportKey) -> Result<Option<RunningImport>> {
        let run = self.storage.ids().uuid();
        let now = OffsetDateTime::from(self.now);
        let begun = BeginImport::bind((key.space, key.import, run, now));
        let begun: Option<RunningImport> = begun.get_result(self.connection).optional()?;
        let Some(import) = begun else { return Ok(None) };
        if import.attempt > ATTEMPTS {
            self.fail_import(&import, &interrupted())?;
            return Ok(None);
        }
        Ok(Some(import))
    }

    /// Records the progress of an import. Returns whether it still belongs to this attempt.
    pub fn note_import_progress(
        &mut self,
        import: &RunningImport,
        phase: Option<ImportPhase>,
        done: u64,
        total: Option<u64>,
    ) -> Result<bool> {
        let count = |number| i64::try_from(number).unwrap_or(i64::MAX);
        let noted = diesel::update(import.row())
            .set((
                imports::phase.eq(phase.map(ImportPhase::as_str)),
                imports::done.eq(count(done)),
                imports::total.eq(total.map(count)),
            ))
            .execute(self.connection)?;
        Ok(noted == 1)
    }

    /// Records the failure of an import. Returns whether it still belonged to this attempt.
    pub fn fail_import(&mut self, import: &RunningImport, error: &ErrorDetail) -> Result<bool> {
        let ended = diesel::update(import.row())
            .set((
                imports::status.eq(ImportState::Failed.as_str()),
                imports::error.eq(json(error)?),
                imports::finished_at.eq(self.now),
            ))
            .execute(self.connection)?;
        if ended == 1 {
            self.write_import_notice(import.key)?;
        }
        Ok(ended == 1)
    }

    /// Ends imports that were requested longer ago than `stuck` and can have no job any more, and deletes imports that
    /// ended longer ago than `age`. Returns the number of each.
    pub fn sweep_imports(&mut self, stuck: Duration, age: Duration) -> Result<(usize, usize)> {
        let now = OffsetDateTime::from(self.now);
        let unfinished = imports::finished_at.is_null().and(imports::created_at.lt(now - stuck));
        let failed: Vec<(Uuid, Uuid)> = diesel::update(imports::table.filter(unfinished))
            .set((
                imports::status.eq(ImportState::Failed.as_str()),
                imports::error.eq(json(&interrupted())?),
                imports::finished_at.eq(now),
            ))
            .returning((imports::space_id, imports::id))
            .get_results(self.connection)?;
        for (space, import) in &failed {
            let key = ImportKey { space: SpaceId::from_uuid(*space), import: ImportId::from_uuid(*import) };
            self.write_import_notice(key)?;
        }
        let finished = imports::table.filter(imports::finished_at.lt(now - age));
        let forgotten = diesel::delete(finished).execute(self.connection)?;
        Ok((failed.len(), forgotten))
    }
}

/// Returns the error of an import whose workers were lost before its end.
fn interrupted() -> ErrorDetail {
    ErrorBody::new(Reason::Unavailable).with_message("The import was interrupted too often.").error
}

fn json(end: &impl Serialize) -> Result<Value> {
    serde_json::to_value(end)
        .map_err(|error| Error::Internal("the end of an import can't be written", error.into()))
}
