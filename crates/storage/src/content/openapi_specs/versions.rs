//! The versions of a specification.

use diesel::dsl;
use diesel::prelude::*;
use quire_domain::clock::Timestamp;
use quire_domain::ids::{OpenApiSpecId, OpenApiSpecVersionId, OrganizationId};
use quire_domain::openapi_specs::SpecFormat;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::content::openapi_specs::OpenApiSpecRecord;
use crate::list::{Slice, fetch_limit, page_end};
use crate::lookup::Authorized;
use crate::schema::openapi_spec_versions;
use crate::transaction::Reader;
use crate::{Error, Result, parse_enum, to_timestamp};

/// Source of a version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecVersionContent {
    /// Notation.
    pub format: SpecFormat,
    /// Source text.
    pub source: String,
}

#[dsl::auto_type(no_type_alias)]
fn versions_of(spec: &OpenApiSpecRecord) -> _ {
    let (organization, id): (OrganizationId, OpenApiSpecId) = (spec.organization, spec.id);
    openapi_spec_versions::table
        .filter(openapi_spec_versions::organization_id.eq(organization))
        .filter(openapi_spec_versions::spec_id.eq(id))
}

fn version((id, created_at): (Uuid, OffsetDateTime)) -> Result<(OpenApiSpecVersionId, Timestamp)> {
    Ok((OpenApiSpecVersionId::from_uuid(id), to_timestamp(created_at)?))
}

impl Reader<'_> {
    /// Returns the ids and creation times of the kept versions of a specification, newest first. Takes two statements.
    pub fn openapi_spec_versions(
        &mut self,
        spec: &Authorized<OpenApiSpecRecord>,
        after: Option<OpenApiSpecVersionId>,
        limit: u16,
    ) -> Result<Slice<(OpenApiSpecVersionId, Timestamp)>> {
        let rows = versions_of(spec)
            .filter(openapi_spec_versions::id.lt(page_end(after)))
            .order(openapi_spec_versions::id.desc())
            .limit(fetch_limit(limit))
            .select((openapi_spec_versions::id, openapi_spec_versions::created_at))
            .load(self.connection)?;
        let total = versions_of(spec).count().get_result(self.connection)?;
        Slice::cut(rows, limit, total).try_map(version)
    }

    /// Returns the id and creation time of a version of a specification; without an id, of the last version.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it does not exist.
    pub fn openapi_spec_version(
        &mut self,
        spec: &Authorized<OpenApiSpecRecord>,
        id: Option<OpenApiSpecVersionId>,
    ) -> Result<(OpenApiSpecVersionId, Timestamp)> {
        let id = id.or(spec.last_version).ok_or(Error::NotFound)?;
        let row = versions_of(spec)
            .filter(openapi_spec_versions::id.eq(id))
            .select((openapi_spec_versions::id, openapi_spec_versions::created_at))
            .get_result(self.connection)
            .optional()?;
        version(row.ok_or(Error::NotFound)?)
    }

    /// Returns the source of a version.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it does not exist.
    pub fn openapi_spec_content(
        &mut self,
        spec: &Authorized<OpenApiSpecRecord>,
        id: OpenApiSpecVersionId,
    ) -> Result<SpecVersionContent> {
        let row: Option<(String, String)> = versions_of(spec)
            .filter(openapi_spec_versions::id.eq(id))
            .select((openapi_spec_versions::format, openapi_spec_versions::source))
            .get_result(self.connection)
            .optional()?;
        let (format, source) = row.ok_or(Error::NotFound)?;
        Ok(SpecVersionContent { format: parse_enum(&format)?, source })
    }
}
