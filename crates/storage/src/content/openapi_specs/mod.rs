//! OpenAPI specifications: creation, sources, lists, deletion, and their versions.

mod lookup;
mod pages;
mod process;
mod specs;
mod versions;

use diesel::prelude::*;
use quire_domain::error::{Reason, Refusal};
use quire_domain::ids::{OpenApiSpecId, OrganizationId};
use quire_domain::openapi_specs::{ProcessingState, SpecSlug, SpecSource};
use serde::{Deserialize, Serialize};
use serde_json::json;

pub use self::lookup::OpenApiSpecRecord;
pub use pages::{Outline, OutlinePage, PageKind, SpecPage, SpecPart, SpecPieces};
pub use process::Processed;
pub use specs::{ReadableSpecs, SpecOf, SpecsBySource};
pub use versions::SpecVersionContent;

use crate::list::{Slice, fetch_limit, page_end};
use crate::lookup::Authorized;
use crate::people::organizations::OrganizationRecord;
use crate::schema::openapi_specs;
use crate::sites::purges::Purge;
use crate::transaction::{Reader, Tx};
use crate::{Error, Result};

/// Kind of the job that processes a source.
pub const PROCESS_JOB: &str = "process-openapi-spec";

/// Input of the job: the source to process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceOf {
    /// Organization.
    pub organization: OrganizationId,
    /// Specification.
    pub spec: OpenApiSpecId,
    /// Number (generation) of the source.
    pub generation: i32,
}

/// Number of attempts to find or add a specification that other requests add and delete concurrently.
const ATTEMPTS: usize = 3;

impl Reader<'_> {
    /// Returns the specifications of an organization, newest first. Takes two statements.
    pub fn openapi_specs(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        after: Option<OpenApiSpecId>,
        limit: u16,
    ) -> Result<Slice<Authorized<OpenApiSpecRecord>>> {
        let of_organization =
            || openapi_specs::table.filter(openapi_specs::organization_id.eq(organization.id));
        let rows = of_organization()
            .filter(openapi_specs::id.lt(page_end(after)))
            .order(openapi_specs::id.desc())
            .limit(fetch_limit(limit))
            .select(OpenApiSpecRecord::as_select())
            .load(self.connection)?;
        let total = of_organization().count().get_result(self.connection)?;
        Slice::cut(rows, limit, total).try_map(|spec| organization.with(spec))
    }
}

impl Tx<'_> {
    /// Adds a specification, and enqueues the processing of its source.
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
            let message = format!("The organization already has a specification with the slug `{slug}`.");
            Refusal::new(Reason::SlugTaken).with_message(message).at("slug", "is already in use").into()
        })
    }

    /// Sets the source of a specification, which is added if it does not exist. The new source is processed in any
    /// case. `check` receives the current specification and may refuse. Returns the specification, and whether it was
    /// added.
    ///
    /// # Errors
    /// Errors of `check`; [`Reason::Conflict`] if other requests add and delete the specification concurrently.
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
            format!("Another request is changing the specification `{slug}`. Try again."),
        )
        .into())
    }

    /// Deletes a specification with all its versions.
    pub fn delete_openapi_spec(&mut self, spec: Authorized<OpenApiSpecRecord>) -> Result<()> {
        diesel::delete(openapi_specs::table.find((spec.organization, spec.id))).execute(self.connection)?;
        self.after.has_changed_specs = true;
        self.purge(spec.organization, Purge::specification(spec.organization, &spec.slug));
        Ok(())
    }

    fn lock_openapi_spec(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        slug: &SpecSlug,
    ) -> Result<Option<Authorized<OpenApiSpecRecord>>> {
        let spec = openapi_specs::table
            .filter(openapi_specs::organization_id.eq(organization.id))
            .filter(openapi_specs::slug.eq(slug.as_str()))
            .for_update()
            .select(OpenApiSpecRecord::as_select())
            .get_result(self.connection)
            .optional()?;
        spec.map(|spec| organization.with(spec)).transpose()
    }

    /// Inserts a specification. Returns `None` if the slug is taken.
    fn insert_openapi_spec(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        slug: &SpecSlug,
        source: &SpecSource,
    ) -> Result<Option<Authorized<OpenApiSpecRecord>>> {
        let (url, text) = columns(source)?;
        let now = self.now;
        let made = diesel::insert_into(openapi_specs::table)
            .values((
                openapi_specs::organization_id.eq(organization.id),
                openapi_specs::id.eq(self.storage.ids().uuid()),
                openapi_specs::slug.eq(slug.as_str()),
                openapi_specs::source_url.eq(url),
                openapi_specs::source_text.eq(text),
                openapi_specs::processing_state.eq(ProcessingState::of_a_new_source().as_str()),
                openapi_specs::created_at.eq(now),
                openapi_specs::updated_at.eq(now),
            ))
            .on_conflict((openapi_specs::organization_id, openapi_specs::slug))
            .do_nothing()
            .returning(OpenApiSpecRecord::as_returning())
            .get_result(self.connection)
            .optional()?;
        let Some(made) = made else { return Ok(None) };
        let made = organization.with(made)?;
        self.record_created("openapi-spec", slug.as_str());
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
        let updated = diesel::update(openapi_specs::table.find((spec.organization, spec.id)))
            .set((
                openapi_specs::source_url.eq(url),
                openapi_specs::source_text.eq(text),
                openapi_specs::generation.eq(openapi_specs::generation + 1),
                openapi_specs::processing_state.eq(ProcessingState::of_a_new_source().as_str()),
                openapi_specs::updated_at.eq(self.now),
            ))
            .returning(OpenApiSpecRecord::as_returning())
            .get_result(self.connection)?;
        let updated = organization.with(updated)?;
        self.enqueue_processing(&updated)?;
        Ok(updated)
    }

    /// Enqueues the processing of a source. Each source has its own job, because a job that is about to end would not
    /// notice a new source.
    fn enqueue_processing(&mut self, spec: &OpenApiSpecRecord) -> Result<()> {
        let OpenApiSpecRecord { organization, id, generation, .. } = *spec;
        let key = format!("{PROCESS_JOB} {id} {generation}");
        let payload = json!(SourceOf { organization, spec: id, generation });
        self.enqueue(PROCESS_JOB, payload, Some(&key), self.now)?;
        Ok(())
    }
}

/// Returns the two columns that store a source.
fn columns(source: &SpecSource) -> Result<(Option<&str>, Option<&str>)> {
    Ok(match source {
        SpecSource::Url { url } => (Some(url.as_text()?), None),
        SpecSource::Text { text } => (None, Some(text.as_text()?)),
    })
}
