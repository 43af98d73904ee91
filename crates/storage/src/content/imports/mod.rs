//! Asynchronous imports: creation, status and cancellation. A job runs them.

mod run;

use diesel::deserialize;
use diesel::dsl;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Text};
use quire_domain::clock::Timestamp;
use quire_domain::error::{ErrorDetail, Reason};
use quire_domain::ids::{ChangeRequestId, ImportId, PageId, RevisionId, SpaceId};
use quire_domain::imports::{ImportPhase, ImportResult, ImportSource, ImportState};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::content::spaces::SpaceRecord;
use crate::content::store::ContentAt;
use crate::diesel_types::{Json, Number};
use crate::list::{Slice, fetch_limit, page_end};
use crate::lookup::{Authorized, UserRecord};
use crate::operations::audit::Change;
use crate::schema::{imports, users};
use crate::transaction::{Reader, Tx};
use crate::{Error, Result};

pub use run::{ATTEMPTS, RunningImport};

/// Kind of the job that runs an import.
pub const IMPORT_JOB: &str = "import-content";
/// Maximum number of queued or running imports per space. Each may hold an upload.
pub const UNFINISHED_MAX: i64 = 10;

/// Key of an import, the input of its job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Queryable)]
pub struct ImportKey {
    /// Space.
    pub space: SpaceId,
    /// Import.
    pub import: ImportId,
}

/// Source of the content of an import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImportOrigin {
    /// URL to fetch.
    Url(String),
    /// Upload in the file store.
    Upload {
        /// File name given by the caller.
        file_name: Option<String>,
        /// Size in bytes.
        size: u64,
    },
}

/// Stored import.
#[derive(Clone, Debug, PartialEq, Queryable, Selectable)]
#[diesel(table_name = imports, check_for_backend(Pg))]
pub struct ImportRecord {
    /// Space.
    #[diesel(column_name = space_id)]
    pub space: SpaceId,
    /// Id.
    pub id: ImportId,
    /// Change request that receives the content.
    #[diesel(column_name = change_request_id)]
    pub change_request: Option<ChangeRequestId>,
    /// Page whose document is replaced.
    #[diesel(column_name = page_id)]
    pub page: Option<PageId>,
    /// Kind of source.
    pub source: ImportSource,
    /// Source of the content.
    #[diesel(embed)]
    pub origin: ImportOrigin,
    /// User who requested the import.
    #[diesel(embed)]
    pub created_by: UserRecord,
    /// State.
    #[diesel(column_name = status)]
    pub state: ImportState,
    /// Current or last phase.
    pub phase: Option<ImportPhase>,
    /// Completed units of the phase.
    #[diesel(deserialize_as = i64)]
    pub done: u64,
    /// Total units of the phase.
    #[diesel(deserialize_as = Number<Option<i64>>)]
    pub total: Option<u64>,
    /// Result.
    #[diesel(deserialize_as = Json<Option<Value>>)]
    pub result: Option<ImportResult>,
    /// Error of a failed import.
    #[diesel(deserialize_as = Json<Option<Value>>)]
    pub error: Option<ErrorDetail>,
    /// Time of the request.
    pub created_at: Timestamp,
    /// Start of the last attempt.
    pub started_at: Option<Timestamp>,
    /// End time.
    pub finished_at: Option<Timestamp>,
}

/// Types of the columns of an [`ImportOrigin`].
type OriginTypes = (Nullable<Text>, Nullable<Text>, Nullable<BigInt>);

impl Queryable<OriginTypes, Pg> for ImportOrigin {
    type Row = (Option<String>, Option<String>, Option<i64>);

    fn build((url, file_name, size): Self::Row) -> deserialize::Result<Self> {
        match (url, size) {
            (Some(url), None) => Ok(Self::Url(url)),
            (None, Some(size)) => Ok(Self::Upload { file_name, size: u64::try_from(size)? }),
            _ => Err("an import has neither a URL nor an upload".into()),
        }
    }
}

impl Selectable<Pg> for ImportOrigin {
    type SelectExpression = (imports::url, imports::file_name, imports::upload_size);

    fn construct_selection() -> Self::SelectExpression {
        (imports::url, imports::file_name, imports::upload_size)
    }
}

/// Imports with the users who requested them.
#[dsl::auto_type(no_type_alias)]
fn with_users(space: SpaceId) -> _ {
    let record: dsl::AsSelect<ImportRecord, Pg> = ImportRecord::as_select();
    imports::table
        .left_join(users::table.on(imports::created_by.eq(users::id.nullable())))
        .filter(imports::space_id.eq(space))
        .select(record)
}

impl Reader<'_> {
    /// Returns an import into a space. Takes one statement.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it does not exist.
    pub fn import(&mut self, space: &Authorized<SpaceRecord>, id: ImportId) -> Result<ImportRecord> {
        self.find_import(ImportKey { space: space.id, import: id })
    }

    /// Returns the imports into a space, newest first. Takes two statements.
    pub fn imports(
        &mut self,
        space: &Authorized<SpaceRecord>,
        below: Option<ImportId>,
        limit: u16,
    ) -> Result<Slice<ImportRecord>> {
        let space = space.id;
        let rows = with_users(space)
            .filter(imports::id.lt(page_end(below)))
            .order(imports::id.desc())
            .limit(fetch_limit(limit))
            .load(self.connection)?;
        let total = imports::table.filter(imports::space_id.eq(space)).count().get_result(self.connection)?;
        Ok(Slice::cut(rows, limit, total))
    }

    fn find_import(&mut self, ImportKey { space, import }: ImportKey) -> Result<ImportRecord> {
        let record =
            with_users(space).filter(imports::id.eq(import)).get_result(self.connection).optional()?;
        record.ok_or(Error::NotFound)
    }
}

impl Tx<'_> {
    /// Enqueues an import to run after this transaction. An upload must already be stored under the id. The import
    /// replaces the document of `page`, if given. The head of the content must be one of the revisions `expected`. The
    /// audit log gets the entry `change` when the import ends.
    ///
    /// # Errors
    /// [`Reason::RateLimited`] if too many imports into the space are queued or running.
    pub fn create_import(
        &mut self,
        content: &Authorized<ContentAt>,
        id: ImportId,
        (source, origin): (ImportSource, ImportOrigin),
        page: Option<PageId>,
        expected: Option<Vec<RevisionId>>,
        change: Option<Change>,
    ) -> Result<ImportRecord> {
        let key = ImportKey { space: content.space.id, import: id };
        let actor = content.actor();
        let (url, file_name, size) = match origin {
            ImportOrigin::Url(url) => (Some(url), None, None),
            ImportOrigin::Upload { file_name, size } => {
                // PostgreSQL stores no NUL.
                let file_name = file_name.map(|name| name.replace('\0', ""));
                (None, file_name, Some(i64::try_from(size).unwrap_or(i64::MAX)))
            }
        };
        let request = change.as_ref().map(serde_json::to_value).transpose();
        let request = request.map_err(|error| Error::Internal("a request can't be noted", error.into()))?;
        let change_request = content.change_request.as_ref().map(|change_request| change_request.id);
        diesel::insert_into(imports::table)
            .values((
                imports::space_id.eq(key.space),
                imports::id.eq(key.import),
                imports::change_request_id.eq(change_request),
                imports::page_id.eq(page),
                imports::source.eq(source.as_str()),
                imports::url.eq(url),
                imports::file_name.eq(file_name),
                imports::upload_size.eq(size),
                imports::expected.eq(expected),
                imports::request.eq(request),
                imports::created_by.eq(actor.user),
                imports::token_id.eq(actor.token),
                imports::status.eq(ImportState::Pending.as_str()),
                imports::created_at.eq(self.now),
            ))
            .execute(self.connection)?;
        self.check_unfinished(key.space)?;
        let run_at = self.now();
        self.enqueue(IMPORT_JOB, json!(key), None, run_at)?;
        self.find_import(key)
    }

    fn check_unfinished(&mut self, space: SpaceId) -> Result<()> {
        self.take_turns("imports", space)?;
        let unfinished: i64 = imports::table
            .filter(imports::space_id.eq(space))
            .filter(imports::finished_at.is_null())
            .count()
            .get_result(self.connection)?;
        match unfinished > UNFINISHED_MAX {
            true => Err(Error::refused(
                Reason::RateLimited,
                "Too many imports into this space are waiting. Try again when one has finished.",
            )),
            false => Ok(()),
        }
    }

    /// Cancels an import before its end. Its worker notices with its next statement, and can store nothing more.
    ///
    /// # Errors
    /// [`Reason::ImportFinished`] if it has ended, [`Error::NotFound`] if it does not exist.
    pub fn cancel_import(&mut self, space: &Authorized<SpaceRecord>, id: ImportId) -> Result<ImportRecord> {
        let unfinished = imports::table.find((space.id, id)).filter(imports::finished_at.is_null());
        let cancelled = diesel::update(unfinished)
            .set((imports::status.eq(ImportState::Cancelled.as_str()), imports::finished_at.eq(self.now)))
            .execute(self.connection)?;
        let import = self.import(space, id)?;
        match cancelled {
            1 => Ok(import),
            _ => Err(Error::refused(Reason::ImportFinished, Reason::ImportFinished.message())),
        }
    }
}
