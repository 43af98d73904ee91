//! The versions of a specification.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use quire_domain::clock::Timestamp;
use quire_domain::ids::OpenApiSpecVersionId;
use quire_domain::openapi_specs::SpecFormat;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::list::{CountRow, Slice, fetch_limit};
use crate::lookup::{Authorized, OpenApiSpecRecord};
use crate::statement::{Sql, statements, val};
use crate::transaction::Reader;
use crate::{Error, Result, moment, stored};

/// A version as it is stored, without its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpecVersionRecord {
    /// Its id.
    pub id: OpenApiSpecVersionId,
    /// When it was made.
    pub created_at: Timestamp,
}

/// What a version says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecVersionContent {
    /// The notation.
    pub format: SpecFormat,
    /// The text as it was sent.
    pub source: String,
}

#[derive(QueryableByName)]
struct VersionRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Timestamptz)]
    created_at: OffsetDateTime,
}

#[derive(QueryableByName)]
struct ContentRow {
    #[diesel(sql_type = Text)]
    format: String,
    #[diesel(sql_type = Text)]
    source: String,
}

impl TryFrom<VersionRow> for SpecVersionRecord {
    type Error = Error;

    fn try_from(row: VersionRow) -> Result<Self> {
        Ok(Self { id: OpenApiSpecVersionId::from_uuid(row.id), created_at: moment(row.created_at)? })
    }
}

statements! {
    ListVersions = "SELECT id, created_at FROM openapi_spec_versions \
                    WHERE organization_id = $1 AND spec_id = $2 AND ($3 IS NULL OR id < $3) ORDER BY id DESC LIMIT $4";
    CountVersions = "SELECT count(*) AS total FROM openapi_spec_versions WHERE organization_id = $1 AND spec_id = $2";
    FindVersion = "SELECT id, created_at FROM openapi_spec_versions WHERE organization_id = $1 AND spec_id = $2 AND id = $3";
    FindVersionContent = "SELECT format, source FROM openapi_spec_versions WHERE organization_id = $1 AND spec_id = $2 AND id = $3";
}

impl Reader<'_> {
    /// The versions of a specification that are kept, newest first: two statements.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn openapi_spec_versions(
        &mut self,
        spec: &Authorized<OpenApiSpecRecord>,
        after: Option<OpenApiSpecVersionId>,
        limit: u16,
    ) -> Result<Slice<SpecVersionRecord>> {
        let key = || (val::<SqlUuid, _>(*spec.organization.as_uuid()), val::<SqlUuid, _>(*spec.id.as_uuid()));
        let (organization, id) = key();
        let after = val::<Nullable<SqlUuid>, _>(after.map(|id| *id.as_uuid()));
        let rows: Vec<VersionRow> =
            ListVersions::bind((organization, id, after, val::<BigInt, _>(fetch_limit(limit))))
                .load(self.connection)?;
        let count: CountRow = CountVersions::bind(key()).get_result(self.connection)?;
        Slice::cut(rows, limit, count.total).try_map(TryInto::try_into)
    }

    /// A version of a specification; the last one without an id.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it does not exist.
    pub fn openapi_spec_version(
        &mut self,
        spec: &Authorized<OpenApiSpecRecord>,
        id: Option<OpenApiSpecVersionId>,
    ) -> Result<SpecVersionRecord> {
        let id = id.or(spec.last_version).ok_or(Error::NotFound)?;
        let row: Option<VersionRow> = FindVersion::bind((
            val::<SqlUuid, _>(*spec.organization.as_uuid()),
            val::<SqlUuid, _>(*spec.id.as_uuid()),
            val::<SqlUuid, _>(*id.as_uuid()),
        ))
        .get_result(self.connection)
        .optional()?;
        row.ok_or(Error::NotFound)?.try_into()
    }

    /// What a version says.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is no such version.
    pub fn openapi_spec_content(
        &mut self,
        spec: &Authorized<OpenApiSpecRecord>,
        id: OpenApiSpecVersionId,
    ) -> Result<SpecVersionContent> {
        let row: Option<ContentRow> = FindVersionContent::bind((
            val::<SqlUuid, _>(*spec.organization.as_uuid()),
            val::<SqlUuid, _>(*spec.id.as_uuid()),
            val::<SqlUuid, _>(*id.as_uuid()),
        ))
        .get_result(self.connection)
        .optional()?;
        let row = row.ok_or(Error::NotFound)?;
        Ok(SpecVersionContent { format: stored(&row.format)?, source: row.source })
    }
}
