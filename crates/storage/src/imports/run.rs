//! What a worker reads and writes while it runs an import.
//!
//! Each attempt has an id of its own in the row. Whatever an attempt writes it writes only while the row names it, so that one whose
//! worker was thought lost, or that was cancelled, changes nothing: its transaction finds no row and is rolled back.

use std::time::Duration;

use diesel::prelude::*;
use diesel::sql_types::{
    Array, BigInt, Binary, Integer, Json, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid,
};
use quire_domain::error::{ErrorBody, ErrorDetail, Reason};
use quire_domain::ids::{ChangeRequestId, PageId, RevisionId};
use quire_domain::imports::{ImportPhase, ImportResult, ImportSource};
use serde::Serialize;
use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

use super::{ImportKey, ImportOrigin, origin};
use crate::audit::Change;
use crate::lookup::{ChangeRequestKey, ContentSelector, Credentials};
use crate::statement::{Bind, Sql, statements, val};
use crate::system::SystemTx;
use crate::transaction::Tx;
use crate::{Error, Result, stored};

/// How often an import is begun that ends with its worker. One that takes its server down does so again.
pub const ATTEMPTS: i32 = 3;

/// An import that one attempt works on.
#[derive(Clone, Debug)]
pub struct RunningImport {
    /// The import.
    pub key: ImportKey,
    /// Where it goes.
    pub selector: ContentSelector,
    /// The page whose document it replaces.
    pub page: Option<PageId>,
    /// What is imported from.
    pub source: ImportSource,
    /// Where the content is.
    pub origin: ImportOrigin,
    /// The revisions of which the content must be at one; `None`: at any.
    pub expected: Option<Vec<RevisionId>>,
    /// What the audit log shall say when it is done.
    pub change: Option<Change>,
    /// The token that asked. When it was revoked, these are nobody's.
    pub credentials: Credentials,
    /// The number of this attempt, from 1 to [`ATTEMPTS`].
    pub attempt: i32,
    run: Uuid,
}

#[derive(QueryableByName)]
struct BegunRow {
    #[diesel(sql_type = Nullable<SqlUuid>)]
    change_request_id: Option<Uuid>,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    page_id: Option<Uuid>,
    #[diesel(sql_type = Text)]
    source: String,
    #[diesel(sql_type = Nullable<Text>)]
    url: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    file_name: Option<String>,
    #[diesel(sql_type = Nullable<BigInt>)]
    upload_size: Option<i64>,
    #[diesel(sql_type = Nullable<Array<SqlUuid>>)]
    expected: Option<Vec<Uuid>>,
    #[diesel(sql_type = Nullable<Jsonb>)]
    request: Option<Value>,
    #[diesel(sql_type = Integer)]
    attempts: i32,
    #[diesel(sql_type = Nullable<Binary>)]
    hash: Option<Vec<u8>>,
}

statements! {
    BeginImport = "WITH begun AS (\
                     UPDATE imports SET status = 'running', run = $3, attempts = attempts + 1, started_at = $4, phase = NULL, done = 0, total = NULL \
                     WHERE space_id = $1 AND id = $2 AND finished_at IS NULL RETURNING *) \
                   SELECT b.change_request_id, b.page_id, b.source, b.url, b.file_name, b.upload_size, b.expected, b.request, b.attempts, t.hash \
                   FROM begun b LEFT JOIN api_tokens t ON t.id = b.token_id";
    NoteProgress = "UPDATE imports SET phase = $4, done = $5, total = $6 \
                    WHERE space_id = $1 AND id = $2 AND run = $3 AND finished_at IS NULL";
    SucceedImport = "UPDATE imports SET status = 'succeeded', phase = NULL, done = $5, total = $5, result = $4, finished_at = $6 \
                     WHERE space_id = $1 AND id = $2 AND run = $3 AND finished_at IS NULL";
    FailImport = "UPDATE imports SET status = 'failed', error = $4, finished_at = $5 \
                  WHERE space_id = $1 AND id = $2 AND run = $3 AND finished_at IS NULL";
    FailForgotten = "UPDATE imports SET status = 'failed', error = $1, finished_at = $2 \
                     WHERE finished_at IS NULL AND created_at < $3";
    ForgetImports = "DELETE FROM imports WHERE finished_at < $1";
}

impl RunningImport {
    fn binds(&self) -> (Bind<SqlUuid, Uuid>, Bind<SqlUuid, Uuid>, Bind<SqlUuid, Uuid>) {
        (val(*self.key.space.as_uuid()), val(*self.key.import.as_uuid()), val(self.run))
    }
}

impl Tx<'_> {
    /// Marks an import as succeeded, in the transaction that stores it. Returns false if this attempt has lost the import; the
    /// transaction must then be rolled back. The attempt is its own permission: only [`SystemTx::begin_import`] makes one.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn succeed_import(&mut self, import: &RunningImport, result: &ImportResult) -> Result<bool> {
        let (space, id, run) = import.binds();
        let done = i64::try_from(result.imported_resources).unwrap_or(i64::MAX);
        let ended = SucceedImport::bind((
            space,
            id,
            run,
            val::<Json, _>(json(result)?),
            val::<BigInt, _>(done),
            self.now_bind(),
        ))
        .execute(self.connection)?;
        Ok(ended == 1)
    }
}

impl SystemTx<'_> {
    /// Begins an import, or begins it anew when its worker was lost. `None` when there is nothing to do: it has ended, or is gone, or
    /// was begun too often and has failed now.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn begin_import(&mut self, key: ImportKey) -> Result<Option<RunningImport>> {
        let run = self.storage.ids().uuid();
        let row: Option<BegunRow> = BeginImport::bind((
            val::<SqlUuid, _>(*key.space.as_uuid()),
            val::<SqlUuid, _>(*key.import.as_uuid()),
            val::<SqlUuid, _>(run),
            self.now_bind(),
        ))
        .get_result(self.connection)
        .optional()?;
        let Some(row) = row else { return Ok(None) };
        let import = running(key, run, row)?;
        if import.attempt > ATTEMPTS {
            self.fail_import(&import, &interrupted())?;
            return Ok(None);
        }
        Ok(Some(import))
    }

    /// Notes how far an import is. Answers whether this attempt still works on it.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn note_import_progress(
        &mut self,
        import: &RunningImport,
        phase: Option<ImportPhase>,
        done: u64,
        total: Option<u64>,
    ) -> Result<bool> {
        let (space, id, run) = import.binds();
        let total = total.map(|total| i64::try_from(total).unwrap_or(i64::MAX));
        let noted = NoteProgress::bind((
            space,
            id,
            run,
            val::<Nullable<Text>, _>(phase.map(ImportPhase::as_str)),
            val::<BigInt, _>(i64::try_from(done).unwrap_or(i64::MAX)),
            val::<Nullable<BigInt>, _>(total),
        ))
        .execute(self.connection)?;
        Ok(noted == 1)
    }

    /// Notes why an import failed. Answers whether this attempt still worked on it.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn fail_import(&mut self, import: &RunningImport, error: &ErrorDetail) -> Result<bool> {
        let (space, id, run) = import.binds();
        let ended = FailImport::bind((space, id, run, val::<Json, _>(json(error)?), self.now_bind()))
            .execute(self.connection)?;
        Ok(ended == 1)
    }

    /// Ends imports that were asked for longer ago than `stuck` and that no job can be about any more, and forgets those that ended longer
    /// ago than `age`. Answers how many of each.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn sweep_imports(&mut self, stuck: Duration, age: Duration) -> Result<(usize, usize)> {
        let now = OffsetDateTime::from(self.now);
        let failed = FailForgotten::bind((
            val::<Json, _>(json(&interrupted())?),
            self.now_bind(),
            val::<Timestamptz, _>(now - stuck),
        ))
        .execute(self.connection)?;
        let forgotten = ForgetImports::bind((val::<Timestamptz, _>(now - age),)).execute(self.connection)?;
        Ok((failed, forgotten))
    }
}

fn running(key: ImportKey, run: Uuid, row: BegunRow) -> Result<RunningImport> {
    let change = row.request.map(serde_json::from_value).transpose();
    let change_request = row.change_request_id.map(ChangeRequestId::from_uuid);
    let hash = row.hash.map(<[u8; 32]>::try_from).transpose();
    Ok(RunningImport {
        key,
        selector: change_request
            .map_or(ContentSelector::Space, |id| ContentSelector::ChangeRequest(ChangeRequestKey::Id(id))),
        page: row.page_id.map(PageId::from_uuid),
        source: stored(&row.source)?,
        origin: origin(row.url, row.file_name, row.upload_size)?,
        expected: row.expected.map(|ids| ids.into_iter().map(RevisionId::from_uuid).collect()),
        change: change.map_err(|error| Error::corrupt("the request of an import is damaged", error))?,
        credentials: match hash.map_err(|_| Error::corrupt("a hash is cut", anyhow::anyhow!("of a token")))? {
            Some(token_hash) => Credentials { token_hash },
            None => Credentials::NOBODY,
        },
        attempt: row.attempts,
        run,
    })
}

/// What is told of an import whose workers came to an end before it did.
fn interrupted() -> ErrorDetail {
    ErrorBody::new(Reason::Unavailable).with_message("The import was interrupted too often.").error
}

fn json(end: &impl Serialize) -> Result<Value> {
    serde_json::to_value(end)
        .map_err(|error| Error::Internal("the end of an import can't be written", error.into()))
}
