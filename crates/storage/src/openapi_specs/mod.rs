//! OpenAPI specifications: added, given a source, listed, deleted; and the versions that came of them.

mod pages;
mod process;
mod specs;
mod versions;

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use quire_domain::error::{Reason, Refusal};
use quire_domain::ids::{OpenApiSpecId, OrganizationId};
use quire_domain::openapi_specs::{ProcessingState, SpecSlug, SpecSource};
use serde::{Deserialize, Serialize};
use serde_json::json;

pub use pages::{Outline, OutlinePage, PageKind, SpecPage, SpecPart, SpecPieces};
pub use process::{NewVersion, NewVersionPage, NewVersionPart, Processed};
pub use specs::{ReadableSpecs, SpecOf, SpecsBySource};
pub use versions::{SpecVersionContent, SpecVersionRecord};

use crate::jobs::NewJob;
use crate::list::{CountRow, Slice, fetch_limit};
use crate::lookup::{
    Authorized, OpenApiSpecColumns, OpenApiSpecRecord, OrganizationRecord, openapi_spec_columns,
};
use crate::statement::{Sql, statements, val};
use crate::transaction::{Reader, Tx};
use crate::{Error, Result};

/// The kind of the job that processes a source.
pub const PROCESS_JOB: &str = "process-openapi-spec";

/// Which source a job is to process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceOf {
    /// The organization.
    pub organization: OrganizationId,
    /// Its specification.
    pub spec: OpenApiSpecId,
    /// Which of the sources that it was given.
    pub generation: i32,
}

/// How often an update tries to find or to add a specification that others add and delete at the same time.
const ATTEMPTS: usize = 3;

statements! {
    InsertOpenApiSpec = concat!(
        "INSERT INTO openapi_specs AS s (organization_id, id, slug, source_url, source_text, processing_state, created_at, updated_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $7) ON CONFLICT (organization_id, slug) DO NOTHING RETURNING ", openapi_spec_columns!()
    );
    LockOpenApiSpec = concat!(
        "SELECT ", openapi_spec_columns!(), " FROM openapi_specs s WHERE s.organization_id = $1 AND s.slug = $2 FOR UPDATE"
    );
    SetSource = concat!(
        "UPDATE openapi_specs s SET source_url = $3, source_text = $4, generation = s.generation + 1, processing_state = $5, updated_at = $6 \
         WHERE s.organization_id = $1 AND s.id = $2 RETURNING ", openapi_spec_columns!()
    );
    DeleteOpenApiSpec = "DELETE FROM openapi_specs WHERE organization_id = $1 AND id = $2";
    ListOpenApiSpecs = concat!(
        "SELECT ", openapi_spec_columns!(), " FROM openapi_specs s WHERE s.organization_id = $1 AND ($2 IS NULL OR s.id < $2) \
         ORDER BY s.id DESC LIMIT $3"
    );
    CountOpenApiSpecs = "SELECT count(*) AS total FROM openapi_specs WHERE organization_id = $1";
}

impl Reader<'_> {
    /// The specifications of an organization, newest first: two statements.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn openapi_specs(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        after: Option<OpenApiSpecId>,
        limit: u16,
    ) -> Result<Slice<Authorized<OpenApiSpecRecord>>> {
        let id = *organization.id.as_uuid();
        let rows: Vec<OpenApiSpecColumns> = ListOpenApiSpecs::bind((
            val::<SqlUuid, _>(id),
            val::<Nullable<SqlUuid>, _>(after.map(|id| *id.as_uuid())),
            val::<BigInt, _>(fetch_limit(limit)),
        ))
        .load(self.connection)?;
        let count: CountRow =
            CountOpenApiSpecs::bind((val::<SqlUuid, _>(id),)).get_result(self.connection)?;
        Slice::cut(rows, limit, count.total).try_map(|row| organization.with(row.try_into()?))
    }
}

impl Tx<'_> {
    /// Adds a specification, whose source is then processed.
    ///
    /// # Errors
    /// [`Reason::SlugTaken`].
    pub fn create_openapi_spec(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        slug: &SpecSlug,
        source: &SpecSource,
    ) -> Result<Authorized<OpenApiSpecRecord>> {
        self.insert_openapi_spec(organization, slug, source)?.ok_or_else(|| {
            let message = format!("The organization has a specification with the slug `{slug}` already.");
            Refusal::new(Reason::SlugTaken).with_message(message).at("slug", "is taken").into()
        })
    }

    /// Gives a specification a source, or adds it; whatever became of the source before, this one is processed. `check` is asked with
    /// what is there, and may refuse. Answers the specification, and whether it was added.
    ///
    /// # Errors
    /// What `check` says; [`Reason::Conflict`] when others add and delete it all the time.
    pub fn put_openapi_spec<E: From<Error>>(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        slug: &SpecSlug,
        source: &SpecSource,
        check: impl Fn(Option<&Authorized<OpenApiSpecRecord>>) -> std::result::Result<(), E>,
    ) -> std::result::Result<(Authorized<OpenApiSpecRecord>, bool), E> {
        for _ in 0..ATTEMPTS {
            if let Some(present) = self.lock_openapi_spec(organization, slug)? {
                check(Some(&present))?;
                return Ok((self.set_source(organization, &present, source)?, false));
            }
            check(None)?;
            if let Some(made) = self.insert_openapi_spec(organization, slug, source)? {
                return Ok((made, true));
            }
        }
        Err(Error::refused(
            Reason::Conflict,
            format!("Others change the specification `{slug}` at the same time."),
        )
        .into())
    }

    /// Deletes a specification with all its versions.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn delete_openapi_spec(&mut self, spec: Authorized<OpenApiSpecRecord>) -> Result<()> {
        let (organization, id) = (*spec.organization.as_uuid(), *spec.id.as_uuid());
        DeleteOpenApiSpec::bind((val::<SqlUuid, _>(organization), val::<SqlUuid, _>(id)))
            .execute(self.connection)?;
        Ok(())
    }

    fn lock_openapi_spec(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        slug: &SpecSlug,
    ) -> Result<Option<Authorized<OpenApiSpecRecord>>> {
        let id = *organization.id.as_uuid();
        let row: Option<OpenApiSpecColumns> =
            LockOpenApiSpec::bind((val::<SqlUuid, _>(id), val::<Text, _>(slug.as_str())))
                .get_result(self.connection)
                .optional()?;
        row.map(|row| organization.with(row.try_into()?)).transpose()
    }

    /// `None` when the slug is taken.
    fn insert_openapi_spec(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        slug: &SpecSlug,
        source: &SpecSource,
    ) -> Result<Option<Authorized<OpenApiSpecRecord>>> {
        let (url, text) = columns(source)?;
        let row: Option<OpenApiSpecColumns> = InsertOpenApiSpec::bind((
            val::<SqlUuid, _>(*organization.id.as_uuid()),
            val::<SqlUuid, _>(self.storage.ids().uuid()),
            val::<Text, _>(slug.as_str()),
            val::<Nullable<Text>, _>(url),
            val::<Nullable<Text>, _>(text),
            val::<Text, _>(ProcessingState::of_a_new_source().as_str()),
            self.now_bind(),
        ))
        .get_result(self.connection)
        .optional()?;
        let Some(row) = row else { return Ok(None) };
        let made = organization.with(OpenApiSpecRecord::try_from(row)?)?;
        self.note_made("openapi-spec", slug.as_str());
        self.enqueue_processing(&made)?;
        Ok(Some(made))
    }

    fn set_source(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        spec: &Authorized<OpenApiSpecRecord>,
        source: &SpecSource,
    ) -> Result<Authorized<OpenApiSpecRecord>> {
        let (url, text) = columns(source)?;
        let row: OpenApiSpecColumns = SetSource::bind((
            val::<SqlUuid, _>(*spec.organization.as_uuid()),
            val::<SqlUuid, _>(*spec.id.as_uuid()),
            val::<Nullable<Text>, _>(url),
            val::<Nullable<Text>, _>(text),
            val::<Text, _>(ProcessingState::of_a_new_source().as_str()),
            val::<Timestamptz, _>(time::OffsetDateTime::from(self.now)),
        ))
        .get_result(self.connection)?;
        let updated = organization.with(OpenApiSpecRecord::try_from(row)?)?;
        self.enqueue_processing(&updated)?;
        Ok(updated)
    }

    /// Each source has a job of its own: one that is about to end takes no notice of a source that comes meanwhile.
    fn enqueue_processing(&mut self, spec: &OpenApiSpecRecord) -> Result<()> {
        let OpenApiSpecRecord { organization, id, generation, .. } = *spec;
        let key = format!("{PROCESS_JOB} {id} {generation}");
        let payload = json!(SourceOf { organization, spec: id, generation });
        let job = NewJob { kind: PROCESS_JOB, payload, key: Some(&key), run_at: self.now };
        self.enqueue(&job)?;
        Ok(())
    }
}

/// A source as the two columns it is stored in.
fn columns(source: &SpecSource) -> Result<(Option<&str>, Option<&str>)> {
    Ok(match source {
        SpecSource::Url { url } => (Some(url.as_text()?), None),
        SpecSource::Text { text } => (None, Some(text.as_text()?)),
    })
}
